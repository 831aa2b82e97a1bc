/* plan.c: see plan.h. */
#include "plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "celer/celer.h"
#include "cli.h"
#include "plugin.h"
#include "providers.h"

const size_t plan_default_src_lens[5] = {64, 256, 1024, 4096, 16384};

/* Names for several hashes at once. A family of the list of hashes is a selection too, and needs no line here. */
static const struct {
    const char *name;
    const char *members[8];
} groups[] = {
    {"sha3", {"sha3-224", "sha3-256", "sha3-384", "sha3-512", "shake128", "shake256", NULL}},
};
#define GROUPS (sizeof groups / sizeof groups[0])

static const uint32_t permutation_ways[] = {1, 2, 4, 8};
#define PERMUTATION_WAYS (sizeof permutation_ways / sizeof permutation_ways[0])

static const char no_memory[] = "out of memory";

/* --- Lists --- */

static bool list_add(struct plan_list *list, size_t item)
{
    size_t *grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (grown == NULL) {
        cli_error(no_memory);
        return false;
    }
    list->items = grown;
    list->items[list->count++] = item;
    return true;
}

bool plan_parse_list(const char *text, const char *what, size_t least, size_t most, struct plan_list *list)
{
    list->count = 0;
    for (const char *p = text;; p++) {
        char word[32];
        uint64_t value;
        const size_t n = strcspn(p, ",");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), p);
        if (n >= sizeof word || !cli_number(word, most, &value) || value < least) {
            cli_error("%s: '%.*s' is not a number from %zu to %zu", what, (int)(n < 64 ? n : 64), p, least,
                      most);
            return false;
        }
        if (!list_add(list, (size_t)value))
            return false;
        p += n;
        if (*p == 0)
            return true;
    }
}

static bool parse_pair(const char *word, struct plan_pair *pair)
{
    char out[32];
    uint64_t dst_len, src_len;
    const size_t n = strcspn(word, ":");
    if (word[n] == 0 || n >= sizeof out)
        return false;
    snprintf(out, sizeof out, "%.*s", (int)n, word);
    if (!cli_number(out, PLAN_MAX_LEN, &dst_len) || !cli_number(word + n + 1, PLAN_MAX_LEN, &src_len) ||
        dst_len < 1 || src_len < 1)
        return false;
    *pair = (struct plan_pair){(size_t)dst_len, (size_t)src_len};
    return true;
}

/* One that is there already is not added again. */
static bool add_pair(struct plan_pairs *pairs, struct plan_pair pair)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->items[i].dst_len == pair.dst_len && pairs->items[i].src_len == pair.src_len)
            return true;
    struct plan_pair *grown = realloc(pairs->items, (pairs->count + 1) * sizeof *grown);
    if (grown == NULL) {
        cli_error(no_memory);
        return false;
    }
    pairs->items = grown;
    pairs->items[pairs->count++] = pair;
    return true;
}

bool plan_parse_pairs(const char *text, struct plan_pairs *pairs)
{
    pairs->count = 0;
    for (const char *p = text;; p++) {
        char word[64];
        struct plan_pair pair;
        const size_t n = strcspn(p, ",");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), p);
        if (n >= sizeof word || !parse_pair(word, &pair)) {
            cli_error("--pairs: '%.*s' is not OUT:IN, two numbers from 1 to %zu", (int)(n < 64 ? n : 64), p,
                      PLAN_MAX_LEN);
            return false;
        }
        if (!add_pair(pairs, pair))
            return false;
        p += n;
        if (*p == 0)
            return true;
    }
}

bool plan_parse_grid(const char *text, struct plan_grid *grid)
{
    char step[32];
    uint64_t number = 1, count = PLAN_GRID;
    const size_t n = strcspn(text, ":");
    const bool of_rate = strncmp(text, "rate", 4) == 0;
    bool good =
        n < sizeof step && (text[n] == 0 || (cli_number(text + n + 1, PLAN_MAX_GRID, &count) && count > 0));
    if (good) {
        snprintf(step, sizeof step, "%.*s", (int)n, text);
        if (of_rate)
            good = step[4] == 0 || (step[4] == '/' && cli_number(step + 5, 200, &number) && number > 0);
        else
            good = cli_number(step, PLAN_MAX_LEN / PLAN_MAX_GRID, &number) && number > 0;
    }
    if (!good) {
        cli_error(
            "--grid: '%.64s' is not a step such as rate/4 or 100, with :COUNT, up to %d, after it or not",
            text, PLAN_MAX_GRID);
        return false;
    }
    *grid = (struct plan_grid){.step = of_rate ? 0 : (size_t)number,
                               .rate_parts = of_rate ? (size_t)number : 0,
                               .count = (size_t)count};
    return true;
}

/* --- Selections --- */

/* A hash, of celer or of another provider alone; or a chain or a KEM. */
struct function {
    const char *name;
    bool xof; /* its output has the lengths asked for */
    size_t out_len, out_max;
    bool cut;      /* a length beyond out_max was asked for */
    uint32_t kind; /* CELER_KIND_CHAIN, CELER_KIND_KEM; 0: a hash, alone or in batches */
};

/* What the selections come to. */
struct selected {
    struct function *functions;
    size_t count;
    bool many, permutation;
    bool sized; /* lengths of output are asked for */
    const struct celer_provider *const *providers;
    size_t provider_count;
};

static bool select_function(struct selected *s, struct function function)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->functions[i].name, function.name) == 0)
            return true;
    struct function *grown = realloc(s->functions, (s->count + 1) * sizeof *grown);
    if (grown == NULL) {
        cli_error(no_memory);
        return false;
    }
    s->functions = grown;
    s->functions[s->count++] = function;
    return true;
}

static bool select_hash(struct selected *s, const struct celer_hash *hash)
{
    return select_function(
        s, (struct function){.name = hash->name,
                             .xof = (hash->flags & CELER_HASH_XOF) || (s->sized && hash_is_extendable(hash)),
                             .out_len = hash->out_len,
                             .out_max = hash->out_max});
}

static char canonical_character(char c)
{
    return c == '_' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Spelled as celer_hash_find takes names. */
static bool same_name(const char *canonical, const char *word)
{
    for (; *canonical != 0 && *word != 0; canonical++, word++)
        if (canonical_character(*word) != *canonical)
            return false;
    return *canonical == *word;
}

static bool is_hash(const struct celer_subject *subject)
{
    return subject->kind == CELER_KIND_HASH || subject->kind == CELER_KIND_XOF;
}

/* A function that celer does not have but another provider does. */
static const struct celer_subject *find_foreign(const struct selected *s, const char *word)
{
    for (size_t p = 0; p < s->provider_count; p++)
        for (size_t i = 0; i < s->providers[p]->subject_count; i++) {
            const struct celer_subject *subject = &s->providers[p]->subjects[i];
            if (is_hash(subject) && same_name(subject->function, word))
                return subject;
        }
    return NULL;
}

static bool select_group(struct selected *s, size_t group)
{
    for (size_t i = 0; groups[group].members[i] != NULL; i++) {
        const struct celer_hash *hash = celer_hash_find(groups[group].members[i]);
        if (hash != NULL && !select_hash(s, hash))
            return false;
    }
    return true;
}

/* All hashes of a family, or of all families; *found when there are any. */
static bool select_family(struct selected *s, const char *family, bool *found)
{
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++)
        if (family == NULL || strcmp(hash->family, family) == 0) {
            *found = true;
            if (!select_hash(s, hash))
                return false;
        }
    return true;
}

/* All hashes with output of any length. */
static bool select_xofs(struct selected *s)
{
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++)
        if ((hash->flags & CELER_HASH_XOF) && !select_hash(s, hash))
            return false;
    return true;
}

static void add_word(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, " %s", word);
}

/* Whether it can run here; *why is set when it cannot, and else left alone. */
static bool can_open(const struct celer_subject *subject, const char **why)
{
    struct task task = {.subject = subject};
    const char *const reason = task_open(&task);
    if (reason == NULL)
        task_close(&task);
    else
        *why = reason;
    return reason == NULL;
}

/* Chains, or KEMs, of any provider: those spelled like `word`, or all. *found when there are any; `reasons` gets those
   of providers that have them but cannot run them. */
static bool select_kind(struct selected *s, uint32_t kind, const char *word, bool *found, char *reasons,
                        size_t size)
{
    for (size_t p = 0; p < s->provider_count; p++) {
        const char *why = NULL;
        for (size_t i = 0; i < s->providers[p]->subject_count; i++) {
            const struct celer_subject *subject = &s->providers[p]->subjects[i];
            if (subject->kind != kind || (word != NULL && !same_name(subject->function, word)) ||
                !can_open(subject, &why))
                continue;
            *found = true;
            const struct function function = {
                .name = subject->function, .out_len = subject->out_len, .kind = kind};
            if (!select_function(s, function))
                return false;
        }
        if (why != NULL) {
            const size_t used = strlen(reasons);
            snprintf(reasons + used, size - used, "; %s: %s", s->providers[p]->library, why);
        }
    }
    return true;
}

char *plan_selections(char *text, size_t size)
{
    const struct celer_hash *hash, *earlier;
    text[0] = 0;
    for (size_t i = 0; i < GROUPS; i++)
        add_word(text, size, groups[i].name);
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++) {
        size_t j = 0;
        while (earlier = celer_hash_at(j), strcmp(earlier->family, hash->family) != 0)
            j++;
        bool is_group = false;
        for (size_t g = 0; g < GROUPS; g++)
            is_group |= strcmp(groups[g].name, hash->family) == 0;
        if (j == i && !is_group)
            add_word(text, size, hash->family);
    }
    static const char *const kinds[] = {"xof", "many", "permutation", "chain", "kem"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        add_word(text, size, kinds[i]);
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++)
        add_word(text, size, hash->name);
    return text;
}

/* What can be done about a word that nothing here answers to. */
static const char *advice(const char *word, char *text, size_t size)
{
    char name[64], libraries[256];
    size_t n = 0;
    for (; word[n] != 0 && n + 1 < sizeof name; n++)
        name[n] = canonical_character(word[n]);
    name[n] = 0;
    text[0] = 0;
    if (*plugin_that_have(name, libraries, sizeof libraries) != 0)
        snprintf(text, size, "; try --with %s", libraries);
    return text;
}

static bool select_word(struct selected *s, const char *word)
{
    bool found = false;
    for (size_t i = 0; i < GROUPS; i++)
        if (strcmp(word, groups[i].name) == 0)
            return select_group(s, i);
    if (strcmp(word, "many") == 0) {
        s->many = true;
        return true;
    }
    if (strcmp(word, "permutation") == 0) {
        s->permutation = true;
        return true;
    }
    if (strcmp(word, "xof") == 0)
        return select_xofs(s);
    const struct celer_hash *hash = celer_hash_find(word);
    if (hash != NULL)
        return select_hash(s, hash);
    const struct celer_kem *const named = celer_kem_find(word);
    word = named != NULL ? named->name : word;
    const bool chain = strcmp(word, "chain") == 0, kem = strcmp(word, "kem") == 0;
    char reasons[512] = "";
    if ((!kem && !select_kind(s, CELER_KIND_CHAIN, chain ? NULL : word, &found, reasons, sizeof reasons)) ||
        (!chain && !select_kind(s, CELER_KIND_KEM, kem ? NULL : word, &found, reasons, sizeof reasons)))
        return false;
    if (found)
        return true;
    if (!select_family(s, word, &found) || found)
        return found;
    const struct celer_subject *foreign = find_foreign(s, word);
    if (foreign != NULL)
        return select_function(s, (struct function){.name = foreign->function,
                                                    .xof = foreign->kind == CELER_KIND_XOF,
                                                    .out_len = foreign->out_len,
                                                    .out_max = SIZE_MAX});
    if (chain || kem) {
        cli_error("nothing here has a %s%s; see --with, --plugin and --list", chain ? "chain" : "KEM",
                  reasons);
        return false;
    }
    char known[2048], hint[300];
    plan_selections(known, sizeof known);
    for (size_t p = 0; p < s->provider_count; p++)
        for (size_t i = 0; i < s->providers[p]->subject_count; i++) {
            const struct celer_subject *subject = &s->providers[p]->subjects[i];
            char word_between[80], text[2050];
            snprintf(word_between, sizeof word_between, " %s ", subject->function);
            snprintf(text, sizeof text, "%s ", known);
            if (is_hash(subject) && strstr(text, word_between) == NULL)
                add_word(known, sizeof known, subject->function);
        }
    cli_error("unknown selection '%s'%s%s; there are:%s", word, reasons, advice(word, hint, sizeof hint),
              known);
    return false;
}

static bool select_all(struct selected *s, const struct plan_request *request)
{
    bool found;
    for (size_t i = 0; i < request->selection_count; i++)
        if (!select_word(s, request->selections[i]))
            return false;
    if (s->count > 0)
        return true;
    if (s->many)
        return select_family(s, NULL, &found);
    return s->permutation || select_word(s, groups[0].name);
}

/* --- Subjects --- */

/* "gcc 12.2.0" to "gcc12". */
static void label_compiler(const char *compiler, char *text, size_t size)
{
    size_t n = 0;
    const char *p = compiler;
    for (; *p != 0 && *p != ' ' && n + 1 < size; p++)
        text[n++] = *p;
    p += *p == ' ';
    for (; *p >= '0' && *p <= '9' && n + 1 < size; p++)
        text[n++] = *p;
    text[n] = 0;
}

static bool add_subject(struct plan *plan, const struct celer_provider *provider, const char *backend,
                        uint32_t keys, bool opened)
{
    struct plan_subject *grown = realloc(plan->subjects, (plan->subject_count + 1) * sizeof *grown);
    if (grown == NULL) {
        cli_error(no_memory);
        return false;
    }
    plan->subjects = grown;
    struct plan_subject *s = &plan->subjects[plan->subject_count++];
    char compiler[32];
    label_compiler(provider->compiler, compiler, sizeof compiler);
    s->provider = provider;
    s->backend = backend;
    s->keys = keys;
    s->opened = opened;
    const bool own = strcmp(provider->library, "celer") == 0;
    if (own || backend != NULL)
        snprintf(s->label, sizeof s->label, "%s-%s%s%s", provider->library,
                 backend != NULL ? backend : "auto", *compiler != 0 ? "-" : "", compiler);
    else
        snprintf(s->label, sizeof s->label, "%s-%s", provider->library, provider->version);
    if (keys > 1)
        snprintf(s->label + strlen(s->label), sizeof s->label - strlen(s->label), "-x%u", (unsigned)keys);
    if (opened)
        snprintf(s->label + strlen(s->label), sizeof s->label - strlen(s->label), "-opened");
    if (plan->place != NULL)
        snprintf(s->label + strlen(s->label), sizeof s->label - strlen(s->label), "%s", plan->place);
    /* Two that would be called the same: celer of two commits, perhaps. */
    const size_t len = strlen(s->label);
    for (size_t i = 0, number = 1; i < plan->subject_count - 1; i++)
        if (strcmp(plan->subjects[i].label, s->label) == 0) {
            snprintf(s->label + len, sizeof s->label - len, "#%zu", ++number);
            i = (size_t)-1; /* again from the first */
        }
    return true;
}

/* Whether the provider tells its backends apart. Those that do not are what they are, whatever is asked of the rest. */
static bool has_backends(const struct celer_provider *provider)
{
    for (size_t i = 0; i < provider->subject_count; i++)
        if (!(provider->subjects[i].flags & CELER_SUBJECT_DEFAULT))
            return true;
    return false;
}

/* A subject for each number of keys and each form of them. */
static bool add_forms(struct plan *plan, const struct plan_list *ways, unsigned forms,
                      const struct celer_provider *provider, const char *backend)
{
    for (size_t i = 0; i < ways->count; i++)
        for (int opened = 0; opened < 2; opened++)
            if ((forms & (opened ? PLAN_KEYS_OPENED : PLAN_KEYS_BYTES)) != 0 &&
                !add_subject(plan, provider, backend, (uint32_t)ways->items[i], opened))
                return false;
    return true;
}

/* `keys`: how many keys at a time; one, but for KEMs. */
static bool add_subjects(struct plan *plan, const struct plan_request *request, const struct plan_list *keys,
                         const struct celer_provider *const *providers, size_t provider_count)
{
    const unsigned forms = request->keys != 0 ? request->keys : PLAN_KEYS_BYTES;
    for (size_t p = 0; p < provider_count; p++) {
        const bool by_name = request->backend_count > 0 && has_backends(providers[p]);
        if (!by_name && !add_forms(plan, keys, forms, providers[p], NULL))
            return false;
        for (size_t i = 0; by_name && i < request->backend_count; i++) {
            const char *name = request->backends[i];
            uint32_t mask;
            bool twice = false;
            for (size_t j = 0; j < i; j++)
                twice |= strcmp(request->backends[j], name) == 0;
            if (twice)
                continue;
            if (strcmp(name, "auto") == 0)
                name = NULL;
            else if (cli_backend(name, &mask) != 0)
                return false;
            if (!add_forms(plan, keys, forms, providers[p], name))
                return false;
        }
    }
    return true;
}

/* One that can run here; *why when there is one that cannot. ways 0: of any. */
static const struct celer_subject *find_subject(const struct plan_subject *s, uint32_t kind,
                                                const char *function, uint32_t ways, const char **why)
{
    for (size_t i = 0; i < s->provider->subject_count; i++) {
        const struct celer_subject *found = &s->provider->subjects[i];
        const bool default_row = found->flags & CELER_SUBJECT_DEFAULT;
        if (found->kind == kind && strcmp(found->function, function) == 0 &&
            (ways == 0 || found->ways == 0 || found->ways == ways) &&
            (kind != CELER_KIND_KEM || (found->run.kem.open_keys != NULL) == s->opened) &&
            (s->backend == NULL ? default_row : !default_row && strcmp(found->backend, s->backend) == 0) &&
            can_open(found, why))
            return found;
    }
    return NULL;
}

static uint32_t kind_of(const struct selected *selected, const struct function *function)
{
    return function->kind != 0 ? function->kind
           : selected->many    ? CELER_KIND_MANY
           : function->xof     ? CELER_KIND_XOF
                               : CELER_KIND_HASH;
}

static bool has_function(const struct plan_subject *s, const struct selected *selected,
                         const struct function *function, const char **why)
{
    const uint32_t kind = kind_of(selected, function);
    const uint32_t ways = kind == CELER_KIND_CHAIN ? 0 : kind == CELER_KIND_KEM ? s->keys : 1;
    return find_subject(s, kind, function->name, ways, why) != NULL;
}

static bool has_permutation(const struct plan_subject *s, const char **why)
{
    for (size_t i = 0; i < PERMUTATION_WAYS; i++)
        if (find_subject(s, CELER_KIND_PERMUTATION, "keccak-f1600", permutation_ways[i], why) != NULL)
            return true;
    return false;
}

/* why NULL: for no other reason than that it has not. */
static void add_lack(char *text, size_t size, const char *word, const char *why)
{
    const size_t used = strlen(text);
    if (why == NULL)
        add_word(text, size, word);
    else
        snprintf(text + used, size - used, " %s (%s)", word, why);
}

/* Whether the library has a KEM in that form, on whatever backend. All that is no KEM has one form. */
static bool has_form(const struct plan_subject *s)
{
    bool form = s->keys == 1 && !s->opened;
    for (size_t i = 0; i < s->provider->subject_count; i++) {
        const struct celer_subject *const other = &s->provider->subjects[i];
        form |= other->kind == CELER_KIND_KEM && (other->ways == 0 || other->ways == s->keys) &&
                (other->run.kem.open_keys != NULL) == s->opened;
    }
    return form;
}

/* Notes on what providers lack of what is selected; those that lack all of it leave the plan. False when none
   remains. */
static bool drop_idle_subjects(struct plan *plan, const struct selected *selected)
{
    size_t kept = 0;
    char idle[2048] = "";
    for (size_t i = 0; i < plan->subject_count; i++) {
        struct plan_subject s = plan->subjects[i];
        char lacks[1024] = "";
        const char *reason = NULL;
        bool any = s.backend != NULL && has_form(&s); /* asked for by name: its fields stay empty */
        for (size_t f = 0; f < selected->count; f++) {
            const struct function *function = &selected->functions[f];
            const char *why = NULL;
            if (has_function(&s, selected, function, &why))
                any = true;
            else
                add_lack(lacks, sizeof lacks, function->name, why);
            reason = why != NULL ? why : reason;
        }
        if (selected->permutation) {
            const char *why = NULL;
            if (has_permutation(&s, &why))
                any = true;
            else
                add_lack(lacks, sizeof lacks, "permutation", why);
            reason = why != NULL ? why : reason;
        }
        if (!any)
            add_lack(idle, sizeof idle, s.label, reason);
        else
            plan->subjects[kept++] = s;
        if (any && s.backend == NULL && lacks[0] != 0)
            cli_error("note: %s has no%s%s", s.label, selected->many ? " batches of" : "", lacks);
    }
    plan->subject_count = kept;
    if (kept == 0)
        cli_error("nothing of what is selected is in:%s", idle);
    else if (idle[0] != 0)
        cli_error("note: nothing of what is selected is in:%s", idle);
    return kept > 0;
}

/* --- Rows and cells --- */

static bool add_cell(struct plan *plan, const struct cell *cell)
{
    struct cell *grown = realloc(plan->cells, (plan->cell_count + 1) * sizeof *grown);
    if (grown == NULL) {
        cli_error(no_memory);
        return false;
    }
    plan->cells = grown;
    plan->cells[plan->cell_count++] = *cell;
    return true;
}

const char *plan_row_threads(const struct plan_row *row, char text[PLAN_THREADS_SIZE])
{
    text[0] = 0;
    if (row->threads > 1)
        snprintf(text, PLAN_THREADS_SIZE, "_threads%zu", row->threads);
    return text;
}

/* A row of a cell for each length of input. */
static bool add_one_row(struct plan *plan, struct plan_row row, const size_t *src_lens, size_t count)
{
    struct plan_row *grown = realloc(plan->rows, (plan->row_count + 1) * sizeof *grown);
    if (grown == NULL) {
        cli_error(no_memory);
        return false;
    }
    char threads[PLAN_THREADS_SIZE], batch[16] = "";
    const char *why;
    if (row.kind == CELER_KIND_MANY)
        snprintf(batch, sizeof batch, "_many%u", (unsigned)row.ways);
    snprintf(row.name, sizeof row.name, "%s%s%s%s%s", row.function, plan_row_threads(&row, threads), batch,
             row.operation != OPERATION_NONE ? "_" : "", operation_names[row.operation]);
    for (char *p = row.name; *p != 0; p++)
        if (*p == '-')
            *p = '_';
    row.first = plan->cell_count;
    row.count = count;
    plan->rows = grown;
    plan->rows[plan->row_count++] = row;
    struct cell cell = {.task = {.subject = find_subject(&plan->subjects[row.subject], row.kind, row.function,
                                                         row.ways, &why),
                                 .ways = row.ways,
                                 .dst_len = row.dst_len,
                                 .operation = row.operation},
                        .threads = row.threads};
    if (cell.task.subject != NULL && task_lack(cell.task.subject, row.operation) != NULL)
        cell.task.subject = NULL; /* of which there is a note */
    for (size_t i = 0; i < count; i++) {
        cell.task.src_len = src_lens[i];
        if (!add_cell(plan, &cell))
            return false;
    }
    return true;
}

/* One for each number of threads. */
static bool add_row(struct plan *plan, struct plan_row row, const size_t *src_lens, size_t count)
{
    for (size_t i = 0; i < plan->threads.count; i++) {
        row.threads = plan->threads.items[i];
        if (!add_one_row(plan, row, src_lens, count))
            return false;
    }
    return true;
}

/* A row of that length of output, if the function has so much. */
static bool add_length(struct plan *plan, struct plan_row row, struct function *function, size_t dst_len,
                       const size_t *src_lens, size_t count)
{
    row.dst_len = dst_len;
    function->cut |= dst_len > function->out_max;
    return dst_len > function->out_max || add_row(plan, row, src_lens, count);
}

/* The rows of a hash: one for each length of output, or for each pair of lengths. */
static bool add_lengths(struct plan *plan, struct plan_row row, struct function *function,
                        const struct plan_pairs *pairs)
{
    for (size_t i = 0; plan->pairs && i < pairs->count; i++)
        if (!add_length(plan, row, function, pairs->items[i].dst_len, &pairs->items[i].src_len, 1))
            return false;
    for (size_t d = 0; !plan->pairs && d < (function->xof ? plan->dst_lens.count : 1); d++)
        if (!add_length(plan, row, function, function->xof ? plan->dst_lens.items[d] : function->out_len,
                        plan->src_lens.items, plan->src_lens.count))
            return false;
    return true;
}

/* The pairs of a grid, in bytes. */
static bool grid_pairs(const struct plan_grid *grid, const struct function *function,
                       struct plan_pairs *pairs)
{
    size_t step = grid->step;
    if (grid->rate_parts > 0) {
        const struct celer_hash *hash = celer_hash_find(function->name);
        step = hash != NULL ? hash->block_len / grid->rate_parts : 0;
        if (step == 0) {
            cli_error("--grid: the rate of %s %s", function->name,
                      hash != NULL ? "has not so many parts"
                                   : "is not known here; a number of bytes will do");
            return false;
        }
    }
    for (size_t out = 1; out <= grid->count; out++)
        for (size_t in = 1; in <= grid->count; in++)
            if (!add_pair(pairs, (struct plan_pair){out * step, in * step}))
                return false;
    return true;
}

static bool add_hash_rows(struct plan *plan, const struct selected *selected,
                          const struct plan_request *request, const struct plan_list *ways, size_t subject)
{
    const struct plan_subject *const s = &plan->subjects[subject];
    const char *why;
    bool ok = true;
    for (size_t f = 0; ok && f < selected->count; f++) {
        struct function *const function = &selected->functions[f];
        const uint32_t kind = kind_of(selected, function);
        struct plan_pairs grid = {0};
        if (function->kind != 0 || (s->backend == NULL && !has_function(s, selected, function, &why)))
            continue; /* of which there is a note */
        ok = request->grid.count == 0 || grid_pairs(&request->grid, function, &grid);
        for (size_t w = 0; ok && w < (selected->many ? ways->count : 1); w++) {
            const struct plan_row row = {.subject = subject,
                                         .kind = kind,
                                         .function = function->name,
                                         .ways = selected->many ? (uint32_t)ways->items[w] : 1};
            ok = add_lengths(plan, row, function, request->grid.count > 0 ? &grid : &request->pairs);
        }
        free(grid.items);
    }
    return ok;
}

static bool in_list(const struct plan_list *list, size_t item)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return true;
    return false;
}

static bool add_permutation_rows(struct plan *plan, const struct plan_list *ways, size_t subject)
{
    static const size_t state_len = 200;
    for (size_t i = 0; i < PERMUTATION_WAYS; i++) {
        const struct plan_row row = {.subject = subject,
                                     .kind = CELER_KIND_PERMUTATION,
                                     .function = "keccak-f1600",
                                     .ways = permutation_ways[i],
                                     .dst_len = state_len};
        if ((ways->count == 0 || in_list(ways, row.ways)) && !add_row(plan, row, &state_len, 1))
            return false;
    }
    return true;
}

/* Chains, with as many at a time as the library works on at once. */
static bool add_chain_rows(struct plan *plan, const struct function *function, const struct plan_list *ways,
                           size_t subject)
{
    static const size_t iterations = PLAN_ITERATIONS;
    const struct plan_subject *const s = &plan->subjects[subject];
    const char *why;
    for (uint32_t n = 1; n <= PLAN_MAX_WAYS; n++) {
        const struct plan_row row = {.subject = subject,
                                     .kind = CELER_KIND_CHAIN,
                                     .function = function->name,
                                     .ways = n,
                                     .dst_len = function->out_len};
        if ((ways->count == 0 || in_list(ways, n)) &&
            find_subject(s, CELER_KIND_CHAIN, function->name, n, &why) != NULL &&
            !add_row(plan, row, &iterations, 1))
            return false;
    }
    return true;
}

static bool add_kem_rows(struct plan *plan, const struct function *function, size_t subject)
{
    static const size_t no_input = 0;
    for (unsigned i = OPERATION_KEYGEN; i < OPERATION_COUNT; i++) {
        const struct plan_row row = {.subject = subject,
                                     .kind = CELER_KIND_KEM,
                                     .function = function->name,
                                     .operation = (enum operation)i,
                                     .ways = plan->subjects[subject].keys,
                                     .dst_len = function->out_len};
        if (!add_row(plan, row, &no_input, 1))
            return false;
    }
    return true;
}

static bool add_other_rows(struct plan *plan, const struct selected *selected, const struct plan_list *ways,
                           size_t subject)
{
    const char *why;
    if (selected->permutation && !add_permutation_rows(plan, ways, subject))
        return false;
    for (size_t f = 0; f < selected->count; f++) {
        const struct function *const function = &selected->functions[f];
        if (function->kind == CELER_KIND_CHAIN && !add_chain_rows(plan, function, ways, subject))
            return false;
        if (function->kind == CELER_KIND_KEM &&
            has_function(&plan->subjects[subject], selected, function, &why) &&
            !add_kem_rows(plan, function, subject))
            return false;
    }
    return true;
}

/* A note for each backend that was asked for, naming the functions that do not have it. */
static void note_missing(const struct plan *plan, const struct selected *selected)
{
    for (size_t s = 0; s < plan->subject_count; s++) {
        const char *why;
        char names[1024] = "";
        /* Chains and KEMs have no row where there is nothing. */
        for (size_t f = 0; plan->subjects[s].backend != NULL && f < selected->count; f++) {
            const struct function *const function = &selected->functions[f];
            const size_t used = strlen(names);
            if (function->kind != 0 && !has_function(&plan->subjects[s], selected, function, &why))
                snprintf(names + used, sizeof names - used, " %s,", function->name);
        }
        for (size_t i = 0; i < plan->row_count; i++) {
            const struct plan_row *row = &plan->rows[i];
            if (row->subject != s || plan->subjects[s].backend == NULL ||
                plan->cells[row->first].task.subject != NULL || row->kind == CELER_KIND_KEM ||
                row->threads != plan->threads.items[0])
                continue;
            char name[96];
            if (row->kind == CELER_KIND_PERMUTATION)
                snprintf(name, sizeof name, "%s x%u", row->name, (unsigned)row->ways);
            else
                snprintf(name, sizeof name, "%s", row->name);
            char word[100];
            snprintf(word, sizeof word, " %s,", name);
            if (strstr(names, word) == NULL) {
                const size_t used = strlen(names);
                snprintf(names + used, sizeof names - used, "%s", word);
            }
        }
        if (names[0] != 0)
            cli_error("note: backend '%s' does not exist for:%.*s", plan->subjects[s].backend,
                      (int)strlen(names) - 1, names);
    }
}

/* Which operations a KEM lacks, and which of the others need those. */
static void note_operations(const struct plan_subject *s, const char *function)
{
    const char *why;
    const struct celer_subject *const kem = find_subject(s, CELER_KIND_KEM, function, s->keys, &why);
    const bool has[OPERATION_COUNT] = {[OPERATION_KEYGEN] = kem->run.kem.keygen != NULL,
                                       [OPERATION_ENCAPS] = kem->run.kem.encaps != NULL,
                                       [OPERATION_DECAPS] = kem->run.kem.decaps != NULL};
    char lacks[64] = "", idle[64] = "";
    for (unsigned i = OPERATION_KEYGEN; i < OPERATION_COUNT; i++)
        if (!has[i])
            add_word(lacks, sizeof lacks, operation_names[i]);
        else if (task_lack(kem, (enum operation)i) != NULL)
            add_word(idle, sizeof idle, operation_names[i]);
    if (lacks[0] != 0)
        cli_error("note: %s of %s has no%s%s%s", function, s->label, lacks,
                  idle[0] != 0 ? ", without which there is nothing to work on for" : "", idle);
}

/* A note for each KEM of a library that lacks a part of it. */
static void note_kems(const struct plan *plan)
{
    for (size_t i = 0; i < plan->row_count; i++) {
        const struct plan_row *const row = &plan->rows[i];
        if (row->kind == CELER_KIND_KEM && row->operation == OPERATION_KEYGEN &&
            row->threads == plan->threads.items[0])
            note_operations(&plan->subjects[row->subject], row->function);
    }
}

/* A note for each function that has not so much output as was asked for. */
static void note_cuts(const struct selected *selected)
{
    for (size_t f = 0; f < selected->count; f++)
        if (selected->functions[f].cut)
            cli_error("note: %s has at most %zu bytes of output; nothing longer is measured",
                      selected->functions[f].name, selected->functions[f].out_max);
}

/* --- The plan --- */

static bool copy_list(struct plan_list *to, const struct plan_list *from, const size_t *defaults,
                      size_t count)
{
    for (size_t i = 0; i < (from->count > 0 ? from->count : count); i++) {
        const size_t item = from->count > 0 ? from->items[i] : defaults[i];
        bool twice = false;
        for (size_t j = 0; j < to->count; j++)
            twice |= to->items[j] == item;
        if (!twice && !list_add(to, item))
            return false;
    }
    return true;
}

/* Options that nothing selected could obey are mistakes. */
static bool check_pairs(const struct plan_request *request, const struct selected *s)
{
    const char *const option = request->pairs.count > 0 ? "--pairs" : "--grid";
    if (request->pairs.count == 0 && request->grid.count == 0)
        return true;
    if (request->pairs.count > 0 && request->grid.count > 0)
        cli_error("--pairs and --grid exclude each other");
    else if (request->src_lens.count > 0 || request->dst_lens.count > 0)
        cli_error("%s gives lengths of output and input; --src-lens and --dst-lens do not go with it",
                  option);
    else if (s->count == 0)
        cli_error("%s is for functions with output of any length, and none is selected", option);
    else {
        for (size_t i = 0; i < s->count; i++)
            if (!s->functions[i].xof) {
                cli_error("%s is for functions with output of any length, and %s has not", option,
                          s->functions[i].name);
                return false;
            }
        return true;
    }
    return false;
}

static bool only_kems(const struct selected *s)
{
    bool only = s->count > 0 && !s->permutation;
    for (size_t i = 0; i < s->count; i++)
        only &= s->functions[i].kind == CELER_KIND_KEM;
    return only;
}

static bool check_options(const struct plan_request *request, const struct selected *s)
{
    bool xof = false, hashes = false;
    for (size_t i = 0; i < s->count; i++) {
        xof |= s->functions[i].xof;
        hashes |= s->functions[i].kind == 0;
    }
    if (request->dst_lens.count > 0 && !xof) {
        cli_error("--dst-lens is for functions with output of any length, and none is selected");
        return false;
    }
    if (request->src_lens.count > 0 && !hashes) {
        cli_error("--src-lens is for hashes, and none is selected");
        return false;
    }
    if (request->keys != 0 && !only_kems(s)) {
        cli_error("--keys is for KEMs, and something else is selected");
        return false;
    }
    for (size_t i = 0; i < request->ways.count && s->permutation; i++) {
        bool known = false;
        for (size_t j = 0; j < PERMUTATION_WAYS; j++)
            known |= request->ways.items[i] == permutation_ways[j];
        if (!known) {
            cli_error("no permutation of %zu states; there are: 1 2 4 8", request->ways.items[i]);
            return false;
        }
    }
    return check_pairs(request, s);
}

/* The lengths that a plan of pairs has come to. */
static bool list_lengths(struct plan *plan)
{
    for (size_t i = 0; i < plan->row_count; i++) {
        if (plan_row_shape(plan, &plan->rows[i]) != PLAN_PAIRS)
            continue;
        const struct task *const task = &plan->cells[plan->rows[i].first].task;
        if ((!in_list(&plan->src_lens, task->src_len) && !list_add(&plan->src_lens, task->src_len)) ||
            (!in_list(&plan->dst_lens, task->dst_len) && !list_add(&plan->dst_lens, task->dst_len)))
            return false;
    }
    return true;
}

enum plan_shape plan_row_shape(const struct plan *plan, const struct plan_row *row)
{
    switch (row->kind) {
    case CELER_KIND_PERMUTATION:
        return PLAN_PERMUTATIONS;
    case CELER_KIND_CHAIN:
        return PLAN_CHAINS;
    case CELER_KIND_KEM:
        return PLAN_KEMS;
    default:
        return plan->pairs ? PLAN_PAIRS : PLAN_LENGTHS;
    }
}

bool plan_make(struct plan *plan, const struct plan_request *request,
               const struct celer_provider *const *providers, size_t provider_count)
{
    static const size_t default_dst_lens[] = {PLAN_DEFAULT_DST_LEN}, default_ways[] = {PLAN_DEFAULT_WAYS};
    static const size_t one[] = {1};
    static const struct plan_list no_list = {0};
    struct selected selected = {.sized = request->dst_lens.count > 0 || request->pairs.count > 0 ||
                                         request->grid.count > 0,
                                .providers = providers,
                                .provider_count = provider_count};
    struct plan_list batch_ways = {0}, keys = {0};
    memset(plan, 0, sizeof *plan);
    plan->pairs = request->pairs.count > 0 || request->grid.count > 0;
    plan->place = request->place;
    bool ok = select_all(&selected, request) && check_options(request, &selected);
    /* Whoever counts messages means batches, unless there is something else to count. */
    bool hashes = true;
    for (size_t i = 0; i < selected.count; i++)
        hashes &= selected.functions[i].kind == 0;
    if (request->ways.count > 0 && hashes && !selected.permutation)
        selected.many = true;
    if (!plan->pairs)
        ok = ok &&
             copy_list(&plan->src_lens, &request->src_lens, plan_default_src_lens, PLAN_DEFAULT_SRC_LENS) &&
             copy_list(&plan->dst_lens, &request->dst_lens, default_dst_lens, 1);
    ok = ok && copy_list(&plan->threads, &request->threads, one, 1) &&
         copy_list(&batch_ways, &request->ways, default_ways, 1) &&
         copy_list(&keys, only_kems(&selected) ? &request->ways : &no_list, one, 1) &&
         add_subjects(plan, request, &keys, providers, provider_count) && drop_idle_subjects(plan, &selected);
    for (size_t s = 0; ok && s < plan->subject_count; s++)
        ok = add_hash_rows(plan, &selected, request, &batch_ways, s);
    for (size_t s = 0; ok && s < plan->subject_count; s++)
        ok = add_other_rows(plan, &selected, &request->ways, s);
    if (ok)
        note_cuts(&selected);
    if (ok && plan->row_count == 0) {
        cli_error("nothing of what is selected has so %s", selected.sized ? "much output" : "many ways");
        ok = false;
    }
    ok = ok && (!plan->pairs || list_lengths(plan));
    if (ok) {
        note_missing(plan, &selected);
        note_kems(plan);
    }
    free(selected.functions);
    free(batch_ways.items);
    free(keys.items);
    if (!ok)
        plan_free(plan);
    return ok;
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->cell_count; i++)
        cell_free(&plan->cells[i]);
    free(plan->subjects);
    free(plan->rows);
    free(plan->cells);
    free(plan->src_lens.items);
    free(plan->dst_lens.items);
    free(plan->threads.items);
    memset(plan, 0, sizeof *plan);
}

void plan_flag_glitches(struct plan *plan)
{
    const size_t most = plan->src_lens.count;
    size_t *const len = calloc(most, sizeof *len), *const index = calloc(most, sizeof *index);
    double *const cost = calloc(most, sizeof *cost);
    for (size_t r = 0; len != NULL && index != NULL && cost != NULL && r < plan->row_count; r++) {
        const struct plan_row *row = &plan->rows[r];
        const struct celer_hash *hash = celer_hash_find(row->function);
        if (plan_row_shape(plan, row) != PLAN_LENGTHS || hash == NULL || (hash->flags & CELER_HASH_TREE))
            continue;
        for (size_t i = 0; i < row->count; i++) { /* by ascending length */
            size_t at = i;
            for (; at > 0 && plan->src_lens.items[index[at - 1]] > plan->src_lens.items[i]; at--)
                index[at] = index[at - 1];
            index[at] = i;
        }
        for (size_t i = 0; i < row->count; i++) {
            const struct cell *cell = &plan->cells[row->first + index[i]];
            len[i] = cell->task.src_len;
            cost[i] = cell->cycles;
        }
        for (size_t i = 0; i < row->count; i++)
            if (stats_out_of_line(len, cost, row->count, i, hash->block_len))
                plan->cells[row->first + index[i]].flags |= FLAG_GLITCH;
    }
    free(len);
    free(index);
    free(cost);
}
