/* write.c: see write.h. */
#include "write.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What is customary: a byte of input is no measure where there is much output, or none of either. */
static enum unit shape_unit(enum plan_shape shape)
{
    switch (shape) {
    case PLAN_LENGTHS:
        return UNIT_CPB;
    case PLAN_CHAINS:
        return UNIT_MH;
    default:
        return UNIT_CYCLES;
    }
}

enum unit run_unit(const struct run *run, const struct plan_row *row)
{
    return run->unit_given ? run->unit : shape_unit(plan_row_shape(run->plan, row));
}

size_t run_units(const struct run *run, const struct plan_row *row, enum unit units[UNIT_COUNT])
{
    if (run->unit_given && run->unit_count > 1) {
        memcpy(units, run->units, run->unit_count * sizeof *units);
        return run->unit_count;
    }
    units[0] = run_unit(run, row);
    return 1;
}

enum mode run_mode(const struct run *run, const struct plan_row *row)
{
    switch (row->kind) {
    case CELER_KIND_PERMUTATION:
    case CELER_KIND_CHAIN:
        return MODE_LATENCY;
    case CELER_KIND_KEM:
        return MODE_THROUGHPUT;
    default:
        return run->measure->mode;
    }
}

static const struct cell *row_cell(const struct run *run, const struct plan_row *row, size_t i)
{
    return &run->plan->cells[row->first + i];
}

/* RFC 4180: quoted where it has to be. */
static void write_field(const char *text, FILE *to)
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

/* --- Tables: their fields, and then the ways to write them --- */

struct table {
    char title[256];
    char **fields; /* line by line, the first of which is the head */
    size_t count, columns;
    uint32_t words; /* bit i: column i holds words, not figures */
    bool failed;    /* out of memory */
};

static void add_field(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_field(struct table *t, const char *format, ...)
{
    va_list arguments;
    char text[128];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (t->count % 64 == 0) {
        char **const grown = realloc(t->fields, (t->count + 64) * sizeof *grown);
        t->failed |= grown == NULL;
        t->fields = grown != NULL ? grown : t->fields;
    }
    if (!t->failed && (t->fields[t->count] = strdup(text)) != NULL)
        t->count++;
    else
        t->failed = true;
}

/* The heading of a column of words. */
static void add_words(struct table *t, const char *heading)
{
    t->words |= UINT32_C(1) << t->count;
    add_field(t, "%s", heading);
}

static void free_table(struct table *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->fields[i]);
    free(t->fields);
}

#define MAX_DECIMALS 9

/* So many that the value keeps `digits` significant ones, and at least `least`. */
static int decimals(double value, int digits, int least)
{
    const int needed = value > 0 ? digits - 1 - (int)floor(log10(value)) : 0;
    return needed < least ? least : needed > MAX_DECIMALS ? MAX_DECIMALS : needed;
}

/* Cycles per byte have one decimal, as they have always had. */
static void add_median(struct table *t, const struct run *run, const struct cell *cell, enum unit unit)
{
    struct stats stats;
    if (cell != NULL && cell_stats(cell, run->measure, unit, &stats))
        add_field(t, "%.*f", unit == UNIT_CPB ? 1 : decimals(stats.median, 3, 1), stats.median);
    else
        add_field(t, "%s", "");
}

static bool is_word(const struct table *t, size_t column)
{
    return column < 32 && (t->words >> column & 1) != 0;
}

static void write_table_csv(const struct table *t, FILE *to)
{
    for (size_t i = 0; i < t->count; i++) {
        write_field(t->fields[i], to);
        putc((i + 1) % t->columns == 0 ? '\n' : ',', to);
    }
}

/* A line of these tables is a line: whatever a plug-in calls its functions. */
static char printable(char c)
{
    return (unsigned char)c < ' ' ? ' ' : c;
}

static void write_table_md(const struct table *t, FILE *to)
{
    fprintf(to, "%s\n\n", t->title);
    for (size_t i = 0; i < t->count; i++) {
        fputs(i % t->columns == 0 ? "| " : " | ", to);
        for (const char *p = t->fields[i]; *p != 0; p++)
            fprintf(to, "%s%c", *p == '|' ? "\\" : "", printable(*p));
        if ((i + 1) % t->columns == 0)
            fputs(" |\n", to);
        if (i + 1 == t->columns) {
            for (size_t c = 0; c < t->columns; c++)
                fputs(is_word(t, c) ? "| :-- " : "| --: ", to);
            fputs("|\n", to);
        }
    }
}

static size_t column_width(const struct table *t, size_t column)
{
    size_t width = 0;
    for (size_t i = column; i < t->count; i += t->columns)
        width = strlen(t->fields[i]) > width ? strlen(t->fields[i]) : width;
    return width;
}

/* Figures to the right, words to the left; no blanks at the end of a line. */
static void write_table_text(const struct table *t, FILE *to)
{
    size_t at = 0; /* where the line has come to */
    fprintf(to, "%s\n", t->title);
    for (size_t i = 0, start = 0; i < t->count; i++) {
        const size_t column = i % t->columns, width = column_width(t, column), len = strlen(t->fields[i]);
        const size_t begin = is_word(t, column) ? start : start + width - len;
        if (len > 0) {
            fprintf(to, "%*s", (int)(begin - at), "");
            for (const char *p = t->fields[i]; *p != 0; p++)
                putc(printable(*p), to);
            at = begin + len;
        }
        start += width + 2;
        if (column + 1 == t->columns) {
            putc('\n', to);
            at = start = 0;
        }
    }
}

/* --- What is in them --- */

static void add_title(struct table *t, const struct run *run, const struct plan_row *row, const char *what)
{
    enum unit units[UNIT_COUNT];
    const size_t n = run_units(run, row, units);
    snprintf(t->title, sizeof t->title, "%s: medians in ", what);
    for (size_t i = 0; i < n; i++) {
        const size_t used = strlen(t->title);
        snprintf(t->title + used, sizeof t->title - used, "%s%s",
                 i == 0       ? ""
                 : i + 1 == n ? " and "
                              : ", ",
                 unit_titles[units[i]]);
    }
    const size_t used = strlen(t->title);
    snprintf(t->title + used, sizeof t->title - used, "; mode %s", mode_names[run_mode(run, row)]);
}

static bool several_units(const struct run *run)
{
    return run->unit_given && run->unit_count > 1;
}

/* Whether there is something to tell one subject from. */
static bool names_subjects(const struct plan *plan)
{
    return plan->subject_count > 1 || plan->place != NULL;
}

/* Lines of a function, columns of lengths. */
static void fill_lengths(struct table *t, const struct run *run)
{
    const struct plan *plan = run->plan;
    enum unit units[UNIT_COUNT];
    for (size_t r = 0; r < plan->row_count; r++) {
        const struct plan_row *row = &plan->rows[r];
        if (plan_row_shape(plan, row) != PLAN_LENGTHS)
            continue;
        if (t->count == 0) {
            add_title(t, run, row, "Hashes, by length of input");
            if (names_subjects(plan))
                add_words(t, "subject");
            add_words(t, "function");
            add_field(t, "dst_len");
            if (several_units(run))
                add_words(t, "unit");
            for (size_t i = 0; i < plan->src_lens.count; i++)
                add_field(t, "%zu", plan->src_lens.items[i]);
            t->columns = t->count;
        }
        const size_t n = run_units(run, row, units);
        for (size_t u = 0; u < n; u++) {
            if (names_subjects(plan))
                add_field(t, "%s", plan->subjects[row->subject].label);
            add_field(t, "%s", row->name);
            add_field(t, "%zu", row->dst_len);
            if (several_units(run))
                add_field(t, "%s", unit_names[units[u]]);
            for (size_t i = 0; i < row->count; i++)
                add_median(t, run, row_cell(run, row, i), units[u]);
        }
    }
}

/* Whether two rows, of different subjects perhaps, are one line of a table with a column for each subject. */
static bool same_line(const struct plan *plan, const struct plan_row *a, const struct plan_row *b)
{
    const bool same_ways = a->ways == b->ways || a->kind == CELER_KIND_KEM; /* whose subjects tell them */
    return a->kind == b->kind && a->operation == b->operation && same_ways && a->dst_len == b->dst_len &&
           strcmp(a->name, b->name) == 0 &&
           plan->cells[a->first].task.src_len == plan->cells[b->first].task.src_len;
}

static void add_line_heads(struct table *t, enum plan_shape shape)
{
    static const char *const first[] = {[PLAN_PAIRS] = "function",
                                        [PLAN_PERMUTATIONS] = "permutation",
                                        [PLAN_CHAINS] = "chain",
                                        [PLAN_KEMS] = "set"};
    add_words(t, first[shape]);
    if (shape == PLAN_PAIRS) {
        add_field(t, "dst_len");
        add_field(t, "src_len");
    } else if (shape == PLAN_KEMS)
        add_words(t, "function");
    else
        add_field(t, "ways");
    if (shape == PLAN_CHAINS)
        add_field(t, "iterations");
}

/* "ml-kem-768" to "kem768". */
static void add_set(struct table *t, const struct plan_row *row)
{
    const char *const prefix = "ml-kem-";
    const bool usual = strncmp(row->function, prefix, strlen(prefix)) == 0;
    char threads[PLAN_THREADS_SIZE];
    add_field(t, "%s%s%s", usual ? "kem" : "", row->function + (usual ? strlen(prefix) : 0),
              plan_row_threads(row, threads));
}

static void add_line(struct table *t, const struct plan *plan, const struct plan_row *row,
                     enum plan_shape shape)
{
    if (shape == PLAN_KEMS)
        add_set(t, row);
    else
        add_field(t, "%s", row->name);
    if (shape == PLAN_PAIRS) {
        add_field(t, "%zu", row->dst_len);
        add_field(t, "%zu", plan->cells[row->first].task.src_len);
    } else if (shape == PLAN_KEMS)
        add_field(t, "%s", operation_names[row->operation]);
    else
        add_field(t, "%u", (unsigned)row->ways);
    if (shape == PLAN_CHAINS)
        add_field(t, "%zu", plan->cells[row->first].task.src_len);
}

/* Lines of one cell, columns of subjects. */
static void fill_subjects(struct table *t, const struct run *run, enum plan_shape shape, const char *title)
{
    const struct plan *plan = run->plan;
    enum unit units[UNIT_COUNT];
    for (size_t r = 0; r < plan->row_count; r++) {
        const struct plan_row *row = &plan->rows[r];
        size_t earlier = 0;
        while (earlier < r && !same_line(plan, &plan->rows[earlier], row))
            earlier++;
        if (earlier < r || plan_row_shape(plan, row) != shape)
            continue;
        if (t->count == 0) {
            add_title(t, run, row, title);
            add_line_heads(t, shape);
            if (several_units(run))
                add_words(t, "unit");
            for (size_t s = 0; s < plan->subject_count; s++)
                add_field(t, "%s", plan->subjects[s].label);
            t->columns = t->count;
        }
        const size_t n = run_units(run, row, units);
        for (size_t u = 0; u < n; u++) {
            add_line(t, plan, row, shape);
            if (several_units(run))
                add_field(t, "%s", unit_names[units[u]]);
            for (size_t s = 0; s < plan->subject_count; s++) {
                const struct cell *cell = NULL;
                for (size_t other = r; other < plan->row_count && cell == NULL; other++)
                    if (plan->rows[other].subject == s && same_line(plan, &plan->rows[other], row))
                        cell = row_cell(run, &plan->rows[other], 0);
                add_median(t, run, cell, units[u]);
            }
        }
    }
}

static bool write_tables(const struct run *run, FILE *to, void (*write)(const struct table *, FILE *))
{
    static const char *const titles[] = {
        [PLAN_PAIRS] = "Hashes, by length of output and input",
        [PLAN_PERMUTATIONS] = "Permutations",
        [PLAN_CHAINS] = "Chains",
        [PLAN_KEMS] = "Key encapsulation",
    };
    bool ok = true, after_another = run->continued;
    for (enum plan_shape shape = PLAN_LENGTHS; ok && shape < PLAN_SHAPES; shape++) {
        struct table t = {0};
        if (shape == PLAN_LENGTHS)
            fill_lengths(&t, run);
        else
            fill_subjects(&t, run, shape, titles[shape]);
        ok = !t.failed;
        if (ok && t.count > 0) {
            if (after_another)
                putc('\n', to);
            write(&t, to);
            after_another = true;
        }
        free_table(&t);
    }
    return ok;
}

bool write_csv(const struct run *run, FILE *to)
{
    return write_tables(run, to, write_table_csv);
}

bool write_md(const struct run *run, FILE *to)
{
    return write_tables(run, to, write_table_md);
}

bool write_table(const struct run *run, FILE *to)
{
    return write_tables(run, to, write_table_text);
}

const char *run_kind(const struct plan_row *row)
{
    static const char *const names[] = {"", "hash", "xof", "many", "permutation", "chain", "kem"};
    return row->kind < sizeof names / sizeof names[0] ? names[row->kind] : "";
}

static void run_function(const struct plan_row *row, char *text, size_t size)
{
    char threads[PLAN_THREADS_SIZE];
    snprintf(text, size, "%s%s%s%s", row->function, plan_row_threads(row, threads),
             row->operation != OPERATION_NONE ? "_" : "", operation_names[row->operation]);
    for (char *p = text; *p != 0; p++)
        if (*p == '-')
            *p = '_';
}

/* Whether backends of the provider were asked for by name. */
static bool names_backends(const struct plan *plan, const struct celer_provider *provider)
{
    for (size_t i = 0; i < plan->subject_count; i++)
        if (plan->subjects[i].provider == provider && plan->subjects[i].backend != NULL)
            return true;
    return false;
}

/* The backend, and whatever else tells the subject from others of its provider, of which no column tells: that this is
   what the library chooses, where it was also asked for others; the form of keys; the place. */
static void cell_backend(const struct run *run, const struct plan_row *row, const struct cell *cell,
                         char *text, size_t size)
{
    const struct plan_subject *const s = &run->plan->subjects[row->subject];
    const char *const name = cell->task.subject != NULL ? cell->task.subject->backend
                             : s->backend != NULL       ? s->backend
                                                        : "";
    const bool chosen = s->backend == NULL && names_backends(run->plan, s->provider);
    snprintf(text, size, "%s%s%s%s%s", chosen ? "auto:" : "", name, s->opened && *name != 0 ? "-" : "",
             s->opened ? "opened" : "", run->plan->place != NULL ? run->plan->place : "");
}

static void write_long_line(const struct run *run, const struct plan_row *row, const struct cell *cell,
                            enum unit unit, FILE *to)
{
    const struct celer_provider *provider = run->plan->subjects[row->subject].provider;
    char function[80], backend[128];
    run_function(row, function, sizeof function);
    cell_backend(run, row, cell, backend, sizeof backend);
    const char *const fields[] = {provider->library,  provider->version, backend,
                                  provider->compiler, provider->flags,   run_kind(row)};
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        write_field(fields[f], to);
        putc(',', to);
    }
    fprintf(to, "%s,%u,%s,%zu,%zu,%s,", function, (unsigned)row->ways, mode_names[run_mode(run, row)],
            cell->task.dst_len, cell->task.src_len, unit_names[unit]);
    struct stats s;
    if (cell_stats(cell, run->measure, unit, &s)) {
        const double figures[] = {s.median, s.min, s.p10, s.q1, s.q3, s.mad, s.ci_lo, s.ci_hi};
        const int places = unit == UNIT_CPB ? 2 : decimals(s.median, 4, 2);
        for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
            fprintf(to, "%.*f,", places, figures[i]);
        fprintf(to, "%zu,%zu,%.4f,%.3f,", cell->accepted, cell->count - cell->accepted, cell->canary_ratio,
                cell->ghz);
    } else
        fprintf(to, ",,,,,,,,%d,%d,,,", 0, 0);
    const char *separator = "";
    for (unsigned f = 0; f < FLAG_COUNT; f++)
        if (cell->flags >> f & 1) {
            fprintf(to, "%s%s", separator, flag_names[f]);
            separator = ";";
        }
    putc('\n', to);
}

void write_long(const struct run *run, FILE *to)
{
    if (!run->continued)
        fputs(
            "library,version,backend,compiler,flags_cc,kind,function,ways,mode,dst_len,src_len,unit,median,min,p10,q1,q3,mad,"
            "ci_lo,ci_hi,n,rejected,canary_ratio,ghz,flags\n",
            to);
    for (size_t r = 0; r < run->plan->row_count; r++) {
        const struct plan_row *row = &run->plan->rows[r];
        enum unit units[UNIT_COUNT];
        const size_t n = run_units(run, row, units);
        for (size_t i = 0; i < row->count; i++)
            for (size_t u = 0; u < n; u++)
                write_long_line(run, row, row_cell(run, row, i), units[u], to);
    }
}
