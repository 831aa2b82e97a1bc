/* main.c: `celer bench`: options, plan, run, results. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "celer/celer.h"
#include "cli.h"
#include "document.h"
#include "history.h"
#include "info/facts.h"
#include "machine.h"
#include "plugin.h"
#include "progress.h"
#include "providers.h"
#include "reference.h"
#include "run_facts.h"
#include "write.h"

static const char usage[] =
    "usage: celer bench [OPTION]... [SELECTION]... [TRIALS]\n"
    "\n"
    "Measures hashes in core cycles per byte. SELECTION is the name of a hash, sha3 (the default), sha2, blake2,\n"
    "xof, permutation, chain, kem, or many: then the hashes named, or all, work on batches. TRIALS is the\n"
    "number of samples for each figure; if not given, 5000 of KEMs alone, and else 2000.\n"
    "\n"
    "  -b, --backend LIST    measure these backends, such as scalar,avx512; auto is what celer chooses\n"
    "      --src-lens LIST   input lengths (64,256,1024,4096,16384)\n"
    "      --dst-lens LIST   output lengths of SHAKE and the like, a row for each (32)\n"
    "      --pairs LIST      outputs and inputs of SHAKE and the like, such as 42:672,294:336\n"
    "      --grid STEP       all pairs of STEP, 2 STEP, ... 8 STEP bytes; STEP may be rate/4; STEP:N takes N\n"
    "      --ways LIST       messages of a batch (8), states of a permutation (1,2,4,8), keys of a KEM (1)\n"
    "      --keys LIST       of KEMs: bytes (default), opened; a column for each\n"
    "      --mode MODE       throughput (default), or latency: each input depends on the last result\n"
    "  -m, --unit LIST       cpb, cycles, ns, MB, MiB or MH (per second); several, such as cpb,MiB\n"
    "  -f, --format FORMAT   csv (default), md, table, long or json\n"
    "      --time-budget S   begin no more rounds of samples after S seconds\n"
    "      --with LIST       beside these libraries, such as openssl,nettle; all: those that are here\n"
    "      --plugin FILE     beside what this plug-in brings; may be given again\n"
    "      --cpu N           run on CPU N, else on the one where it starts; each-type: on one of each type\n"
    "      --threads LIST    so many threads at once, each on a CPU of its own, such as 1,2; a row for each\n"
    "      --seed N          the same order and inputs again\n"
    "      --name LABEL      how to call this run in the history\n"
    "      --db FILE         the history, which keeps the run (~/.local/share/celer/bench.db)\n"
    "      --no-db           do not keep it\n"
    "      --json FILE       write everything there too, as -f json does\n"
    "      --samples         keep each sample too, in the history and in JSON\n"
    "      --self-test       measure what is known, and see whether it comes out right\n"
    "      --list            print what can be selected\n"
    "  -h, --help            print this\n"
    "  -V, --version         print the version\n";

enum {
    OPTION_SRC_LENS = 256,
    OPTION_DST_LENS,
    OPTION_PAIRS,
    OPTION_GRID,
    OPTION_WAYS,
    OPTION_KEYS,
    OPTION_TIME_BUDGET,
    OPTION_MODE,
    OPTION_WITH,
    OPTION_PLUGIN,
    OPTION_CPU,
    OPTION_THREADS,
    OPTION_SEED,
    OPTION_NAME,
    OPTION_DB,
    OPTION_NO_DB,
    OPTION_JSON,
    OPTION_SAMPLES,
    OPTION_SELF_TEST,
    OPTION_LIST
};

static const struct option long_options[] = {
    {"backend", required_argument, NULL, 'b'},
    {"src-lens", required_argument, NULL, OPTION_SRC_LENS},
    {"dst-lens", required_argument, NULL, OPTION_DST_LENS},
    {"pairs", required_argument, NULL, OPTION_PAIRS},
    {"grid", required_argument, NULL, OPTION_GRID},
    {"keys", required_argument, NULL, OPTION_KEYS},
    {"time-budget", required_argument, NULL, OPTION_TIME_BUDGET},
    {"ways", required_argument, NULL, OPTION_WAYS},
    {"mode", required_argument, NULL, OPTION_MODE},
    {"unit", required_argument, NULL, 'm'},
    {"format", required_argument, NULL, 'f'},
    {"with", required_argument, NULL, OPTION_WITH},
    {"plugin", required_argument, NULL, OPTION_PLUGIN},
    {"cpu", required_argument, NULL, OPTION_CPU},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"name", required_argument, NULL, OPTION_NAME},
    {"db", required_argument, NULL, OPTION_DB},
    {"no-db", no_argument, NULL, OPTION_NO_DB},
    {"json", required_argument, NULL, OPTION_JSON},
    {"samples", no_argument, NULL, OPTION_SAMPLES},
    {"self-test", no_argument, NULL, OPTION_SELF_TEST},
    {"list", no_argument, NULL, OPTION_LIST},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

enum format { FORMAT_CSV, FORMAT_LONG, FORMAT_JSON, FORMAT_MD, FORMAT_TABLE, FORMAT_COUNT };
static const char *const format_names[FORMAT_COUNT] = {"csv", "long", "json", "md", "table"};

#define DEFAULT_TRIALS     2000
#define DEFAULT_KEM_TRIALS 5000 /* each with another key, on which their time depends */
#define MAX_TRIALS         10000000
#define MAX_SECONDS        1000000
#define MAX_SEED           ((UINT64_C(1) << 53) - 1) /* whole numbers that every reader of JSON keeps exact */

struct options {
    int instead; /* of measuring: OPTION_LIST, OPTION_SELF_TEST; 0: nothing */
    struct plan_request plan;
    char *backend_text;
    const char *with; /* NULL: no other libraries */
    const char **plugins;
    size_t plugin_count;
    size_t trials; /* 0: not given */
    enum format format;
    enum unit units[UNIT_COUNT];
    size_t unit_count; /* 0: the customary one of each kind */
    uint64_t seconds;  /* the budget; 0: none */
    enum mode mode;
    int cpu;        /* negative: where it starts */
    bool each_type; /* one CPU after the other */
    int usable[MACHINE_MAX_CPUS];
    size_t usable_count;
    uint64_t seed;
    const char *name; /* of the run; NULL: none */
    const char *db;   /* NULL: the customary place */
    bool no_db;
    const char *json; /* a file for the document; NULL: none */
    bool samples;     /* the document has them */
};

/* --- The command line --- */

static bool parse_backends(const char *text, struct options *o)
{
    const char **list = NULL;
    size_t n = 0;
    free(o->backend_text);
    free((void *)(uintptr_t)o->plan.backends);
    o->plan.backends = NULL;
    o->backend_text = strdup(text);
    for (char *word = o->backend_text; word != NULL; n++) {
        const char **grown = realloc(list, (n + 1) * sizeof *list);
        if (grown == NULL)
            break;
        list = grown;
        list[n] = word;
        word = strchr(word, ',');
        if (word != NULL)
            *word++ = 0;
    }
    o->plan.backends = list;
    o->plan.backend_count = n;
    return n > 0;
}

/* The next of several words with commas between them, as cli_word; *p moves on, to NULL at the end. */
static int parse_next_word(const char *what, const char **p, const char *const *words, size_t count)
{
    char word[32];
    const size_t n = strcspn(*p, ",");
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), *p);
    *p = (*p)[n] != 0 ? *p + n + 1 : NULL;
    return cli_word(what, word, words, count);
}

static bool parse_keys(const char *text, unsigned *keys)
{
    static const char *const forms[] = {"bytes", "opened"};
    *keys = 0;
    for (const char *p = text; p != NULL;) {
        const int form = parse_next_word("form of keys", &p, forms, 2);
        if (form < 0)
            return false;
        *keys |= form == 0 ? PLAN_KEYS_BYTES : PLAN_KEYS_OPENED;
    }
    return true;
}

static bool parse_units(const char *text, struct options *o)
{
    o->unit_count = 0;
    for (const char *p = text; p != NULL;) {
        const int unit = parse_next_word("unit", &p, unit_names, UNIT_COUNT);
        if (unit < 0)
            return false;
        size_t i = 0;
        while (i < o->unit_count && o->units[i] != (enum unit)unit)
            i++;
        o->units[i] = (enum unit)unit;
        o->unit_count += i == o->unit_count;
    }
    return true;
}

/* False: `code` is the exit status. */
static bool parse_options(int argc, char **argv, struct options *o, int *code)
{
    int c, i;
    uint64_t number;
    *code = EXIT_TROUBLE;
    while ((c = cli_option(argc, argv, ":b:m:f:hV", long_options)) != -1)
        switch (c) {
        case 'b':
            if (!parse_backends(optarg, o))
                return false;
            break;
        case OPTION_SRC_LENS:
            if (!plan_parse_list(optarg, "--src-lens", 1, PLAN_MAX_LEN, &o->plan.src_lens))
                return false;
            break;
        case OPTION_DST_LENS:
            if (!plan_parse_list(optarg, "--dst-lens", 1, PLAN_MAX_LEN, &o->plan.dst_lens))
                return false;
            break;
        case OPTION_PAIRS:
            if (!plan_parse_pairs(optarg, &o->plan.pairs))
                return false;
            break;
        case OPTION_GRID:
            if (!plan_parse_grid(optarg, &o->plan.grid))
                return false;
            break;
        case OPTION_KEYS:
            if (!parse_keys(optarg, &o->plan.keys))
                return false;
            break;
        case OPTION_TIME_BUDGET:
            if (!cli_number(optarg, MAX_SECONDS, &o->seconds) || o->seconds == 0) {
                cli_error("--time-budget: '%s' is not a number of seconds from 1 to %d", optarg, MAX_SECONDS);
                return false;
            }
            break;
        case OPTION_WAYS:
            if (!plan_parse_list(optarg, "--ways", 1, PLAN_MAX_WAYS, &o->plan.ways))
                return false;
            break;
        case OPTION_MODE:
            if ((i = cli_word("mode", optarg, mode_names, MODE_COUNT)) < 0)
                return false;
            o->mode = (enum mode)i;
            break;
        case 'm':
            if (!parse_units(optarg, o))
                return false;
            break;
        case 'f':
            if ((i = cli_word("format", optarg, format_names, FORMAT_COUNT)) < 0)
                return false;
            o->format = (enum format)i;
            break;
        case OPTION_WITH:
            o->with = optarg;
            break;
        case OPTION_PLUGIN: {
            const char **grown = realloc(o->plugins, (o->plugin_count + 1) * sizeof *grown);
            if (grown == NULL) {
                cli_error("out of memory");
                return false;
            }
            o->plugins = grown;
            o->plugins[o->plugin_count++] = optarg;
            break;
        }
        case OPTION_CPU:
            o->each_type = strcmp(optarg, "each-type") == 0;
            if (o->each_type)
                break;
            if (!cli_number(optarg, 1 << 20, &number)) {
                cli_error("--cpu: '%s' is neither the number of a CPU nor each-type", optarg);
                return false;
            }
            o->cpu = (int)number;
            break;
        case OPTION_THREADS:
            if (!plan_parse_list(optarg, "--threads", 1, MACHINE_MAX_CPUS, &o->plan.threads))
                return false;
            break;
        case OPTION_SEED:
            if (!cli_number(optarg, MAX_SEED, &o->seed)) {
                cli_error("--seed: '%s' is not a number up to %llu", optarg, (unsigned long long)MAX_SEED);
                return false;
            }
            break;
        case OPTION_NAME:
            if (strcmp(optarg, "latest") == 0) {
                cli_error("--name: 'latest' is what the last run is called, whatever its label");
                return false;
            }
            o->name = optarg;
            break;
        case OPTION_DB:
            o->db = optarg;
            o->no_db = false;
            break;
        case OPTION_NO_DB:
            o->no_db = true;
            break;
        case OPTION_JSON:
            if (strcmp(optarg, "-") == 0) {
                cli_error("--json wants a file; -f json writes to standard output");
                return false;
            }
            o->json = optarg;
            break;
        case OPTION_SAMPLES:
            o->samples = true;
            break;
        case OPTION_SELF_TEST:
        case OPTION_LIST:
            o->instead = c;
            break;
        case 'h':
            fputs(usage, stdout);
            *code = cli_finish(EXIT_GOOD);
            return false;
        case 'V':
            printf("celer %s\n", celer_version());
            *code = cli_finish(EXIT_GOOD);
            return false;
        default:
            return false;
        }
    if (o->instead != 0) {
        if (optind < argc)
            cli_usage("--%s takes no selection; there is '%s'",
                      o->instead == OPTION_LIST ? "list" : "self-test", argv[optind]);
        return optind == argc;
    }
    if (o->samples && o->no_db && o->json == NULL && o->format != FORMAT_JSON) {
        cli_error("--samples: with --no-db and without --json or -f json they are kept nowhere");
        return false;
    }
    /* Words are selections, in place; a number among them is TRIALS. */
    const char *trials = NULL;
    const char **words = (const char **)(argv + optind);
    for (i = optind; i < argc; i++) {
        if (argv[i][0] < '0' || argv[i][0] > '9') {
            words[o->plan.selection_count++] = argv[i];
            continue;
        }
        if (!cli_number(argv[i], MAX_TRIALS, &number) || number < 2) {
            cli_error("TRIALS: '%s' is not a number from 2 to %d", argv[i], MAX_TRIALS);
            return false;
        }
        if (trials != NULL) {
            cli_error("TRIALS: one number will do; there are %s and %s", trials, argv[i]);
            return false;
        }
        trials = argv[i];
        o->trials = (size_t)number;
    }
    o->plan.selections = words;
    return true;
}

static void options_free(struct options *o)
{
    free(o->backend_text);
    free((void *)(uintptr_t)o->plan.backends);
    free(o->plugins);
    free(o->plan.src_lens.items);
    free(o->plan.dst_lens.items);
    free(o->plan.ways.items);
    free(o->plan.threads.items);
    free(o->plan.pairs.items);
}

/* --- Other things than measuring --- */

static int self_test(void)
{
    struct clock clock;
    machine_pin(-1);
    clock_open(&clock, NULL);
    const bool good = clock_self_test(&clock, stdout);
    clock_close();
    return cli_finish(good ? EXIT_GOOD : EXIT_NEGATIVE);
}

static void list_backends(const struct celer_kernel *kernel, void *arg)
{
    const struct celer_backend *row, *earlier;
    (void)arg;
    printf("backends of %s:", kernel->name);
    for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++) {
        size_t j = 0;
        while (earlier = celer_kernel_row(kernel, j), strcmp(earlier->name, row->name) != 0)
            j++;
        if (j < i)
            continue;
        const uint32_t lacks = row->needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected();
        char names[256];
        printf(" %s", row->name);
        if (lacks != 0)
            printf("(no %s)", cli_bit_names(lacks, names, sizeof names));
    }
    putchar('\n');
}

static int list(const struct options *o)
{
    char text[1024];
    printf("selections:%s\n", plan_selections(text, sizeof text));
    cli_each_kernel(list_backends, NULL);
    printf("code for other CPUs:%s\n", cli_foreign_backends(text, sizeof text));
    printf("units:");
    for (size_t i = 0; i < UNIT_COUNT; i++)
        printf(" %s", unit_names[i]);
    printf("\nmodes:");
    for (size_t i = 0; i < MODE_COUNT; i++)
        printf(" %s", mode_names[i]);
    printf("\nformats:");
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        printf(" %s", format_names[i]);
    putchar('\n');
    return cli_finish(plugin_list(o->plugins, o->plugin_count, stdout) ? EXIT_GOOD : EXIT_TROUBLE);
}

/* --- What is said on standard error --- */

static void say_list(const char *key, const struct plan_list *items)
{
    fprintf(stderr, " %s=", key);
    for (size_t i = 0; i < items->count; i++)
        fprintf(stderr, "%s%zu", i > 0 ? "," : "", items->items[i]);
}

/* Names of the backends that run, each once; not every library has some. */
static void say_backends(const struct plan *plan)
{
    char names[256] = ",";
    for (size_t i = 0; i < plan->cell_count; i++) {
        char word[66];
        if (plan->cells[i].task.subject == NULL || *plan->cells[i].task.subject->backend == 0)
            continue;
        snprintf(word, sizeof word, ",%s,", plan->cells[i].task.subject->backend);
        if (strstr(names, word) == NULL)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s", word + 1);
    }
    if (names[1] == 0)
        fputs("info: backend=unknown", stderr);
    else
        fprintf(stderr, "info: backend=%.*s", (int)strlen(names) - 2, names + 1);
}

/* Each unit of the rows once. */
static void say_units(const struct run *run)
{
    bool said[UNIT_COUNT] = {false};
    const char *separator = " unit=";
    for (size_t r = 0; r < run->plan->row_count; r++) {
        enum unit units[UNIT_COUNT];
        const size_t n = run_units(run, &run->plan->rows[r], units);
        for (size_t i = 0; i < n; i++) {
            if (!said[units[i]]) {
                fprintf(stderr, "%s%s", separator, unit_names[units[i]]);
                separator = ",";
            }
            said[units[i]] = true;
        }
    }
}

/* The same of modes. */
static void say_modes(const struct run *run)
{
    bool said[MODE_COUNT] = {false};
    const char *separator = " mode=";
    for (size_t r = 0; r < run->plan->row_count; r++) {
        const enum mode mode = run_mode(run, &run->plan->rows[r]);
        if (!said[mode]) {
            fprintf(stderr, "%s%s", separator, mode_names[mode]);
            separator = ",";
        }
        said[mode] = true;
    }
}

static void say_info(const struct run *run, const struct clock *clock)
{
    const struct measure *m = run->measure;
    const struct celer_provider *provider = run->plan->subjects[0].provider;
    fprintf(stderr, "info: cpucycles: version=%s implementation=%s persecond=%.0f\n", clock->version,
            clock->name, clock->core_hz);
    say_backends(run->plan);
    fprintf(stderr, " num_trials=%zu", m->trials);
    say_list("src_lens", &run->plan->src_lens);
    say_list("dst_lens", &run->plan->dst_lens);
    fprintf(stderr, "\ninfo: cpu=\"%s\" compiler=\"%s\" flags=\"%s\" load=%.2f ghz=%.3f", run->cpu,
            provider->compiler, provider->flags, run->load, clock->core_hz / 1e9);
    if (!clock->counts_cycles)
        fprintf(stderr, " timer_ghz=%.3f", clock->hz / 1e9);
    fprintf(stderr, " caches=\"%s\"", run->facts->caches);
    say_units(run);
    if (run->plan->threads.count > 1 || run->plan->threads.items[0] > 1)
        say_list("threads", &run->plan->threads);
    say_modes(run);
    fprintf(stderr, " seed=%llu\n", (unsigned long long)m->seed);
}

static void warn_before(const struct run *run, const struct clock *clock)
{
    if (clock->missing[0] != 0)
        fprintf(
            stderr,
            "warning: no counter of core cycles: %s; instead %s is scaled by a chain of known cost beside "
            "every sample\n",
            clock->missing, clock->name);
    if (clock->estimated)
        fprintf(stderr, "warning: cycles are estimated: %s\n", clock->doubt);
    if (run->load > 0.75 * (double)machine_cpu_count())
        fprintf(stderr, "warning: other programs keep this machine busy (load %.2f)\n", run->load);
    if (strcmp(run->governor, "powersave") == 0 || strcmp(run->governor, "ondemand") == 0)
        fprintf(stderr,
                "warning: the frequency governor is %s; remedy: cpupower frequency-set -g performance\n",
                run->governor);
}

static size_t cells_measured(const struct plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->cell_count; i++)
        n += plan->cells[i].count > 0;
    return n;
}

static void warn_after(const struct run *run)
{
    const double stolen = *run->stolen_seconds;
    size_t flagged = 0, by_flag[FLAG_COUNT] = {0};
    for (size_t i = 0; i < run->plan->cell_count; i++) {
        const struct cell *cell = &run->plan->cells[i];
        /* Of what is unverified there was a note; what has a fault is no figure. */
        const unsigned flags = cell->fault != NULL ? 0 : cell->flags & ~(unsigned)FLAG_UNVERIFIED;
        flagged += flags != 0;
        for (unsigned f = 0; f < FLAG_COUNT; f++)
            by_flag[f] += flags >> f & 1;
    }
    if (flagged > 0) {
        fprintf(stderr, "warning: %zu of %zu figures are doubtful:", flagged, cells_measured(run->plan));
        const char *separator = "";
        for (unsigned f = 0; f < FLAG_COUNT; f++)
            if (by_flag[f] > 0) {
                fprintf(stderr, "%s %zu %s", separator, by_flag[f], flag_names[f]);
                separator = ",";
            }
        fprintf(stderr, "%s\n",
                run->measure->trials < cell_minimum(0) ? "; more TRIALS help" : "; -f long tells which");
    }
    if (stolen > 0.01 * run->measure->seconds)
        fprintf(stderr, "warning: the hypervisor gave %.0f %% of the time to other machines\n",
                100 * stolen / run->measure->seconds);
    if (run->interrupted)
        fprintf(stderr, "warning: interrupted; the figures are of the samples taken until then\n");
}

/* Of which inputs a row has that fault: ", 64,256 bytes"; a KEM has no lengths, and a permutation has one. */
static char *faulty_inputs(const struct plan_row *row, const struct cell *cells, const char *fault,
                           char *text, size_t size)
{
    text[0] = 0;
    if (row->kind == CELER_KIND_KEM)
        return text;
    if (row->kind == CELER_KIND_PERMUTATION) {
        snprintf(text, size, ", x%u", (unsigned)row->ways);
        return text;
    }
    for (size_t i = 0; i < row->count; i++) {
        const size_t used = strlen(text);
        if (cells[i].fault == fault)
            snprintf(text + used, size - used, "%s%zu", used > 0 ? "," : ", ", cells[i].task.src_len);
    }
    const size_t used = strlen(text);
    snprintf(text + used, size - used, " %s", row->kind == CELER_KIND_CHAIN ? "iterations" : "bytes");
    return text;
}

/* One line for each fault of a row; false when there are any. */
static bool say_faults(const struct plan *plan)
{
    bool good = true;
    for (size_t i = 0; i < plan->row_count; i++) {
        const struct plan_row *const row = &plan->rows[i];
        const struct cell *const cells = &plan->cells[row->first];
        for (size_t j = 0; j < row->count; j++) {
            size_t earlier = 0;
            while (earlier < j && cells[earlier].fault != cells[j].fault)
                earlier++;
            if (cells[j].fault == NULL || earlier < j)
                continue;
            char inputs[256];
            cli_error("%s of %s%s: %s", row->name, plan->subjects[row->subject].label,
                      faulty_inputs(row, cells, cells[j].fault, inputs, sizeof inputs), cells[j].fault);
            good = false;
        }
    }
    return good;
}

/* A table of empty fields is no answer; what each function lacks was said in notes. */
static bool check_cells(const struct options *o, const struct plan *plan)
{
    for (size_t i = 0; i < plan->cell_count; i++)
        if (plan->cells[i].task.subject != NULL)
            return true;
    cli_error("nothing to measure: nothing selected has %s",
              o->plan.backend_count > 0 ? "a backend asked for" : "all that it takes");
    return false;
}

/* A note for each function of which nobody can say whether its results are right: only one library has it, or it is a
   KEM that draws its own randomness. */
static void note_unverified(const struct plan *plan)
{
    for (size_t i = 0; i < plan->row_count; i++) {
        const struct plan_row *row = &plan->rows[i];
        const struct celer_subject *subject = plan->cells[row->first].task.subject;
        bool earlier = false; /* at other lengths, or on other numbers of messages */
        for (size_t j = 0; j < i; j++)
            earlier |= plan->rows[j].subject == row->subject && plan->rows[j].kind == row->kind &&
                       strcmp(plan->rows[j].function, row->function) == 0;
        if (subject == NULL || earlier || reference_exists(subject))
            continue;
        const char *const label = plan->subjects[row->subject].label;
        if (row->kind == CELER_KIND_KEM)
            cli_error("note: unverified: %s of %s is compared with %s", row->function, label,
                      task_lack(subject, OPERATION_DECAPS) == NULL ? "itself alone" : "nothing");
        else
            cli_error("note: unverified: nothing here but %s has %s", label, row->function);
    }
}

/* Each thread has a CPU of its own. */
static bool check_threads(const struct options *o)
{
    bool among = o->cpu < 0;
    for (size_t i = 0; i < o->usable_count; i++)
        among |= o->usable[i] == o->cpu;
    const size_t cpus = o->usable_count + !among;
    for (size_t i = 0; i < o->plan.threads.count; i++)
        if (o->plan.threads.items[i] > 1 && o->plan.threads.items[i] > cpus) {
            cli_error("--threads %zu: each has to have a CPU of its own, and there %s %zu",
                      o->plan.threads.items[i], cpus == 1 ? "is" : "are", cpus);
            return false;
        }
    return true;
}

/* KEMs work on keys, not on bytes. */
static bool check_units(const struct options *o, const struct plan *plan)
{
    for (size_t r = 0; r < plan->row_count; r++)
        for (size_t i = 0; plan->rows[r].kind == CELER_KIND_KEM && i < o->unit_count; i++)
            if (o->units[i] == UNIT_CPB || o->units[i] == UNIT_MB || o->units[i] == UNIT_MIB) {
                cli_error("a KEM has no bytes to measure in %s; there are: cycles ns MH",
                          unit_names[o->units[i]]);
                return false;
            }
    return true;
}

/* --- Measuring --- */

static bool write_results(const struct run *run, enum format format)
{
    switch (format) {
    case FORMAT_LONG:
        write_long(run, stdout);
        return true;
    case FORMAT_JSON:
        return write_json(run, stdout);
    case FORMAT_MD:
        return write_md(run, stdout);
    case FORMAT_TABLE:
        return write_table(run, stdout);
    default:
        return write_csv(run, stdout);
    }
}

/* The document, to the history and to a file: before the results are printed, because whoever reads those may leave.
   False after an error. */
static bool keep_document(const struct options *o, const struct run *run, struct store *history)
{
    bool kept = true;
    if (history == NULL && o->json == NULL)
        return true;
    json_t *const document = run_json(run);
    if (document == NULL) {
        cli_error("out of memory");
        return false;
    }
    if (history != NULL && cells_measured(run->plan) > 0) {
        char why[1024];
        const enum store_status status = store_add(history, document, why, sizeof why);
        kept = history_note(status, why);
    }
    bool ok = true;
    if (o->json != NULL) {
        FILE *const to = fopen(o->json, run->continued ? "a" : "w");
        ok = to != NULL && document_write(document, to) && !ferror(to);
        if (to != NULL)
            ok = fclose(to) == 0 && ok;
        if (!ok)
            cli_error("%s: %s", o->json, strerror(errno));
    }
    json_decref(document);
    return ok && kept;
}

/* Whether a document can be written there, before there is one; what is there stays as it is. */
static bool check_json(const char *file)
{
    struct stat status;
    if (file == NULL)
        return true;
    /* A pipe would take the end of this for the end of all. */
    const bool special = stat(file, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
    const int to = special ? -1 : open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    const bool good = special ? access(file, W_OK) == 0 : to >= 0;
    if (!good)
        cli_error("%s: %s", file, strerror(errno));
    if (to >= 0)
        close(to);
    return good;
}

/* CPUs for the threads beside the one that is pinned to the first; returns `cpus`, or NULL where none can be pinned. */
static const int *other_cpus(const struct options *o, int first, int cpus[MACHINE_MAX_CPUS])
{
    size_t count = 0;
    for (size_t i = 0; i < o->usable_count; i++)
        if (o->usable[i] != first)
            cpus[count++] = o->usable[i];
    return first >= 0 ? cpus : NULL;
}

static size_t trials_of(const struct options *o, const struct plan *plan)
{
    bool kems = true;
    for (size_t i = 0; i < plan->row_count; i++)
        kems &= plan->rows[i].kind == CELER_KIND_KEM;
    return o->trials > 0 ? o->trials : kems ? DEFAULT_KEM_TRIALS : DEFAULT_TRIALS;
}

static int bench(const struct options *o, struct plan *plan, bool continued)
{
    char cpu[256], system[256], hypervisor[256], governor[256], started[DOCUMENT_TIME_SIZE];
    char id[DOCUMENT_ID_SIZE];
    int cpus[MACHINE_MAX_CPUS];
    struct run_facts facts;
    struct clock clock;
    fact_cpu(cpu, sizeof cpu);
    fact_system(system, sizeof system);
    fact_hypervisor(hypervisor, sizeof hypervisor);
    fact_governor(governor, sizeof governor);
    document_time(started);
    const int pinned = machine_pin(o->cpu);
    if (o->cpu >= 0 && pinned < 0) {
        char text[1024];
        cli_error("--cpu %d: %s; there are:%s", o->cpu, strerror(errno), machine_cpus(text, sizeof text));
        return EXIT_TROUBLE;
    }
    struct store *history = NULL;
    if (!o->no_db && !history_open(&history, o->db))
        return EXIT_TROUBLE;
    if (!check_json(o->json)) {
        store_close(history);
        return EXIT_TROUBLE;
    }
    document_new_id(id);
    run_facts_read(&facts);
    struct measure measure = {.clock = &clock,
                              .trials = trials_of(o, plan),
                              .budget = (double)o->seconds,
                              .mode = o->mode,
                              .seed = o->seed,
                              .cpus = other_cpus(o, pinned, cpus),
                              .stop = &cli_stopped_by};
    double stolen = 0;
    struct run run = {.plan = plan,
                      .measure = &measure,
                      .unit_given = o->unit_count > 0,
                      .unit = o->units[0],
                      .unit_count = o->unit_count,
                      .cpu = cpu,
                      .system = system,
                      .hypervisor = hypervisor,
                      .governor = governor,
                      .load = machine_load(),
                      .pinned = pinned,
                      .continued = continued,
                      .started = started,
                      .id = id,
                      .name = o->name,
                      .facts = &facts,
                      .stolen_seconds = &stolen,
                      .with_samples = o->samples};
    memcpy(run.units, o->units, sizeof run.units);
    clock_open(&clock, NULL);
    say_info(&run, &clock);
    warn_before(&run, &clock);
    const double stolen_before = machine_stolen_seconds();
    if (progress_wanted())
        measure.progress = progress_show;
    cli_catch_stops();
    const bool enough_memory = measure_cells(&measure, plan->cells, plan->cell_count);
    clock_close();
    if (measure.progress != NULL)
        progress_clear();
    run.interrupted = cli_stopped_by != 0;
    plan_flag_glitches(plan);
    stolen = machine_stolen_seconds() - stolen_before;
    warn_after(&run);
    const bool right = say_faults(plan);
    const bool kept = enough_memory && keep_document(o, &run, history);
    store_close(history);
    if (!enough_memory || !write_results(&run, o->format)) {
        cli_error("out of memory");
        return EXIT_TROUBLE;
    }
    const int code = cli_finish(!kept ? EXIT_TROUBLE : right ? EXIT_GOOD : EXIT_NEGATIVE);
    if (cli_stopped_by != 0) { /* whoever waits for this program has to learn how it ended */
        signal(cli_stopped_by, SIG_DFL);
        raise(cli_stopped_by);
    }
    return code;
}

static int plan_and_bench(const struct options *o, const struct plugin_set *set, bool continued)
{
    struct plan plan;
    int code = EXIT_TROUBLE;
    if (!plan_make(&plan, &o->plan, set->providers, set->count))
        return EXIT_TROUBLE;
    if (check_units(o, &plan) && check_cells(o, &plan)) {
        reference_providers(set->providers, set->count);
        note_unverified(&plan);
        code = bench(o, &plan, continued);
        reference_providers(NULL, 0);
    }
    plan_free(&plan);
    return code;
}

/* A run for each type of core, on the first CPU of it. */
static int bench_each_type(struct options *o, const struct plugin_set *set)
{
    struct machine_type types[MACHINE_MAX_TYPES];
    const size_t count = machine_types("", o->usable, o->usable_count, types, MACHINE_MAX_TYPES);
    int worst = EXIT_GOOD;
    for (size_t i = 0; i < count; i++) {
        char place[16];
        o->cpu = types[i].cpu;
        if (count == 1)
            cli_error("note: all CPUs are of one type; this is number %d", o->cpu);
        else {
            snprintf(place, sizeof place, "@cpu%d", o->cpu);
            o->plan.place = place;
            cli_error("note: CPU %d is of type '%s'", o->cpu, types[i].name);
        }
        const int code = plan_and_bench(o, set, i > 0);
        worst = code > worst ? code : worst;
    }
    o->plan.place = NULL;
    return worst;
}

int cmd_bench(int argc, char **argv)
{
    struct options o = {.cpu = -1};
    int code;
    if (getentropy(&o.seed, sizeof o.seed) != 0)
        o.seed = (uint64_t)time(NULL);
    o.seed &= MAX_SEED;
    if (!parse_options(argc, argv, &o, &code)) {
        options_free(&o);
        return code;
    }
    if (o.instead != 0)
        code = o.instead == OPTION_LIST ? list(&o) : self_test();
    else {
        const struct celer_provider *own = provider_celer();
        struct plugin_set set;
        code = EXIT_TROUBLE;
        o.usable_count = machine_usable(o.usable, MACHINE_MAX_CPUS);
        if (own == NULL)
            cli_error("out of memory");
        else if (check_threads(&o) && plugin_collect(&set, own, o.with, o.plugins, o.plugin_count)) {
            code = o.each_type ? bench_each_type(&o, &set) : plan_and_bench(&o, &set, false);
            plugin_set_free(&set);
        }
    }
    options_free(&o);
    return code;
}
