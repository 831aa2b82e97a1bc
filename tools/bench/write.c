/* write.c: see write.h. */
#include "write.h"
#include <string.h>

enum unit run_unit(const struct run *run, const struct plan_row *row)
{
    return run->unit_given ? run->unit : row->kind == CELER_KIND_PERMUTATION ? UNIT_CYCLES : UNIT_CPB;
}

enum mode run_mode(const struct run *run, const struct plan_row *row)
{
    return row->kind == CELER_KIND_PERMUTATION ? MODE_LATENCY : run->measure->mode;
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

static void write_median(const struct run *run, const struct plan_row *row, size_t i, FILE *to)
{
    struct stats stats;
    putc(',', to);
    if (cell_stats(row_cell(run, row, i), run->measure, run_unit(run, row), &stats))
        fprintf(to, "%.1f", stats.median);
}

static bool write_hashes(const struct run *run, FILE *to)
{
    const struct plan *plan = run->plan;
    bool any = false;
    for (size_t r = 0; r < plan->row_count; r++) {
        const struct plan_row *row = &plan->rows[r];
        if (row->kind == CELER_KIND_PERMUTATION)
            continue;
        if (!any) {
            fprintf(to, "%sfunction,dst_len", plan->subject_count > 1 ? "subject," : "");
            for (size_t i = 0; i < plan->src_lens.count; i++)
                fprintf(to, ",%zu", plan->src_lens.items[i]);
            putc('\n', to);
        }
        any = true;
        if (plan->subject_count > 1) {
            write_field(plan->subjects[row->subject].label, to);
            putc(',', to);
        }
        fprintf(to, "%s,%zu", row->name, row->dst_len);
        for (size_t i = 0; i < row->count; i++)
            write_median(run, row, i, to);
        putc('\n', to);
    }
    return any;
}

static void write_permutations(const struct run *run, FILE *to, bool after_another)
{
    const struct plan *plan = run->plan;
    bool any = false;
    for (size_t r = 0; r < plan->row_count; r++) {
        const struct plan_row *row = &plan->rows[r];
        if (row->kind != CELER_KIND_PERMUTATION || row->subject != 0)
            continue;
        if (!any) {
            fprintf(to, "%spermutation,ways", after_another ? "\n" : "");
            for (size_t s = 0; s < plan->subject_count; s++) {
                putc(',', to);
                write_field(plan->subjects[s].label, to);
            }
            putc('\n', to);
        }
        any = true;
        fprintf(to, "%s,%u", row->name, (unsigned)row->ways);
        for (size_t other = 0; other < plan->row_count;
             other++) { /* the same line of every subject, in their order */
            const struct plan_row *same = &plan->rows[other];
            if (same->kind == row->kind && same->ways == row->ways &&
                strcmp(same->function, row->function) == 0)
                write_median(run, same, 0, to);
        }
        putc('\n', to);
    }
}

void write_csv(const struct run *run, FILE *to)
{
    const bool hashes = write_hashes(run, to);
    write_permutations(run, to, hashes);
}

const char *run_kind(const struct plan_row *row)
{
    static const char *const names[] = {"", "hash", "xof", "many", "permutation", "chain", "kem"};
    return row->kind < sizeof names / sizeof names[0] ? names[row->kind] : "";
}

static void row_function(const struct plan_row *row, char *text, size_t size)
{
    snprintf(text, size, "%s", row->function);
    for (char *p = text; *p != 0; p++)
        if (*p == '-')
            *p = '_';
}

static const char *cell_backend(const struct run *run, const struct plan_row *row, const struct cell *cell)
{
    const char *asked = run->plan->subjects[row->subject].backend;
    return cell->task.subject != NULL ? cell->task.subject->backend : asked != NULL ? asked : "";
}

void write_long(const struct run *run, FILE *to)
{
    fputs(
        "library,version,backend,compiler,flags_cc,kind,function,ways,mode,dst_len,src_len,unit,median,min,p10,q1,q3,mad,"
        "ci_lo,ci_hi,n,rejected,canary_ratio,ghz,flags\n",
        to);
    for (size_t r = 0; r < run->plan->row_count; r++) {
        const struct plan_row *row = &run->plan->rows[r];
        const struct celer_provider *provider = run->plan->subjects[row->subject].provider;
        char function[64];
        row_function(row, function, sizeof function);
        for (size_t i = 0; i < row->count; i++) {
            const struct cell *cell = row_cell(run, row, i);
            const char *const fields[] = {provider->library,  provider->version, cell_backend(run, row, cell),
                                          provider->compiler, provider->flags,   run_kind(row)};
            for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
                write_field(fields[f], to);
                putc(',', to);
            }
            fprintf(to, "%s,%u,%s,%zu,%zu,%s,", function, (unsigned)row->ways, mode_names[run_mode(run, row)],
                    cell->task.dst_len, cell->task.src_len, unit_names[run_unit(run, row)]);
            struct stats s;
            if (cell_stats(cell, run->measure, run_unit(run, row), &s))
                fprintf(to, "%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%zu,%zu,%.4f,%.3f,", s.median, s.min,
                        s.p10, s.q1, s.q3, s.mad, s.ci_lo, s.ci_hi, cell->accepted,
                        cell->count - cell->accepted, cell->canary_ratio, cell->ghz);
            else
                fprintf(to, ",,,,,,,,%d,%d,,,", 0, 0);
            const char *separator = "";
            for (unsigned f = 0; f < FLAG_COUNT; f++)
                if (cell->flags >> f & 1) {
                    fprintf(to, "%s%s", separator, flag_names[f]);
                    separator = ";";
                }
            putc('\n', to);
        }
    }
}
