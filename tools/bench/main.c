/* main.c: `celer bench`: options, plan, run, results. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "celer/celer.h"
#include "cli.h"
#include "info/facts.h"
#include "machine.h"
#include "plugin.h"
#include "progress.h"
#include "providers.h"
#include "reference.h"
#include "write.h"

static const char usage[] =
    "usage: celer bench [OPTION]... [SELECTION]... [TRIALS]\n"
    "\n"
    "Measures hashes in core cycles per byte. SELECTION is the name of a hash, sha3 (the default), sha2,\n"
    "permutation, or many: then the hashes named, or all, work on batches. TRIALS is the number of samples\n"
    "for each figure, 2000 if not given.\n"
    "\n"
    "  -b, --backend LIST    measure these backends, such as scalar,avx512; auto is what celer chooses\n"
    "      --src-lens LIST   input lengths (64,256,1024,4096,16384)\n"
    "      --dst-lens LIST   output lengths of SHAKE and the like, a row for each (32)\n"
    "      --ways LIST       messages of a batch (8), states of a permutation (1,2,4,8)\n"
    "      --mode MODE       throughput (default), or latency: each input depends on the last result\n"
    "  -m, --unit UNIT       cpb, cycles, ns, MB or MiB (per second)\n"
    "  -f, --format FORMAT   csv (default), long or json\n"
    "      --with LIST       beside these libraries, such as openssl,nettle; all: those that are here\n"
    "      --plugin FILE     beside what this plug-in brings; may be given again\n"
    "      --cpu N           run on CPU N; else on the one where it starts\n"
    "      --seed N          the same order and inputs again\n"
    "      --self-test       measure what is known, and see whether it comes out right\n"
    "      --list            print what can be selected\n"
    "  -h, --help            print this\n"
    "  -V, --version         print the version\n";

enum {
    OPTION_SRC_LENS = 256,
    OPTION_DST_LENS,
    OPTION_WAYS,
    OPTION_MODE,
    OPTION_WITH,
    OPTION_PLUGIN,
    OPTION_CPU,
    OPTION_SEED,
    OPTION_SELF_TEST,
    OPTION_LIST
};

static const struct option long_options[] = {
    {"backend", required_argument, NULL, 'b'},
    {"src-lens", required_argument, NULL, OPTION_SRC_LENS},
    {"dst-lens", required_argument, NULL, OPTION_DST_LENS},
    {"ways", required_argument, NULL, OPTION_WAYS},
    {"mode", required_argument, NULL, OPTION_MODE},
    {"unit", required_argument, NULL, 'm'},
    {"format", required_argument, NULL, 'f'},
    {"with", required_argument, NULL, OPTION_WITH},
    {"plugin", required_argument, NULL, OPTION_PLUGIN},
    {"cpu", required_argument, NULL, OPTION_CPU},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"self-test", no_argument, NULL, OPTION_SELF_TEST},
    {"list", no_argument, NULL, OPTION_LIST},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

enum format { FORMAT_CSV, FORMAT_LONG, FORMAT_JSON, FORMAT_COUNT };
static const char *const format_names[FORMAT_COUNT] = {"csv", "long", "json"};

#define DEFAULT_TRIALS 2000
#define MAX_TRIALS     10000000
#define MAX_SEED       ((UINT64_C(1) << 53) - 1) /* whole numbers that every reader of JSON keeps exact */

struct options {
    struct plan_request plan;
    char *backend_text;
    const char *with; /* NULL: no other libraries */
    const char **plugins;
    size_t plugin_count;
    size_t trials;
    enum format format;
    bool unit_given;
    enum unit unit;
    enum mode mode;
    int cpu; /* negative: where it starts */
    uint64_t seed;
};

/* --- The command line --- */

/* Index of a word; or -1 after an error that lists all of them. */
static int parse_word(const char *what, const char *word, const char *const *words, size_t n)
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
        case OPTION_WAYS:
            if (!plan_parse_list(optarg, "--ways", 1, PLAN_MAX_WAYS, &o->plan.ways))
                return false;
            break;
        case OPTION_MODE:
            if ((i = parse_word("mode", optarg, mode_names, MODE_COUNT)) < 0)
                return false;
            o->mode = (enum mode)i;
            break;
        case 'm':
            if ((i = parse_word("unit", optarg, unit_names, UNIT_COUNT)) < 0)
                return false;
            o->unit = (enum unit)i;
            o->unit_given = true;
            break;
        case 'f':
            if ((i = parse_word("format", optarg, format_names, FORMAT_COUNT)) < 0)
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
            if (!cli_number(optarg, 1 << 20, &number)) {
                cli_error("--cpu: '%s' is not the number of a CPU", optarg);
                return false;
            }
            o->cpu = (int)number;
            break;
        case OPTION_SEED:
            if (!cli_number(optarg, MAX_SEED, &o->seed)) {
                cli_error("--seed: '%s' is not a number up to %llu", optarg, (unsigned long long)MAX_SEED);
                return false;
            }
            break;
        case OPTION_SELF_TEST:
        case OPTION_LIST:
            *code = c;
            return false;
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
    /* Words are selections, in place; a number among them is TRIALS. */
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
        if (j == i)
            printf(" %s%s", row->name,
                   (row->needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) != 0 ? "(not here)" : "");
    }
    putchar('\n');
}

static int list(void)
{
    char text[1024];
    printf("selections:%s\n", plan_selections(text, sizeof text));
    cli_each_kernel(list_backends, NULL);
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
    plugin_list(stdout);
    return cli_finish(EXIT_GOOD);
}

/* --- What is said on standard error --- */

static void say_list(const char *key, const struct plan_list *items)
{
    fprintf(stderr, " %s=", key);
    for (size_t i = 0; i < items->count; i++)
        fprintf(stderr, "%s%zu", i > 0 ? "," : "", items->items[i]);
}

/* Names of the backends that run, each once. */
static void say_backends(const struct plan *plan)
{
    char names[256] = ",";
    for (size_t i = 0; i < plan->cell_count; i++) {
        char word[66];
        if (plan->cells[i].task.subject == NULL)
            continue;
        snprintf(word, sizeof word, ",%s,", plan->cells[i].task.subject->backend);
        if (strstr(names, word) == NULL)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s", word + 1);
    }
    fprintf(stderr, "info: backend=%.*s", (int)strlen(names) - 1 > 0 ? (int)strlen(names) - 2 : 0, names + 1);
}

static void say_info(const struct run *run, const struct clock *clock)
{
    const struct measure *m = run->measure;
    const struct celer_provider *provider = run->plan->subjects[0].provider;
    fprintf(stderr, "info: cpucycles: version=%s implementation=%s persecond=%.0f\n", celer_version(),
            clock->name, clock->core_hz);
    say_backends(run->plan);
    fprintf(stderr, " num_trials=%zu", m->trials);
    say_list("src_lens", &run->plan->src_lens);
    say_list("dst_lens", &run->plan->dst_lens);
    fprintf(stderr, "\ninfo: cpu=\"%s\" compiler=\"%s\" flags=\"%s\" load=%.2f ghz=%.3f", run->cpu,
            provider->compiler, provider->flags, run->load, clock->core_hz / 1e9);
    if (!clock->counts_cycles)
        fprintf(stderr, " timer_ghz=%.3f", clock->hz / 1e9);
    fprintf(stderr, " unit=%s mode=%s seed=%llu\n", run->unit_given ? unit_names[run->unit] : "cpb",
            mode_names[m->mode], (unsigned long long)m->seed);
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

static void warn_after(const struct run *run, double stolen)
{
    size_t flagged = 0, figures = 0, by_flag[FLAG_COUNT] = {0};
    for (size_t i = 0; i < run->plan->cell_count; i++) {
        const struct cell *cell = &run->plan->cells[i];
        figures += cell->count > 0;
        flagged += cell->flags != 0;
        for (unsigned f = 0; f < FLAG_COUNT; f++)
            by_flag[f] += cell->flags >> f & 1;
    }
    if (flagged > 0) {
        fprintf(stderr, "warning: %zu of %zu figures are doubtful:", flagged, figures);
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

/* One line for each fault of a subject; false when there are any. */
static bool say_faults(const struct plan *plan)
{
    bool good = true;
    for (size_t i = 0; i < plan->row_count; i++)
        for (size_t j = 0; j < plan->rows[i].count; j++) {
            const struct cell *cell = &plan->cells[plan->rows[i].first + j];
            if (cell->fault == NULL)
                continue;
            cli_error("%s of %s, %zu bytes: %s", plan->rows[i].name,
                      plan->subjects[plan->rows[i].subject].label, cell->task.src_len, cell->fault);
            good = false;
        }
    return good;
}

/* A note for each function that only one library has, so that nobody can say whether its results are right. */
static void note_unverified(const struct plan *plan)
{
    for (size_t i = 0; i < plan->row_count; i++) {
        const struct celer_subject *subject = plan->cells[plan->rows[i].first].task.subject;
        if (subject != NULL && subject->kind <= CELER_KIND_MANY && reference_name(subject) == NULL)
            cli_error("note: unverified: nothing here but %s has %s",
                      plan->subjects[plan->rows[i].subject].label, plan->rows[i].function);
    }
}

/* --- Measuring --- */

static volatile sig_atomic_t stopped_by;

static void on_stop(int signal_number)
{
    stopped_by = signal_number;
}

/* The first signal ends the sampling, a second one the program. One that was ignored when we began stays ignored. */
static void catch_stops(void)
{
    static const int signals[] = {SIGINT, SIGTERM};
    const struct sigaction act = {.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < 2; i++) {
        struct sigaction former;
        if (sigaction(signals[i], &act, &former) == 0 && former.sa_handler == SIG_IGN)
            sigaction(signals[i], &former, NULL);
    }
}

static bool write_results(const struct run *run, enum format format)
{
    switch (format) {
    case FORMAT_LONG:
        write_long(run, stdout);
        return true;
    case FORMAT_JSON:
        return write_json(run, stdout);
    default:
        write_csv(run, stdout);
        return true;
    }
}

static int bench(const struct options *o, struct plan *plan)
{
    char cpu[256], system[256], hypervisor[256], governor[256], started[32] = "";
    struct clock clock;
    const time_t now = time(NULL);
    struct tm utc;
    fact_cpu(cpu, sizeof cpu);
    fact_system(system, sizeof system);
    fact_hypervisor(hypervisor, sizeof hypervisor);
    fact_governor(governor, sizeof governor);
    if (gmtime_r(&now, &utc) != NULL)
        strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    const int pinned = machine_pin(o->cpu);
    if (o->cpu >= 0 && pinned < 0) {
        char cpus[1024];
        cli_error("--cpu %d: %s; there are:%s", o->cpu, strerror(errno), machine_cpus(cpus, sizeof cpus));
        return EXIT_TROUBLE;
    }
    struct measure measure = {
        .clock = &clock, .trials = o->trials, .mode = o->mode, .seed = o->seed, .stop = &stopped_by};
    struct run run = {.plan = plan,
                      .measure = &measure,
                      .unit_given = o->unit_given,
                      .unit = o->unit,
                      .cpu = cpu,
                      .system = system,
                      .hypervisor = hypervisor,
                      .governor = governor,
                      .load = machine_load(),
                      .pinned = pinned,
                      .started = started};
    clock_open(&clock, NULL);
    say_info(&run, &clock);
    warn_before(&run, &clock);
    const double stolen = machine_stolen_seconds();
    if (progress_wanted())
        measure.progress = progress_show;
    catch_stops();
    const bool enough_memory = measure_cells(&measure, plan->cells, plan->cell_count);
    clock_close();
    if (measure.progress != NULL)
        progress_clear();
    run.interrupted = stopped_by != 0;
    plan_flag_glitches(plan);
    warn_after(&run, machine_stolen_seconds() - stolen);
    const bool right = say_faults(plan);
    if (!enough_memory || !write_results(&run, o->format)) {
        cli_error("out of memory");
        return EXIT_TROUBLE;
    }
    const int code = cli_finish(right ? EXIT_GOOD : EXIT_NEGATIVE);
    if (stopped_by != 0) { /* whoever waits for this program has to learn how it ended */
        signal(stopped_by, SIG_DFL);
        raise(stopped_by);
    }
    return code;
}

int cmd_bench(int argc, char **argv)
{
    struct options o = {.trials = DEFAULT_TRIALS, .cpu = -1};
    int code;
    if (getentropy(&o.seed, sizeof o.seed) != 0)
        o.seed = (uint64_t)time(NULL);
    o.seed &= MAX_SEED;
    if (!parse_options(argc, argv, &o, &code)) {
        if (code == OPTION_SELF_TEST)
            code = self_test();
        else if (code == OPTION_LIST)
            code = list();
    } else {
        const struct celer_provider *own = provider_celer();
        struct plugin_set set;
        struct plan plan;
        code = EXIT_TROUBLE;
        if (own == NULL)
            cli_error("out of memory");
        else if (plugin_collect(&set, own, o.with, o.plugins, o.plugin_count)) {
            if (plan_make(&plan, &o.plan, set.providers, set.count)) {
                reference_providers(set.providers, set.count);
                note_unverified(&plan);
                code = bench(&o, &plan);
                reference_providers(NULL, 0);
                plan_free(&plan);
            }
            plugin_set_free(&set);
        }
    }
    options_free(&o);
    return code;
}
