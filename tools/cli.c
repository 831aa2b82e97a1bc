/* cli.c: see cli.h. */
#include "cli.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "celer/celer.h"

bool cli_hold_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

static const char *subcommand = "";

void cli_start(const char *sub)
{
    subcommand = sub;
}

const char *cli_started(void)
{
    return subcommand;
}

void cli_print_safely(FILE *to, const char *text)
{
    for (; *text != 0; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '\n')
            fputs("\\n", to);
        else if (c == '\r')
            fputs("\\r", to);
        else if (c < ' ' || c == 127)
            fprintf(to, "\\%03o", c);
        else
            putc(c, to);
    }
}

bool (*cli_error_wanted)(const char *text);

static void cli_line(const char *format, va_list args)
{
    char text[8192]; /* a file name is at most 4096 bytes */
    vsnprintf(text, sizeof text, format, args);
    cli_flush(); /* so that data and complaints keep their order on a terminal */
    flockfile(stderr);
    if (cli_error_wanted == NULL || cli_error_wanted(text)) {
        fprintf(stderr, "celer%s%s: ", *subcommand ? " " : "", subcommand);
        cli_print_safely(stderr, text);
        putc('\n', stderr);
    }
    funlockfile(stderr);
}

void cli_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_line(format, args);
    va_end(args);
}

int cli_usage(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cli_error("%s (celer%s%s --help tells more)", text, *subcommand ? " " : "", subcommand);
    return EXIT_TROUBLE;
}

int cli_option(int argc, char **argv, const char *shorts, const struct option *longs)
{
    opterr = 0;
    const int found = getopt_long(argc, argv, shorts, longs, NULL);
    if (found == ':')
        cli_usage("option '%s' needs an argument", argv[optind - 1]);
    else if (found == '?' && optopt == 0)
        cli_usage("unknown or ambiguous option '%s'", argv[optind - 1]);
    else if (found == '?' && (optopt > 255 || strchr(shorts, optopt) != NULL))
        cli_usage("option '%s': takes no argument", argv[optind - 1]);
    else if (found == '?')
        cli_usage("unknown option '-%c'", optopt);
    return found == ':' ? '?' : found;
}

/* stdio forgets what it could not write, and why, once the call that failed has returned. */
static int stdout_errno;

bool cli_flush(void)
{
    if (fflush(stdout) != 0 && stdout_errno == 0)
        stdout_errno = errno;
    return ferror(stdout) == 0;
}

int cli_finish(int code)
{
    if (cli_flush())
        return code;
    if (stdout_errno != EPIPE)
        cli_error("standard output: %s", stdout_errno != 0 ? strerror(stdout_errno) : "write error");
    return EXIT_TROUBLE;
}

bool cli_number(const char *text, uint64_t max, uint64_t *value)
{
    uint64_t v = 0;
    const char *p = text;
    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        const uint64_t digit = (uint64_t)(*p - '0');
        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = 10 * v + digit;
    }
    if (*p != 0) {
        const char *letters = "kMG", *at = strchr(letters, *p == 'K' ? 'k' : *p);
        if (at == NULL)
            return false;
        p++;
        const uint64_t base = *p == 'i' ? 1024 : 1000;
        p += *p == 'i';
        for (int i = 0; i <= at - letters; i++) {
            if (v > UINT64_MAX / base)
                return false;
            v *= base;
        }
    }
    if (*p != 0 || v > max)
        return false;
    *value = v;
    return true;
}

const struct celer_hash *cli_hash(const char *name)
{
    const struct celer_hash *hash = celer_hash_find(name);
    if (hash != NULL)
        return hash;
    char known[1024] = "";
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", hash->name);
    }
    cli_error("unknown algorithm '%s'; there are:%s", name, known);
    return NULL;
}

volatile sig_atomic_t cli_stopped_by;

static void on_stop(int signal_number)
{
    cli_stopped_by = signal_number;
}

void cli_catch_stops(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction act = {.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction former;
        if (sigaction(signals[i], &act, &former) == 0 && former.sa_handler == SIG_IGN)
            sigaction(signals[i], &former, NULL);
    }
}

int cli_word(const char *what, const char *word, const char *const *words, size_t n)
{
    char known[128] = "";
    for (size_t i = 0; i < n; i++) {
        if (strcmp(word, words[i]) == 0)
            return (int)i;
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", words[i]);
    }
    cli_error("unknown %s '%s'; there are:%s", what, word, known);
    return -1;
}

void cli_each_kernel(void (*visit)(const struct celer_kernel *kernel, void *arg), void *arg)
{
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++) {
        size_t j = 0;
        while (celer_hash_at(j)->kernel != hash->kernel)
            j++;
        if (j == i) /* the first hash on this kernel */
            visit(hash->kernel, arg);
    }
    visit(celer_sha256_chain_kernel(), arg);
    visit(celer_kem_at(0)->kernel, arg); /* that of all KEMs */
}

char *cli_bit_names(uint32_t bits, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (unsigned i = 0; i < 32; i++) {
        const char *name = bits >> i & 1 ? celer_cpu_bit_name(i) : NULL;
        if (name == NULL)
            continue;
        const int n = snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", name);
        if (n < 0 || (size_t)n >= size - used)
            break;
        used += (size_t)n;
    }
    return text;
}

struct backend_search {
    const char *name;
    uint32_t needs;
    bool found;
    char known[256];
};

static void backend_visit(const struct celer_kernel *kernel, void *arg)
{
    struct backend_search *search = arg;
    const struct celer_backend *row;
    for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++) {
        if (strcmp(row->name, search->name) == 0) {
            search->found = true;
            search->needs |= row->needs;
        }
        char word[64];
        snprintf(word, sizeof word, " %s ", row->name);
        if (strstr(search->known, word) == NULL) {
            const size_t used = strlen(search->known);
            snprintf(search->known + used, sizeof search->known - used, "%s", used > 0 ? word + 1 : word);
        }
    }
}

/* Backends of celer that are compiled for one architecture only: where they are unknown, they are not misspelt. */
static const struct {
    const char *name, *architecture;
} foreign_backends[] = {
    {"bmi2", "x86-64"},       {"avx2", "x86-64"},  {"avx512", "x86-64"},   {"hybrid", "x86-64"},
    {"shani", "x86-64"},      {"neon", "AArch64"}, {"armsha2", "AArch64"}, {"armsha3", "AArch64"},
    {"armsha512", "AArch64"}, {"sse41", "x86-64"},
};
#define FOREIGN_BACKENDS (sizeof foreign_backends / sizeof foreign_backends[0])

char *cli_foreign_backends(char *text, size_t size)
{
    text[0] = 0;
    for (size_t i = 0; i < FOREIGN_BACKENDS; i++) {
        struct backend_search search = {.name = foreign_backends[i].name};
        const size_t used = strlen(text);
        cli_each_kernel(backend_visit, &search);
        if (!search.found)
            snprintf(text + used, size - used, " %s(%s)", foreign_backends[i].name,
                     foreign_backends[i].architecture);
    }
    return text;
}

int cli_backend(const char *name, uint32_t *mask)
{
    struct backend_search search = {.name = name};
    cli_each_kernel(backend_visit, &search);
    if (!search.found) {
        for (size_t i = 0; i < FOREIGN_BACKENDS; i++)
            if (strcmp(foreign_backends[i].name, name) == 0) {
                cli_error("backend '%s' cannot run here: it is for %s, not for this CPU", name,
                          foreign_backends[i].architecture);
                return -1;
            }
        cli_error("unknown backend '%s'; there are:%.*s", name, (int)strlen(search.known) - 1, search.known);
        return -1;
    }
    const uint32_t missing = search.needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected();
    if (missing != 0) {
        char names[256];
        cli_error("backend '%s' cannot run here: this CPU or system lacks %s", name,
                  cli_bit_names(missing, names, sizeof names));
        return -1;
    }
    *mask = search.needs;
    return 0;
}
