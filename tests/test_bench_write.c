/* test_bench_write.c: the shapes of the output, byte for byte, from made-up results. Other programs read
   them. */
#include "support.h"
#include <jansson.h>
#include "bench/write.h"

/* A timer of 1 tick per ns and a core of 3 GHz. */
static const struct clock timer = {
    .name = "test", .hz = 1e9, .step = 1, .chain_cycles = 3000, .core_hz = 3e9, .multiply_cycles = 3};

static const struct celer_provider provider = {
    .library = "celer", .version = "1.2.3", .compiler = "gcc 12.2.0", .flags = "-O3, \"quoted\""};

static const struct celer_subject subjects[] = {
    {.kind = CELER_KIND_HASH, .function = "sha3-256", .backend = "scalar", .notes = ""},
    {.kind = CELER_KIND_MANY, .function = "sha3-256", .backend = "avx512", .notes = ""},
    {.kind = CELER_KIND_PERMUTATION, .function = "keccak-f1600", .backend = "scalar", .notes = ""},
};

/* Samples of 0.9, 1 and 1.2 times `cycles`, a third of them rejected beside these. */
static struct cell made_up_cell(const struct celer_subject *subject, uint32_t ways, size_t src_len,
                                double cycles)
{
    struct cell cell = {.task = {.subject = subject, .ways = ways, .dst_len = 32, .src_len = src_len},
                        .repeats = 10};
    static const double factor[] = {0.9, 1, 1.2, 5};
    cell.count = 4;
    cell.accepted = 3;
    cell.rejected_frequency = 1;
    cell.samples = calloc(4, sizeof *cell.samples);
    assert_non_null(cell.samples);
    for (uint32_t i = 0; i < 4; i++)
        cell.samples[i] = (struct sample){.span = factor[i] * cycles * 10 / 3,
                                          .chain = {1000, i == 3 ? 2000 : 1000},
                                          .canary = {500, 500},
                                          .round = 0};
    cell.cycles = cycles;
    cell.canary_ratio = 0.25;
    cell.ghz = 3;
    return cell;
}

/* A plan of two lengths. Subject 0 lacks what subject 1 has. */
struct made_up {
    struct plan plan;
    struct plan_subject plan_subjects[2];
    struct plan_row rows[8];
    struct cell cells[16];
    size_t src_lens[2], dst_lens[1];
    struct measure measure;
    struct run run;
};

static void add_row(struct made_up *m, size_t subject, uint32_t kind, const char *name, const char *function,
                    uint32_t ways, const struct celer_subject *measured, double cycles)
{
    struct plan_row *row = &m->rows[m->plan.row_count++];
    *row = (struct plan_row){
        .subject = subject, .kind = kind, .ways = ways, .function = function, .dst_len = 32};
    snprintf(row->name, sizeof row->name, "%s", name);
    row->first = m->plan.cell_count;
    row->count = kind == CELER_KIND_PERMUTATION ? 1 : 2;
    for (size_t i = 0; i < row->count; i++) {
        const size_t len = kind == CELER_KIND_PERMUTATION ? 200 : m->src_lens[i];
        m->cells[m->plan.cell_count++] =
            measured != NULL ? made_up_cell(measured, ways, len,
                                            kind == CELER_KIND_PERMUTATION ? cycles : cycles * (double)len)
                             : (struct cell){.task = {.ways = ways, .dst_len = 32, .src_len = len}};
    }
}

static struct made_up *make(size_t subject_count)
{
    struct made_up *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->src_lens[0] = 64;
    m->src_lens[1] = 1024;
    m->dst_lens[0] = 32;
    m->plan.src_lens = (struct plan_list){m->src_lens, 2};
    m->plan.dst_lens = (struct plan_list){m->dst_lens, 1};
    m->plan.subjects = m->plan_subjects;
    m->plan.subject_count = subject_count;
    m->plan.rows = m->rows;
    m->plan.cells = m->cells;
    for (size_t i = 0; i < subject_count; i++)
        m->plan_subjects[i] =
            (struct plan_subject){.provider = &provider, .backend = i == 0 ? "scalar" : "avx512"};
    snprintf(m->plan_subjects[0].label, sizeof m->plan_subjects[0].label, "celer-scalar-gcc12");
    snprintf(m->plan_subjects[1].label, sizeof m->plan_subjects[1].label, "celer-avx512-gcc12");
    m->measure =
        (struct measure){.clock = &timer, .trials = 4, .seed = 9, .canary_floor = 1500, .seconds = 1};
    m->run = (struct run){.plan = &m->plan,
                          .measure = &m->measure,
                          .cpu = "c",
                          .system = "s",
                          .hypervisor = "h",
                          .governor = "g",
                          .load = 0.5,
                          .pinned = 1,
                          .started = "t"};
    return m;
}

static void discard(struct made_up *m)
{
    for (size_t i = 0; i < m->plan.cell_count; i++)
        cell_free(&m->cells[i]);
    free(m);
}

static void check_output(const struct made_up *m, void (*write)(const struct run *, FILE *), const char *want)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    write(&m->run, to);
    fclose(to);
    assert_string_equal(text, want);
    free(text);
}

static void test_csv(void **state)
{
    (void)state;
    struct made_up *m = make(1);
    add_row(m, 0, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, &subjects[0], 12.34);
    add_row(m, 0, CELER_KIND_HASH, "sha3_384", "sha3-384", 1, NULL, 0);
    check_output(m, write_csv, "function,dst_len,64,1024\nsha3_256,32,12.3,12.3\nsha3_384,32,,\n");
    m->run.unit = UNIT_NS;
    m->run.unit_given = true;
    check_output(m, write_csv, "function,dst_len,64,1024\nsha3_256,32,263.3,4212.1\nsha3_384,32,,\n");
    m->cells[0].fault = "its results are wrong";
    check_output(m, write_csv, "function,dst_len,64,1024\nsha3_256,32,,4212.1\nsha3_384,32,,\n");
    discard(m);
}

static void test_csv_subjects(void **state)
{
    (void)state;
    struct made_up *m = make(2);
    add_row(m, 0, CELER_KIND_MANY, "sha3_256_many8", "sha3-256", 8, NULL, 0);
    add_row(m, 1, CELER_KIND_MANY, "sha3_256_many8", "sha3-256", 8, &subjects[1], 16);
    check_output(m, write_csv,
                 "subject,function,dst_len,64,1024\n"
                 "celer-scalar-gcc12,sha3_256_many8,32,,\n"
                 "celer-avx512-gcc12,sha3_256_many8,32,2.0,2.0\n");
    discard(m);
}

static void test_csv_permutation(void **state)
{
    (void)state;
    struct made_up *m = make(2);
    add_row(m, 0, CELER_KIND_PERMUTATION, "keccak_f1600", "keccak-f1600", 1, &subjects[2], 1000);
    add_row(m, 0, CELER_KIND_PERMUTATION, "keccak_f1600", "keccak-f1600", 2, NULL, 0);
    add_row(m, 1, CELER_KIND_PERMUTATION, "keccak_f1600", "keccak-f1600", 1, &subjects[2], 900);
    add_row(m, 1, CELER_KIND_PERMUTATION, "keccak_f1600", "keccak-f1600", 2, &subjects[2], 800);
    check_output(m, write_csv,
                 "permutation,ways,celer-scalar-gcc12,celer-avx512-gcc12\n"
                 "keccak_f1600,1,1000.0,900.0\n"
                 "keccak_f1600,2,,800.0\n");
    discard(m);
    m = make(1); /* after a table of hashes, an empty line */
    add_row(m, 0, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, &subjects[0], 12.34);
    add_row(m, 0, CELER_KIND_PERMUTATION, "keccak_f1600", "keccak-f1600", 1, &subjects[2], 1000);
    check_output(m, write_csv,
                 "function,dst_len,64,1024\nsha3_256,32,12.3,12.3\n"
                 "\npermutation,ways,celer-scalar-gcc12\nkeccak_f1600,1,1000.0\n");
    discard(m);
}

#define LONG_HEAD                                                                                                    \
  "library,version,backend,compiler,flags_cc,kind,function,ways,mode,dst_len,src_len,unit,median,min,p10,q1,q3,mad," \
  "ci_lo,ci_hi,n,rejected,canary_ratio,ghz,flags\n"

static void test_long(void **state)
{
    (void)state;
    struct made_up *m = make(1);
    add_row(m, 0, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, &subjects[0], 10);
    add_row(m, 0, CELER_KIND_MANY, "sha3_256_many8", "sha3-256", 8, NULL, 0);
    add_row(m, 0, CELER_KIND_PERMUTATION, "keccak_f1600", "keccak-f1600", 1, &subjects[2], 1000);
    m->measure.mode = MODE_THROUGHPUT;
    m->cells[1].flags = FLAG_CONTENDED | FLAG_UNSTEADY | FLAG_FEW | FLAG_GLITCH;
    check_output(
        m, write_long,
        LONG_HEAD
        "celer,1.2.3,scalar,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",hash,sha3_256,1,throughput,32,64,cpb,"
        "10.00,9.00,9.20,9.50,11.00,1.00,9.00,12.00,3,1,0.2500,3.000,\n"
        "celer,1.2.3,scalar,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",hash,sha3_256,1,throughput,32,1024,cpb,"
        "10.00,9.00,9.20,9.50,11.00,1.00,9.00,12.00,3,1,0.2500,3.000,contended;unsteady;few;glitch\n"
        "celer,1.2.3,scalar,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",many,sha3_256,8,throughput,32,64,cpb,,,,,,,,,0,0,,,\n"
        "celer,1.2.3,scalar,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",many,sha3_256,8,throughput,32,1024,cpb,,,,,,,,,0,0,,,\n"
        "celer,1.2.3,scalar,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",permutation,keccak_f1600,1,latency,32,200,cycles,"
        "1000.00,900.00,920.00,950.00,1100.00,100.00,900.00,1200.00,3,1,0.2500,3.000,\n");
    discard(m);
}

static void test_json(void **state)
{
    (void)state;
    struct made_up *m = make(2);
    add_row(m, 0, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, &subjects[0], 10);
    add_row(m, 1, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, NULL, 0);
    m->cells[0].flags = FLAG_UNSTEADY | FLAG_GLITCH;
    m->cells[1].fault = "its results are wrong";
    m->cells[3].canary_ratio = 0.0 / (double)m->cells[3].count; /* not a number: null */
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    assert_true(write_json(&m->run, to));
    fclose(to);
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    check(root != NULL, "line %d: %s\n%s", error.line, error.text, text);

    const char *format, *cpu, *counter, *label, *subject, *function, *unit, *flag0, *flag1, *fault;
    int version, pinned, trials, ways, src_len, n, rejected;
    double median, cycles, ns;
    json_t *results, *value, *empty;
    assert_int_equal(json_unpack_ex(root, &error, 0,
                                    "{s:s, s:i, s:{s:s, s:i}, s:{s:s}, s:{s:i}, s:[{s:s}], s:o}", "format",
                                    &format, "version", &version, "machine", "cpu", &cpu, "pinned_to_cpu",
                                    &pinned, "counter", "implementation", &counter, "run", "trials", &trials,
                                    "subjects", "label", &label, "results", &results),
                     0);
    assert_string_equal(format, "celer-bench");
    assert_int_equal(version, 1);
    assert_string_equal(cpu, "c");
    assert_int_equal(pinned, 1);
    assert_string_equal(counter, "test");
    assert_int_equal(trials, 4);
    assert_string_equal(label, "celer-scalar-gcc12");
    assert_int_equal(json_array_size(results), 4);
    assert_int_equal(
        json_unpack_ex(json_array_get(results, 0), &error, 0,
                       "{s:s, s:s, s:i, s:i, s:i, s:i, s:[s,s!], s:n, s:{s:s, s:F}, s:{s:F}, s:{s:F}}",
                       "subject", &subject, "function", &function, "ways", &ways, "src_len", &src_len, "n",
                       &n, "rejected_frequency", &rejected, "flags", &flag0, &flag1, "fault", "value", "unit",
                       &unit, "median", &median, "cycles", "median", &cycles, "nanoseconds", "median", &ns),
        0);
    assert_string_equal(subject, "celer-scalar-gcc12");
    assert_string_equal(function, "sha3_256");
    assert_int_equal(ways, 1);
    assert_int_equal(src_len, 64);
    assert_int_equal(n, 3);
    assert_int_equal(rejected, 1);
    assert_string_equal(flag0, "unsteady");
    assert_string_equal(flag1, "glitch");
    assert_string_equal(unit, "cpb");
    check(median > 9.999 && median < 10.001 && cycles > 639.9 && cycles < 640.1 && ns > 213.3 && ns < 213.4,
          "%g %g %g", median, cycles, ns);
    assert_int_equal(
        json_unpack_ex(json_array_get(results, 1), &error, 0, "{s:s, s:o}", "fault", &fault, "value", &value),
        0);
    assert_string_equal(fault, "its results are wrong");
    assert_true(json_is_null(value));
    empty = json_array_get(results, 3);
    assert_true(json_is_null(json_object_get(empty, "backend")));
    assert_true(json_is_null(json_object_get(empty, "value")));
    assert_true(json_is_null(json_object_get(empty, "canary_ratio")));
    json_decref(root);
    free(text);
    discard(m);
}

int main(void)
{
    struct suite suite = {0};
    suite_add(&suite, test_csv, NULL, "csv, one subject");
    suite_add(&suite, test_csv_subjects, NULL, "csv, several subjects");
    suite_add(&suite, test_csv_permutation, NULL, "csv, permutations");
    suite_add(&suite, test_long, NULL, "long");
    suite_add(&suite, test_json, NULL, "json");
    return suite_run(&suite, "bench/write");
}
