/* main.c: `celer compare`: which of two is faster, and how sure that is. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "bench/document.h"
#include "bench/machine.h"
#include "bench/plugin.h"
#include "bench/progress.h"
#include "bench/providers.h"
#include "bench/reference.h"
#include "bench/store.h"
#include "bench/write.h"
#include "celer/celer.h"
#include "cli.h"
#include "pairs.h"
#include "stored.h"
#include "write.h"

static const char usage[] =
    "usage: celer compare [OPTION]... SELECTION... [TRIALS] --base SUBJECT [--test SUBJECT]\n"
    "       celer compare [OPTION]... SELECTION... [TRIALS] --plugins FILE FILE\n"
    "       celer compare [OPTION]... [FUNCTION]... --runs RUN RUN\n"
    "\n"
    "Says of each function and length whether test is faster or slower than base, the same, or whether that\n"
    "remains open. SELECTION is as in celer bench, sha3 if not given; TRIALS is the number of times both are run\n"
    "for each figure, 200 if not given. Exits with 1 when anything is slower.\n"
    "\n"
    "      --base SUBJECT    such as celer-avx2, openssl: the beginning of its name will do\n"
    "      --test SUBJECT    what is compared with it; celer as it chooses by itself, if not given\n"
    "      --plugins A B     two plug-ins: celer of two commits or compilers; the second is compared with the first\n"
    "      --runs A B        two finished runs: files of celer bench -f json, or runs of the history\n"
    "      --db FILE         the history ($XDG_DATA_HOME/celer/bench.db)\n"
    "      --min-effect PCT  a difference below is none: 0.5 percent if not given, 3 with --runs\n"
    "      --strict          exit with 1 also when anything is inconclusive\n"
    "  -b, --backend LIST    backends of celer: with --plugins, each with itself\n"
    "      --with LIST       other libraries that base and test may name, such as openssl,nettle\n"
    "      --plugin FILE     and plug-ins; may be given again\n"
    "      --src-lens LIST   input lengths (64,256,1024,4096,16384)\n"
    "      --dst-lens LIST   output lengths of SHAKE and the like (32)\n"
    "      --ways LIST       messages of a batch (8), states of a permutation (1,2,4,8)\n"
    "      --mode MODE       throughput (default) or latency\n"
    "  -f, --format FORMAT   table (default), csv, json or md\n"
    "      --cpu N           run on CPU N; else on the one where it starts\n"
    "      --seed N          the same order and inputs again\n"
    "  -h, --help            print this\n"
    "  -V, --version         print the version\n";

enum {
    OPTION_BASE = 256,
    OPTION_TEST,
    OPTION_PLUGINS,
    OPTION_RUNS,
    OPTION_DB,
    OPTION_MIN_EFFECT,
    OPTION_STRICT,
    OPTION_WITH,
    OPTION_PLUGIN,
    OPTION_SRC_LENS,
    OPTION_DST_LENS,
    OPTION_WAYS,
    OPTION_MODE,
    OPTION_CPU,
    OPTION_SEED
};

static const struct option long_options[] = {
    {"base", required_argument, NULL, OPTION_BASE},
    {"test", required_argument, NULL, OPTION_TEST},
    {"plugins", required_argument, NULL, OPTION_PLUGINS},
    {"runs", required_argument, NULL, OPTION_RUNS},
    {"db", required_argument, NULL, OPTION_DB},
    {"min-effect", required_argument, NULL, OPTION_MIN_EFFECT},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"backend", required_argument, NULL, 'b'},
    {"with", required_argument, NULL, OPTION_WITH},
    {"plugin", required_argument, NULL, OPTION_PLUGIN},
    {"src-lens", required_argument, NULL, OPTION_SRC_LENS},
    {"dst-lens", required_argument, NULL, OPTION_DST_LENS},
    {"ways", required_argument, NULL, OPTION_WAYS},
    {"mode", required_argument, NULL, OPTION_MODE},
    {"format", required_argument, NULL, 'f'},
    {"cpu", required_argument, NULL, OPTION_CPU},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

#define DEFAULT_TRIALS     200
#define MAX_TRIALS         1000000
#define MAX_SEED           ((UINT64_C(1) << 53) - 1)
#define MIN_EFFECT         0.005
#define MIN_EFFECT_OF_RUNS 0.03

/* Words separated by commas. */
struct words {
    const char **items;
    size_t count;
};

struct options {
    struct plan_request plan;
    struct words backends, with, plugins;
    const char *named[SIDES]; /* --base, --test */
    const char *files[SIDES]; /* --plugins */
    const char *runs[SIDES];  /* --runs */
    const char *db;
    char *texts[16]; /* that words point into */
    size_t text_count;
    double min_effect;     /* negative: the usual one */
    bool strict, measures; /* measures: an option about measuring was given */
    size_t trials;         /* 0: not given */
    enum compare_format format;
    enum mode mode;
    int cpu; /* negative: where it starts */
    uint64_t seed;
};

/* --- The command line --- */

static bool out_of_memory(void)
{
    cli_error("out of memory");
    return false;
}

static bool add_word(struct words *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i], word) == 0)
            return true;
    const char **const grown = realloc(words->items, (words->count + 1) * sizeof *grown);
    if (grown == NULL)
        return out_of_memory();
    words->items = grown;
    words->items[words->count++] = word;
    return true;
}

/* The words of a copy of the text, which options_free frees. */
static bool add_words(struct options *o, struct words *words, const char *text)
{
    if (o->text_count == sizeof o->texts / sizeof o->texts[0]) {
        cli_error("too many lists");
        return false;
    }
    char *word = o->texts[o->text_count++] = strdup(text);
    if (word == NULL)
        return out_of_memory();
    while (word != NULL) {
        char *const comma = strchr(word, ',');
        if (comma != NULL)
            *comma = 0;
        if (!add_word(words, word))
            return false;
        word = comma != NULL ? comma + 1 : NULL;
    }
    return true;
}

/* An option of two arguments: getopt found the first. */
static bool parse_two(int argc, char **argv, const char *option, const char *two[SIDES])
{
    if (optind >= argc || (argv[optind][0] == '-' && argv[optind][1] != 0)) {
        cli_usage("%s needs two arguments", option);
        return false;
    }
    two[BASE] = optarg;
    two[TEST] = argv[optind++];
    return true;
}

static bool parse_percent(const char *text, double *fraction)
{
    char *end;
    const double value = strtod(text, &end);
    if (*end == '%')
        end++;
    if (end == text || *end != 0 || !(value >= 0 && value <= 100) || strpbrk(text, "xXnN") != NULL) {
        cli_error("--min-effect: '%s' is not a percentage from 0 to 100", text);
        return false;
    }
    *fraction = value / 100;
    return true;
}

static bool parse_rest(int argc, char **argv, struct options *o)
{
    /* Words are selections, in place; a number among them is TRIALS. */
    const char **words = (const char **)(argv + optind);
    uint64_t number;
    for (int i = optind; i < argc; i++) {
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

/* What is compared has to be said once, and options have to be of use. */
static bool check_options(const struct options *o)
{
    const bool subjects = o->named[BASE] != NULL || o->named[TEST] != NULL;
    if (o->files[BASE] != NULL && o->runs[BASE] != NULL)
        cli_usage("--plugins and --runs exclude each other");
    else if (o->files[BASE] != NULL && (subjects || o->with.count > 0 || o->plugins.count > 0))
        cli_usage("--plugins says what is compared: it goes without --base, --test, --with and --plugin");
    else if (o->runs[BASE] != NULL && (o->measures || o->trials > 0))
        cli_usage("nothing is measured with --runs, so options and TRIALS about that have no meaning");
    else if (o->db != NULL && o->runs[BASE] == NULL)
        cli_usage("--db has a meaning with --runs only");
    else if (o->files[BASE] == NULL && o->runs[BASE] == NULL && o->named[BASE] == NULL)
        cli_usage("compare with what? --base SUBJECT, --plugins or --runs");
    else
        return true;
    return false;
}

/* False: `code` is the exit status. */
static bool parse_options(int argc, char **argv, struct options *o, int *code)
{
    int c, i;
    uint64_t number;
    bool good = true;
    *code = EXIT_TROUBLE;
    while (good && (c = cli_option(argc, argv, ":b:f:hV", long_options)) != -1) {
        o->measures |= c == 'b' || c >= OPTION_WITH;
        switch (c) {
        case OPTION_BASE:
            o->named[BASE] = optarg;
            break;
        case OPTION_TEST:
            o->named[TEST] = optarg;
            break;
        case OPTION_PLUGINS:
            good = parse_two(argc, argv, "--plugins", o->files);
            break;
        case OPTION_RUNS:
            good = parse_two(argc, argv, "--runs", o->runs);
            break;
        case OPTION_DB:
            o->db = optarg;
            break;
        case OPTION_MIN_EFFECT:
            good = parse_percent(optarg, &o->min_effect);
            break;
        case OPTION_STRICT:
            o->strict = true;
            break;
        case 'b':
            good = add_words(o, &o->backends, optarg);
            break;
        case OPTION_WITH:
            good = add_words(o, &o->with, optarg);
            break;
        case OPTION_PLUGIN:
            good = add_word(&o->plugins, optarg);
            break;
        case OPTION_SRC_LENS:
            good = plan_parse_list(optarg, "--src-lens", 1, PLAN_MAX_LEN, &o->plan.src_lens);
            break;
        case OPTION_DST_LENS:
            good = plan_parse_list(optarg, "--dst-lens", 1, PLAN_MAX_LEN, &o->plan.dst_lens);
            break;
        case OPTION_WAYS:
            good = plan_parse_list(optarg, "--ways", 1, PLAN_MAX_WAYS, &o->plan.ways);
            break;
        case OPTION_MODE:
            good = (i = cli_word("mode", optarg, mode_names, MODE_COUNT)) >= 0;
            o->mode = good ? (enum mode)i : o->mode;
            break;
        case 'f':
            good = (i = cli_word("format", optarg, compare_format_names, COMPARE_FORMAT_COUNT)) >= 0;
            o->format = good ? (enum compare_format)i : o->format;
            break;
        case OPTION_CPU:
            good = cli_number(optarg, 1 << 20, &number);
            if (good)
                o->cpu = (int)number;
            else
                cli_error("--cpu: '%s' is not the number of a CPU", optarg);
            break;
        case OPTION_SEED:
            good = cli_number(optarg, MAX_SEED, &o->seed);
            if (!good)
                cli_error("--seed: '%s' is not a number up to %llu", optarg, (unsigned long long)MAX_SEED);
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
    }
    if (!good || !parse_rest(argc, argv, o) || !check_options(o))
        return false;
    if (o->min_effect < 0)
        o->min_effect = o->runs[BASE] != NULL ? MIN_EFFECT_OF_RUNS : MIN_EFFECT;
    if (o->trials == 0)
        o->trials = DEFAULT_TRIALS;
    return true;
}

static void options_free(struct options *o)
{
    free(o->backends.items);
    free(o->with.items);
    free(o->plugins.items);
    for (size_t i = 0; i < o->text_count; i++)
        free(o->texts[i]);
    free(o->plan.src_lens.items);
    free(o->plan.dst_lens.items);
    free(o->plan.ways.items);
}

/* --- Subjects --- */

/* Whether a label that is asked for begins with the whole word: "celer-avx2" with "celer". */
static bool has_library(const char *label, const char *library)
{
    const size_t n = strlen(library);
    return strncmp(label, library, n) == 0 && (label[n] == 0 || label[n] == '-');
}

/* Backends and libraries that --base and --test name do not have to be named a second time. "celer" is celer-auto. */
static bool add_named(struct options *o)
{
    struct plugin *const plugins = calloc(PLUGIN_MAX, sizeof *plugins);
    const bool derive_backends = o->backends.count == 0;
    if (plugins == NULL)
        return out_of_memory();
    const size_t count = plugin_find_all(plugins);
    bool good = true;
    for (unsigned side = 0; good && side < SIDES; side++) {
        const char *const label = o->named[side];
        char backend[64], library[sizeof plugins->name];
        for (size_t i = 0; good && i < count; i++) {
            memcpy(library, plugins[i].name, sizeof library);
            if (has_library(label, library))
                good = add_words(o, &o->with, library);
        }
        if (!good || !derive_backends || !has_library(label, "celer"))
            continue;
        const char *const rest = label[5] == '-' && label[6] != 0 ? label + 6 : "auto";
        snprintf(backend, sizeof backend, "%.*s", (int)strcspn(rest, "-"), rest);
        good = add_words(o, &o->backends, backend);
        if (label[5] == 0 || label[6] == 0)
            o->named[side] = "celer-auto";
    }
    free(plugins);
    return good;
}

/* The one subject whose label is so or begins so; false after an error. */
static bool find_subject(const struct plan *plan, const char *option, const char *prefix, size_t *index)
{
    char all[2048] = "";
    size_t matches = 0;
    for (size_t i = 0; i < plan->subject_count; i++) {
        const char *const label = plan->subjects[i].label;
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, " %s", label);
        if (strcmp(label, prefix) == 0) {
            *index = i;
            return true;
        }
        if (strncmp(label, prefix, strlen(prefix)) == 0) {
            matches++;
            *index = i;
        }
    }
    if (matches == 1)
        return true;
    cli_error("%s '%s': %s begins so; there are:%s", option, prefix,
              matches == 0 ? "nothing" : "more than one", all);
    return false;
}

/* --- Pairs --- */

struct pairs {
    struct pair *items;
    size_t count;
};

static bool add_pair(struct pairs *pairs, const struct pair *pair)
{
    struct pair *const grown = realloc(pairs->items, (pairs->count + 1) * sizeof *grown);
    if (grown == NULL)
        return out_of_memory();
    pairs->items = grown;
    pairs->items[pairs->count++] = *pair;
    return true;
}

static bool same_row(const struct plan_row *a, const struct plan_row *b)
{
    return a->kind == b->kind && a->ways == b->ways && a->dst_len == b->dst_len && a->count == b->count &&
           strcmp(a->name, b->name) == 0;
}

/* All that two subjects both have. */
static bool add_pairs(struct pairs *pairs, const struct plan *plan, size_t base, size_t test)
{
    for (size_t r = 0; r < plan->row_count; r++)
        for (size_t s = 0; s < plan->row_count && plan->rows[r].subject == base; s++) {
            const struct plan_row *const x = &plan->rows[r], *const y = &plan->rows[s];
            if (y->subject != test || !same_row(x, y))
                continue;
            for (size_t i = 0; i < x->count; i++) {
                const struct pair pair = {
                    .row = {r, s}, .task = {plan->cells[x->first + i].task, plan->cells[y->first + i].task}};
                if (pair.task[BASE].subject != NULL && pair.task[TEST].subject != NULL &&
                    pair.task[BASE].src_len == pair.task[TEST].src_len && !add_pair(pairs, &pair))
                    return false;
            }
        }
    return true;
}

/* Each backend of the one plug-in with that of the other. */
static bool add_plugin_pairs(struct pairs *pairs, const struct plan *plan,
                             const struct celer_provider *const providers[SIDES])
{
    for (size_t i = 0; i < plan->subject_count; i++)
        for (size_t j = 0; j < plan->subject_count && plan->subjects[i].provider == providers[BASE]; j++) {
            const struct plan_subject *const x = &plan->subjects[i], *const y = &plan->subjects[j];
            const bool same_backend = x->backend == y->backend || (x->backend != NULL && y->backend != NULL &&
                                                                   strcmp(x->backend, y->backend) == 0);
            if (y->provider == providers[TEST] && same_backend && !add_pairs(pairs, plan, i, j))
                return false;
        }
    return true;
}

static bool find_pairs(struct pairs *pairs, const struct options *o, const struct plan *plan,
                       const struct celer_provider *const providers[SIDES])
{
    size_t base, test;
    if (o->files[BASE] != NULL) {
        if (!add_plugin_pairs(pairs, plan, providers))
            return false;
    } else if (!find_subject(plan, "--base", o->named[BASE], &base) ||
               !find_subject(plan, "--test", o->named[TEST], &test) || !add_pairs(pairs, plan, base, test))
        return false;
    if (pairs->count == 0)
        cli_error("there is nothing of what is selected that both have");
    return pairs->count > 0;
}

/* --- What is said on standard error --- */

static void say_subject(const char *side, const struct plan_subject *s, const char *file)
{
    fprintf(stderr, "info: %s=%s version=\"%s\" compiler=\"%s\" flags=\"%s\"", side, s->label,
            s->provider->version, s->provider->compiler, s->provider->flags);
    if (file != NULL)
        fprintf(stderr, " file=\"%s\"", file);
    putc('\n', stderr);
}

static void say_info(const struct options *o, const struct plan *plan, const struct pairs *pairs,
                     const struct clock *clock)
{
    const struct pair *const p = &pairs->items[0];
    fprintf(stderr, "info: cpucycles: version=%s implementation=%s persecond=%.0f\n", celer_version(),
            clock->name, clock->core_hz);
    say_subject("base", &plan->subjects[plan->rows[p->row[BASE]].subject], o->files[BASE]);
    say_subject("test", &plan->subjects[plan->rows[p->row[TEST]].subject], o->files[TEST]);
    fprintf(stderr, "info: rows=%zu trials=%zu mode=%s min_effect=%g%% seed=%llu\n", pairs->count, o->trials,
            mode_names[o->mode], 100 * o->min_effect, (unsigned long long)o->seed);
    if (plan->rows[p->row[BASE]].subject == plan->rows[p->row[TEST]].subject)
        fprintf(stderr, "info: base and test are the same: this tells how good the comparison is\n");
    if (clock->estimated)
        fprintf(stderr, "warning: cycles are estimated: %s\n", clock->doubt);
    const double load = machine_load();
    if (load > 0.75 * (double)machine_cpu_count())
        fprintf(stderr, "warning: other programs keep this machine busy (load %.2f)\n", load);
}

/* A note for each function that nobody can check. */
static void note_unverified(const struct plan *plan, const struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *const p = &pairs->items[i];
        if (i > 0 && pairs->items[i - 1].row[BASE] == p->row[BASE])
            continue;
        for (unsigned side = 0; side < SIDES; side++) {
            const struct plan_row *const row = &plan->rows[p->row[side]];
            if (p->task[side].subject->kind <= CELER_KIND_MANY &&
                reference_name(p->task[side].subject) == NULL)
                cli_error("note: unverified: nothing here but %s has %s", plan->subjects[row->subject].label,
                          row->function);
        }
    }
}

static void warn_after(const struct compare_result *result, const struct pairing *m, double stolen,
                       double seconds)
{
    size_t rejected = 0, all = 0;
    for (size_t i = 0; i < result->count; i++) {
        rejected += result->rows[i].rejected;
        all += result->rows[i].rejected + result->rows[i].comparison.n;
    }
    if (!m->quiet)
        fprintf(stderr, "warning: another thread shared the core all the time\n");
    if (rejected * 2 > all)
        fprintf(stderr, "warning: %zu of %zu trials were disturbed and do not count\n", rejected, all);
    if (stolen > 0.01 * seconds)
        fprintf(stderr, "warning: the hypervisor gave %.0f %% of the time to other machines\n",
                100 * stolen / seconds);
    if (result->interrupted)
        fprintf(stderr, "warning: interrupted; verdicts are of the trials until then\n");
}

/* One line for each fault; false when there are any. */
static bool say_faults(const struct plan *plan, const struct pairs *pairs)
{
    bool good = true;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *const p = &pairs->items[i];
        if (p->fault == NULL)
            continue;
        const struct plan_row *const row = &plan->rows[p->row[p->faulty]];
        cli_error("%s of %s, %zu bytes: %s", row->name, plan->subjects[row->subject].label,
                  p->task[p->faulty].src_len, p->fault);
        good = false;
    }
    return good;
}

/* --- The end --- */

static int finish(const struct options *o, const struct compare_result *result, bool right)
{
    size_t count[OUTCOME_COUNT];
    for (unsigned i = 0; i < OUTCOME_COUNT; i++)
        count[i] = compare_count(result, (enum outcome)i);
    if (!compare_write(result, o->format, stdout)) {
        out_of_memory();
        return EXIT_TROUBLE;
    }
    cli_flush();
    fprintf(stderr,
            "info: of %zu rows, test is faster in %zu, slower in %zu, the same in %zu, inconclusive in %zu\n",
            result->count, count[OUTCOME_FASTER], count[OUTCOME_SLOWER], count[OUTCOME_SAME],
            count[OUTCOME_INCONCLUSIVE]);
    const bool good = right && count[OUTCOME_SLOWER] == 0 && !(o->strict && count[OUTCOME_INCONCLUSIVE] > 0);
    return cli_finish(good ? EXIT_GOOD : EXIT_NEGATIVE);
}

/* --- Measuring --- */

static struct compare_row row_of(const struct plan *plan, const struct pair *p, const struct pairing *m)
{
    const struct plan_row *const base = &plan->rows[p->row[BASE]], *const test = &plan->rows[p->row[TEST]];
    const struct measure measure = {.clock = m->clock, .mode = m->mode};
    const struct run run = {.plan = plan, .measure = &measure};
    const enum unit unit = run_unit(&run, base);
    const double each =
        unit == UNIT_CPB && task_bytes(&p->task[BASE]) > 0 ? (double)task_bytes(&p->task[BASE]) : 1;
    return (struct compare_row){.base_label = plan->subjects[base->subject].label,
                                .test_label = plan->subjects[test->subject].label,
                                .function = base->name,
                                .kind = run_kind(base),
                                .mode = mode_names[run_mode(&run, base)],
                                .unit = unit_names[unit == UNIT_CPB ? UNIT_CPB : UNIT_CYCLES],
                                .ways = base->ways,
                                .dst_len = p->task[BASE].dst_len,
                                .src_len = p->task[BASE].src_len,
                                .base = p->cycles[BASE] / each,
                                .test = p->cycles[TEST] / each,
                                .rejected = p->fault != NULL ? 0 : p->count - p->comparison.n,
                                .fault = p->fault,
                                .comparison = p->comparison};
}

static int measure(const struct options *o, const struct plan *plan, const struct pairs *pairs)
{
    struct clock clock;
    const int pinned = machine_pin(o->cpu);
    if (o->cpu >= 0 && pinned < 0) {
        char cpus[1024];
        cli_error("--cpu %d: %s; there are:%s", o->cpu, strerror(errno), machine_cpus(cpus, sizeof cpus));
        return EXIT_TROUBLE;
    }
    struct compare_result result = {.count = pairs->count,
                                    .min_effect = o->min_effect,
                                    .method = "paired",
                                    .base_source = o->files[BASE],
                                    .test_source = o->files[TEST],
                                    .rows = calloc(pairs->count, sizeof *result.rows)};
    if (result.rows == NULL) {
        out_of_memory();
        return EXIT_TROUBLE;
    }
    clock_open(&clock, NULL);
    say_info(o, plan, pairs, &clock);
    struct pairing m = {.clock = &clock,
                        .trials = o->trials,
                        .mode = o->mode,
                        .min_effect = o->min_effect,
                        .seed = o->seed,
                        .stop = &cli_stopped_by,
                        .progress = progress_wanted() ? progress_show : NULL};
    const double stolen = machine_stolen_seconds(), start = clock_seconds();
    cli_catch_stops();
    const bool enough_memory = pairs_measure(&m, pairs->items, pairs->count);
    const double seconds = clock_seconds() - start;
    clock_close();
    if (m.progress != NULL)
        progress_clear();
    int code = EXIT_TROUBLE;
    if (!enough_memory)
        out_of_memory();
    else {
        for (size_t i = 0; i < pairs->count; i++)
            result.rows[i] = row_of(plan, &pairs->items[i], &m);
        result.interrupted = cli_stopped_by != 0;
        warn_after(&result, &m, machine_stolen_seconds() - stolen, seconds);
        code = finish(o, &result, say_faults(plan, pairs));
    }
    free(result.rows);
    return code;
}

static int compare_set(const struct options *o, const struct plugin_set *set)
{
    struct plan plan;
    struct pairs pairs = {0};
    int code = EXIT_TROUBLE;
    const struct celer_provider *const providers[SIDES] = {set->providers[0], set->providers[set->count - 1]};
    if (!plan_make(&plan, &o->plan, set->providers, set->count))
        return code;
    if (find_pairs(&pairs, o, &plan, providers)) {
        reference_providers(set->providers, set->count);
        note_unverified(&plan, &pairs);
        code = measure(o, &plan, &pairs);
        reference_providers(NULL, 0);
    }
    for (size_t i = 0; i < pairs.count; i++)
        pair_free(&pairs.items[i]);
    free(pairs.items);
    plan_free(&plan);
    return code;
}

static int compare_plugins(const struct options *o)
{
    const struct celer_provider *providers[SIDES];
    char why[512];
    for (unsigned side = 0; side < SIDES; side++)
        if (!plugin_load(o->files[side], &providers[side], why, sizeof why)) {
            cli_error("%s: %s", o->files[side], why);
            return EXIT_TROUBLE;
        }
    return compare_set(
        o, &(struct plugin_set){.providers = providers, .count = providers[BASE] == providers[TEST] ? 1 : 2});
}

static int compare_subjects(struct options *o)
{
    const struct celer_provider *const own = provider_celer();
    struct plugin_set set;
    char with[1024] = "";
    if (own == NULL) {
        out_of_memory();
        return EXIT_TROUBLE;
    }
    if (o->named[TEST] == NULL)
        o->named[TEST] = "celer-auto";
    if (!add_named(o))
        return EXIT_TROUBLE;
    o->plan.backends = o->backends.items;
    o->plan.backend_count = o->backends.count;
    for (size_t i = 0; i < o->with.count; i++)
        snprintf(with + strlen(with), sizeof with - strlen(with), "%s%s", i > 0 ? "," : "", o->with.items[i]);
    if (!plugin_collect(&set, own, with[0] != 0 ? with : NULL, o->plugins.items, o->plugins.count))
        return EXIT_TROUBLE;
    const int code = compare_set(o, &set);
    plugin_set_free(&set);
    return code;
}

/* --- Stored runs --- */

/* A document of a file, or else of the history; NULL after an error. */
static json_t *read_run(const struct options *o, const char *which)
{
    char why[1024];
    json_t *document = NULL;
    if (strcmp(which, "-") == 0 || access(which, F_OK) == 0) {
        json_t *const all = document_load(which, why, sizeof why);
        if (all == NULL)
            cli_error("%s", why);
        else if (json_array_size(all) > 1)
            cli_error("%s: there are %zu runs in it, and one is needed", which, json_array_size(all));
        else
            document = json_incref(json_array_get(all, 0));
        json_decref(all);
        return document;
    }
    struct store *store;
    if (store_open(&store, o->db, STORE_READ, why, sizeof why) != STORE_OK) {
        cli_error("%s: no such file; and %s", which, why);
        return NULL;
    }
    if ((document = store_get(store, which, why, sizeof why)) == NULL)
        cli_error("%s", why);
    store_close(store);
    return document;
}

static int compare_runs(const struct options *o)
{
    struct compare_result result = {
        .method = "canary", .base_source = o->runs[BASE], .test_source = o->runs[TEST]};
    const struct stored_request request = {.functions = o->plan.selections,
                                           .function_count = o->plan.selection_count,
                                           .base = o->named[BASE],
                                           .test = o->named[TEST],
                                           .min_effect = o->min_effect};
    json_t *const base = read_run(o, o->runs[BASE]);
    json_t *const test = base != NULL ? read_run(o, o->runs[TEST]) : NULL;
    char why[1024];
    int code = EXIT_TROUBLE;
    bool right = true;
    if (test != NULL && !stored_compare(base, test, &request, &result, why, sizeof why))
        cli_error("%s and %s cannot be compared: %s", o->runs[BASE], o->runs[TEST], why);
    else if (test != NULL) {
        for (size_t i = 0; i < result.count; i++) {
            const struct compare_row *const row = &result.rows[i];
            if (row->fault == NULL)
                continue;
            cli_error("%s, %zu bytes: %s", row->function, row->src_len, row->fault);
            right = false;
        }
        code = finish(o, &result, right);
        free(result.rows);
    }
    json_decref(base);
    json_decref(test);
    return code;
}

int cmd_compare(int argc, char **argv)
{
    struct options o = {.cpu = -1, .min_effect = -1};
    int code;
    if (getentropy(&o.seed, sizeof o.seed) != 0)
        o.seed = (uint64_t)time(NULL);
    o.seed &= MAX_SEED;
    if (parse_options(argc, argv, &o, &code)) {
        if (o.runs[BASE] != NULL)
            code = compare_runs(&o);
        else if (o.files[BASE] != NULL) {
            o.plan.backends = o.backends.items;
            o.plan.backend_count = o.backends.count;
            code = compare_plugins(&o);
        } else
            code = compare_subjects(&o);
    }
    options_free(&o);
    if (cli_stopped_by != 0) { /* whoever waits for this program has to learn how it ended */
        signal(cli_stopped_by, SIG_DFL);
        raise(cli_stopped_by);
    }
    return code;
}
