/* data.c: see data.h. */
#include "data.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/document.h"
#include "text.h"

/* --- Texts, each once --- */

#define MAX_TEXT 200 /* bytes; what a document calls a name and is longer is none */

struct texts {
    char **slots;
    size_t count, room;
};

static size_t hash_of(const char *s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *s != 0; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    return (size_t)(h ^ h >> 29);
}

static char **slot_of(const struct texts *texts, const char *s)
{
    size_t i = hash_of(s) & (texts->room - 1);
    while (texts->slots[i] != NULL && strcmp(texts->slots[i], s) != 0)
        i = (i + 1) & (texts->room - 1);
    return &texts->slots[i];
}

static bool texts_grow(struct texts *texts)
{
    struct texts grown = {.count = texts->count, .room = texts->room > 0 ? 2 * texts->room : 256};
    grown.slots = calloc(grown.room, sizeof *grown.slots);
    if (grown.slots == NULL)
        return false;
    for (size_t i = 0; i < texts->room; i++)
        if (texts->slots[i] != NULL)
            *slot_of(&grown, texts->slots[i]) = texts->slots[i];
    free(texts->slots);
    *texts = grown;
    return true;
}

/* Blanks instead of what has no place in one line of text: control characters, marks that reverse the direction of
   writing, and the two that XML forbids. A character cut by the limit goes. */
static void clean(char to[MAX_TEXT + 1], const char *from)
{
    size_t n = 0;
    while (*from != 0) {
        const unsigned char c = (unsigned char)*from;
        const size_t len = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
        const unsigned char c1 = (unsigned char)from[1], c2 = len > 2 ? (unsigned char)from[2] : 0;
        const bool bad = c < ' ' || c == 127 || (c == 0xC2 && c1 < 0xA0) ||
                         (c == 0xE2 && c1 == 0x80 && c2 >= 0xA8 && c2 <= 0xAE) ||
                         (c == 0xE2 && c1 == 0x81 && c2 >= 0xA6 && c2 <= 0xA9) ||
                         (c == 0xEF && c1 == 0xBF && c2 >= 0xBE);
        if (n + len > MAX_TEXT)
            break;
        if (bad)
            to[n++] = ' ';
        else {
            memcpy(to + n, from, len);
            n += len;
        }
        from += len;
    }
    to[n] = 0;
}

/* NULL: out of memory. */
static const char *text_once(struct texts *texts, const char *raw)
{
    char s[MAX_TEXT + 1];
    clean(s, raw != NULL ? raw : "");
    if (2 * texts->count >= texts->room && !texts_grow(texts))
        return NULL;
    char **const slot = slot_of(texts, s);
    if (*slot == NULL) {
        *slot = strdup(s);
        texts->count += *slot != NULL;
    }
    return *slot;
}

/* --- Reading documents --- */

static const char *string_of(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s != NULL ? s : "";
}

/* A number that can be drawn; else NAN. */
static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const double number = json_is_number(value) ? json_number_value(value) : NAN;
    return number >= 0 && number < 1e15 ? number : NAN;
}

static uint64_t count_of(const json_t *object, const char *key)
{
    const json_int_t n = json_integer_value(json_object_get(object, key));
    return n > 0 ? (uint64_t)n : 0;
}

void data_function_name(char *text, size_t size, const char *name)
{
    snprintf(text, size, "%s", name);
    for (char *p = text; *p != 0; p++)
        *p = *p == '_' ? '-' : *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
}

static enum group group_of(const char *kind)
{
    static const struct {
        const char *kind;
        enum group group;
    } groups[] = {{"hash", GROUP_HASH},   {"xof", GROUP_HASH},
                  {"many", GROUP_MANY},   {"permutation", GROUP_PERMUTATION},
                  {"chain", GROUP_CHAIN}, {"kem", GROUP_KEM}};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strcmp(kind, groups[i].kind) == 0)
            return groups[i].group;
    return GROUP_OTHER;
}

/* The operation of a KEM: a field of its own, or the last word of the function's name, which then is cut. */
static const char *take_operation(char *function, const json_t *result)
{
    static const char *const names[] = {"keygen", "encaps", "decaps"};
    const char *own = string_of(result, "operation");
    for (size_t i = 0; i < 3; i++) {
        const size_t n = strlen(function), m = strlen(names[i]);
        if (strcmp(own, names[i]) == 0)
            return names[i];
        if (n > m + 1 && function[n - m - 1] == '-' && strcmp(function + n - m, names[i]) == 0) {
            function[n - m - 1] = 0;
            return names[i];
        }
    }
    return own;
}

static const json_t *subject_of(const json_t *document, const char *label)
{
    size_t i;
    json_t *subject;
    json_array_foreach(json_object_get(document, "subjects"), i,
                       subject) if (strcmp(string_of(subject, "label"), label) == 0) return subject;
    return NULL;
}

static void flag_names(char text[MAX_TEXT], const json_t *flags)
{
    size_t i;
    const json_t *flag;
    text[0] = 0;
    json_array_foreach(flags, i, flag)
    {
        const size_t used = strlen(text);
        if (json_is_string(flag))
            snprintf(text + used, MAX_TEXT - used, "%s%s", used > 0 ? " " : "", json_string_value(flag));
    }
}

/* Cuts "-many8" of a batch, which says no more than kind and ways do. */
static void cut_many(char *function, unsigned ways)
{
    char suffix[32];
    snprintf(suffix, sizeof suffix, "-many%u", ways);
    const size_t n = strlen(function), m = strlen(suffix);
    if (n > m && strcmp(function + n - m, suffix) == 0)
        function[n - m] = 0;
}

/* False: out of memory. Rows without figures are passed over: *take tells. */
static bool read_result(struct result *r, const json_t *document, const json_t *from, struct texts *texts,
                        bool *take)
{
    char function[MAX_TEXT], flags[MAX_TEXT];
    const json_t *cycles = json_object_get(from, "cycles"), *ns = json_object_get(from, "nanoseconds");
    const json_t *subject = subject_of(document, string_of(from, "subject"));
    const char *backend = string_of(from, "backend");
    *r = (struct result){.ways = (unsigned)(count_of(from, "ways") & 0xFFFF),
                         .dst_len = count_of(from, "dst_len"),
                         .src_len = count_of(from, "src_len"),
                         .n = count_of(from, "n"),
                         .cycles = number_of(cycles, "median"),
                         .cycles_low = number_of(cycles, "ci_lo"),
                         .cycles_high = number_of(cycles, "ci_hi"),
                         .ns = number_of(ns, "median"),
                         .ns_low = number_of(ns, "ci_lo"),
                         .ns_high = number_of(ns, "ci_hi"),
                         .canary_ratio = number_of(from, "canary_ratio")};
    *take = r->cycles > 0 && r->ns > 0 && !json_is_string(json_object_get(from, "fault"));
    if (r->ways == 0)
        r->ways = 1;
    r->group = group_of(string_of(from, "kind"));
    data_function_name(function, sizeof function, string_of(from, "function"));
    if (r->group == GROUP_MANY)
        cut_many(function, r->ways);
    flag_names(flags, json_object_get(from, "flags"));
    if (*backend == 0 && strcmp(string_of(subject, "backend"), "auto") != 0)
        backend = string_of(subject, "backend");
    r->operation = text_once(texts, r->group == GROUP_KEM ? take_operation(function, from) : "");
    r->function = text_once(texts, function);
    r->kind = text_once(texts, string_of(from, "kind"));
    r->subject = text_once(texts, string_of(from, "subject"));
    r->library = text_once(texts, string_of(subject, "library"));
    r->version = text_once(texts, string_of(subject, "version"));
    r->backend = text_once(texts, backend);
    r->compiler = text_once(texts, string_of(subject, "compiler"));
    r->mode = text_once(texts, string_of(from, "mode"));
    r->notes = text_once(texts, string_of(from, "notes"));
    r->flags = text_once(texts, flags);
    return r->operation != NULL && r->function != NULL && r->kind != NULL && r->subject != NULL &&
           r->library != NULL && r->version != NULL && r->backend != NULL && r->compiler != NULL &&
           r->mode != NULL && r->notes != NULL && r->flags != NULL;
}

bool result_same_family(const struct result *a, const struct result *b)
{
    return a->machine == b->machine && a->group == b->group && a->function == b->function &&
           a->operation == b->operation && a->ways == b->ways && a->mode == b->mode &&
           a->dst_len == b->dst_len;
}

bool result_same_case(const struct result *a, const struct result *b)
{
    return a->src_len == b->src_len && result_same_family(a, b);
}

static bool same_cell(const struct result *a, const struct result *b)
{
    return result_same_case(a, b) && a->subject == b->subject && a->backend == b->backend;
}

/* --- Putting them together --- */

struct dated {
    const json_t *document;
    size_t at;
};

static const char *started_of(const json_t *document)
{
    return string_of(json_object_get(document, "run"), "started");
}

static int compare_dated(const void *a, const void *b)
{
    const struct dated *x = a, *y = b;
    const int order = strcmp(started_of(x->document), started_of(y->document));
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* Which machine: one of those seen, or a new one. In the order of the documents given, whatever their dates. */
static unsigned machine_of(struct data *data, const json_t *document)
{
    char why[256];
    for (size_t i = 0; i < data->machine_count; i++)
        if (document_same_machine(data->machines[i].document, document, why, sizeof why))
            return (unsigned)i;
    data->machines[data->machine_count] = (struct machine){.document = document};
    return (unsigned)data->machine_count++;
}

/* Keeps the newest of each cell: a row replaces the earlier one in its place. The table holds indexes + 1. */
static bool keep_newest(struct data *data)
{
    size_t room = 64;
    while (room < 2 * data->past_count)
        room *= 2;
    size_t *const table = calloc(room, sizeof *table);
    data->results = calloc(data->past_count + 1, sizeof *data->results);
    if (table == NULL || data->results == NULL) {
        free(table);
        return false;
    }
    for (size_t i = 0; i < data->past_count; i++) {
        const struct result *r = &data->past[i];
        const uintptr_t words[] = {(uintptr_t)r->function,
                                   (uintptr_t)r->operation,
                                   (uintptr_t)r->subject,
                                   (uintptr_t)r->backend,
                                   (uintptr_t)r->src_len,
                                   (uintptr_t)r->dst_len,
                                   r->ways,
                                   r->machine};
        uint64_t h = 0;
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            h = (h ^ words[k]) * UINT64_C(0x9e3779b97f4a7c15), h ^= h >> 31;
        size_t at = (size_t)h & (room - 1);
        while (table[at] != 0 && !same_cell(&data->results[table[at] - 1], r))
            at = (at + 1) & (room - 1);
        if (table[at] == 0)
            table[at] = ++data->result_count;
        data->results[table[at] - 1] = *r;
    }
    free(table);
    return true;
}

static bool read_document(struct data *data, const json_t *document, struct texts *texts)
{
    const json_t *run = json_object_get(document, "run");
    const unsigned machine = machine_of(data, document), index = (unsigned)data->run_count++;
    struct run_info *const info = &data->runs[index];
    *info = (struct run_info){.started = text_once(texts, string_of(run, "started")),
                              .label = text_once(texts, string_of(run, "name")),
                              .machine = machine,
                              .canary_cycles = number_of(run, "canary_cycles")};
    const char *cpu = text_once(texts, string_of(json_object_get(document, "machine"), "cpu"));
    if (info->started == NULL || info->label == NULL || cpu == NULL)
        return false;
    data->machines[machine].document = document;
    data->machines[machine].name = cpu;
    data->machines[machine].run = index;
    size_t i;
    json_t *from;
    json_array_foreach(json_object_get(document, "results"), i, from)
    {
        bool take;
        struct result *const r = &data->past[data->past_count];
        if (!read_result(r, document, from, texts, &take))
            return false;
        r->machine = machine;
        r->run = index;
        data->past_count += take;
    }
    return true;
}

/* Index into first[0 .. *count) of the result that is the first of this function; a new one for one not seen before. */
static size_t find_first(const struct data *data, size_t *first, size_t *count, size_t i)
{
    size_t k = 0;
    while (k < *count && data->past[first[k]].function != data->past[i].function)
        k++;
    if (k == *count)
        first[(*count)++] = i;
    return k;
}

static bool mark_sized(struct data *data)
{
    size_t *const first = calloc(data->past_count + 1, sizeof *first), count = 0;
    for (int pass = 0; pass < 2 && first != NULL; pass++)
        for (size_t i = 0; i < data->past_count; i++) {
            struct result *const r = &data->past[i];
            if (r->group > GROUP_MANY)
                continue;
            struct result *const like = &data->past[first[find_first(data, first, &count, i)]];
            if (pass == 1)
                r->sized = like->sized;
            else
                like->sized |= r->dst_len != like->dst_len;
        }
    free(first);
    return first != NULL;
}

bool data_make(struct data *data, const json_t *documents)
{
    const size_t n = json_array_size(documents);
    size_t results = 0;
    *data = (struct data){0};
    struct texts *const texts = calloc(1, sizeof *texts);
    struct dated *const dated = calloc(n + 1, sizeof *dated);
    for (size_t i = 0; dated != NULL && i < n; i++) {
        dated[i] = (struct dated){json_array_get(documents, i), i};
        results += json_array_size(json_object_get(dated[i].document, "results"));
    }
    data->texts = texts;
    data->machines = calloc(n + 1, sizeof *data->machines);
    data->runs = calloc(n + 1, sizeof *data->runs);
    data->past = calloc(results + 1, sizeof *data->past);
    bool ok =
        texts != NULL && dated != NULL && data->machines != NULL && data->runs != NULL && data->past != NULL;
    for (size_t i = 0; ok && i < n; i++)
        machine_of(data, dated[i].document);
    if (ok)
        qsort(dated, n, sizeof *dated, compare_dated);
    for (size_t i = 0; ok && i < n; i++)
        ok = read_document(data, dated[i].document, texts);
    ok = ok && mark_sized(data) && keep_newest(data);
    free(dated);
    if (!ok)
        data_free(data);
    return ok;
}

void data_free(struct data *data)
{
    struct texts *const texts = data->texts;
    for (size_t i = 0; texts != NULL && i < texts->room; i++)
        free(texts->slots[i]);
    if (texts != NULL)
        free(texts->slots);
    free(texts);
    free(data->machines);
    free(data->runs);
    free(data->results);
    free(data->past);
    *data = (struct data){0};
}

/* --- Figures --- */

double result_cost(const struct result *r, double cycles)
{
    switch (r->group) {
    case GROUP_HASH:
    case GROUP_MANY:
        return r->src_len > 0 ? cycles / ((double)r->src_len * r->ways) : NAN;
    case GROUP_CHAIN: /* src_len: steps of a call */
        return cycles / ((double)(r->src_len > 0 ? r->src_len : 1) * r->ways);
    default:
        return cycles / r->ways;
    }
}

double result_rate(const struct result *r, double ns)
{
    switch (r->group) {
    case GROUP_HASH:
    case GROUP_MANY:
        return (double)r->src_len * r->ways * 1e9 / 1048576 / ns;
    case GROUP_CHAIN:
        return (double)(r->src_len > 0 ? r->src_len : 1) * r->ways * 1e3 / ns;
    case GROUP_PERMUTATION:
        return r->ways * 1e3 / ns;
    default:
        return r->ways * 1e9 / ns;
    }
}

const char *group_cost_unit(enum group group)
{
    static const char *const units[] = {"cycles/byte", "cycles/byte", "cycles/state",
                                        "cycles/hash", "cycles",      "cycles"};
    return units[group];
}

const char *group_rate_unit(enum group group)
{
    static const char *const units[] = {"MiB/s", "MiB/s", "Mstates/s", "MH/s", "ops/s", "calls/s"};
    return units[group];
}

const char *group_title(enum group group)
{
    static const char *const titles[] = {"Hashes, one message", "Hashes, many messages at once",
                                         "Permutations",        "Hash chains",
                                         "Key encapsulation",   "Other"};
    return titles[group];
}

void result_name(const struct result *r, char text[RESULT_NAME_SIZE])
{
    int n = snprintf(text, RESULT_NAME_SIZE, "%.120s", r->function);
    if (r->operation[0] != 0)
        n += snprintf(text + n, RESULT_NAME_SIZE - (size_t)n, " %.20s", r->operation);
    if (r->group == GROUP_MANY)
        n += snprintf(text + n, RESULT_NAME_SIZE - (size_t)n, ", %u messages", r->ways);
    else if (r->group == GROUP_PERMUTATION || r->ways > 1)
        n += snprintf(text + n, RESULT_NAME_SIZE - (size_t)n, " ×%u", r->ways);
    if (r->sized)
        snprintf(text + n, RESULT_NAME_SIZE - (size_t)n, ", %llu B out", (unsigned long long)r->dst_len);
}

/* A round of Keccak-p[1600] is so many operations on 64-bit lanes. With three-operand logic and rotates of vectors: 10
   for the columns' parities, 5 for their sums, 25 to add these, 24 rotates, 25 for chi, 1 for iota. With scalar xor,
   rotate and and-not: 76 + 29 + 25. With AVX2, whose rotates are three operations: 184. No x86 core issues more than 4
   vector or 6 scalar operations of the kind in a cycle. */
double result_floor(const struct data *data, const struct result *r)
{
    static const struct {
        const char *backend;
        double operations, a_cycle;
        unsigned lanes; /* of a vector of the widest kind that 4 a cycle holds for */
    } rows[] = {{"scalar", 130, 6, 1}, {"bmi2", 130, 6, 1}, {"avx2", 184, 4, 4}, {"avx512", 90, 4, 8}};
    const char *system = string_of(json_object_get(data->machines[r->machine].document, "machine"), "system");
    if (r->group != GROUP_PERMUTATION || strcmp(r->function, "keccak-f1600") != 0 ||
        strstr(system, "x86_64") == NULL)
        return NAN;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(r->backend, rows[i].backend) == 0) {
            const double calls = ceil((double)r->ways / rows[i].lanes);
            return 24 * rows[i].operations / rows[i].a_cycle * calls / r->ways;
        }
    return NAN;
}
