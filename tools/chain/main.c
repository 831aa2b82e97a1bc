/* main.c: `celer chain`, its verbs and options. */
#include "chain.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench/machine.h"
#include "bench/progress.h"
#include "chain/bench.h"
#include "cli.h"

static const char usage[] =
    "usage: celer chain VERB [OPTION]... [FILE]\n"
    "\n"
    "A chain is a seed hashed over and over: value = SHA-256(value). To make one takes time, whatever the machine has;\n"
    "to verify it takes a fraction of that, for all its parts are computed side by side.\n"
    "\n"
    "  new FILE              begin a chain, in a file that is not there yet\n"
    "  run FILE              go on with it: -n COUNT steps, or --seconds S\n"
    "  resume FILE           after a crash: cut off what is torn, and go on with the run that was under way;\n"
    "                        one for S seconds is at its end wherever it ended\n"
    "  mix FILE              bind the digest of --file F or --text T to the place that was reached\n"
    "  verify FILE           compute it anew, and compare\n"
    "  info FILE             show what it holds\n"
    "  export FILE           print it, -f csv or json\n"
    "  import FILE           make one of values on standard input, --from hex-lines or csv\n"
    "  merge-verdicts FILE...  join what verify --range A:B -f json printed, until all is covered\n"
    "  bench                 how fast it is here; celer chain bench --help tells more\n"
    "\n"
    "      --seed HEX        new, import: the first value, 64 digits; verify: it has to be this\n"
    "      --seed-file F     the same: the SHA-256 digest of a file\n"
    "      --context TEXT    new, import: a note in the file, up to 448 bytes\n"
    "      --segment N       new, import: steps from one value in the file to the next (100k)\n"
    "  -n, --count COUNT     run: so many steps, as 250000, 10M, 1G\n"
    "      --seconds S       run: as many as are done by then\n"
    "      --file F          mix: a file, by its SHA-256 digest\n"
    "      --text T          mix: a text, by its SHA-256 digest\n"
    "      --label L         mix: a note in the file of what it was, up to 128 bytes; nothing proves it\n"
    "      --final HEX       verify: the last value has to be this\n"
    "      --threads N       verify: on so many threads (one for each CPU)\n"
    "      --range A:B       verify: segments A to B - 1 only; either may be left out\n"
    "      --sample K        verify: K segments at random only, which is not a proof\n"
    "      --sample-seed S   verify: the same ones as another time\n"
    "  -f, --format NAME     verify: text or json; export: csv or json\n"
    "      --from NAME       import: hex-lines, 'VALUE' or 'INDEX VALUE' a line; csv, as export prints it\n"
    "  -b, --backend NAME    run, resume, verify: on this instruction set (celer info lists them)\n"
    "      --cpu N           run, resume, verify: on this CPU\n"
    "      --no-progress     run, resume, verify: draw no bar\n"
    "  -h, --help            print this\n"
    "  -V, --version         print the version\n"
    "\n"
    "Exit status: 0 valid; 1 invalid; 2 usage, input or output, a torn file, or a failure of this machine.\n";

enum {
    OPTION_SEED = 256,
    OPTION_SEED_FILE,
    OPTION_CONTEXT,
    OPTION_SEGMENT,
    OPTION_SECONDS,
    OPTION_FILE,
    OPTION_TEXT,
    OPTION_LABEL,
    OPTION_FINAL,
    OPTION_THREADS,
    OPTION_RANGE,
    OPTION_SAMPLE,
    OPTION_SAMPLE_SEED,
    OPTION_FROM,
    OPTION_CPU,
    OPTION_NO_PROGRESS
};

static const struct option long_options[] = {
    {"backend", required_argument, NULL, 'b'},
    {"context", required_argument, NULL, OPTION_CONTEXT},
    {"count", required_argument, NULL, 'n'},
    {"cpu", required_argument, NULL, OPTION_CPU},
    {"file", required_argument, NULL, OPTION_FILE},
    {"final", required_argument, NULL, OPTION_FINAL},
    {"format", required_argument, NULL, 'f'},
    {"from", required_argument, NULL, OPTION_FROM},
    {"help", no_argument, NULL, 'h'},
    {"label", required_argument, NULL, OPTION_LABEL},
    {"no-progress", no_argument, NULL, OPTION_NO_PROGRESS},
    {"range", required_argument, NULL, OPTION_RANGE},
    {"sample", required_argument, NULL, OPTION_SAMPLE},
    {"sample-seed", required_argument, NULL, OPTION_SAMPLE_SEED},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"seed-file", required_argument, NULL, OPTION_SEED_FILE},
    {"segment", required_argument, NULL, OPTION_SEGMENT},
    {"text", required_argument, NULL, OPTION_TEXT},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

#define MAKES (CHAIN_SEED | CHAIN_CONTEXT | CHAIN_SEGMENT)
#define WORKS (CHAIN_BACKEND | CHAIN_CPU | CHAIN_NO_PROGRESS)
#define VERIFY \
  (CHAIN_SEED | CHAIN_FINAL | CHAIN_THREADS | CHAIN_RANGE | CHAIN_SAMPLE | CHAIN_SAMPLE_SEED | CHAIN_FORMAT)

/* A verb whose options are not among those below brings a function like cmd_chain. */
static const struct verb {
    const char *name;
    int (*run)(const struct chain_options *options);
    uint32_t takes, needs;
    int (*command)(int argc, char **argv);
} verbs[] = {
    {"new", chain_new, MAKES, CHAIN_SEED, NULL},
    {"run", chain_run, WORKS | CHAIN_COUNT | CHAIN_SECONDS, 0, NULL},
    {"resume", chain_resume, WORKS, 0, NULL},
    {"mix", chain_mix, CHAIN_PAYLOAD | CHAIN_LABEL, CHAIN_PAYLOAD, NULL},
    {"verify", chain_verify, WORKS | VERIFY, 0, NULL},
    {"info", chain_info, 0, 0, NULL},
    {"export", chain_export, CHAIN_FORMAT, CHAIN_FORMAT, NULL},
    {"import", chain_import, MAKES | CHAIN_FROM, CHAIN_SEED | CHAIN_FROM, NULL},
    {"merge-verdicts", chain_merge_verdicts, CHAIN_FILES | CHAIN_FORMAT, 0, NULL},
    {"bench", NULL, 0, 0, cmd_chain_bench},
};
#define VERBS (sizeof verbs / sizeof verbs[0])

/* For each bit the option as it is written. */
static const char *const option_names[] = {"--seed or --seed-file",
                                           "--context",
                                           "--segment",
                                           "--count",
                                           "--seconds",
                                           "--file or --text",
                                           "--label",
                                           "--final",
                                           "--threads",
                                           "--range",
                                           "--sample",
                                           "--sample-seed",
                                           "--format",
                                           "--from",
                                           "--backend",
                                           "--cpu",
                                           "--no-progress",
                                           "more than one FILE"};

static const char *first_option(uint32_t bits)
{
    size_t i = 0;
    while (!(bits >> i & 1))
        i++;
    return option_names[i];
}

static int digest_file(uint8_t digest[32], const char *name)
{
    static uint8_t buffer[65536];
    struct celer_sha256 ctx;
    ssize_t got;
    const int fd = strcmp(name, "-") == 0 ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        cli_error("%.4096s: %s", name, strerror(errno));
        return EXIT_TROUBLE;
    }
    celer_sha256_init(&ctx);
    while ((got = read(fd, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
        celer_sha256_update(&ctx, buffer, got > 0 ? (size_t)got : 0);
    const int error = errno;
    close(fd);
    celer_sha256_final(&ctx, digest);
    if (got == 0)
        return 0;
    cli_error("%.4096s: %s", name, strerror(error));
    return EXIT_TROUBLE;
}

static int take_hash(uint8_t hash[32], const char *name, const char *text)
{
    return chain_unhex(hash, text) ? 0 : cli_usage("%s '%s': a value has 64 hexadecimal digits", name, text);
}

static int take_number(const char *name, const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    if (cli_number(text, max, value) && *value >= min)
        return 0;
    return cli_usage("%s '%s': a number from %" PRIu64 " to %" PRIu64, name, text, min, max);
}

static int take_seconds(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end != text && *end == 0 && isfinite(*value) && *value > 0)
        return 0;
    return cli_usage("--seconds '%s': a number greater than 0", text);
}

static int take_range(const char *text, uint64_t range[2])
{
    const char *const colon = strchr(text, ':');
    char first[32] = "0";
    range[1] = UINT64_MAX;
    if (colon != NULL && (size_t)(colon - text) < sizeof first) {
        if (colon > text)
            snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
        if (cli_number(first, UINT64_MAX - 1, &range[0]) &&
            (colon[1] == 0 || cli_number(colon + 1, UINT64_MAX - 1, &range[1])) && range[0] < range[1])
            return 0;
    }
    return cli_usage("--range '%s': A:B, the first segment and the one behind the last", text);
}

static int take_context(const char *text, struct celer_chain_header *header)
{
    const size_t n = strlen(text);
    if (n > CELER_CHAIN_CONTEXT_MAX)
        return cli_usage("--context has %zu bytes, and may have %d", n, CELER_CHAIN_CONTEXT_MAX);
    memcpy(header->context, text, n + 1);
    header->context_len = (uint32_t)n;
    return 0;
}

static int take_format(const struct verb *verb, const char *text, struct chain_options *options)
{
    static const char *const words[] = {"csv", "json", "text"};
    const bool exports = verb->run == chain_export;
    const int i = cli_word("format", text, exports ? words : words + 1, 2);
    options->json = strcmp(text, "json") == 0;
    return i >= 0 ? 0 : EXIT_TROUBLE;
}

/* Pins this process, which shall stay on one core. */
static int take_cpu(const char *text)
{
    uint64_t cpu;
    char cpus[1024];
    if (take_number("--cpu", text, 0, INT_MAX, &cpu) != 0)
        return EXIT_TROUBLE;
    if (machine_pin((int)cpu) >= 0)
        return 0;
    cli_error("--cpu %s: %s; there are:%s", text, strerror(errno), machine_cpus(cpus, sizeof cpus));
    return EXIT_TROUBLE;
}

bool chain_choose_backend(const char *name, uint32_t lanes, const char *what)
{
    const struct celer_backend *row;
    uint32_t mask;
    char known[256] = "", foreign[256], word[64];
    bool found = false;
    for (size_t i = 0; (row = celer_kernel_row(celer_sha256_chain_kernel(), i)) != NULL; i++) {
        if (row->ways > lanes)
            continue;
        found = found || strcmp(row->name, name) == 0;
        if (strstr(known, row->name) == NULL)
            snprintf(known + strlen(known), sizeof known - strlen(known), " %s", row->name);
    }
    snprintf(word, sizeof word, " %s(", name);
    if (!found && strstr(cli_foreign_backends(foreign, sizeof foreign), word) == NULL) {
        cli_error("no backend '%s' for %s; there are:%s", name, what, known);
        return false;
    }
    if (cli_backend(name, &mask) != 0)
        return false;
    celer_cpu_mask(mask);
    return true;
}

/* A chain that grows needs a row for a single one. */
static int take_backend(const struct verb *verb, const char *name)
{
    return chain_choose_backend(name, verb->run == chain_verify ? UINT32_MAX : 1, verb->name) ? 0
                                                                                              : EXIT_TROUBLE;
}

/* Returns 0; or EXIT_TROUBLE after an error line. */
static int take_option(const struct verb *verb, int c, struct chain_options *o)
{
    static const char *const sources[] = {"hex-lines", "csv"};
    int word;
    switch (c) {
    case OPTION_SEED:
        o->given |= CHAIN_SEED;
        return take_hash(o->header.seed, "--seed", optarg);
    case OPTION_SEED_FILE:
        o->given |= CHAIN_SEED;
        return digest_file(o->header.seed, optarg);
    case OPTION_CONTEXT:
        o->given |= CHAIN_CONTEXT;
        return take_context(optarg, &o->header);
    case OPTION_SEGMENT:
        o->given |= CHAIN_SEGMENT;
        return take_number("--segment", optarg, 1, CELER_CHAIN_INDEX_MAX, &o->header.segment);
    case 'n':
        o->given |= CHAIN_COUNT;
        return take_number("--count", optarg, 1, UINT64_MAX, &o->count);
    case OPTION_SECONDS:
        o->given |= CHAIN_SECONDS;
        return take_seconds(optarg, &o->seconds);
    case OPTION_FILE:
    case OPTION_TEXT:
        o->given |= CHAIN_PAYLOAD;
        if (c == OPTION_FILE)
            return digest_file(o->payload, optarg);
        celer_sha256(o->payload, optarg, strlen(optarg));
        return 0;
    case OPTION_LABEL:
        o->given |= CHAIN_LABEL;
        o->label = optarg;
        return 0;
    case OPTION_FINAL:
        o->given |= CHAIN_FINAL;
        return take_hash(o->final, "--final", optarg);
    case OPTION_THREADS:
        o->given |= CHAIN_THREADS;
        return take_number("--threads", optarg, 1, 1024, &o->threads);
    case OPTION_RANGE:
        o->given |= CHAIN_RANGE;
        return take_range(optarg, o->range);
    case OPTION_SAMPLE:
        o->given |= CHAIN_SAMPLE;
        return take_number("--sample", optarg, 1, UINT64_MAX, &o->sample);
    case OPTION_SAMPLE_SEED:
        o->given |= CHAIN_SAMPLE_SEED;
        return take_number("--sample-seed", optarg, 0, INT64_MAX, &o->sample_seed);
    case 'f':
        o->given |= CHAIN_FORMAT;
        return take_format(verb, optarg, o);
    case OPTION_FROM:
        o->given |= CHAIN_FROM;
        word = cli_word("source", optarg, sources, 2);
        o->csv = word == 1;
        return word >= 0 ? 0 : EXIT_TROUBLE;
    case 'b':
        o->given |= CHAIN_BACKEND;
        return take_backend(verb, optarg);
    case OPTION_CPU:
        o->given |= CHAIN_CPU;
        return take_cpu(optarg);
    case OPTION_NO_PROGRESS:
        o->given |= CHAIN_NO_PROGRESS;
        return 0;
    default:
        return EXIT_TROUBLE;
    }
}

static int reject(const struct verb *verb, const struct chain_options *o)
{
    if (o->given & ~verb->takes)
        return cli_usage("%s has no meaning with %s", first_option(o->given & ~verb->takes), verb->name);
    if (verb->needs & ~o->given)
        return cli_usage("%s needs %s", verb->name, first_option(verb->needs & ~o->given));
    if (verb->run == chain_run && !(o->given & CHAIN_COUNT) == !(o->given & CHAIN_SECONDS))
        return cli_usage("run needs either --count or --seconds");
    if ((o->given & CHAIN_RANGE) && (o->given & CHAIN_SAMPLE))
        return cli_usage("either --range or --sample");
    if ((o->given & CHAIN_SAMPLE_SEED) && !(o->given & CHAIN_SAMPLE))
        return cli_usage("--sample-seed needs --sample");
    return 0;
}

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    char known[256] = "";
    for (size_t i = 0; i < VERBS; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", verbs[i].name);
    cli_error("unknown verb '%s'; there are:%s", name, known);
    return NULL;
}

int cmd_chain(int argc, char **argv)
{
    struct chain_options options = {.header = {.segment = 100000}, .range = {0, UINT64_MAX}};
    const struct verb *verb = NULL;
    int c;
    signal(SIGXFSZ, SIG_IGN); /* the limit of a file's size is an error like others */
    if (argc >= 2 && argv[1][0] != '-') {
        argc--, argv++;
        verb = find_verb(argv[0]);
        if (verb == NULL)
            return EXIT_TROUBLE;
        if (verb->command != NULL)
            return verb->command(argc, argv);
    }
    while ((c = cli_option(argc, argv, ":b:f:hn:V", long_options)) != -1) {
        if (c == 'h')
            fputs(usage, stdout);
        else if (c == 'V')
            printf("celer %s\n", celer_version());
        if (c == 'h' || c == 'V')
            return cli_finish(EXIT_GOOD);
        if (c != '?' && verb == NULL)
            return cli_usage("a verb comes before the options");
        const uint32_t before = options.given;
        options.given = 0;
        if (take_option(verb, c, &options) != 0)
            return EXIT_TROUBLE;
        if (options.given & before)
            return cli_usage("%s: once only", first_option(before & options.given));
        options.given |= before;
    }
    if (verb == NULL)
        return cli_usage("which verb?");
    options.files = argv + optind;
    options.file_count = argc - optind;
    if (options.file_count > 1)
        options.given |= CHAIN_FILES;
    if (reject(verb, &options) != 0)
        return EXIT_TROUBLE;
    if (options.file_count == 0)
        return cli_usage("%s needs a FILE", verb->name);
    options.progress = !(options.given & CHAIN_NO_PROGRESS) && progress_wanted();
    return cli_finish(verb->run(&options));
}
