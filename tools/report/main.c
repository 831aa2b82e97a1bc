/* main.c: `celer report`: from runs, imported or kept, to a page and drawings. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "bench/document.h"
#include "bench/store.h"
#include "celer/celer.h"
#include "charts.h"
#include "cli.h"
#include "data.h"
#include "page.h"
#include "text.h"

static const char usage[] =
    "usage: celer report [OPTION]...\n"
    "\n"
    "Makes benchmark.html, a page of tables and charts that needs no other file and no network, and prints its\n"
    "path. It shows the latest run of each machine in the history that celer bench keeps, or imported runs.\n"
    "\n"
    "      --import FILE    show the runs of this file, made by celer bench -f json (- is standard input); may be\n"
    "                       repeated, for several machines on one page. With --db they are also added to it\n"
    "      --db FILE        the history ($XDG_DATA_HOME/celer/bench.db)\n"
    "      --run WHICH      show or export this run of the history: the beginning of its id, or its label; may be\n"
    "                       repeated\n"
    "      --history FUNC   also draw this function over all runs, such as sha3-256\n"
    "      --chart LIST     draw only these: overview, bars, lengths, permutation, chain, kem, history, delta\n"
    "      --base SUBJECT   of --chart delta: what the others are compared with; the beginning of its name will do\n"
    "      --test SUBJECT   of --chart delta: only this one is compared\n"
    "  -o, --output FILE    the page (benchmark.html; - is standard output)\n"
    "      --out DIR        the page in this directory, and beside it each chart as *-results.svg and .csv\n"
    "      --export FILE    no page: write the runs themselves, all or those of --run, as JSON, one a line\n"
    "                       (- is standard output)\n"
    "  -h, --help           print this\n"
    "  -V, --version        print the version\n";

enum {
    OPTION_IMPORT = 256,
    OPTION_DB,
    OPTION_RUN,
    OPTION_HISTORY,
    OPTION_CHART,
    OPTION_BASE,
    OPTION_TEST,
    OPTION_OUT,
    OPTION_EXPORT
};

static const struct option long_options[] = {
    {"import", required_argument, NULL, OPTION_IMPORT},
    {"db", required_argument, NULL, OPTION_DB},
    {"run", required_argument, NULL, OPTION_RUN},
    {"history", required_argument, NULL, OPTION_HISTORY},
    {"chart", required_argument, NULL, OPTION_CHART},
    {"base", required_argument, NULL, OPTION_BASE},
    {"test", required_argument, NULL, OPTION_TEST},
    {"output", required_argument, NULL, 'o'},
    {"out", required_argument, NULL, OPTION_OUT},
    {"export", required_argument, NULL, OPTION_EXPORT},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

/* What one page takes: more would be of no use to a reader. */
#define MAX_RESULTS 20000
#define MAX_WORDS   256

struct options {
    const char *imports[MAX_WORDS], *runs[MAX_WORDS];
    size_t import_count, run_count;
    const char *db, *output, *out, *export_to;
    struct chart_request charts;
    unsigned asked; /* charts by name: bits 1 << kind */
};

static bool parse_charts(const char *list, unsigned *kinds)
{
    *kinds = 0;
    while (*list != 0) {
        const size_t n = strcspn(list, ",");
        size_t k = 0;
        while (k < CHART_KIND_COUNT &&
               (strncmp(chart_kind_names[k], list, n) != 0 || chart_kind_names[k][n] != 0))
            k++;
        if (k == CHART_KIND_COUNT) {
            char known[128] = "";
            for (k = 0; k < CHART_KIND_COUNT; k++)
                snprintf(known + strlen(known), sizeof known - strlen(known), " %s", chart_kind_names[k]);
            cli_error("unknown chart '%.*s'; there are:%s", (int)n, list, known);
            return false;
        }
        *kinds |= 1u << k;
        list += n + (list[n] == ',');
    }
    if (*kinds == 0)
        cli_usage("--chart needs the name of a chart");
    return *kinds != 0;
}

/* False: `code` is the exit status. */
static bool parse_options(int argc, char **argv, struct options *o, int *code)
{
    int c;
    *code = EXIT_TROUBLE;
    while ((c = cli_option(argc, argv, ":o:hV", long_options)) != -1)
        switch (c) {
        case OPTION_IMPORT:
        case OPTION_RUN:
            if ((c == OPTION_IMPORT ? o->import_count : o->run_count) == MAX_WORDS) {
                cli_error("more than %d files or runs", MAX_WORDS);
                return false;
            }
            if (c == OPTION_IMPORT)
                o->imports[o->import_count++] = optarg;
            else
                o->runs[o->run_count++] = optarg;
            break;
        case OPTION_DB:
            o->db = optarg;
            break;
        case OPTION_HISTORY:
            o->charts.history = optarg;
            break;
        case OPTION_CHART:
            if (!parse_charts(optarg, &o->asked))
                return false;
            break;
        case OPTION_BASE:
            o->charts.base = optarg;
            break;
        case OPTION_TEST:
            o->charts.test = optarg;
            break;
        case 'o':
            o->output = optarg;
            break;
        case OPTION_OUT:
            o->out = optarg;
            break;
        case OPTION_EXPORT:
            o->export_to = optarg;
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
    const unsigned kinds = o->asked;
    if (optind < argc)
        cli_usage("'%s': what to show is said with options", argv[optind]);
    else if (o->import_count > 0 && o->run_count > 0)
        cli_usage("--run is about the history, not about imported files");
    else if ((kinds >> CHART_HISTORY & 1) != 0 && o->charts.history == NULL)
        cli_usage("--chart history needs --history FUNC");
    else if ((o->charts.base != NULL || o->charts.test != NULL) && (kinds >> CHART_DELTA & 1) == 0)
        cli_usage("--base and --test have a meaning with --chart delta only");
    else if (o->export_to != NULL &&
             (kinds != 0 || o->output != NULL || o->out != NULL || o->charts.history != NULL))
        cli_usage("--export makes no page");
    else {
        o->charts.kinds = kinds != 0 ? kinds : CHARTS_USUAL;
        if (o->charts.history != NULL)
            o->charts.kinds |= 1u << CHART_HISTORY;
        return true;
    }
    return false;
}

/* --- The documents --- */

static bool out_of_memory(void)
{
    cli_error("out of memory");
    return false;
}

static bool import_all(const struct options *o, json_t *documents)
{
    char why[1024];
    for (size_t i = 0; i < o->import_count; i++) {
        json_t *const loaded = document_load(o->imports[i], why, sizeof why);
        if (loaded == NULL) {
            cli_error("%s", why);
            return false;
        }
        const int failed = json_array_extend(documents, loaded);
        json_decref(loaded);
        if (failed != 0)
            return out_of_memory();
    }
    return true;
}

/* Only with --db: what was imported is also kept. */
static bool keep_imports(const struct options *o, const json_t *documents)
{
    struct store *store;
    char why[1024];
    size_t i, added = 0;
    const json_t *document;
    if (store_open(&store, o->db, STORE_WRITE, why, sizeof why) != STORE_OK) {
        cli_error("%s", why);
        return false;
    }
    json_array_foreach(documents, i, document)
    {
        const enum store_status status = store_add(store, document, why, sizeof why);
        if (status != STORE_OK && status != STORE_KNOWN) {
            cli_error("%s", why);
            store_close(store);
            return false;
        }
        added += status == STORE_OK;
    }
    fprintf(stderr, "note: %s: %zu of %zu runs are new\n", store_path(store), added,
            json_array_size(documents));
    store_close(store);
    return true;
}

struct known_run {
    char id[DOCUMENT_ID_SIZE];
    int64_t machine;
};

struct known_runs {
    struct known_run *items;
    size_t count;
    bool failed;
};

static void on_run(const struct store_run *run, void *arg)
{
    struct known_runs *const runs = arg;
    struct known_run *const grown = realloc(runs->items, (runs->count + 1) * sizeof *grown);
    if (grown == NULL) {
        runs->failed = true;
        return;
    }
    runs->items = grown;
    snprintf(grown[runs->count].id, sizeof grown->id, "%s", run->id);
    grown[runs->count++].machine = run->machine;
}

static bool is_latest(const struct known_runs *runs, size_t i)
{
    for (size_t j = i + 1; j < runs->count; j++)
        if (runs->items[j].machine == runs->items[i].machine)
            return false;
    return true;
}

/* Leaves only what is of one function. */
static void keep_function(json_t *document, const char *name)
{
    json_t *const results = json_object_get(document, "results");
    char wanted[128], here[128];
    data_function_name(wanted, sizeof wanted, name);
    for (size_t i = json_array_size(results); i-- > 0;) {
        const char *function = json_string_value(json_object_get(json_array_get(results, i), "function"));
        data_function_name(here, sizeof here, function != NULL ? function : "");
        const size_t n = strlen(wanted); /* of batches and KEMs more follows */
        if (strncmp(here, wanted, n) != 0 || (here[n] != 0 && here[n] != '-'))
            json_array_remove(results, i);
    }
}

static bool read_runs(const struct options *o, struct store *store, json_t *documents)
{
    struct known_runs runs = {0};
    char why[1024];
    bool ok = true;
    for (size_t i = 0; ok && i < o->run_count; i++) {
        json_t *const document = store_get(store, o->runs[i], why, sizeof why);
        ok = document != NULL && json_array_append_new(documents, document) == 0;
        if (!ok)
            cli_error("%s", document == NULL ? why : "out of memory");
    }
    if (!ok || (o->run_count > 0 && o->charts.history == NULL))
        return ok;
    ok = store_each_run(store, on_run, &runs, why, sizeof why);
    if (!ok)
        cli_error("%s", why);
    else if (runs.failed)
        ok = out_of_memory();
    for (size_t i = 0; ok && i < runs.count; i++) {
        const bool whole = o->run_count == 0 && is_latest(&runs, i);
        if (!whole && o->charts.history == NULL)
            continue;
        json_t *const document = store_get(store, runs.items[i].id, why, sizeof why);
        if (document != NULL && !whole)
            keep_function(document, o->charts.history);
        ok = document != NULL && json_array_append_new(documents, document) == 0;
        if (!ok)
            cli_error("%s", document == NULL ? why : "out of memory");
    }
    free(runs.items);
    return ok;
}

static struct store *open_store(const struct options *o)
{
    struct store *store;
    char why[1024];
    switch (store_open(&store, o->db, STORE_READ, why, sizeof why)) {
    case STORE_OK:
        return store;
    case STORE_ABSENT:
        cli_error("%s; celer bench makes one, and --import shows a file", why);
        return NULL;
    default:
        cli_error("%s", why);
        return NULL;
    }
}

static bool gather(const struct options *o, json_t *documents)
{
    if (o->import_count > 0)
        return import_all(o, documents) && (o->db == NULL || keep_imports(o, documents));
    struct store *const store = open_store(o);
    const bool ok = store != NULL && read_runs(o, store, documents);
    store_close(store);
    return ok;
}

/* --- Writing --- */

/* What was imported, one document a line. */
static bool write_imports(const struct options *o, FILE *to)
{
    json_t *const documents = json_array();
    bool ok = documents != NULL ? gather(o, documents) : out_of_memory();
    size_t i;
    const json_t *document;
    json_array_foreach(documents, i, document)
    {
        if (ok && json_dumpf(document, to, JSON_COMPACT | JSON_REAL_PRECISION(DOCUMENT_DIGITS)) != 0)
            ok = out_of_memory();
        putc('\n', to);
    }
    json_decref(documents);
    return ok;
}

/* The runs of the history that were asked for, or all. */
static bool write_history(const struct options *o, FILE *to)
{
    char why[1024];
    struct store *const store = open_store(o);
    bool ok = store != NULL;
    if (ok && o->run_count == 0)
        ok = store_export(store, to, why, sizeof why);
    for (size_t i = 0; ok && i < o->run_count; i++)
        ok = store_export_run(store, o->runs[i], to, why, sizeof why);
    if (store != NULL && !ok)
        cli_error("%s", why);
    store_close(store);
    return ok;
}

/* To a file, or to standard output. */
static bool save_to(const struct text *text, const char *file)
{
    char why[1024];
    if (strcmp(file, "-") == 0) {
        fwrite(text->data, 1, text->len, stdout); /* cli_finish tells whether it got there */
        return true;
    }
    if (text_save(text, file, why, sizeof why))
        return true;
    cli_error("%s", why);
    return false;
}

static int export_runs(const struct options *o)
{
    struct text text = {0};
    FILE *const memory = open_memstream(&text.data, &text.len);
    bool ok = memory != NULL || out_of_memory();
    ok = ok && (o->import_count > 0 ? write_imports(o, memory) : write_history(o, memory));
    if (memory != NULL && fclose(memory) != 0 && ok)
        ok = out_of_memory();
    if (ok && text.len == 0) {
        cli_error("no runs to export");
        ok = false;
    }
    ok = ok && save_to(&text, o->export_to);
    free(text.data);
    return cli_finish(ok ? EXIT_GOOD : EXIT_TROUBLE);
}

static bool save(const struct text *text, const char *directory, const char *name, const char *suffix)
{
    struct text path = {0};
    if (directory != NULL) {
        text_add(&path, directory);
        text_add(&path, "/");
    }
    text_add(&path, name);
    text_add(&path, suffix);
    const bool ok = path.failed ? out_of_memory() : save_to(text, path.data);
    text_free(&path);
    return ok;
}

/* The charts again, as files of their own, and all rows. */
static bool save_files(const struct options *o, const struct data *data)
{
    struct chart_request request = o->charts;
    struct charts charts;
    struct text csv = {0};
    request.with_style = true;
    charts_make(&charts, data, &request);
    page_csv(&csv, data);
    bool ok = charts.failed || csv.failed ? out_of_memory() : save(&csv, o->out, "benchmark", "-results.csv");
    for (size_t i = 0; ok && i < charts.count; i++)
        ok = save(&charts.items[i].svg, o->out, charts.items[i].name, "-results.svg") &&
             save(&charts.items[i].csv, o->out, charts.items[i].name, "-results.csv");
    text_free(&csv);
    charts_free(&charts);
    return ok;
}

/* Whether some subject begins so, of those that differences are drawn of; else an error that names them. */
static bool check_subject(const struct data *data, const char *option, const char *beginning)
{
    char all[2048] = "";
    for (size_t i = 0; beginning != NULL && i < data->result_count; i++) {
        const struct result *const r = &data->results[i];
        size_t j = 0;
        if (r->group > GROUP_MANY)
            continue;
        if (strncmp(r->subject, beginning, strlen(beginning)) == 0)
            return true;
        while (j < i && (data->results[j].group > GROUP_MANY || data->results[j].subject != r->subject))
            j++;
        if (j == i)
            snprintf(all + strlen(all), sizeof all - strlen(all), " %s", r->subject);
    }
    if (beginning != NULL)
        cli_error("%s '%s': no subject of a hash begins so; there are:%s", option, beginning,
                  all[0] != 0 ? all : " none");
    return beginning == NULL;
}

static bool check_data(const struct options *o, const struct data *data)
{
    char wanted[128];
    bool found = false;
    if (data->result_count == 0) {
        cli_error("there are no results to show in %zu run%s", data->run_count,
                  data->run_count == 1 ? "" : "s");
        return false;
    }
    if (data->result_count > MAX_RESULTS) {
        cli_error("there are more than %d results to show; name fewer runs", MAX_RESULTS);
        return false;
    }
    if (!check_subject(data, "--base", o->charts.base) || !check_subject(data, "--test", o->charts.test))
        return false;
    if (o->charts.history == NULL)
        return true;
    data_function_name(wanted, sizeof wanted, o->charts.history);
    for (size_t i = 0; i < data->result_count && !found; i++)
        found = strcmp(data->results[i].function, wanted) == 0;
    if (!found)
        cli_error("--history: no run has results of '%s'", o->charts.history);
    return found;
}

/* A note for each chart that was asked for and that these results do not give. */
static void note_absent(const struct options *o, const struct charts *charts)
{
    for (unsigned kind = 0; kind < CHART_KIND_COUNT; kind++) {
        bool absent = o->asked >> kind & 1;
        for (size_t i = 0; i < charts->count; i++)
            absent = absent && charts->items[i].kind != (enum chart_kind)kind;
        if (absent)
            fprintf(stderr, "note: these results give no chart '%s'\n", chart_kind_names[kind]);
    }
}

static bool report(const struct options *o, const json_t *documents)
{
    struct data data;
    struct charts charts;
    struct text page = {0};
    if (!data_make(&data, documents))
        return out_of_memory();
    if (!check_data(o, &data)) {
        data_free(&data);
        return false;
    }
    charts_make(&charts, &data, &o->charts);
    if (!charts.failed)
        note_absent(o, &charts);
    page_write(&page, &data, &charts);
    charts_free(&charts);
    bool ok = !page.failed || out_of_memory();
    if (ok && o->out != NULL && mkdir(o->out, 0777) != 0 && errno != EEXIST) {
        cli_error("%s: %s", o->out, strerror(errno));
        ok = false;
    }
    const char *const folder = o->output == NULL ? o->out : NULL;
    const char *const name = o->output != NULL ? o->output : "benchmark.html";
    ok = ok && save(&page, folder, name, "") && (o->out == NULL || save_files(o, &data));
    if (ok && strcmp(name, "-") != 0)
        printf("%s%s%s\n", folder != NULL ? folder : "", folder != NULL ? "/" : "", name);
    text_free(&page);
    data_free(&data);
    return ok;
}

int cmd_report(int argc, char **argv)
{
    struct options o = {0};
    int code;
    if (!parse_options(argc, argv, &o, &code))
        return code;
    if (o.export_to != NULL)
        return export_runs(&o);
    json_t *const documents = json_array();
    const bool ok = documents != NULL ? gather(&o, documents) && report(&o, documents) : out_of_memory();
    json_decref(documents);
    return cli_finish(ok ? EXIT_GOOD : EXIT_TROUBLE);
}
