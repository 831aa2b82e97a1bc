/* cli.h: what the subcommands share: errors, numbers, the end of the program. */
#ifndef CLI_H
#define CLI_H
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct celer_hash;
struct celer_kernel;
struct option;

/* Exit codes of every subcommand. */
enum {
    EXIT_GOOD = 0,
    EXIT_NEGATIVE = 1 /* a mismatch, slower, invalid */,
    EXIT_TROUBLE = 2 /* usage or I/O */
};

/* The subcommands; argv[0] is the subcommand's name. Each returns an exit code. */
int cmd_sum(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_chain(int argc, char **argv);
int cmd_kem(int argc, char **argv);
int cmd_info(int argc, char **argv);

/* Before anything is opened: standard input, output and error that are closed become /dev/null, in the direction in which
   nobody uses it, so that no file gets their numbers, and what is written to them is still lost with an error. */
bool cli_hold_standard(void);

/* Text that may be any file name: no byte of it starts a second line, or commands the terminal. */
void cli_print_safely(FILE *to, const char *text);

/* One line on stderr: "celer SUB: message". SUB is what cli_start was given. */
void cli_start(const char *sub);
const char *cli_started(void);
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same with a hint that `celer SUB --help` tells more; returns EXIT_TROUBLE. */
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Where it is set, whether a message of these is to be printed. No two threads ask at once. */
extern bool (*cli_error_wanted)(const char *text);

/* getopt_long with its own error lines in our form: '?' means that one was printed. `shorts` begins with ':'; options
   without a short form have values above 255. */
int cli_option(int argc, char **argv, const char *shorts, const struct option *longs);

/* Flushes stdout; false once anything written to it was lost. */
bool cli_flush(void);

/* Flushes stdout. Returns `code`, or EXIT_TROUBLE when anything written to stdout was lost: with an error line, but
   without one when the reader closed the pipe. */
int cli_finish(int code);

/* Decimal number with optional k, M, G (powers of 1000) or Ki, Mi, Gi; false when it is none or above max. */
bool cli_number(const char *text, uint64_t max, uint64_t *value);

/* The hash of that name; or NULL after an error line that lists the hashes there are. */
const struct celer_hash *cli_hash(const char *name);

/* What has to be allowed so that the backend `name` is what runs, as a mask for celer_cpu_mask, for every kernel that
   has rows of that name. Returns 0 and the mask; or -1 after an error line that lists the backends there are, or says
   which capability this CPU lacks. */
int cli_backend(const char *name, uint32_t *mask);

/* From now on the first SIGINT, SIGTERM or SIGHUP is only noted here, a second one ends the program. One that was ignored when
   we began stays ignored. */
extern volatile sig_atomic_t cli_stopped_by;
void cli_catch_stops(void);

/* Index of `word` among n words; or -1 after an error that names `what` and lists them. */
int cli_word(const char *what, const char *word, const char *const *words, size_t n);

/* Calls visit for each distinct kernel of the list of hashes, and for those of hash chains and of KEMs. */
void cli_each_kernel(void (*visit)(const struct celer_kernel *kernel, void *arg), void *arg);

/* Backends that are compiled for another architecture than this, as "neon(AArch64)", with a blank before each, into text;
   returns text. */
char *cli_foreign_backends(char *text, size_t size);

/* Names of the bits in `bits`, as "avx512f avx512vl", into text; returns text. */
char *cli_bit_names(uint32_t bits, char *text, size_t size);
#endif
