/* write_json.c: the interchange document of a run. Fields may be added; those here keep their names and meanings, and
   document.c knows them. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "celer/celer.h"
#include "document.h"
#include "samples.h"
#include "write.h"

/* NaN and infinity have no place in JSON: null. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *number_if(bool known, double value)
{
    return known ? number(value) : json_null();
}

static json_t *count(size_t value)
{
    return json_integer((json_int_t)value);
}

/* NULL is null. What is not UTF-8, from a file of the kernel, a plug-in or the command line, loses its other bytes. */
static json_t *text(const char *value)
{
    if (value == NULL)
        return json_null();
    json_t *valid = json_string(value);
    if (valid != NULL)
        return valid;
    char *const ascii = strdup(value);
    for (char *p = ascii; p != NULL && *p != 0; p++)
        if ((unsigned char)*p >= 128)
            *p = '?';
    valid = ascii != NULL ? json_string(ascii) : NULL;
    free(ascii);
    return valid;
}

/* Appends; NULL for the array, or as the value, is out of memory, and so is what comes of it. */
static json_t *with(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *sizes(const struct plan_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++)
        array = with(array, count(list->items[i]));
    return array;
}

/* Frequencies of the core during the samples that count, ascending; NULL: none are known, or out of memory. */
static double *frequencies(const struct run *run, size_t *n)
{
    const struct measure *m = run->measure;
    const struct plan *plan = run->plan;
    size_t room = 0;
    for (size_t i = 0; i < plan->cell_count; i++)
        room += plan->cells[i].count;
    double *const ghz = m->clock->counts_cycles || room == 0 ? NULL : malloc(room * sizeof *ghz);
    *n = 0;
    for (size_t i = 0; ghz != NULL && i < plan->cell_count; i++)
        for (size_t j = 0; j < plan->cells[i].count; j++) {
            const struct sample *s = &plan->cells[i].samples[j];
            if (sample_judge(s, m->clock, m->canary_floor) == SAMPLE_GOOD)
                ghz[(*n)++] = m->clock->chain_cycles * m->clock->hz * 2 /
                              ((double)s->chain[0] + (double)s->chain[1]) / 1e9;
        }
    if (*n > 0)
        stats_median(ghz, *n);
    return ghz;
}

static json_t *machine(const struct run *run)
{
    static const struct run_facts none;
    const struct run_facts *f = run->facts != NULL ? run->facts : &none;
    const bool known = run->facts != NULL;
    size_t n;
    double *const ghz = frequencies(run, &n);
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "cpu",
                  text(run->cpu), "system", text(run->system), "hypervisor", text(run->hypervisor),
                  "governor", text(run->governor), "load", number_if(run->load >= 0, run->load),
                  "pinned_to_cpu", run->pinned >= 0 ? json_integer(run->pinned) : json_null(), "microcode",
                  text(known ? f->microcode : NULL), "isa", text(known ? f->isa : NULL), "cpus",
                  text(known ? f->cpus : NULL), "caches", text(known ? f->caches : NULL), "turbo",
                  text(known ? f->turbo : NULL), "ghz_min", number_if(n > 0, n > 0 ? ghz[0] : 0),
                  "ghz_median", number_if(n > 0, n > 0 ? stats_quantile(ghz, n, 0.5) : 0), "ghz_max",
                  number_if(n > 0, n > 0 ? ghz[n - 1] : 0), "stolen_seconds",
                  number_if(run->stolen_seconds != NULL && *run->stolen_seconds >= 0,
                            run->stolen_seconds != NULL ? *run->stolen_seconds : 0));
    free(ghz);
    return object;
}

static json_t *build(const struct run *run)
{
    return json_pack("{s:o, s:o}", "version", text(celer_version()), "compiler",
                     text(run->facts != NULL ? run->facts->compiler : NULL));
}

static json_t *counter(const struct clock *clock)
{
    return json_pack("{s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "implementation", text(clock->name),
                     "counts_cycles", clock->counts_cycles, "estimated", clock->estimated, "doubt",
                     text(clock->doubt), "ticks_per_second", number(clock->hz), "cycles_per_second",
                     number(clock->core_hz), "step_ticks", number(clock->step), "multiply_cycles",
                     number(clock->multiply_cycles), "no_better_counter_because", text(clock->missing));
}

static json_t *circumstances(const struct run *run)
{
    const struct measure *m = run->measure;
    return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:b}", "id", text(run->id), "name",
                     text(run->name), "started", text(run->started), "trials", count(m->trials), "mode",
                     mode_names[m->mode], "seed", json_integer((json_int_t)m->seed), "src_lens",
                     sizes(&run->plan->src_lens), "dst_lens", sizes(&run->plan->dst_lens), "seconds",
                     number(m->seconds), "canary_cycles", number(m->canary_floor), "interrupted",
                     run->interrupted);
}

static json_t *subjects(const struct run *run)
{
    json_t *array = json_array();
    for (size_t i = 0; i < run->plan->subject_count; i++) {
        const struct plan_subject *s = &run->plan->subjects[i];
        array = with(array, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "label", text(s->label), "library",
                                      text(s->provider->library), "version", text(s->provider->version),
                                      "backend", text(s->backend != NULL ? s->backend : "auto"), "compiler",
                                      text(s->provider->compiler), "flags_cc", text(s->provider->flags)));
    }
    return array;
}

static json_t *statistics(const struct cell *cell, const struct measure *m, enum unit unit)
{
    struct stats s;
    if (!cell_stats(cell, m, unit, &s))
        return json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "unit", unit_names[unit], "median",
                     number(s.median), "min", number(s.min), "p10", number(s.p10), "q1", number(s.q1), "q3",
                     number(s.q3), "mad", number(s.mad), "ci_lo", number(s.ci_lo), "ci_hi", number(s.ci_hi));
}

static json_t *result(const struct run *run, const struct plan_row *row, const struct cell *cell)
{
    const struct measure *m = run->measure;
    json_t *flags = json_array();
    for (unsigned f = 0; f < FLAG_COUNT; f++)
        if (cell->flags >> f & 1)
            flags = with(flags, json_string(flag_names[f]));
    const char *backend = cell->task.subject != NULL ? cell->task.subject->backend : NULL;
    const char *notes = cell->task.subject != NULL ? cell->task.subject->notes : NULL;
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "subject", text(run->plan->subjects[row->subject].label), "function", text(row->name), "backend",
        text(backend), "notes", text(notes), "kind", run_kind(row), "ways", count(row->ways), "threads",
        count(row->threads > 1 ? row->threads : 1), "mode", mode_names[run_mode(run, row)], "dst_len",
        count(cell->task.dst_len), "src_len", count(cell->task.src_len), "calls_per_sample",
        count(cell->repeats), "n", count(cell->accepted), "rejected_frequency",
        count(cell->rejected_frequency), "rejected_contended", count(cell->rejected_contended),
        "canary_ratio", number(cell->canary_ratio), "ghz", number(cell->ghz), "flags", flags, "fault",
        text(cell->fault), "value", statistics(cell, m, run_unit(run, row)), "cycles",
        statistics(cell, m, UNIT_CYCLES), "nanoseconds", statistics(cell, m, UNIT_NS));
    if (object != NULL && run->with_samples &&
        json_object_set_new(object, "samples", samples_of(cell, m)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *run_json(const struct run *run)
{
    json_t *results = json_array();
    for (size_t r = 0; r < run->plan->row_count; r++)
        for (size_t i = 0; i < run->plan->rows[r].count; i++)
            results = with(results,
                           result(run, &run->plan->rows[r], &run->plan->cells[run->plan->rows[r].first + i]));
    return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "format", DOCUMENT_FORMAT, "version",
                     DOCUMENT_VERSION, "machine", machine(run), "build", build(run), "counter",
                     counter(run->measure->clock), "run", circumstances(run), "subjects", subjects(run),
                     "results", results);
}

bool write_json(const struct run *run, FILE *to)
{
    json_t *document = run_json(run);
    if (document == NULL)
        return false;
    const bool ok = document_write(document, to);
    json_decref(document);
    return ok;
}
