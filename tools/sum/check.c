/* check.c: -c, a list of digests against the files it names. */
#include "sum.h"
#include <errno.h>
#include <string.h>
#include "cli.h"

/* A line longer than this names no file that could exist. */
#define LINE_SIZE (2 * SUM_MAX_OUT + 16384)

struct tally {
    uintmax_t lines, improper, verified, mismatched, unreadable;
    uintmax_t guessed_verified, guessed_mismatched;
};

/* The next line without its end (LF, CRLF, or the end of the file) into text, with a 0 behind it. Returns 1; 0 at the
   end of the file or after an error; -1 for a line that does not fit, which is skipped. */
static int next_line(FILE *from, char *text, size_t *len)
{
    size_t n = 0;
    int c;
    while ((c = getc_unlocked(from)) != EOF && c != '\n') {
        if (n < LINE_SIZE)
            text[n] = (char)c;
        n++;
    }
    if (c == EOF && (n == 0 || ferror(from)))
        return 0;
    if (n >= LINE_SIZE)
        return -1;
    if (n > 0 && text[n - 1] == '\r')
        n--;
    text[n] = 0;
    *len = n;
    return 1;
}

static void report(const char *name, const char *verdict)
{
    sum_write_name(stdout, name);
    printf(": %s\n", verdict);
}

/* Returns false when checking cannot go on. */
static bool check_line(struct sum_worker *worker, const struct sum_options *options,
                       const struct sum_line *line, struct tally *tally)
{
    if (sum_check_backend(options, line->algorithm.hash) != 0)
        return false;
    const int error = sum_file(worker, &line->algorithm, line->name);
    if (error == ENOENT && options->ignore_missing)
        return true;
    if (error != 0) {
        cli_error("%.4096s: %s", line->name, strerror(error));
        tally->unreadable++;
        if (!options->status)
            report(line->name, "FAILED open or read");
    } else if (sum_line_equals(line, worker->out)) {
        tally->verified++;
        tally->guessed_verified += line->guessed;
        if (!options->status && !options->quiet)
            report(line->name, "OK");
    } else {
        tally->mismatched++;
        tally->guessed_mismatched += line->guessed;
        if (!options->status)
            report(line->name, "FAILED");
    }
    return cli_flush();
}

static void complain(const char *list, uintmax_t n, const char *one, const char *many)
{
    if (n != 0)
        cli_error("%.4096s: %ju %s", list, n, n == 1 ? one : many);
}

static int verdict(const struct sum_options *options, const struct tally *tally, const char *list, bool utf16)
{
    if (tally->lines == tally->improper) {
        cli_error("%.4096s: no properly formatted line%s", list,
                  utf16 ? "; it is text in UTF-16, not in UTF-8" : "");
        return EXIT_NEGATIVE;
    }
    const bool nothing = tally->verified + tally->mismatched + tally->unreadable == 0;
    if (!options->status) {
        complain(list, tally->improper, "line is improperly formatted", "lines are improperly formatted");
        complain(list, tally->unreadable, "listed file could not be read", "listed files could not be read");
        complain(list, tally->mismatched, "digest does not match", "digests do not match");
        if (tally->guessed_mismatched != 0 && tally->guessed_verified == 0)
            cli_error("%.4096s: lines without a tag were taken for SHA-2; "
                      "-a names another algorithm, such as -a blake2b for those of b2sum",
                      list);
        if (nothing)
            cli_error("%.4096s: no file was verified", list);
    }
    const bool good = !nothing && tally->mismatched == 0 && tally->unreadable == 0 &&
                      (tally->improper == 0 || !options->strict);
    return good ? EXIT_GOOD : EXIT_NEGATIVE;
}

int sum_check_list(struct sum_worker *worker, const struct sum_options *options, const char *list)
{
    static char text[LINE_SIZE + 1];
    const bool is_stdin = strcmp(list, "-") == 0;
    FILE *from = is_stdin ? stdin : fopen(list, "r");
    if (from == NULL) {
        cli_error("%.4096s: %s", list, strerror(errno));
        return EXIT_TROUBLE;
    }
    struct tally tally = {0};
    enum sum_gap gap = SUM_GAP_UNKNOWN;
    bool going = true, utf16 = false;
    int got;
    size_t len = 0;
    for (uintmax_t number = 1; going && (got = next_line(from, text, &len)) != 0; number++) {
        char *start = text;
        if (number == 1 && got > 0) {
            utf16 = memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0;
            if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* the byte order mark of UTF-8 */
                start += 3;
                len -= 3;
            }
        }
        if (got > 0 && (len == 0 || *start == '#'))
            continue;
        struct sum_line line;
        tally.lines++;
        if (got > 0 && sum_read_line(start, len, &options->algorithm, &gap, &line) &&
            !(is_stdin && strcmp(line.name, "-") == 0)) { /* the list cannot be a file on it as well */
            going = check_line(worker, options, &line, &tally);
        } else {
            tally.improper++;
            if (options->warn)
                cli_error("%.4096s: %ju: improperly formatted line", list, number);
        }
    }
    const bool failed = ferror(from) != 0;
    if (failed)
        cli_error("%.4096s: %s", list, strerror(errno));
    if (!is_stdin)
        fclose(from);
    if (failed || !going)
        return EXIT_TROUBLE;
    return verdict(options, &tally, list, utf16);
}
