/* celer.c: the command; a table of subcommands and nothing else. */
#include <stdio.h>
#include <string.h>
#include "celer/celer.h"
#include "cli.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"sum", cmd_sum, "hash files, or check them against a list of digests"},
    {"bench", cmd_bench, "measure hashes in cycles per byte"},
    {"compare", cmd_compare, "say which of two is faster, and how sure that is"},
    {"report", cmd_report, "show results as a page of tables and charts"},
    {"chain", cmd_chain, "make, verify and show chains of hashes"},
    {"kem", cmd_kem, "share secrets by ML-KEM: keys, encapsulation, decapsulation"},
    {"info", cmd_info, "show this CPU, its features, and the code chosen for it"},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void print_usage(FILE *to)
{
    fprintf(to, "usage: celer COMMAND [OPTION]... [ARGUMENT]...\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fprintf(to, "\nceler COMMAND --help tells more of a command; celer --version prints the version.\n");
}

int main(int argc, char **argv)
{
    if (!cli_hold_standard())
        return EXIT_TROUBLE;
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_TROUBLE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return cli_finish(EXIT_GOOD);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("celer %s\n", celer_version());
        return cli_finish(EXIT_GOOD);
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            cli_start(commands[i].name);
            return commands[i].run(argc - 1, argv + 1);
        }
    char known[256] = "";
    for (size_t i = 0; i < COMMANDS; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", commands[i].name);
    cli_error("unknown command '%s'; there are:%s", argv[1], known);
    return EXIT_TROUBLE;
}
