/* options.c: see options.h. */
#include "options.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "bench/plugin.h"
#include "celer/celer.h"
#include "cli.h"

static const char usage[] =
    "usage: celer compare [OPTION]... SELECTION... [TRIALS] --base SUBJECT [--test SUBJECT]\n"
    "       celer compare [OPTION]... SELECTION... [TRIALS] --plugins FILE FILE\n"
    "       celer compare [OPTION]... permutation [TRIALS] --per-state [--base SUBJECT] [--test SUBJECT]\n"
    "       celer compare [OPTION]... [FUNCTION]... --runs RUN RUN\n"
    "\n"
    "Says of each function and length whether test is faster or slower than base, the same, or whether that\n"
    "remains open. SELECTION is as in celer bench, sha3 if not given; TRIALS is the number of times both are run\n"
    "for each figure, 200 if not given. Exits with 1 when anything is slower.\n"
    "\n"
    "      --base SUBJECT    such as celer-avx2, openssl: the beginning of its name will do\n"
    "      --test SUBJECT    what is compared with it; celer as it chooses by itself, if not given\n"
    "      --plugins A B     two plug-ins: celer of two commits or compilers; the second is compared with the first\n"
    "      --per-state       widths of a permutation, state for state: does x2 beat 2 x x1? base: test's x1\n"
    "      --runs A B        two finished runs: files of celer bench -f json, or runs of the history\n"
    "      --db FILE         the history, which keeps the verdicts (~/.local/share/celer/bench.db)\n"
    "      --no-db           do not keep them\n"
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
    OPTION_PER_STATE,
    OPTION_RUNS,
    OPTION_DB,
    OPTION_NO_DB,
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
    {"per-state", no_argument, NULL, OPTION_PER_STATE},
    {"db", required_argument, NULL, OPTION_DB},
    {"no-db", no_argument, NULL, OPTION_NO_DB},
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

/* A copy of the text, which compare_options_free frees; NULL after an error. */
static char *keep_text(struct options *o, const char *text)
{
    if (o->text_count == sizeof o->texts / sizeof o->texts[0]) {
        cli_error("too many lists");
        return NULL;
    }
    char *const copy = strdup(text);
    if (copy == NULL)
        out_of_memory();
    else
        o->texts[o->text_count++] = copy;
    return copy;
}

/* The words of a list. */
static bool add_words(struct options *o, struct words *words, const char *text)
{
    char *word = keep_text(o, text);
    if (word == NULL)
        return false;
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
    const char *trials = NULL;
    for (int i = optind; i < argc; i++) {
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

/* With the permutation itself, and with what its widths are compared with. */
static bool select_widths(struct plan_request *plan)
{
    static const char *const permutation[] = {"permutation"};
    if (plan->selection_count == 0) {
        plan->selections = permutation;
        plan->selection_count = 1;
    }
    if (plan->ways.count == 0)
        return true; /* all */
    size_t *const grown = realloc(plan->ways.items, (plan->ways.count + 1) * sizeof *grown);
    if (grown == NULL)
        return out_of_memory();
    plan->ways.items = grown;
    grown[plan->ways.count++] = 1;
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
    else if (o->runs[BASE] != NULL && o->no_db)
        cli_usage("nothing is kept with --runs, so --no-db has no meaning");
    else if (o->per_state && (o->files[BASE] != NULL || o->runs[BASE] != NULL))
        cli_usage("--per-state is about subjects: it goes without --plugins and --runs");
    else if ((o->named[BASE] != NULL && o->named[BASE][0] == 0) ||
             (o->named[TEST] != NULL && o->named[TEST][0] == 0))
        cli_usage("--base and --test need the beginning of a name");
    else if (o->files[BASE] == NULL && o->runs[BASE] == NULL && o->named[BASE] == NULL && !o->per_state)
        cli_usage("compare with what? --base SUBJECT, --plugins, --runs or --per-state");
    else
        return true;
    return false;
}

/* Whether a label that is asked for begins with the whole word: "celer-avx2" with "celer". */
static bool has_library(const char *label, const char *library)
{
    const size_t n = strlen(library);
    return strncmp(label, library, n) == 0 && (label[n] == 0 || label[n] == '-');
}

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The library of that label, or those here of whose names it is the beginning. */
static bool add_libraries(struct options *o, const char *label)
{
    struct plugin *const plugins = calloc(PLUGIN_MAX, sizeof *plugins);
    bool good = plugins != NULL || out_of_memory();
    const size_t count = good ? plugin_find_all(plugins) : 0;
    for (size_t i = 0; good && i < count; i++) {
        const char *const name = plugins[i].name;
        /* celer is here without one. */
        const bool some = begins(name, label) && plugins[i].file[0] != 0 && !has_library(name, "celer");
        if (some || has_library(label, name))
            good = add_words(o, &o->with, name);
    }
    free(plugins);
    return good;
}

struct beginning {
    const char *text;
    struct words found;
    bool good;
};

static void find_backends(const struct celer_kernel *kernel, void *arg)
{
    struct beginning *const b = arg;
    const struct celer_backend *row;
    for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++)
        if (begins(row->name, b->text) && (row->needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) == 0)
            b->good = b->good && add_word(&b->found, row->name);
}

/* The backend of that name, or those that can run here of whose names it is the beginning. Of one that is unknown the
   plan says so. */
static bool add_backends(struct options *o, const char *name)
{
    struct beginning b = {.text = name, .good = true};
    bool whole = false;
    if (begins("auto", name))
        b.good = add_word(&b.found, "auto");
    cli_each_kernel(find_backends, &b);
    for (size_t i = 0; i < b.found.count; i++)
        whole |= strcmp(b.found.items[i], name) == 0;
    if (b.good && (whole || b.found.count == 0))
        b.good = add_words(o, &o->backends, name);
    else
        for (size_t i = 0; b.good && i < b.found.count; i++)
            b.good = add_word(&o->backends, b.found.items[i]);
    free(b.found.items);
    return b.good;
}

/* What is compared where --test does not say: celer, with the backend of -b or as it chooses. False after an error. */
static bool imply_test(struct options *o)
{
    bool automatic = o->backends.count == 0;
    for (size_t i = 0; i < o->backends.count; i++)
        automatic |= strcmp(o->backends.items[i], "auto") == 0;
    o->implied[TEST] = true;
    if (automatic) {
        o->named[TEST] = "celer-auto";
        return true;
    }
    if (o->backends.count > 1) {
        cli_usage("-b names several backends; --test says which of them is compared");
        return false;
    }
    char label[96];
    snprintf(label, sizeof label, "celer-%s", o->backends.items[0]);
    o->named[TEST] = keep_text(o, label);
    return o->named[TEST] != NULL;
}

/* Backends and libraries that --base and --test name do not have to be named a second time. "celer" is celer-auto,
   unless -b is given; widths are compared with those of the same subject. */
static bool add_named(struct options *o)
{
    const bool limited = o->backends.count > 0;
    if (o->named[TEST] == NULL && !imply_test(o))
        return false;
    if (o->named[BASE] == NULL) {
        o->named[BASE] = o->named[TEST];
        o->implied[BASE] = true;
    }
    for (unsigned side = 0; side < SIDES; side++) {
        const char *const label = o->named[side];
        char backend[64];
        if (!add_libraries(o, label))
            return false;
        if (!has_library(label, "celer"))
            continue;
        if (label[5] == 0 || label[6] == 0) {
            if (limited)
                continue;
            o->named[side] = "celer-auto";
        }
        const char *const rest = o->named[side] + strlen("celer-");
        snprintf(backend, sizeof backend, "%.*s", (int)strcspn(rest, "-"), rest);
        if (!add_backends(o, backend))
            return false;
    }
    return true;
}

bool compare_options_parse(struct options *o, int argc, char **argv, int *code)
{
    int c, i;
    uint64_t number;
    bool good = true;
    *o = (struct options){.cpu = -1, .min_effect = -1};
    if (getentropy(&o->seed, sizeof o->seed) != 0)
        o->seed = (uint64_t)time(NULL);
    o->seed &= MAX_SEED;
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
        case OPTION_PER_STATE:
            o->per_state = true;
            break;
        case OPTION_DB:
            o->db = optarg;
            o->no_db = false;
            break;
        case OPTION_NO_DB:
            o->no_db = true;
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
    if (o->files[BASE] == NULL && o->runs[BASE] == NULL && !add_named(o))
        return false;
    if (o->per_state && !select_widths(&o->plan))
        return false;
    o->plan.backends = o->backends.items;
    o->plan.backend_count = o->backends.count;
    return true;
}

void compare_options_free(struct options *o)
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
