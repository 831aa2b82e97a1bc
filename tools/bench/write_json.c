/* write_json.c: the interchange format. Fields may be added; those here keep their names and meanings. */
#include <jansson.h>
#include <math.h>
#include <string.h>
#include "write.h"

/* NaN and infinity have no place in JSON: null. */
static json_t *json_number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_sizes(const struct plan_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(array, json_integer((json_int_t)list->items[i]));
    return array;
}

static json_t *json_machine(const struct run *run)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "cpu", run->cpu, "system", run->system, "hypervisor",
                     run->hypervisor, "governor", run->governor, "load",
                     run->load >= 0 ? json_real(run->load) : json_null(), "pinned_to_cpu",
                     run->pinned >= 0 ? json_integer(run->pinned) : json_null());
}

static json_t *json_counter(const struct clock *clock)
{
    return json_pack("{s:s, s:b, s:b, s:s, s:f, s:f, s:f, s:f, s:s}", "implementation", clock->name,
                     "counts_cycles", clock->counts_cycles, "estimated", clock->estimated, "doubt",
                     clock->doubt, "ticks_per_second", clock->hz, "cycles_per_second", clock->core_hz,
                     "step_ticks", clock->step, "multiply_cycles", clock->multiply_cycles,
                     "no_better_counter_because", clock->missing);
}

static json_t *json_run(const struct run *run)
{
    const struct measure *m = run->measure;
    return json_pack("{s:s, s:I, s:s, s:I, s:o, s:o, s:f, s:f, s:b}", "started", run->started, "trials",
                     (json_int_t)m->trials, "mode", mode_names[m->mode], "seed", (json_int_t)m->seed,
                     "src_lens", json_sizes(&run->plan->src_lens), "dst_lens",
                     json_sizes(&run->plan->dst_lens), "seconds", m->seconds, "canary_cycles",
                     m->canary_floor, "interrupted", run->interrupted);
}

static json_t *json_subjects(const struct run *run)
{
    json_t *array = json_array();
    for (size_t i = 0; i < run->plan->subject_count; i++) {
        const struct plan_subject *s = &run->plan->subjects[i];
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "label", s->label, "library",
                                        s->provider->library, "version", s->provider->version, "backend",
                                        s->backend != NULL ? s->backend : "auto", "compiler",
                                        s->provider->compiler, "flags_cc", s->provider->flags));
    }
    return array;
}

static json_t *json_stats(const struct cell *cell, const struct measure *m, enum unit unit)
{
    struct stats s;
    if (!cell_stats(cell, m, unit, &s))
        return json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "unit", unit_names[unit], "median",
                     json_number_or_null(s.median), "min", json_number_or_null(s.min), "p10",
                     json_number_or_null(s.p10), "q1", json_number_or_null(s.q1), "q3",
                     json_number_or_null(s.q3), "mad", json_number_or_null(s.mad), "ci_lo",
                     json_number_or_null(s.ci_lo), "ci_hi", json_number_or_null(s.ci_hi));
}

static json_t *json_cell(const struct run *run, const struct plan_row *row, const struct cell *cell)
{
    const struct measure *m = run->measure;
    json_t *flags = json_array();
    for (unsigned f = 0; f < FLAG_COUNT; f++)
        if (cell->flags >> f & 1)
            json_array_append_new(flags, json_string(flag_names[f]));
    const char *backend = cell->task.subject != NULL ? cell->task.subject->backend : NULL;
    const char *notes = cell->task.subject != NULL ? cell->task.subject->notes : NULL;
    return json_pack(
        "{s:s, s:s, s:s?, s:s?, s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:s?, s:o, s:o, s:o}",
        "subject", run->plan->subjects[row->subject].label, "function", row->name, "backend", backend,
        "notes", notes, "kind", run_kind(row), "ways", (int)row->ways, "mode", mode_names[run_mode(run, row)],
        "dst_len", (json_int_t)cell->task.dst_len, "src_len", (json_int_t)cell->task.src_len,
        "calls_per_sample", (json_int_t)cell->repeats, "n", (json_int_t)cell->accepted, "rejected_frequency",
        (json_int_t)cell->rejected_frequency, "rejected_contended", (json_int_t)cell->rejected_contended,
        "canary_ratio", json_number_or_null(cell->canary_ratio), "ghz", json_number_or_null(cell->ghz),
        "flags", flags, "fault", cell->fault, "value", json_stats(cell, m, run_unit(run, row)), "cycles",
        json_stats(cell, m, UNIT_CYCLES), "nanoseconds", json_stats(cell, m, UNIT_NS));
}

bool write_json(const struct run *run, FILE *to)
{
    json_t *results = json_array();
    for (size_t r = 0; r < run->plan->row_count; r++)
        for (size_t i = 0; i < run->plan->rows[r].count; i++)
            json_array_append_new(results, json_cell(run, &run->plan->rows[r],
                                                     &run->plan->cells[run->plan->rows[r].first + i]));
    json_t *root = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "format", "celer-bench", "version", 1,
                             "machine", json_machine(run), "counter", json_counter(run->measure->clock),
                             "run", json_run(run), "subjects", json_subjects(run), "results", results);
    const bool ok = root != NULL && json_dumpf(root, to, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
    json_decref(root);
    putc('\n', to);
    return ok || ferror(to);
}
