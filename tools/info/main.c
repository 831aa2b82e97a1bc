/* main.c: `celer info`: this machine, and for every kernel which backend runs and why the others do not. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/clock.h"
#include "celer/celer.h"
#include "cli.h"
#include "facts.h"

static const char usage[] = "usage: celer info [OPTION]...\n"
                            "\n"
                            "Shows this CPU, what it can do, and the code that celer chose for it.\n"
                            "\n"
                            "  -b, --backend NAME  show the choice as it would be with this backend\n"
                            "      --hashes        list the hashes instead\n"
                            "  -h, --help          print this\n"
                            "  -V, --version       print the version\n";

enum { OPTION_HASHES = 256 };

static const struct option long_options[] = {
    {"backend", required_argument, NULL, 'b'},
    {"hashes", no_argument, NULL, OPTION_HASHES},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

#define NAMES_SIZE 512

/* --- The machine --- */

static void print_machine(void)
{
    static const struct {
        const char *label;
        fact *fact;
    } facts[] = {
        {"built by", fact_compiler}, {"system", fact_system},       {"cpu", fact_cpu},
        {"id", fact_cpu_id},         {"microcode", fact_microcode}, {"hypervisor", fact_hypervisor},
        {"cpus", fact_cpus},         {"caches", fact_caches},       {"governor", fact_governor},
        {"turbo", fact_turbo},
    };
    printf("%-12s%s\n", "celer", celer_version());
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        char text[1024];
        facts[i].fact(text, sizeof text);
        printf("%-12s%s\n", facts[i].label, text);
    }
}

static void add_needs(const struct celer_kernel *kernel, void *arg)
{
    uint32_t *needs = arg;
    const struct celer_backend *row;
    for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++)
        *needs |= row->needs & ~CELER_CPU_FAST_ALL;
}

static void print_features(void)
{
    const uint32_t has = celer_cpu_detected();
    uint32_t wanted = 0;
    char names[NAMES_SIZE];
    cli_each_kernel(add_needs, &wanted);
    const char *none =
        wanted != 0 ? "none that celer knows" : "none looked for (this build holds portable code only)";
    printf("%-12s%s\n", "features", has != 0 ? cli_bit_names(has, names, sizeof names) : none);
    printf("%-12s%s\n", "missing",
           (wanted & ~has) != 0 ? cli_bit_names(wanted & ~has, names, sizeof names)
                                : "nothing that celer could use");
}

/* --- The kernels --- */

/* What rows may use: detected, and restricted as -b says. */
struct choice {
    uint32_t allowed;
    const char *backend; /* NULL: not restricted */
};

static void print_row(const struct choice *choice, const struct celer_backend *row,
                      const struct celer_backend *used)
{
    char names[NAMES_SIZE];
    const uint32_t lacking = row->needs & ~celer_cpu_detected(), barred = row->needs & ~choice->allowed;
    if (row == used)
        printf("used");
    else if ((lacking & ~CELER_CPU_FAST_ALL) != 0)
        printf("out: needs %s", cli_bit_names(lacking & ~CELER_CPU_FAST_ALL, names, sizeof names));
    else if (lacking != 0)
        printf("out: slower on this core, runs by name only");
    else if (barred != 0)
        printf("out: masked by --backend %s, needs %s", choice->backend,
               cli_bit_names(barred, names, sizeof names));
    else
        printf("out: slower, after %s in the table", used->name);
}

static void print_kernel(const struct celer_kernel *kernel, void *arg)
{
    const struct choice *choice = arg;
    const struct celer_hash *hash;
    const struct celer_kem *kem;
    const struct celer_backend *row;
    uint32_t widest = 0;
    printf("\n%s:", kernel->name);
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++)
        if (hash->kernel == kernel)
            printf(" %s", hash->name);
    for (size_t i = 0; (kem = celer_kem_at(i)) != NULL; i++)
        if (kem->kernel == kernel)
            printf(" %s", kem->name);
    putchar('\n');
    for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++)
        widest = row->ways > widest ? row->ways : widest;
    for (uint32_t ways = 1; ways <= widest; ways++) {
        const struct celer_backend *used = celer_kernel_choice(kernel, ways);
        bool first = true;
        for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++) {
            if (row->ways != ways)
                continue;
            char label[16] = "";
            if (first)
                snprintf(label, sizeof label, "x%u", (unsigned)ways);
            first = false;
            printf("  %-4s%-10s", label, row->name);
            print_row(choice, row, used);
            putchar('\n');
        }
    }
}

/* --- The list of hashes --- */

static void print_length(size_t bytes)
{
    if (bytes == SIZE_MAX)
        printf(" %6s", "any");
    else
        printf(" %6zu", bytes);
}

static void print_hashes(void)
{
    const struct celer_hash *hash;
    printf("%-14s %6s %6s %6s %6s  %-10s %-10s %s\n", "hash", "bytes", "least", "most", "block", "kernel",
           "backend", "standard");
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++) {
        const struct celer_backend *row = celer_kernel_choice(hash->kernel, 1);
        printf("%-14s", hash->name);
        print_length(hash->out_len);
        print_length(hash->out_min);
        print_length(hash->out_max);
        print_length(hash->block_len);
        printf("  %-10s %-10s %s\n", hash->kernel->name, row != NULL ? row->name : "none", hash->source);
    }
}

int cmd_info(int argc, char **argv)
{
    struct choice choice = {.allowed = celer_cpu_detected()};
    bool hashes = false;
    int c;
    while ((c = cli_option(argc, argv, ":b:hV", long_options)) != -1)
        switch (c) {
        case 'b':
            choice.backend = optarg;
            break;
        case OPTION_HASHES:
            hashes = true;
            break;
        case 'h':
            fputs(usage, stdout);
            return cli_finish(EXIT_GOOD);
        case 'V':
            printf("celer %s\n", celer_version());
            return cli_finish(EXIT_GOOD);
        default:
            return EXIT_TROUBLE;
        }
    if (optind < argc)
        return cli_usage("unexpected argument '%s'", argv[optind]);
    if (choice.backend != NULL) {
        uint32_t mask;
        if (cli_backend(choice.backend, &mask) != 0)
            return EXIT_TROUBLE;
        celer_cpu_mask(mask);
        choice.allowed &= mask;
    }
    if (hashes) {
        print_hashes();
        return cli_finish(EXIT_GOOD);
    }
    print_machine();
    print_features();
    cli_each_kernel(print_kernel, &choice);
    printf("\ncounters:\n");
    clock_describe(stdout, NULL);
    return cli_finish(EXIT_GOOD);
}
