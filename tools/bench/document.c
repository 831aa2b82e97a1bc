/* document.c: see document.h. */
#include "document.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "prng.h"
#include "samples.h"

static bool refuse(char *why, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(char *why, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, size, format, args);
    va_end(args);
    return false;
}

void document_new_id(char id[DOCUMENT_ID_SIZE])
{
    uint64_t random[2];
    if (getentropy(random, sizeof random) !=
        0) { /* a system that has none: what sets this process apart from others */
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        uint64_t state =
            (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + ((uint64_t)getpid() << 40);
        random[0] = prng_next(&state);
        random[1] = prng_next(&state);
    }
    snprintf(id, DOCUMENT_ID_SIZE, "%016llx%016llx", (unsigned long long)random[0],
             (unsigned long long)random[1]);
}

void document_time(char now[DOCUMENT_TIME_SIZE])
{
    const time_t seconds = time(NULL);
    struct tm utc;
    now[0] = 0;
    if (gmtime_r(&seconds, &utc) != NULL)
        strftime(now, DOCUMENT_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* --- What a document consists of --- */

enum { TEXT, NUMBER, COUNT, TRUTH, OBJECT, ARRAY, TYPE = 15, OR_NULL = 16, OPTIONAL = 32 };

struct field {
    const char *name;
    int type;                   /* one of the above, with OR_NULL, OPTIONAL */
    const struct field *fields; /* of an object, or of the objects of an array; NULL: texts */
};

static const struct field machine_fields[] = {
    {"cpu", TEXT, NULL},
    {"system", TEXT, NULL},
    {"hypervisor", TEXT, NULL},
    {"governor", TEXT, NULL},
    {"load", NUMBER | OR_NULL, NULL},
    {"pinned_to_cpu", COUNT | OR_NULL, NULL},
    {"microcode", TEXT | OR_NULL | OPTIONAL, NULL},
    {"isa", TEXT | OR_NULL | OPTIONAL, NULL},
    {"cpus", TEXT | OR_NULL | OPTIONAL, NULL},
    {"caches", TEXT | OR_NULL | OPTIONAL, NULL},
    {"turbo", TEXT | OR_NULL | OPTIONAL, NULL},
    {"ghz_min", NUMBER | OR_NULL | OPTIONAL, NULL},
    {"ghz_median", NUMBER | OR_NULL | OPTIONAL, NULL},
    {"ghz_max", NUMBER | OR_NULL | OPTIONAL, NULL},
    {"stolen_seconds", NUMBER | OR_NULL | OPTIONAL, NULL},
    {NULL, 0, NULL},
};

static const struct field build_fields[] = {
    {"version", TEXT, NULL},
    {"compiler", TEXT | OR_NULL, NULL},
    {NULL, 0, NULL},
};

static const struct field counter_fields[] = {
    {"implementation", TEXT, NULL},
    {"counts_cycles", TRUTH, NULL},
    {"estimated", TRUTH, NULL},
    {"doubt", TEXT, NULL},
    {"ticks_per_second", NUMBER | OR_NULL, NULL},
    {"cycles_per_second", NUMBER | OR_NULL, NULL},
    {"step_ticks", NUMBER | OR_NULL, NULL},
    {"multiply_cycles", NUMBER | OR_NULL, NULL},
    {"no_better_counter_because", TEXT, NULL},
    {NULL, 0, NULL},
};

static const struct field run_fields[] = {
    {"started", TEXT, NULL},
    {"trials", COUNT, NULL},
    {"mode", TEXT, NULL},
    {"seed", COUNT, NULL},
    {"src_lens", ARRAY, NULL}, /* of numbers: nobody relies on them */
    {"dst_lens", ARRAY, NULL},
    {"seconds", NUMBER | OR_NULL, NULL},
    {"canary_cycles", NUMBER | OR_NULL, NULL},
    {"interrupted", TRUTH, NULL},
    {"id", TEXT | OR_NULL | OPTIONAL, NULL},
    {"name", TEXT | OR_NULL | OPTIONAL, NULL},
    {NULL, 0, NULL},
};

static const struct field subject_fields[] = {
    {"label", TEXT, NULL},    {"library", TEXT, NULL},  {"version", TEXT, NULL}, {"backend", TEXT, NULL},
    {"compiler", TEXT, NULL}, {"flags_cc", TEXT, NULL}, {NULL, 0, NULL},
};

static const struct field stats_fields[] = {
    {"unit", TEXT, NULL},
    {"median", NUMBER | OR_NULL, NULL},
    {"min", NUMBER | OR_NULL, NULL},
    {"p10", NUMBER | OR_NULL, NULL},
    {"q1", NUMBER | OR_NULL, NULL},
    {"q3", NUMBER | OR_NULL, NULL},
    {"mad", NUMBER | OR_NULL, NULL},
    {"ci_lo", NUMBER | OR_NULL, NULL},
    {"ci_hi", NUMBER | OR_NULL, NULL},
    {NULL, 0, NULL},
};

static const struct field samples_fields[] = {
    {"rounds", ARRAY, NULL}, /* see samples.h */
    {"cycles", ARRAY, NULL},
    {NULL, 0, NULL},
};

static const struct field result_fields[] = {
    {"subject", TEXT, NULL},
    {"function", TEXT, NULL},
    {"backend", TEXT | OR_NULL, NULL},
    {"notes", TEXT | OR_NULL, NULL},
    {"kind", TEXT, NULL},
    {"ways", COUNT, NULL},
    {"mode", TEXT, NULL},
    {"dst_len", COUNT, NULL},
    {"src_len", COUNT, NULL},
    {"calls_per_sample", COUNT, NULL},
    {"n", COUNT, NULL},
    {"rejected_frequency", COUNT, NULL},
    {"rejected_contended", COUNT, NULL},
    {"canary_ratio", NUMBER | OR_NULL, NULL},
    {"ghz", NUMBER | OR_NULL, NULL},
    {"flags", ARRAY, NULL},
    {"fault", TEXT | OR_NULL, NULL},
    {"value", OBJECT | OR_NULL, stats_fields},
    {"cycles", OBJECT | OR_NULL, stats_fields},
    {"nanoseconds", OBJECT | OR_NULL, stats_fields},
    {"samples", OBJECT | OPTIONAL, samples_fields},
    {"threads", COUNT | OPTIONAL, NULL}, /* 1 if not there */
    {NULL, 0, NULL},
};

static const struct field document_fields[] = {
    {"machine", OBJECT, machine_fields},
    {"build", OBJECT | OPTIONAL, build_fields},
    {"counter", OBJECT, counter_fields},
    {"run", OBJECT, run_fields},
    {"subjects", ARRAY, subject_fields},
    {"results", ARRAY, result_fields},
    {NULL, 0, NULL},
};

static bool has_type(const json_t *value, int type)
{
    if (json_is_null(value))
        return (type & OR_NULL) != 0;
    switch (type & TYPE) {
    case TEXT:
        return json_is_string(value);
    case NUMBER:
        return json_is_number(value) && json_number_value(value) >= 0;
    case COUNT:
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case TRUTH:
        return json_is_boolean(value);
    case OBJECT:
        return json_is_object(value);
    default:
        return json_is_array(value);
    }
}

static const char *type_name(int type)
{
    static const char *const names[] = {
        "a text",  "a number, not below 0", "a whole number, not below 0", "true or false", "an object",
        "an array"};
    return names[type & TYPE];
}

/* `path` leads to the object, with the dot after it: "results[2].". */
static bool check_fields(const json_t *object, const struct field *fields, const char *path, char *why,
                         size_t size)
{
    for (const struct field *f = fields; f->name != NULL; f++) {
        const json_t *value = json_object_get(object, f->name);
        char inside[128];
        if (value == NULL && (f->type & OPTIONAL) != 0)
            continue;
        if (value == NULL)
            return refuse(why, size, "%s%s is missing", path, f->name);
        if (!has_type(value, f->type))
            return refuse(why, size, "%s%s has to be %s%s", path, f->name, type_name(f->type),
                          (f->type & OR_NULL) != 0 ? ", or null" : "");
        if (f->fields == NULL || json_is_null(value))
            continue;
        if (json_is_object(value)) {
            snprintf(inside, sizeof inside, "%s%s.", path, f->name);
            if (!check_fields(value, f->fields, inside, why, size))
                return false;
        }
        for (size_t i = 0; i < json_array_size(value); i++) {
            if (!json_is_object(json_array_get(value, i)))
                return refuse(why, size, "%s%s[%zu] has to be an object", path, f->name, i);
            snprintf(inside, sizeof inside, "%s%s[%zu].", path, f->name, i);
            if (!check_fields(json_array_get(value, i), f->fields, inside, why, size))
                return false;
        }
    }
    return true;
}

static bool check_results(const json_t *document, char *why, size_t size)
{
    const json_t *subjects = json_object_get(document, "subjects"),
                 *results = json_object_get(document, "results");
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i), *flags = json_object_get(result, "flags");
        const char *label = json_string_value(json_object_get(result, "subject"));
        size_t s = 0;
        while (s < json_array_size(subjects) &&
               strcmp(label, json_string_value(json_object_get(json_array_get(subjects, s), "label"))) != 0)
            s++;
        if (s == json_array_size(subjects))
            return refuse(why, size, "results[%zu].subject is none of the subjects: '%.64s'", i, label);
        for (size_t f = 0; f < json_array_size(flags); f++)
            if (!json_is_string(json_array_get(flags, f)))
                return refuse(why, size, "results[%zu].flags[%zu] has to be a text", i, f);
        if (!samples_check(json_object_get(result, "samples")))
            return refuse(why, size, "results[%zu].samples have to be as many rounds, in order, as cycles",
                          i);
    }
    return true;
}

static bool check_id(const json_t *document, char *why, size_t size)
{
    const char *id = json_string_value(json_object_get(json_object_get(document, "run"), "id"));
    if (id != NULL && (strlen(id) != DOCUMENT_ID_SIZE - 1 || strspn(id, "0123456789abcdef") != strlen(id)))
        return refuse(why, size, "run.id has to be %d hexadecimal digits", DOCUMENT_ID_SIZE - 1);
    return true;
}

bool document_check(const json_t *document, char *why, size_t size)
{
    const char *format = json_string_value(json_object_get(document, "format"));
    const json_t *version = json_object_get(document, "version");
    if (format == NULL || strcmp(format, DOCUMENT_FORMAT) != 0)
        return refuse(why, size, "not results of celer bench (no \"format\": \"" DOCUMENT_FORMAT "\")");
    if (!json_is_integer(version) || json_integer_value(version) < 1)
        return refuse(why, size, "version has to be a whole number, not below 1");
    if (json_integer_value(version) > DOCUMENT_VERSION)
        return refuse(why, size, "written by a newer celer (version %lld of the format; this one reads %d)",
                      (long long)json_integer_value(version), DOCUMENT_VERSION);
    return check_fields(document, document_fields, "", why, size) && check_id(document, why, size) &&
           check_results(document, why, size);
}

/* --- Files --- */

/* The next character that is not blank stays to be read; EOF when there is none. */
static int skip_blanks(FILE *from)
{
    int c;
    do
        c = getc(from);
    while (c == ' ' || c == '\t' || c == '\r' || c == '\n');
    return c == EOF ? EOF : ungetc(c, from);
}

/* Appends the next document, or all of the next array; takes `value`. */
static bool append(json_t *documents, json_t *value, const char *file, char *why, size_t size)
{
    char reason[256];
    bool ok = true;
    for (size_t i = 0; ok && i < (json_is_array(value) ? json_array_size(value) : 1); i++) {
        json_t *document = json_is_array(value) ? json_array_get(value, i) : value;
        const size_t number = json_array_size(documents) + 1;
        if (!document_check(document, reason, sizeof reason))
            ok = number == 1 ? refuse(why, size, "%s: %s", file, reason)
                             : refuse(why, size, "%s: document %zu: %s", file, number, reason);
        else if (json_array_append(documents, document) != 0)
            ok = refuse(why, size, "out of memory");
    }
    json_decref(value);
    return ok;
}

json_t *document_load(const char *file, char *why, size_t size)
{
    const bool standard = strcmp(file, "-") == 0;
    const char *const name = standard ? "standard input" : file;
    FILE *const from = standard ? stdin : fopen(file, "re");
    json_t *const documents = json_array();
    bool ok = documents != NULL;
    if (!ok)
        refuse(why, size, "out of memory");
    else if (from == NULL)
        ok = refuse(why, size, "%s: %s", name, strerror(errno));
    while (ok && skip_blanks(from) != EOF) {
        json_error_t error;
        json_t *value = json_loadf(from, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
        if (value != NULL)
            ok = append(documents, value, name, why, size);
        else if (json_array_size(documents) == 0)
            ok = refuse(why, size, "%s: not JSON: line %d: %s", name, error.line, error.text);
        else
            ok = refuse(why, size, "%s: after document %zu: not JSON: line %d from there: %s", name,
                        json_array_size(documents), error.line, error.text);
    }
    if (ok && ferror(from))
        ok = refuse(why, size, "%s: %s", name, strerror(errno));
    if (ok && json_array_size(documents) == 0)
        ok = refuse(why, size, "%s: no results in it", name);
    if (from != NULL && !standard)
        fclose(from);
    if (ok)
        return documents;
    json_decref(documents);
    return NULL;
}

/* --- Machines --- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

struct document_machine document_machine(const json_t *document)
{
    const json_t *machine = json_object_get(document, "machine"),
                 *counter = json_object_get(document, "counter");
    const bool tells = json_is_false(json_object_get(counter, "counts_cycles")) &&
                       strcmp(text_of(counter, "implementation"), "default-monotonic") != 0;
    const double hz = json_number_value(json_object_get(counter, "ticks_per_second"));
    return (struct document_machine){.cpu = text_of(machine, "cpu"),
                                     .microcode = text_of(machine, "microcode"),
                                     .hypervisor = text_of(machine, "hypervisor"),
                                     .isa = text_of(machine, "isa"),
                                     .timer_hz = tells && hz > 0 ? hz : NAN};
}

bool document_same_machine(const json_t *a, const json_t *b, char *why, size_t size)
{
    const struct document_machine x = document_machine(a), y = document_machine(b);
    const struct {
        const char *name, *x, *y;
    } texts[] = {{"CPU", x.cpu, y.cpu},
                 {"microcode", x.microcode, y.microcode},
                 {"hypervisor", x.hypervisor, y.hypervisor},
                 {"instruction sets", x.isa, y.isa}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(texts[i].x, texts[i].y) != 0)
            return refuse(why, size, "different machines (%s: '%s' and '%s')", texts[i].name, texts[i].x,
                          texts[i].y);
    if (fabs(x.timer_hz - y.timer_hz) > DOCUMENT_TIMER_TOLERANCE * x.timer_hz)
        return refuse(why, size, "different machines (timer: %.4f and %.4f GHz)", x.timer_hz / 1e9,
                      y.timer_hz / 1e9);
    return true;
}

bool document_write(const json_t *document, FILE *to)
{
    const bool ok = json_dumpf(document, to, JSON_INDENT(2) | JSON_REAL_PRECISION(DOCUMENT_DIGITS)) == 0;
    putc('\n', to);
    return ok || ferror(to);
}
