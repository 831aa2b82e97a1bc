/* import.c: `celer chain import`: a file of values that came from elsewhere. Whether they are true, verify says. */
#include "chain.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli.h"

/* A line as records, or none. */
struct line {
    struct celer_chain_record records[CHAIN_APPEND_MAX];
    size_t count;
};

static const char hex_line[] = "is not 'VALUE' or 'INDEX VALUE'",
                  csv_line[] = "is not as export -f csv prints it";

/* "VALUE" at the end of the next segment, or "INDEX VALUE". Empty lines and those that begin with # say nothing. Returns
   NULL, or what is wrong with the line. */
static const char *read_hex(struct line *line, char *text, const struct chain_file *file)
{
    struct celer_chain_record *const record = line->records;
    const char *words[3];
    size_t n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (n == 3)
            return hex_line;
        words[n++] = word;
    }
    line->count = 0;
    if (n == 0 || words[0][0] == '#')
        return NULL;
    line->count = 1;
    record->type = CELER_CHAIN_CHECKPOINT;
    record->index = file->steps + file->header.segment;
    if (n == 3 || !chain_unhex(record->hash, words[n - 1]) || record->index < file->steps)
        return hex_line;
    return n == 1 || cli_number(words[0], UINT64_MAX, &record->index) ? NULL : hex_line;
}

/* What is between quotation marks, with those inside of it halved, in place; nothing stays nothing. False when it is
   neither. */
static bool unquote(char *text)
{
    const size_t n = strlen(text);
    char *to = text;
    if (n == 0)
        return true;
    if (n < 2 || text[0] != '"' || text[n - 1] != '"')
        return false;
    text[n - 1] = 0;
    for (const char *from = text + 1; *from != 0; *to++ = *from++)
        if (*from == '"' && *++from != '"')
            return false;
    *to = 0;
    return true;
}

/* "INDEX,TYPE,HASH,LABEL" of any record; the seed has to be the one given. */
static const char *read_csv(struct line *line, char *text, const struct chain_file *file)
{
    struct celer_chain_record record = {0};
    char *words[3];
    line->count = 0;
    text[strcspn(text, "\r\n")] = 0;
    if (strcmp(text, CHAIN_CSV_HEAD) == 0)
        return NULL;
    for (size_t i = 0; i < 3; i++) {
        words[i] = text;
        text = strchr(text, ',');
        if (text == NULL)
            return csv_line;
        *text++ = 0;
    }
    const char *const label = text;
    if (!unquote(text) || !cli_number(words[0], UINT64_MAX, &record.index) ||
        !chain_unhex(record.hash, words[2]))
        return csv_line;
    if (strcmp(words[1], "seed") == 0)
        return record.index == 0 && memcmp(record.hash, file->header.seed, 32) == 0 ? NULL
                                                                                    : "has another seed";
    record.type = CELER_CHAIN_CHECKPOINT;
    while (record.type < CELER_CHAIN_LABEL && strcmp(words[1], chain_type_name(record.type)) != 0)
        record.type++;
    if (record.type == CELER_CHAIN_LABEL || (*label != 0 && record.type != CELER_CHAIN_MIX))
        return csv_line;
    if (*label != 0 && !chain_label_is_good(label))
        return "has a label that cannot be";
    line->count = chain_label_records(line->records, record.index, label);
    line->records[line->count++] = record;
    return NULL;
}

/* Whether the record of that line has an index that can come next; false after an error line. */
static bool follows(const struct chain_file *file, const struct celer_chain_record *record, uint64_t number)
{
    const bool checkpoint = record->type == CELER_CHAIN_CHECKPOINT;
    const uint64_t least = checkpoint, most = checkpoint ? file->header.segment : 0;
    if (record->index >= file->steps && record->index - file->steps >= least &&
        record->index - file->steps <= most)
        return true;
    cli_error("line %" PRIu64 ": index %" PRIu64 " has to be %" PRIu64 " to %" PRIu64 " behind %" PRIu64,
              number, record->index, least, most, file->steps);
    return false;
}

static int read_lines(struct chain_file *file, bool csv)
{
    struct line line;
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    uint64_t number = 0;
    int result = 0;
    while (result == 0 && cli_stopped_by == 0 && (length = getline(&text, &room, stdin)) > 0) {
        number++;
        const char *wrong = memchr(text, 0, (size_t)length) != NULL ? "holds a NUL"
                            : csv                                   ? read_csv(&line, text, file)
                                                                    : read_hex(&line, text, file);
        if (wrong != NULL) {
            cli_error("line %" PRIu64 " %s", number, wrong);
            result = -1;
        } else if (line.count > 0) {
            result = follows(file, &line.records[line.count - 1], number)
                         ? chain_append(file, line.records, line.count)
                         : -1;
        }
    }
    free(text);
    if (cli_stopped_by != 0) {
        cli_error("%s: stopped, and not made", file->name);
        result = -1;
    } else if (result == 0 && ferror(stdin)) {
        cli_error("standard input: %s", strerror(errno));
        result = -1;
    }
    return result;
}

int chain_import(const struct chain_options *options)
{
    struct chain_file file;
    cli_catch_stops();
    if (chain_create(&file, options->files[0], &options->header) != 0)
        return EXIT_TROUBLE;
    int result = read_lines(&file, options->csv);
    struct celer_chain_record record = {.index = file.steps, .type = CELER_CHAIN_FINAL};
    memcpy(record.hash, file.value, 32);
    if (result == 0 && file.segments == 0) {
        cli_error("standard input holds no values");
        result = -1;
    }
    if (result == 0 && !options->csv) /* which has all that a run wrote */
        result = chain_append(&file, &record, 1);
    if (result == 0)
        result = chain_sync(&file);
    if (result == 0)
        cli_error("%s: %" PRIu64 " values up to step %" PRIu64 ", not verified", file.name, file.segments,
                  file.steps);
    else
        unlink(file.name);
    chain_close(&file);
    return result == 0 ? EXIT_GOOD : EXIT_TROUBLE;
}
