/* choose.c: see choose.h. */
#include "choose.h"
#include <stdlib.h>
#include <string.h>
#include "bench/plugin.h"
#include "cli.h"

/* Appends a word after a blank, as far as there is room. */
static void append(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, " %s", word);
}

/* The libraries here that --base and --test can name, as words with a blank before each. */
static void list_libraries(char *text, size_t size)
{
    struct plugin *const plugins = calloc(PLUGIN_MAX, sizeof *plugins);
    const size_t count = plugins != NULL ? plugin_find_all(plugins) : 0;
    for (size_t i = 0; i < count; i++)
        if (plugins[i].file[0] != 0)
            append(text, size, plugins[i].name);
    free(plugins);
}

static bool has_library(const struct plan *plan, const char *library)
{
    for (size_t i = 0; i < plan->subject_count; i++)
        if (strcmp(plan->subjects[i].provider->library, library) == 0)
            return true;
    return false;
}

/* The library whose label would begin so, and that has nothing of what is selected; or NULL. */
static const char *idle_library(const struct plan *plan, const struct options *o, const char *prefix)
{
    const size_t n = strcspn(prefix, "-");
    for (size_t i = 0; i < o->with.count; i++) {
        const char *const library = o->with.items[i];
        if (strncmp(library, prefix, n) == 0 && (prefix[n] == 0 || library[n] == 0) &&
            !has_library(plan, library))
            return library;
    }
    return NULL;
}

/* The one subject that a side is to be, whose label is so or begins so; false after an error. */
static bool find_subject(const struct plan *plan, const struct options *o, enum side side, size_t *index)
{
    const char *const option = side == BASE ? "--base" : "--test", *const prefix = o->named[side];
    char all[2048] = "";
    size_t matches = 0;
    for (size_t i = 0; i < plan->subject_count; i++) {
        const char *const label = plan->subjects[i].label;
        append(all, sizeof all, label);
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
    const char *const idle = o->implied[side] ? "celer" : matches == 0 ? idle_library(plan, o, prefix) : NULL;
    if (idle != NULL) {
        char selected[256] = "";
        for (size_t i = 0; i < o->plan.selection_count; i++)
            append(selected, sizeof selected, o->plan.selections[i]);
        cli_error("%s has no%s; %s names another; there are:%s", idle, selected, option, all);
    } else {
        char libraries[1024] = "";
        list_libraries(libraries, sizeof libraries);
        cli_error("%s '%s': %s begins so; there are:%s; and libraries:%s", option, prefix,
                  matches == 0 ? "nothing" : "more than one", all, libraries[0] != 0 ? libraries : " none");
    }
    return false;
}

static bool add_pair(struct pairs *pairs, const struct pair *pair)
{
    struct pair *const grown = realloc(pairs->items, (pairs->count + 1) * sizeof *grown);
    if (grown == NULL) {
        cli_error("out of memory");
        return false;
    }
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

/* What a width is compared with: x1 or, where the base has none, its widest one that is narrower. */
static bool find_narrow(const struct plan *plan, size_t base, size_t test, size_t *found)
{
    const struct plan_row *const wide = &plan->rows[test];
    uint32_t ways = 0;
    for (size_t r = 0; r < plan->row_count && ways != 1; r++) {
        const struct plan_row *const row = &plan->rows[r];
        if (row->subject != base || r == test || row->ways > wide->ways ||
            strcmp(row->name, wide->name) != 0 || plan->cells[row->first].task.subject == NULL ||
            (row->ways != 1 && row->ways < ways))
            continue;
        ways = row->ways;
        *found = r;
    }
    return ways != 0;
}

/* Each width of the test, a call of which works on as many states. */
static bool add_widths(struct pairs *pairs, const struct plan *plan, size_t base, size_t test)
{
    for (size_t r = 0; r < plan->row_count; r++) {
        const struct plan_row *const wide = &plan->rows[r];
        size_t narrow;
        if (wide->kind != CELER_KIND_PERMUTATION) {
            cli_error("--per-state is about permutations, and %s is none", wide->function);
            return false;
        }
        if (wide->subject != test || plan->cells[wide->first].task.subject == NULL ||
            !find_narrow(plan, base, r, &narrow))
            continue;
        const struct pair pair = {
            .row = {narrow, r},
            .task = {plan->cells[plan->rows[narrow].first].task, plan->cells[wide->first].task}};
        if (!add_pair(pairs, &pair))
            return false;
    }
    return true;
}

static bool add_named(struct pairs *pairs, const struct options *o, const struct plan *plan)
{
    size_t base, test;
    if (!find_subject(plan, o, BASE, &base) || !find_subject(plan, o, TEST, &test))
        return false;
    return o->per_state ? add_widths(pairs, plan, base, test) : add_pairs(pairs, plan, base, test);
}

bool choose_pairs(struct pairs *pairs, const struct options *o, const struct plan *plan,
                  const struct celer_provider *const providers[SIDES])
{
    *pairs = (struct pairs){0};
    if (!(o->files[BASE] != NULL ? add_plugin_pairs(pairs, plan, providers) : add_named(pairs, o, plan)))
        return false;
    if (pairs->count == 0 && o->per_state)
        cli_error("%s has no width that is wider than one of %s", o->named[TEST], o->named[BASE]);
    else if (pairs->count == 0)
        cli_error("there is nothing of what is selected that both have");
    return pairs->count > 0;
}

void choose_free(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        pair_free(&pairs->items[i]);
    free(pairs->items);
}
