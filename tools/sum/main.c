/* main.c: `celer sum`, its options and hashing mode. */
#include "sum.h"
#include <getopt.h>
#include <string.h>
#include "cli.h"

static const char usage[] =
    "usage: celer sum [OPTION]... [FILE]...\n"
    "       celer sum -c [OPTION]... [LIST]...\n"
    "\n"
    "Prints a line \"DIGEST  NAME\" for each FILE, or checks the files named in each LIST of such lines.\n"
    "Without FILE or LIST, and for -, reads standard input.\n"
    "\n"
    "  -a, --algorithm NAME  the hash (sha256); blake2b-384 is blake2b with --length 384\n"
    "  -l, --length BITS     output length, for SHAKE128 and other hashes that leave it open\n"
    "  -b, --backend NAME    run on this instruction set (celer info lists them)\n"
    "      --tag             print \"SHA256 (NAME) = DIGEST\"\n"
    "  -z, --zero            end lines with NUL, and escape no name\n"
    "  -c, --check           check; a line's tag names its hash, else -a, else it is SHA-2 by its length\n"
    "      --ignore-missing  with -c: pass over files that do not exist\n"
    "      --quiet           with -c: print no OK\n"
    "      --status          with -c: print nothing; the exit status tells\n"
    "      --strict          with -c: improperly formatted lines are a failure\n"
    "  -w, --warn            with -c: name each improperly formatted line\n"
    "  -h, --help            print this\n"
    "  -V, --version         print the version\n"
    "\n"
    "Exit status: 0 good; 1 a digest does not match, or nothing could be checked; 2 usage, or a file not read.\n";

enum { OPTION_TAG = 256, OPTION_IGNORE_MISSING, OPTION_QUIET, OPTION_STATUS, OPTION_STRICT };

static const struct option long_options[] = {
    {"algorithm", required_argument, NULL, 'a'},
    {"backend", required_argument, NULL, 'b'},
    {"check", no_argument, NULL, 'c'},
    {"help", no_argument, NULL, 'h'},
    {"ignore-missing", no_argument, NULL, OPTION_IGNORE_MISSING},
    {"length", required_argument, NULL, 'l'},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"status", no_argument, NULL, OPTION_STATUS},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"tag", no_argument, NULL, OPTION_TAG},
    {"version", no_argument, NULL, 'V'},
    {"warn", no_argument, NULL, 'w'},
    {"zero", no_argument, NULL, 'z'},
    {NULL, 0, NULL, 0},
};

static void print_help(void)
{
    fputs(usage, stdout);
    printf("\nHashes:");
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++)
        printf(" %s", hash->name);
    putchar('\n');
}

/* The row that will run is the one asked for, or there is none of that name for this hash; never another in silence. */
static int reject_length(const char *length, const struct celer_hash *hash)
{
    if (hash->out_min != hash->out_max) {
        const size_t min = hash->out_min > 1 ? hash->out_min : 1;
        const size_t max = hash->out_max < SUM_MAX_OUT ? hash->out_max : SUM_MAX_OUT;
        return cli_usage("length '%s': %s takes a multiple of 8 bits, %zu to %zu", length, hash->name,
                         8 * min, 8 * max);
    }
    char open[1024] = "";
    const struct celer_hash *other;
    for (size_t i = 0; (other = celer_hash_at(i)) != NULL; i++)
        if (other->out_min != other->out_max)
            snprintf(open + strlen(open), sizeof open - strlen(open), " %s", other->name);
    return cli_usage("the output of %s has %zu bits, always; --length is for:%s", hash->name,
                     8 * hash->out_len, open);
}

static int set_length(struct sum_algorithm *algorithm, const char *name, const char *length)
{
    const struct celer_hash *const hash = algorithm->hash;
    uint64_t bits;
    if (algorithm->out_len != 0 && hash->out_min != hash->out_max)
        return cli_usage("'%s' says the length already; --length is for %s", name, hash->name);
    if (algorithm->out_len != 0 || !cli_number(length, UINT64_MAX, &bits) || !sum_set_bits(algorithm, bits))
        return reject_length(length, hash);
    return 0;
}

/* From the names of -a and -l, NULL where not given. Returns 0, or EXIT_TROUBLE after an error line. */
static int choose_algorithm(struct sum_options *options, const char *name, const char *length)
{
    struct sum_algorithm *algorithm = &options->algorithm;
    if (name == NULL && options->check) /* each line says it, or shows it by its length */
        return length == NULL ? 0 : cli_usage("--length needs --algorithm");
    if (name == NULL)
        name = "sha256";
    if (!sum_find(algorithm, name)) {
        if (algorithm->hash != NULL)
            return reject_length(name + strlen(algorithm->hash->name) + 1, algorithm->hash);
        (void)cli_hash(name); /* says what there is */
        return EXIT_TROUBLE;
    }
    if (length != NULL)
        return set_length(algorithm, name, length);
    /* When checking, a digest shows its length, as one that was cut short does not match. That of an XOF would. */
    const bool shown = options->check && !(algorithm->hash->flags & CELER_HASH_XOF);
    if (algorithm->out_len == 0 && !shown)
        algorithm->out_len = algorithm->hash->out_len;
    return 0;
}

static int choose_backend(struct sum_options *options)
{
    uint32_t mask;
    if (options->backend == NULL)
        return 0;
    if (cli_backend(options->backend, &mask) != 0)
        return EXIT_TROUBLE;
    celer_cpu_mask(mask);
    if (options->algorithm.hash == NULL)
        return 0;
    return sum_check_backend(options, options->algorithm.hash) == 0 ? 0 : EXIT_TROUBLE;
}

static int reject_combinations(const struct sum_options *o)
{
    if (o->check && (o->tag || o->zero))
        return cli_usage("%s has no meaning with --check", o->tag ? "--tag" : "--zero");
    if (!o->check && (o->ignore_missing || o->quiet || o->status || o->strict || o->warn))
        return cli_usage("%s has a meaning with --check only", o->ignore_missing ? "--ignore-missing"
                                                               : o->quiet        ? "--quiet"
                                                               : o->status       ? "--status"
                                                               : o->strict       ? "--strict"
                                                                                 : "--warn");
    return 0;
}

/* Prints the line of each file. A file that cannot be read costs the exit status, not the files after it. */
static int hash_files(struct sum_worker *worker, const struct sum_options *options, char *const *names, int n)
{
    int code = EXIT_GOOD;
    for (int i = 0; i < n; i++) {
        const int error = sum_file(worker, &options->algorithm, names[i]);
        if (error != 0) {
            cli_error("%.4096s: %s", names[i], strerror(error));
            code = EXIT_TROUBLE;
            continue;
        }
        sum_write_line(stdout, options, worker->out, names[i]);
        if (!cli_flush())
            break;
    }
    return code;
}

static int check_lists(struct sum_worker *worker, const struct sum_options *options, char *const *names,
                       int n)
{
    int code = EXIT_GOOD;
    for (int i = 0; i < n && cli_flush(); i++) {
        const int one = sum_check_list(worker, options, names[i]);
        code = one > code ? one : code;
    }
    return code;
}

int cmd_sum(int argc, char **argv)
{
    static struct sum_worker worker;
    static char *const standard_input[] = {"-"};
    struct sum_options options = {0};
    const char *algorithm = NULL, *length = NULL;
    int c;
    while ((c = cli_option(argc, argv, ":a:b:chl:Vwz", long_options)) != -1)
        switch (c) {
        case 'a':
            algorithm = optarg;
            break;
        case 'b':
            options.backend = optarg;
            break;
        case 'c':
            options.check = true;
            break;
        case 'h':
            print_help();
            return cli_finish(EXIT_GOOD);
        case 'l':
            length = optarg;
            break;
        case 'V':
            printf("celer %s\n", celer_version());
            return cli_finish(EXIT_GOOD);
        case 'w':
            options.warn = true;
            break;
        case 'z':
            options.zero = true;
            break;
        case OPTION_TAG:
            options.tag = true;
            break;
        case OPTION_IGNORE_MISSING:
            options.ignore_missing = true;
            break;
        case OPTION_QUIET:
            options.quiet = true;
            break;
        case OPTION_STATUS:
            options.status = true;
            break;
        case OPTION_STRICT:
            options.strict = true;
            break;
        default:
            return EXIT_TROUBLE;
        }
    if (reject_combinations(&options) != 0 || choose_algorithm(&options, algorithm, length) != 0 ||
        choose_backend(&options) != 0)
        return EXIT_TROUBLE;
    char *const *names = optind < argc ? argv + optind : standard_input;
    const int n = optind < argc ? argc - optind : 1;
    return cli_finish(options.check ? check_lists(&worker, &options, names, n)
                                    : hash_files(&worker, &options, names, n));
}
