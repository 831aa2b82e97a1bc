/* write.c: see write.h. */
#include "write.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const compare_format_names[COMPARE_FORMAT_COUNT] = {"table", "csv", "json", "md"};

#define DIGITS 9 /* of numbers in JSON */

size_t compare_count(const struct compare_result *result, enum outcome outcome)
{
    size_t n = 0;
    for (size_t i = 0; i < result->count; i++)
        n += result->rows[i].comparison.outcome == outcome;
    return n;
}

static double percent(double log_ratio)
{
    return 100 * expm1(log_ratio);
}

static bool known(const struct compare_row *row)
{
    return row->fault == NULL && isfinite(row->comparison.log_ratio);
}

/* Why there is no verdict; NULL if there is one, or a fault that says so. */
static const char *reason(const struct compare_row *row)
{
    return row->fault == NULL ? row->comparison.reason : NULL;
}

/* --- For programs --- */

static void write_number(FILE *to, double value, const char *format)
{
    putc(',', to);
    if (isfinite(value))
        fprintf(to, format, value); /* else the field stays empty */
}

/* RFC 4180: quoted where it has to be. */
static void write_text(FILE *to, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text != 0; text++) {
        if (*text == '"')
            putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

static void write_csv(const struct compare_result *result, FILE *to)
{
    fputs(
        "base_subject,test_subject,kind,function,ways,base_ways,mode,dst_len,src_len,unit,base,test,ratio,ci_lo,ci_hi,"
        "p,p_adjusted,n,rejected,verdict,reason\n",
        to);
    for (size_t i = 0; i < result->count; i++) {
        const struct compare_row *row = &result->rows[i];
        const struct comparison *c = &row->comparison;
        const bool k = known(row);
        write_text(to, row->base_label);
        putc(',', to);
        write_text(to, row->test_label);
        fprintf(to, ",%s,", row->kind);
        write_text(to, row->function);
        fprintf(to, ",%u,%u,%s,%zu,%zu,%s", (unsigned)row->ways, (unsigned)row->base_ways, row->mode,
                row->dst_len, row->src_len, row->unit);
        write_number(to, row->base > 0 ? row->base : NAN, "%.3f");
        write_number(to, row->test > 0 ? row->test : NAN, "%.3f");
        write_number(to, k ? exp(c->log_ratio) : NAN, "%.5f");
        write_number(to, k ? exp(c->ci_lo) : NAN, "%.5f");
        write_number(to, k ? exp(c->ci_hi) : NAN, "%.5f");
        write_number(to, k ? c->p : NAN, "%.3g");
        write_number(to, k ? c->p_adjusted : NAN, "%.3g");
        fprintf(to, ",%zu,%zu,%s,", c->n, row->rejected, outcome_names[c->outcome]);
        write_text(to, reason(row) != NULL ? reason(row) : "");
        putc('\n', to);
    }
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text(const char *value)
{
    return value != NULL ? json_string(value) : json_null();
}

static json_t *row_json(const struct compare_row *row)
{
    const struct comparison *c = &row->comparison;
    const bool k = known(row);
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, "
        "s:o, s:s, s:o}",
        "base_subject", text(row->base_label), "test_subject", text(row->test_label), "kind", text(row->kind),
        "function", text(row->function), "ways", (json_int_t)row->ways, "base_ways",
        (json_int_t)row->base_ways, "mode", text(row->mode), "dst_len", (json_int_t)row->dst_len, "src_len",
        (json_int_t)row->src_len, "unit", text(row->unit), "base", number(row->base > 0 ? row->base : NAN),
        "test", number(row->test > 0 ? row->test : NAN), "ratio", number(k ? exp(c->log_ratio) : NAN),
        "ci_lo", number(k ? exp(c->ci_lo) : NAN), "ci_hi", number(k ? exp(c->ci_hi) : NAN), "p",
        number(k ? c->p : NAN), "p_adjusted", number(k ? c->p_adjusted : NAN), "n", (json_int_t)c->n,
        "rejected", (json_int_t)row->rejected, "fault", text(row->fault), "verdict",
        outcome_names[c->outcome], "reason", text(reason(row)));
}

static bool write_json(const struct compare_result *result, FILE *to)
{
    json_t *const rows = json_array(), *counts = json_object();
    bool ok = rows != NULL && counts != NULL;
    for (size_t i = 0; ok && i < result->count; i++)
        ok = json_array_append_new(rows, row_json(&result->rows[i])) == 0;
    for (unsigned o = 0; ok && o < OUTCOME_COUNT; o++)
        ok = json_object_set_new(counts, outcome_names[o],
                                 json_integer((json_int_t)compare_count(result, (enum outcome)o))) == 0;
    json_t *const document =
        ok ? json_pack("{s:s, s:i, s:s, s:o, s:o, s:f, s:b, s:O, s:O}", "format", "celer-compare", "version",
                       1, "method", result->method, "base", text(result->base_source), "test",
                       text(result->test_source), "min_effect", result->min_effect, "interrupted",
                       result->interrupted, "verdicts", counts, "rows", rows)
           : NULL;
    ok = document != NULL &&
         (json_dumpf(document, to, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)) == 0 || ferror(to));
    json_decref(document);
    json_decref(rows);
    json_decref(counts);
    putc('\n', to);
    return ok;
}

/* --- For people --- */

enum {
    BASE_LABEL,
    TEST_LABEL,
    FUNCTION,
    WAYS,
    BASE_WAYS,
    DST_LEN,
    SRC_LEN,
    BASE_MEDIAN,
    TEST_MEDIAN,
    DIFFERENCE,
    INTERVAL,
    VERDICT,
    COLUMNS
};

static const struct {
    const char *name;
    bool right; /* aligned */
} columns[COLUMNS] = {
    {"base", false},       {"test", false},      {"function", false},  {"ways", true},
    {"base's ways", true}, {"dst_len", true},    {"src_len", true},    {"base takes", true},
    {"test takes", true},  {"difference", true}, {"95 % of it", true}, {"verdict of test", false},
};

#define FIELD 128

static void figure(char *field, double value, const char *unit)
{
    if (value > 0)
        snprintf(field, FIELD, "%.*f %s", value < 100 ? 2 : 0, value, unit);
}

static void fill(char fields[COLUMNS][FIELD], const struct compare_row *row)
{
    const struct comparison *c = &row->comparison;
    memset(fields, 0, COLUMNS * sizeof *fields);
    snprintf(fields[BASE_LABEL], FIELD, "%s", row->base_label);
    snprintf(fields[TEST_LABEL], FIELD, "%s", row->test_label);
    snprintf(fields[FUNCTION], FIELD, "%s", row->function);
    snprintf(fields[WAYS], FIELD, "%u", (unsigned)row->ways);
    snprintf(fields[BASE_WAYS], FIELD, "%u", (unsigned)row->base_ways);
    snprintf(fields[DST_LEN], FIELD, "%zu", row->dst_len);
    snprintf(fields[SRC_LEN], FIELD, "%zu", row->src_len);
    figure(fields[BASE_MEDIAN], row->base, row->unit);
    figure(fields[TEST_MEDIAN], row->test, row->unit);
    if (known(row)) {
        snprintf(fields[DIFFERENCE], FIELD, "%+.2f %%", percent(c->log_ratio));
        snprintf(fields[INTERVAL], FIELD, "%+.2f to %+.2f", percent(c->ci_lo), percent(c->ci_hi));
    }
    if (row->fault != NULL)
        snprintf(fields[VERDICT], FIELD, "none: %s", row->fault);
    else
        snprintf(fields[VERDICT], FIELD, "%s%s%s", outcome_names[c->outcome], reason(row) != NULL ? ": " : "",
                 reason(row) != NULL ? reason(row) : "");
    /* State for state; the wider ones are multiples. */
    if (row->fault == NULL && row->ways != row->base_ways && c->outcome <= OUTCOME_SLOWER)
        snprintf(fields[VERDICT] + strlen(fields[VERDICT]), FIELD - strlen(fields[VERDICT]),
                 c->outcome == OUTCOME_FASTER ? ": x%u beats %u x x%u" : ": x%u loses to %u x x%u",
                 (unsigned)row->ways, (unsigned)(row->ways / row->base_ways), (unsigned)row->base_ways);
}

/* Subjects that are the same on every line stand above the table; ways of 1 are not worth a column, nor are those of base
   that are test's. */
static void choose_columns(const struct compare_result *result, bool shown[COLUMNS])
{
    memset(shown, true, COLUMNS * sizeof *shown);
    shown[BASE_LABEL] = shown[TEST_LABEL] = shown[WAYS] = shown[BASE_WAYS] = false;
    for (size_t i = 0; i < result->count; i++) {
        shown[WAYS] |= result->rows[i].ways > 1;
        shown[BASE_WAYS] |= result->rows[i].ways != result->rows[i].base_ways;
        if (strcmp(result->rows[i].base_label, result->rows[0].base_label) != 0 ||
            strcmp(result->rows[i].test_label, result->rows[0].test_label) != 0)
            shown[BASE_LABEL] = shown[TEST_LABEL] = true;
    }
}

static size_t width_of(const char *field)
{
    return strlen(field); /* ASCII alone */
}

static void write_line(char fields[COLUMNS][FIELD], const size_t *width, const bool *shown, bool md, FILE *to)
{
    const char *separator = md ? "| " : "";
    size_t last = COLUMNS;
    for (size_t c = 0; c < COLUMNS; c++)
        if (shown[c])
            last = c;
    for (size_t c = 0; c < COLUMNS; c++) {
        if (!shown[c])
            continue;
        const int w = c == last && !md ? 0 : (int)width[c];
        fprintf(to, "%s%*s", separator, columns[c].right ? w : -w, fields[c]);
        separator = md ? " | " : "  ";
    }
    fputs(md ? " |\n" : "\n", to);
}

static void write_source(const char *side, const char *label, const char *source, FILE *to)
{
    fprintf(to, "%s: %s", side, label);
    if (source != NULL)
        fprintf(to, " (%s)", source);
    putc('\n', to);
}

static void write_table(const struct compare_result *result, bool md, FILE *to)
{
    char fields[COLUMNS][FIELD];
    size_t width[COLUMNS];
    bool shown[COLUMNS];
    choose_columns(result, shown);
    if (!shown[BASE_LABEL] && result->count > 0) {
        write_source("base", result->rows[0].base_label, result->base_source, to);
        if (md)
            putc('\n', to);
        write_source("test", result->rows[0].test_label, result->test_source, to);
        putc('\n', to);
    }
    for (size_t c = 0; c < COLUMNS; c++)
        width[c] = width_of(columns[c].name);
    for (size_t i = 0; i < result->count; i++) {
        fill(fields, &result->rows[i]);
        for (size_t c = 0; c < COLUMNS; c++)
            width[c] = width_of(fields[c]) > width[c] ? width_of(fields[c]) : width[c];
    }
    for (size_t c = 0; c < COLUMNS; c++)
        snprintf(fields[c], FIELD, "%s", columns[c].name);
    write_line(fields, width, shown, md, to);
    for (size_t c = 0; md && c < COLUMNS; c++) {
        memset(fields[c], '-', width[c]);
        fields[c][width[c]] = 0;
        if (columns[c].right)
            fields[c][width[c] - 1] = ':';
    }
    if (md)
        write_line(fields, width, shown, md, to);
    for (size_t i = 0; i < result->count; i++) {
        fill(fields, &result->rows[i]);
        write_line(fields, width, shown, md, to);
    }
}

bool compare_write(const struct compare_result *result, enum compare_format format, FILE *to)
{
    switch (format) {
    case COMPARE_CSV:
        write_csv(result, to);
        return true;
    case COMPARE_JSON:
        return write_json(result, to);
    default:
        write_table(result, format == COMPARE_MD, to);
        return true;
    }
}
