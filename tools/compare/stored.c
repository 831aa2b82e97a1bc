/* stored.c: see stored.h. */
#include "stored.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "bench/document.h"

static bool refuse(char *why, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(char *why, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, size, format, args);
    va_end(args);
    return false;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static size_t count_of(const json_t *object, const char *key)
{
    return (size_t)json_integer_value(json_object_get(object, key));
}

/* --- May they be compared --- */

#define CANARY_TOLERANCE 0.05 /* it costs the same in every run, unless it was not the same, or never alone */

bool stored_comparable(const json_t *base, const json_t *test, char *why, size_t size)
{
    if (!document_same_machine(base, test, why, size))
        return false;
    const double x = number_of(json_object_get(base, "run"), "canary_cycles"),
                 y = number_of(json_object_get(test, "run"), "canary_cycles");
    if (!(x > 0) || !(y > 0))
        return refuse(why, size, "there is no canary in the %s run, so nothing to compare by",
                      x > 0 ? "second" : "first");
    if (fabs(log(y / x)) > CANARY_TOLERANCE)
        return refuse(why, size,
                      "their canaries differ (%.0f and %.0f cycles), so there is no common measure", x, y);
    return true;
}

/* --- Which rows belong together --- */

static bool same_text(const json_t *a, const json_t *b, const char *key)
{
    return strcmp(text_of(a, key), text_of(b, key)) == 0;
}

static bool same_count(const json_t *a, const json_t *b, const char *key)
{
    return count_of(a, key) == count_of(b, key);
}

static bool same_row(const json_t *a, const json_t *b)
{
    return same_text(a, b, "function") && same_text(a, b, "kind") && same_text(a, b, "mode") &&
           same_count(a, b, "ways") && same_count(a, b, "dst_len") && same_count(a, b, "src_len");
}

static bool same_name(const char *a, const char *b)
{
    for (; *a != 0 && *b != 0; a++, b++) {
        const char x = *a == '-' ? '_' : *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
        const char y = *b == '-' ? '_' : *b;
        if (x != y)
            return false;
    }
    return *a == *b;
}

static bool is_wanted(const json_t *result, const struct stored_request *request)
{
    bool wanted = request->function_count == 0;
    for (size_t i = 0; i < request->function_count; i++)
        wanted |= same_name(request->functions[i], text_of(result, "function"));
    return wanted;
}

/* The one label that begins so, or NULL and why. */
static const char *find_label(const json_t *document, const char *prefix, const char *run, char *why,
                              size_t size)
{
    const json_t *const subjects = json_object_get(document, "subjects");
    const char *found = NULL;
    char all[512] = "";
    size_t matches = 0;
    for (size_t i = 0; i < json_array_size(subjects); i++) {
        const char *const label = text_of(json_array_get(subjects, i), "label");
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, " %s", label);
        if (strcmp(label, prefix) == 0)
            return label;
        if (strncmp(label, prefix, strlen(prefix)) == 0) {
            matches++;
            found = label;
        }
    }
    if (matches == 1)
        return found;
    refuse(why, size, "%s subject of the %s run begins with '%s'; there are:%s",
           matches == 0 ? "no" : "more than one", run, prefix, all);
    return NULL;
}

/* Labels of the rows to pair; NULL: of any that both have. */
static bool choose_labels(const json_t *base, const json_t *test, const struct stored_request *request,
                          const char *labels[2], char *why, size_t size)
{
    const json_t *const one = json_object_get(base, "subjects"), *const other =
                                                                     json_object_get(test, "subjects");
    const char *const wanted[2] = {request->base != NULL ? request->base : request->test,
                                   request->test != NULL ? request->test : request->base};
    labels[0] = labels[1] = NULL;
    if (wanted[0] != NULL) {
        labels[0] = find_label(base, wanted[0], "first", why, size);
        labels[1] = labels[0] != NULL ? find_label(test, wanted[1], "second", why, size) : NULL;
        return labels[1] != NULL;
    }
    if (json_array_size(one) == 1 && json_array_size(other) == 1) { /* another version, or compiler */
        labels[0] = text_of(json_array_get(one, 0), "label");
        labels[1] = text_of(json_array_get(other, 0), "label");
    }
    return true;
}

static const json_t *find_partner(const json_t *document, const json_t *like, const char *label)
{
    const json_t *const results = json_object_get(document, "results");
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *const result = json_array_get(results, i);
        if (same_row(result, like) && strcmp(text_of(result, "subject"), label) == 0)
            return result;
    }
    return NULL;
}

/* --- Rows --- */

/* The interval tells already that a figure is unsteady, and it is none the worse for being unverified. */
static bool is_doubt(const char *flag)
{
    return strcmp(flag, "unsteady") != 0 && strcmp(flag, "unverified") != 0;
}

static struct stored_figure figure_of(const json_t *result)
{
    const json_t *const cycles = json_object_get(result, "cycles"), *const flags =
                                                                        json_object_get(result, "flags");
    const char *doubt = json_string_value(json_object_get(result, "fault"));
    for (size_t i = 0; i < json_array_size(flags) && doubt == NULL; i++) {
        const char *const flag = json_string_value(json_array_get(flags, i));
        if (is_doubt(flag))
            doubt = flag;
    }
    return (struct stored_figure){.canary_ratio = number_of(result, "canary_ratio"),
                                  .spread = log(number_of(cycles, "ci_hi") / number_of(cycles, "ci_lo")),
                                  .n = count_of(result, "n"),
                                  .doubt = doubt};
}

static double median_of(const json_t *result)
{
    return number_of(json_object_get(result, "value"), "median");
}

static bool is_duration(const char *unit)
{
    return strcmp(unit, "cpb") == 0 || strcmp(unit, "cycles") == 0 || strcmp(unit, "ns") == 0;
}

static struct compare_row row_of(const json_t *x, const json_t *y)
{
    struct compare_row row = {.base_label = text_of(x, "subject"),
                              .test_label = text_of(y, "subject"),
                              .function = text_of(x, "function"),
                              .kind = text_of(x, "kind"),
                              .mode = text_of(x, "mode"),
                              .unit = text_of(json_object_get(x, "value"), "unit"),
                              .ways = (uint32_t)count_of(y, "ways"),
                              .base_ways = (uint32_t)count_of(x, "ways"),
                              .dst_len = count_of(x, "dst_len"),
                              .src_len = count_of(x, "src_len"),
                              .base = median_of(x),
                              .test = median_of(y),
                              .rejected =
                                  count_of(y, "rejected_frequency") + count_of(y, "rejected_contended")};
    /* One unit for both, and one that says how long it takes. */
    if (!is_duration(row.unit) || strcmp(row.unit, text_of(json_object_get(y, "value"), "unit")) != 0) {
        row.unit = "cycles";
        row.base = number_of(json_object_get(x, "cycles"), "median");
        row.test = number_of(json_object_get(y, "cycles"), "median");
    }
    const char *const fault = json_string_value(json_object_get(y, "fault"));
    row.fault = fault != NULL ? fault : json_string_value(json_object_get(x, "fault"));
    const struct stored_figure base = figure_of(x), test = figure_of(y);
    compare_stored(&row.comparison, &base, &test);
    return row;
}

bool stored_compare(const json_t *base, const json_t *test, const struct stored_request *request,
                    struct compare_result *result, char *why, size_t size)
{
    const json_t *const results = json_object_get(base, "results");
    const size_t most = json_array_size(results);
    const char *labels[2];
    if (!stored_comparable(base, test, why, size) || !choose_labels(base, test, request, labels, why, size))
        return false;
    struct compare_row *const rows = calloc(most + 1, sizeof *rows);
    struct comparison **const comparisons = calloc(most + 1, sizeof(struct comparison *));
    bool ok = rows != NULL && comparisons != NULL;
    size_t n = 0;
    for (size_t i = 0; ok && i < most; i++) {
        const json_t *const x = json_array_get(results, i);
        if (!is_wanted(x, request) || (labels[0] != NULL && strcmp(text_of(x, "subject"), labels[0]) != 0))
            continue;
        const json_t *const y = find_partner(test, x, labels[1] != NULL ? labels[1] : text_of(x, "subject"));
        if (y == NULL)
            continue;
        rows[n] = row_of(x, y);
        comparisons[n] = &rows[n].comparison;
        n++;
    }
    ok = ok && compare_decide(comparisons, n, request->min_effect);
    free(comparisons);
    if (!ok)
        refuse(why, size, "out of memory");
    else if (n == 0)
        ok = refuse(why, size, "the two runs have no figure in common%s%s",
                    request->function_count > 0 ? " of what is selected" : "",
                    labels[0] == NULL ? "; --base and --test pair subjects of different names" : "");
    if (!ok) {
        free(rows);
        return false;
    }
    result->rows = rows;
    result->count = n;
    result->min_effect = request->min_effect;
    return true;
}
