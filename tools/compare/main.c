/* main.c: `celer compare`: which of two is faster, and how sure that is. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench/document.h"
#include "bench/history.h"
#include "bench/machine.h"
#include "bench/plugin.h"
#include "bench/progress.h"
#include "bench/providers.h"
#include "bench/reference.h"
#include "bench/write.h"
#include "celer/celer.h"
#include "cli.h"
#include "keep.h"
#include "stored.h"

static bool out_of_memory(void)
{
    cli_error("out of memory");
    return false;
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
    fprintf(stderr, "info: cpucycles: version=%s implementation=%s persecond=%.0f\n", clock->version,
            clock->name, clock->core_hz);
    say_subject("base", &plan->subjects[plan->rows[p->row[BASE]].subject], o->files[BASE]);
    say_subject("test", &plan->subjects[plan->rows[p->row[TEST]].subject], o->files[TEST]);
    fprintf(stderr, "info: rows=%zu trials=%zu mode=%s min_effect=%g%% seed=%llu\n", pairs->count, o->trials,
            mode_names[o->mode], 100 * o->min_effect, (unsigned long long)o->seed);
    if (plan->rows[p->row[BASE]].subject == plan->rows[p->row[TEST]].subject && !o->per_state)
        fprintf(stderr, "info: base and test are the same: this tells how good the comparison is\n");
    if (clock->estimated)
        fprintf(stderr, "warning: cycles are estimated: %s\n", clock->doubt);
    const double load = machine_load();
    if (load > 0.75 * (double)machine_cpu_count())
        fprintf(stderr, "warning: other programs keep this machine busy (load %.2f)\n", load);
}

static const struct plan_row *side_row(const struct plan *plan, const struct pairs *pairs, size_t i)
{
    return &plan->rows[pairs->items[i / SIDES].row[i % SIDES]];
}

/* A note for each function that nobody can check: once for each subject, whatever the length or the operation. */
static void note_unverified(const struct plan *plan, const struct pairs *pairs)
{
    for (size_t i = 0; i < SIDES * pairs->count; i++) {
        const struct plan_row *const row = side_row(plan, pairs, i);
        bool earlier = false;
        for (size_t j = 0; j < i && !earlier; j++) {
            const struct plan_row *const other = side_row(plan, pairs, j);
            earlier = other->subject == row->subject && other->kind == row->kind &&
                      strcmp(other->function, row->function) == 0;
        }
        if (earlier || reference_exists(pairs->items[i / SIDES].task[i % SIDES].subject))
            continue;
        const char *const label = plan->subjects[row->subject].label;
        if (row->kind == CELER_KIND_KEM)
            cli_error("note: unverified: %s of %s is compared with itself alone", row->function, label);
        else
            cli_error("note: unverified: nothing here but %s has %s", label, row->function);
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
        char input[32] = "";
        if (row->kind != CELER_KIND_KEM)
            snprintf(input, sizeof input, ", %zu bytes", p->task[p->faulty].src_len);
        cli_error("%s of %s%s: %s", row->name, plan->subjects[row->subject].label, input, p->fault);
        good = false;
    }
    return good;
}

/* --- The end --- */

/* right: all subjects compute what they should; kept: unless there was an error. */
static int finish(const struct options *o, const struct compare_result *result, bool right, bool kept)
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
    return cli_finish(!kept ? EXIT_TROUBLE : good ? EXIT_GOOD : EXIT_NEGATIVE);
}

/* --- Measuring --- */

static struct compare_row row_of(const struct options *o, const struct plan *plan, const struct pair *p,
                                 const struct pairing *m)
{
    const struct plan_row *const base = &plan->rows[p->row[BASE]], *const test = &plan->rows[p->row[TEST]];
    const struct measure measure = {.clock = m->clock, .mode = m->mode};
    const struct run run = {.plan = plan, .measure = &measure};
    const enum unit unit = run_unit(&run, base);
    const bool per_byte = unit == UNIT_CPB && task_bytes(&p->task[BASE]) > 0;
    double each[SIDES];
    for (unsigned side = 0; side < SIDES; side++)
        each[side] = (double)(o->per_state ? task_items(&p->task[side])
                              : per_byte   ? task_bytes(&p->task[side])
                                           : 1);
    return (struct compare_row){.base_label = plan->subjects[base->subject].label,
                                .test_label = plan->subjects[test->subject].label,
                                .function = base->name,
                                .kind = run_kind(base),
                                .mode = mode_names[run_mode(&run, base)],
                                .unit = o->per_state ? "cycles/state"
                                                     : unit_names[unit == UNIT_CPB ? UNIT_CPB : UNIT_CYCLES],
                                .ways = test->ways,
                                .base_ways = base->ways,
                                .dst_len = p->task[BASE].dst_len,
                                .src_len = p->task[BASE].src_len,
                                .base = p->cycles[BASE] / each[BASE],
                                .test = p->cycles[TEST] / each[TEST],
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
    struct store *history = NULL;
    if (!o->no_db && !history_open(&history, o->db))
        return EXIT_TROUBLE;
    struct compare_result result = {.count = pairs->count,
                                    .min_effect = o->min_effect,
                                    .method = "paired",
                                    .base_source = o->files[BASE],
                                    .test_source = o->files[TEST],
                                    .rows = calloc(pairs->count, sizeof *result.rows)};
    if (result.rows == NULL) {
        out_of_memory();
        store_close(history);
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
            result.rows[i] = row_of(o, plan, &pairs->items[i], &m);
        result.interrupted = cli_stopped_by != 0;
        warn_after(&result, &m, machine_stolen_seconds() - stolen, seconds);
        const bool right = say_faults(plan, pairs);
        /* Before they are printed, because whoever reads them may leave. */
        const bool kept = history == NULL || keep_verdicts(history, &result, plan, pairs, &m);
        code = finish(o, &result, right, kept);
    }
    store_close(history);
    free(result.rows);
    return code;
}

static int compare_set(const struct options *o, const struct plugin_set *set)
{
    struct plan plan;
    struct pairs pairs;
    int code = EXIT_TROUBLE;
    const struct celer_provider *const providers[SIDES] = {set->providers[0], set->providers[set->count - 1]};
    if (!plan_make(&plan, &o->plan, set->providers, set->count))
        return code;
    if (choose_pairs(&pairs, o, &plan, providers)) {
        reference_providers(set->providers, set->count);
        note_unverified(&plan, &pairs);
        code = measure(o, &plan, &pairs);
        reference_providers(NULL, 0);
    }
    choose_free(&pairs);
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

static int compare_subjects(const struct options *o)
{
    const struct celer_provider *const own = provider_celer();
    struct plugin_set set;
    char with[1024] = "";
    if (own == NULL) {
        out_of_memory();
        return EXIT_TROUBLE;
    }
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
        code = finish(o, &result, right, true);
        free(result.rows);
    }
    json_decref(base);
    json_decref(test);
    return code;
}

int cmd_compare(int argc, char **argv)
{
    struct options o;
    int code;
    if (compare_options_parse(&o, argc, argv, &code))
        code = o.runs[BASE] != NULL    ? compare_runs(&o)
               : o.files[BASE] != NULL ? compare_plugins(&o)
                                       : compare_subjects(&o);
    compare_options_free(&o);
    if (cli_stopped_by != 0) { /* whoever waits for this program has to learn how it ended */
        signal(cli_stopped_by, SIG_DFL);
        raise(cli_stopped_by);
    }
    return code;
}
