/* keep.c: see keep.h. */
#include "keep.h"
#include <math.h>
#include <stdlib.h>
#include "bench/document.h"
#include "bench/history.h"
#include "bench/write.h"
#include "cli.h"
#include "info/facts.h"

/* Where, when and how: a run without results. NULL when out of memory. */
static json_t *circumstances(const struct pairing *m)
{
    static const struct plan nothing;
    const struct measure measure = {.clock = m->clock,
                                    .trials = m->trials,
                                    .mode = m->mode,
                                    .seed = m->seed,
                                    .canary_floor = m->canary_floor};
    char cpu[256], system[256], hypervisor[256], governor[256], id[DOCUMENT_ID_SIZE], now[DOCUMENT_TIME_SIZE];
    struct run_facts facts;
    run_facts_read(&facts);
    fact_cpu(cpu, sizeof cpu);
    fact_system(system, sizeof system);
    fact_hypervisor(hypervisor, sizeof hypervisor);
    fact_governor(governor, sizeof governor);
    document_new_id(id);
    document_time(now);
    return run_json(&(struct run){.plan = &nothing,
                                  .measure = &measure,
                                  .cpu = cpu,
                                  .system = system,
                                  .hypervisor = hypervisor,
                                  .governor = governor,
                                  .load = -1,
                                  .pinned = -1,
                                  .started = now,
                                  .id = id,
                                  .facts = &facts});
}

static struct store_subject subject_of(const struct plan *plan, const struct pair *p, enum side side)
{
    const struct plan_subject *const s = &plan->subjects[plan->rows[p->row[side]].subject];
    return (struct store_subject){.label = s->label,
                                  .library = s->provider->library,
                                  .version = s->provider->version,
                                  .backend = p->task[side].subject->backend,
                                  .compiler = s->provider->compiler,
                                  .flags_cc = s->provider->flags};
}

static struct store_verdict verdict_of(const struct compare_row *row, const struct plan *plan,
                                       const struct pair *p)
{
    const struct comparison *const c = &row->comparison;
    const bool known = c->n > 0;
    return (struct store_verdict){.base = subject_of(plan, p, BASE),
                                  .test = subject_of(plan, p, TEST),
                                  .function = row->function,
                                  .kind = row->kind,
                                  .mode = row->mode,
                                  .base_ways = row->base_ways,
                                  .test_ways = row->ways,
                                  .dst_len = row->dst_len,
                                  .src_len = row->src_len,
                                  .base_cycles = known ? p->cycles[BASE] : NAN,
                                  .test_cycles = known ? p->cycles[TEST] : NAN,
                                  .ratio = exp(c->log_ratio),
                                  .ci_lo = exp(c->ci_lo),
                                  .ci_hi = exp(c->ci_hi),
                                  .p = known ? c->p : NAN,
                                  .p_adjusted = known ? c->p_adjusted : NAN,
                                  .n = c->n,
                                  .rejected = row->rejected,
                                  .verdict = outcome_names[c->outcome]};
}

bool keep_verdicts(struct store *history, const struct compare_result *result, const struct plan *plan,
                   const struct pairs *pairs, const struct pairing *m)
{
    struct store_verdict *const verdicts = calloc(pairs->count + 1, sizeof *verdicts);
    json_t *const document = circumstances(m);
    bool ok = verdicts != NULL && document != NULL;
    size_t n = 0;
    for (size_t i = 0; ok && i < pairs->count; i++)
        if (result->rows[i].comparison.n + result->rows[i].rejected > 0)
            verdicts[n++] = verdict_of(&result->rows[i], plan, &pairs->items[i]);
    if (!ok)
        cli_error("out of memory");
    if (n > 0) {
        char why[1024];
        const enum store_status status =
            store_add_verdicts(history, document, result->min_effect, verdicts, n, why, sizeof why);
        ok = history_note(status, why);
    }
    json_decref(document);
    free(verdicts);
    return ok;
}
