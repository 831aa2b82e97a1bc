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

static void check_output(const struct made_up *m, bool (*write)(const struct run *, FILE *), const char *want)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    assert_true(write(&m->run, to));
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

static void set_units(struct made_up *m, enum unit first, enum unit second)
{
    m->run.unit_given = true;
    m->run.unit = m->run.units[0] = first;
    m->run.units[1] = second;
    m->run.unit_count = 2;
}

/* A column that names the unit, and a line for each. */
static void test_csv_units(void **state)
{
    (void)state;
    struct made_up *m = make(1);
    add_row(m, 0, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, &subjects[0], 12);
    add_row(m, 0, CELER_KIND_PERMUTATION, "keccak_f1600", "keccak-f1600", 1, &subjects[2], 1000);
    set_units(m, UNIT_CPB, UNIT_MH);
    check_output(m, write_csv,
                 "function,dst_len,unit,64,1024\nsha3_256,32,cpb,12.0,12.0\nsha3_256,32,MH,3.91,0.244\n"
                 "\npermutation,ways,unit,celer-scalar-gcc12\n"
                 "keccak_f1600,1,cpb,5.0\nkeccak_f1600,1,MH,3.00\n");
    m->run.unit_count = 1; /* one unit has no column */
    check_output(m, write_csv,
                 "function,dst_len,64,1024\nsha3_256,32,12.0,12.0\n"
                 "\npermutation,ways,celer-scalar-gcc12\nkeccak_f1600,1,5.0\n");
    discard(m);
    m = make(2);
    add_row(m, 0, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, &subjects[0], 12);
    add_row(m, 1, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, NULL, 0);
    set_units(m, UNIT_CPB, UNIT_MB);
    check_output(m, write_csv,
                 "subject,function,dst_len,unit,64,1024\n"
                 "celer-scalar-gcc12,sha3_256,32,cpb,12.0,12.0\n"
                 "celer-scalar-gcc12,sha3_256,32,MB,250.0,250.0\n"
                 "celer-avx512-gcc12,sha3_256,32,cpb,,\n"
                 "celer-avx512-gcc12,sha3_256,32,MB,,\n");
    discard(m);
}

/* A row of one cell: a pair of lengths, a chain, an operation of a KEM. */
static void add_single(struct made_up *m, size_t subject, const struct celer_subject *measured,
                       const char *name, enum operation operation, size_t dst_len, size_t src_len,
                       double cycles)
{
    struct plan_row *row = &m->rows[m->plan.row_count++];
    *row = (struct plan_row){.subject = subject,
                             .kind = measured->kind,
                             .ways = measured->ways,
                             .function = measured->function,
                             .operation = operation,
                             .dst_len = dst_len,
                             .first = m->plan.cell_count,
                             .count = 1};
    snprintf(row->name, sizeof row->name, "%s", name);
    struct cell *const cell = &m->cells[m->plan.cell_count++];
    *cell = made_up_cell(measured, measured->ways, src_len, cycles);
    cell->task.dst_len = dst_len;
    cell->task.operation = operation;
}

/* The second subject has only one of the two pairs: its field of the other is empty. */
static void test_csv_pairs(void **state)
{
    (void)state;
    static const struct celer_subject xof = {
        .kind = CELER_KIND_XOF, .ways = 1, .function = "shake128", .backend = "", .notes = ""};
    struct made_up *m = make(2);
    m->plan.pairs = true;
    add_single(m, 0, &xof, "shake128", OPERATION_NONE, 42, 672, 1000);
    add_single(m, 0, &xof, "shake128", OPERATION_NONE, 1008, 42, 2000);
    add_single(m, 1, &xof, "shake128", OPERATION_NONE, 1008, 42, 1500);
    check_output(m, write_csv,
                 "function,dst_len,src_len,celer-scalar-gcc12,celer-avx512-gcc12\n"
                 "shake128,42,672,1000.0,\n"
                 "shake128,1008,42,2000.0,1500.0\n");
    set_units(m, UNIT_CYCLES, UNIT_NS);
    check_output(m, write_csv,
                 "function,dst_len,src_len,unit,celer-scalar-gcc12,celer-avx512-gcc12\n"
                 "shake128,42,672,cycles,1000.0,\n"
                 "shake128,42,672,ns,333.3,\n"
                 "shake128,1008,42,cycles,2000.0,1500.0\n"
                 "shake128,1008,42,ns,666.7,500.0\n");
    discard(m);
}

static void test_csv_chain_kem(void **state)
{
    (void)state;
    static const struct celer_subject kem = {.kind = CELER_KIND_KEM, .ways = 1, .function = "ml-kem-768"},
                                      chain = {
                                          .kind = CELER_KIND_CHAIN, .ways = 2, .function = "sha256-chain"};
    struct made_up *m = make(2);
    add_single(m, 0, &chain, "sha256_chain", OPERATION_NONE, 32, 1000, 120000);
    add_single(m, 1, &kem, "ml_kem_768_keygen", OPERATION_KEYGEN, 32, 0, 30000);
    add_single(m, 1, &kem, "ml_kem_768_encaps", OPERATION_ENCAPS, 32, 0, 40000);
    add_single(m, 1, &kem, "ml_kem_768_decaps", OPERATION_DECAPS, 32, 0, 50000);
    check_output(m, write_csv, /* a chain of 2 x 1000 hashes in 40 microseconds */
                 "chain,ways,iterations,celer-scalar-gcc12,celer-avx512-gcc12\n"
                 "sha256_chain,2,1000,50.0,\n"
                 "\nset,function,celer-scalar-gcc12,celer-avx512-gcc12\n"
                 "kem768,keygen,,30000.0\nkem768,encaps,,40000.0\nkem768,decaps,,50000.0\n");
    for (size_t i = 1; i < 4; i++)
        m->rows[i].ways = 8; /* keys at a time: columns, not lines */
    add_single(m, 0, &kem, "ml_kem_768_keygen", OPERATION_KEYGEN, 32, 0, 20000);
    check_output(m, write_md,
                 "Chains: medians in million results per second (MH); mode latency\n\n"
                 "| chain | ways | iterations | celer-scalar-gcc12 | celer-avx512-gcc12 |\n"
                 "| :-- | --: | --: | --: | --: |\n"
                 "| sha256_chain | 2 | 1000 | 50.0 |  |\n"
                 "\nKey encapsulation: medians in cycles per call (cycles); mode throughput\n\n"
                 "| set | function | celer-scalar-gcc12 | celer-avx512-gcc12 |\n"
                 "| :-- | :-- | --: | --: |\n"
                 "| kem768 | keygen | 20000.0 | 30000.0 |\n"
                 "| kem768 | encaps |  | 40000.0 |\n"
                 "| kem768 | decaps |  | 50000.0 |\n");
    discard(m);
}

static void test_md(void **state)
{
    (void)state;
    struct made_up *m = make(2);
    add_row(m, 0, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, &subjects[0], 12.34);
    add_row(m, 1, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, NULL, 0);
    snprintf(m->plan_subjects[1].label, sizeof m->plan_subjects[1].label, "a|b\n");
    m->measure.mode = MODE_LATENCY;
    check_output(m, write_md,
                 "Hashes, by length of input: medians in cycles per byte (cpb); mode latency\n\n"
                 "| subject | function | dst_len | 64 | 1024 |\n"
                 "| :-- | :-- | --: | --: | --: |\n"
                 "| celer-scalar-gcc12 | sha3_256 | 32 | 12.3 | 12.3 |\n"
                 "| a\\|b  | sha3_256 | 32 |  |  |\n");
    discard(m);
}

static void test_table(void **state)
{
    (void)state;
    struct made_up *m = make(2);
    add_row(m, 0, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, &subjects[0], 1234);
    add_row(m, 1, CELER_KIND_MANY, "sha3_256_many8", "sha3-256", 8, NULL, 0);
    add_row(m, 1, CELER_KIND_PERMUTATION, "keccak_f1600", "keccak-f1600", 1, &subjects[2], 900);
    set_units(m, UNIT_CPB, UNIT_NS);
    check_output(
        m, write_table,
        "Hashes, by length of input: medians in cycles per byte (cpb) and nanoseconds per call (ns); mode throughput\n"
        "subject             function        dst_len  unit       64      1024\n"
        "celer-scalar-gcc12  sha3_256             32  cpb    1234.0    1234.0\n"
        "celer-scalar-gcc12  sha3_256             32  ns    26325.3  421205.3\n"
        "celer-avx512-gcc12  sha3_256_many8       32  cpb\n"
        "celer-avx512-gcc12  sha3_256_many8       32  ns\n"
        "\nPermutations: medians in cycles per byte (cpb) and nanoseconds per call (ns); mode latency\n"
        "permutation   ways  unit  celer-scalar-gcc12  celer-avx512-gcc12\n"
        "keccak_f1600     1  cpb                                      4.5\n"
        "keccak_f1600     1  ns                                     300.0\n");
    discard(m);
}

#define LONG_HEAD                                                                                                    \
  "library,version,backend,compiler,flags_cc,kind,function,ways,mode,dst_len,src_len,unit,median,min,p10,q1,q3,mad," \
  "ci_lo,ci_hi,n,rejected,canary_ratio,ghz,flags\n"

static bool long_lines(const struct run *run, FILE *to)
{
    write_long(run, to);
    return true;
}

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
        m, long_lines,
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

/* What tells two subjects apart that have the same in all other columns; and small figures. */
static void test_long_subjects(void **state)
{
    (void)state;
    static const struct celer_subject kem = {
        .kind = CELER_KIND_KEM, .ways = 1, .function = "ml-kem-768", .backend = "avx512", .notes = ""};
    struct made_up *m = make(2);
    add_row(m, 0, CELER_KIND_HASH, "sha3_256", "sha3-256", 1, &subjects[0], 1100);
    add_single(m, 0, &kem, "ml_kem_768_keygen", OPERATION_KEYGEN, 32, 0, 30000);
    add_single(m, 1, &kem, "ml_kem_768_keygen", OPERATION_KEYGEN, 32, 0, 30000);
    m->plan_subjects[0].backend = NULL;
    m->plan_subjects[1].opened = true;
    m->cells[1].fault = "its results are wrong";
    m->cells[1].flags = FLAG_WRONG;
    m->run.unit_given = true;
    m->run.unit = UNIT_MH;
    check_output(
        m, long_lines,
        LONG_HEAD
        "celer,1.2.3,auto:scalar,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",hash,sha3_256,1,throughput,32,64,MH,"
        "0.04261,0.03551,0.03693,0.03906,0.04498,0.00473,0.03551,0.04735,3,1,0.2500,3.000,\n"
        "celer,1.2.3,auto:scalar,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",hash,sha3_256,1,throughput,32,1024,MH,,,,,,,,,0,0,,,"
        "wrong\n"
        "celer,1.2.3,auto:avx512,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",kem,ml_kem_768_keygen,1,throughput,32,0,MH,"
        "0.1000,0.0833,0.0867,0.0917,0.1056,0.0111,0.0833,0.1111,3,1,0.2500,3.000,\n"
        "celer,1.2.3,avx512-opened,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",kem,ml_kem_768_keygen,1,throughput,32,0,MH,"
        "0.1000,0.0833,0.0867,0.0917,0.1056,0.0111,0.0833,0.1111,3,1,0.2500,3.000,\n");
    discard(m);
}

/* The columns stay as they are. */
static void test_threads(void **state)
{
    (void)state;
    static const struct celer_subject kem = {
        .kind = CELER_KIND_KEM, .ways = 1, .function = "ml-kem-768", .backend = "portable", .notes = ""};
    struct made_up *m = make(1);
    add_single(m, 0, &kem, "ml_kem_768_threads2_keygen", OPERATION_KEYGEN, 32, 0, 30000);
    m->rows[0].threads = 2;
    m->plan.place = "@cpu4";
    m->cells[0].flags = FLAG_FEW | FLAG_UNVERIFIED;
    check_output(
        m, long_lines,
        LONG_HEAD
        "celer,1.2.3,portable@cpu4,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",kem,ml_kem_768_threads2_keygen,1,throughput,32,0,"
        "cycles,30000.00,27000.00,27600.00,28500.00,33000.00,3000.00,27000.00,36000.00,3,1,0.2500,3.000,few;unverified\n");
    m->run.continued = true; /* one head is enough */
    check_output(
        m, long_lines,
        "celer,1.2.3,portable@cpu4,gcc 12.2.0,\"-O3, \"\"quoted\"\"\",kem,ml_kem_768_threads2_keygen,1,throughput,32,0,"
        "cycles,30000.00,27000.00,27600.00,28500.00,33000.00,3000.00,27000.00,36000.00,3,1,0.2500,3.000,few;unverified\n");
    check_output(m, write_csv, "\nset,function,celer-scalar-gcc12\nkem768_threads2,keygen,30000.0\n");
    discard(m);
    m = make(1); /* where there is a place, even a single subject is named */
    add_row(m, 0, CELER_KIND_HASH, "sha3_256_threads2", "sha3-256", 1, &subjects[0], 12.34);
    m->plan.place = "@cpu4";
    check_output(m, write_csv,
                 "subject,function,dst_len,64,1024\nceler-scalar-gcc12,sha3_256_threads2,32,12.3,12.3\n");
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
    m->rows[1].threads = 2;
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
    int version, pinned, trials, ways, threads, src_len, n, rejected;
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
                       "{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:[s,s!], s:n, s:{s:s, s:F}, s:{s:F}, s:{s:F}}",
                       "subject", &subject, "function", &function, "ways", &ways, "threads", &threads,
                       "src_len", &src_len, "n", &n, "rejected_frequency", &rejected, "flags", &flag0, &flag1,
                       "fault", "value", "unit", &unit, "median", &median, "cycles", "median", &cycles,
                       "nanoseconds", "median", &ns),
        0);
    assert_string_equal(subject, "celer-scalar-gcc12");
    assert_string_equal(function, "sha3_256");
    assert_int_equal(ways, 1);
    assert_int_equal(threads, 1);
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
    assert_int_equal(json_integer_value(json_object_get(empty, "threads")), 2);
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
    suite_add(&suite, test_csv_units, NULL, "csv, several units");
    suite_add(&suite, test_csv_pairs, NULL, "csv, pairs of lengths");
    suite_add(&suite, test_csv_chain_kem, NULL, "chains and KEMs");
    suite_add(&suite, test_md, NULL, "md");
    suite_add(&suite, test_table, NULL, "table");
    suite_add(&suite, test_long, NULL, "long");
    suite_add(&suite, test_long_subjects, NULL, "long, subjects of one library");
    suite_add(&suite, test_threads, NULL, "several threads, and places");
    suite_add(&suite, test_json, NULL, "json");
    return suite_run(&suite, "bench/write");
}
