/* test_bench_plan.c: from the words of the command line to the rows that will be printed. */
#include "support.h"
#include <unistd.h>
#include "bench/plan.h"
#include "bench/providers.h"
#include "cli.h"

/* What plan_make says on standard error, which it is given a file for. */
static struct {
    FILE *file;
    int saved;
    char text[4096];
} heard;

static void listen(void)
{
    fflush(stderr);
    heard.file = tmpfile();
    heard.saved = dup(STDERR_FILENO);
    assert_non_null(heard.file);
    assert_true(dup2(fileno(heard.file), STDERR_FILENO) >= 0);
}

static void stop_listening(void)
{
    fflush(stderr);
    dup2(heard.saved, STDERR_FILENO);
    close(heard.saved);
    rewind(heard.file);
    const size_t n = fread(heard.text, 1, sizeof heard.text - 1, heard.file);
    heard.text[n] = 0;
    fclose(heard.file);
}

static size_t lines_heard(void)
{
    size_t n = 0;
    for (const char *p = heard.text; *p != 0; p++)
        n += *p == '\n';
    return n;
}

/* The words up to NULL; options as set in `request`. */
static bool make_plan(struct plan *plan, struct plan_request *request, const char *const *words)
{
    const struct celer_provider *own = provider_celer();
    assert_non_null(own);
    request->selections = words;
    for (request->selection_count = 0; words[request->selection_count] != NULL;)
        request->selection_count++;
    listen();
    const bool ok = plan_make(plan, request, &own, 1);
    stop_listening();
    return ok;
}

static void check_names(const struct plan *plan, const char *const *names)
{
    for (size_t i = 0; i < plan->row_count; i++) {
        check(names[i] != NULL, "too many rows: %s", plan->rows[i].name);
        assert_string_equal(plan->rows[i].name, names[i]);
    }
    check(names[plan->row_count] == NULL, "%s is missing", names[plan->row_count]);
}

#define SIX "sha3_224", "sha3_256", "sha3_384", "sha3_512", "shake128", "shake256"

/* The table as it has always been: names, order, lengths of input and output. */
static void test_default(void **state)
{
    (void)state;
    struct plan plan;
    struct plan_request request = {0};
    static const char *const none[] = {NULL}, *const names[] = {SIX, NULL};
    static const size_t dst_lens[] = {28, 32, 48, 64, 32, 32}, src_lens[] = {64, 256, 1024, 4096, 16384};
    assert_true(make_plan(&plan, &request, none));
    assert_int_equal(lines_heard(), 0);
    check_names(&plan, names);
    assert_int_equal(plan.subject_count, 1);
    assert_int_equal(plan.cell_count, 30);
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 5; j++) {
            const struct task *task = &plan.cells[plan.rows[i].first + j].task;
            assert_non_null(task->subject);
            assert_true(task->subject->flags & CELER_SUBJECT_DEFAULT);
            assert_int_equal(task->dst_len, dst_lens[i]);
            assert_int_equal(task->src_len, src_lens[j]);
            assert_int_equal(task->ways, 1);
        }
    plan_free(&plan);
}

static void test_spelling(void **state)
{
    (void)state;
    struct plan plan;
    struct plan_request request = {0};
    static const char *const words[] = {"SHA3_256", "sha256", "sha3-256", "Shake128", "sha2", NULL};
    static const char *const names[] = {"sha3_256", "sha256",     "shake128",   "sha224", "sha384",
                                        "sha512",   "sha512_224", "sha512_256", NULL}; /* each once */
    assert_true(make_plan(&plan, &request, words));
    check_names(&plan, names);
    plan_free(&plan);
}

/* Every hash of the list can be measured, alone and in batches, without a word about it in the bench. */
static void test_every_hash(void **state)
{
    (void)state;
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++) {
        struct plan plan;
        struct plan_request request = {0};
        const char *const words[] = {hash->name, NULL}, *const many[] = {"many", hash->name, NULL};
        assert_true(make_plan(&plan, &request, words));
        assert_int_equal(plan.row_count, 1);
        assert_non_null(plan.cells[0].task.subject);
        plan_free(&plan);
        assert_true(make_plan(&plan, &request, many));
        assert_int_equal(plan.row_count, 1);
        assert_int_equal(plan.rows[0].kind, CELER_KIND_MANY);
        assert_non_null(plan.cells[0].task.subject);
        assert_int_equal(plan.cells[0].task.ways, 8);
        plan_free(&plan);
    }
}

static void test_many(void **state)
{
    (void)state;
    size_t ways[] = {1, 16};
    struct plan plan;
    struct plan_request request = {.ways = {ways, 2}};
    static const char *const words[] = {"many", "sha256", NULL}, *const all[] = {"many", NULL};
    static const char *const names[] = {"sha256_many1", "sha256_many16", NULL};
    assert_true(make_plan(&plan, &request, words));
    check_names(&plan, names);
    assert_int_equal(plan.cells[plan.rows[1].first].task.ways, 16);
    plan_free(&plan);
    size_t hashes = 0;
    while (celer_hash_at(hashes) != NULL)
        hashes++;
    assert_true(make_plan(&plan, &request, all));
    assert_int_equal(plan.row_count, 2 * hashes);
    plan_free(&plan);
}

/* Whoever counts messages means batches; beside permutations the states are meant. */
static void test_ways(void **state)
{
    (void)state;
    size_t ways[] = {2, 1};
    struct plan plan;
    struct plan_request request = {.ways = {ways, 2}};
    static const char *const words[] = {"sha256", NULL}, *const both[] = {"sha256", "permutation", NULL};
    static const char *const names[] = {"sha256_many2", "sha256_many1", NULL};
    static const char *const names_of_both[] = {"sha256", "keccak_f1600", "keccak_f1600", NULL};
    assert_true(make_plan(&plan, &request, words));
    check_names(&plan, names);
    plan_free(&plan);
    assert_true(make_plan(&plan, &request, both));
    check_names(&plan, names_of_both);
    plan_free(&plan);
}

/* A row for each number of threads after the other. */
static void test_threads(void **state)
{
    (void)state;
    size_t threads[] = {1, 4, 1}, ways[] = {1, 2}, eight = 8;
    const char *backend = "scalar";
    struct plan plan;
    struct plan_request request = {.threads = {threads, 3}, .ways = {ways, 2}};
    static const char *const words[] = {"sha256", "permutation", NULL},
                             *const many[] = {"many", "sha256", NULL},
                             *const permutation[] = {"permutation", NULL};
    static const char *const names[] = {"sha256",
                                        "sha256_threads4",
                                        "keccak_f1600",
                                        "keccak_f1600_threads4",
                                        "keccak_f1600",
                                        "keccak_f1600_threads4",
                                        NULL};
    static const char *const names_of_many[] = {"sha256_threads4_many1", "sha256_threads4_many2", NULL};
    assert_true(make_plan(&plan, &request, words));
    check_names(&plan, names);
    for (size_t i = 0; i < plan.row_count; i++) {
        assert_int_equal(plan.rows[i].threads, i % 2 == 0 ? 1 : 4);
        assert_int_equal(plan.cells[plan.rows[i].first].threads, plan.rows[i].threads);
    }
    plan_free(&plan);
    request.threads = (struct plan_list){threads + 1, 1};
    assert_true(make_plan(&plan, &request, many));
    check_names(&plan, names_of_many);
    plan_free(&plan);
    /* What is missing is said once. */
    request = (struct plan_request){
        .threads = {threads, 2}, .ways = {&eight, 1}, .backends = &backend, .backend_count = 1};
    assert_true(make_plan(&plan, &request, permutation));
    assert_int_equal(lines_heard(), 1);
    assert_non_null(strstr(heard.text, "for: keccak_f1600 x8\n"));
    plan_free(&plan);
}

/* A label says where it was measured. */
static void test_place(void **state)
{
    (void)state;
    struct plan plan;
    const char *backends[] = {"auto", "scalar"};
    struct plan_request request = {.place = "@cpu4", .backends = backends, .backend_count = 2};
    static const char *const words[] = {"sha256", NULL};
    assert_true(make_plan(&plan, &request, words));
    assert_int_equal(plan.subject_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const char *const label = plan.subjects[i].label;
        check(strlen(label) > 5 && strcmp(label + strlen(label) - 5, "@cpu4") == 0, "label %s", label);
    }
    plan_free(&plan);
}

static void test_xof(void **state)
{
    (void)state;
    struct plan plan;
    struct plan_request request = {0};
    static const char *const words[] = {"xof", NULL};
    assert_true(make_plan(&plan, &request, words));
    size_t xofs = 0;
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++)
        xofs += (hash->flags & CELER_HASH_XOF) != 0;
    assert_int_equal(plan.row_count, xofs);
    assert_true(xofs >= 2);
    for (size_t i = 0; i < plan.row_count; i++)
        assert_int_equal(plan.rows[i].kind, CELER_KIND_XOF);
    plan_free(&plan);
}

static void check_pair(const struct plan *plan, size_t i, const char *name, size_t dst_len, size_t src_len)
{
    const struct plan_row *row = &plan->rows[i];
    const struct task *task = &plan->cells[row->first].task;
    assert_string_equal(row->name, name);
    assert_int_equal(plan_row_shape(plan, row), PLAN_PAIRS);
    assert_int_equal(row->count, 1);
    assert_int_equal(row->dst_len, dst_len);
    assert_int_equal(task->dst_len, dst_len);
    assert_int_equal(task->src_len, src_len);
    assert_non_null(task->subject);
}

static void test_pairs(void **state)
{
    (void)state;
    struct plan plan;
    struct plan_request request = {0};
    static const char *const words[] = {"shake128", "shake256", NULL};
    assert_true(plan_parse_pairs("42:672,1Ki:1,42:672", &request.pairs));
    assert_int_equal(request.pairs.count, 2); /* each once */
    assert_true(make_plan(&plan, &request, words));
    assert_int_equal(plan.row_count, 4);
    check_pair(&plan, 0, "shake128", 42, 672);
    check_pair(&plan, 1, "shake128", 1024, 1);
    check_pair(&plan, 2, "shake256", 42, 672);
    check_pair(&plan, 3, "shake256", 1024, 1);
    assert_int_equal(plan.src_lens.count, 2);
    assert_int_equal(plan.dst_lens.count, 2);
    assert_int_equal(plan.dst_lens.items[1], 1024);
    plan_free(&plan);
    free(request.pairs.items);
}

/* The rate is that of each function. */
static void test_grid(void **state)
{
    (void)state;
    struct plan plan;
    struct plan_request request = {0};
    static const char *const words[] = {"shake128", "shake256", NULL};
    assert_true(plan_parse_grid("rate/4:2", &request.grid));
    assert_true(make_plan(&plan, &request, words));
    assert_int_equal(plan.row_count, 8);
    check_pair(&plan, 0, "shake128", 42, 42);
    check_pair(&plan, 1, "shake128", 42, 84);
    check_pair(&plan, 2, "shake128", 84, 42);
    check_pair(&plan, 7, "shake256", 68, 68);
    plan_free(&plan);
    assert_true(plan_parse_grid("rate", &request.grid));
    assert_true(make_plan(&plan, &request, words));
    assert_int_equal(plan.row_count, 128);
    check_pair(&plan, 63, "shake128", 1344, 1344);
    plan_free(&plan);
    assert_true(plan_parse_grid("100:1", &request.grid));
    assert_true(make_plan(&plan, &request, words));
    assert_int_equal(plan.row_count, 2);
    check_pair(&plan, 1, "shake256", 100, 100);
    plan_free(&plan);
}

static void test_pair_mistakes(void **state)
{
    (void)state;
    static const char *const bad_pairs[] = {"",    "1",   "1:",    ":1",  "1:2,",
                                            "0:1", "1:0", "1:2:3", "x:1", "99999999999:1"};
    static const char *const bad_grids[] = {
        "",       "0",     "x",      "rate/",  "rate/0", "rates",        "rate/x",
        "rate:0", "rate:", "rate:x", "10:101", "-1",     "999999999999", "rate/4:2:2"};
    struct plan_pairs pairs = {0};
    struct plan_grid grid = {0};
    for (size_t i = 0; i < sizeof bad_pairs / sizeof bad_pairs[0]; i++) {
        listen();
        const bool ok = plan_parse_pairs(bad_pairs[i], &pairs);
        stop_listening();
        check(!ok && lines_heard() == 1 && strstr(heard.text, "--pairs: ") != NULL, "'%s': %s", bad_pairs[i],
              heard.text);
    }
    for (size_t i = 0; i < sizeof bad_grids / sizeof bad_grids[0]; i++) {
        listen();
        const bool ok = plan_parse_grid(bad_grids[i], &grid);
        stop_listening();
        check(!ok && lines_heard() == 1 && strstr(heard.text, "--grid: ") != NULL, "'%s': %s", bad_grids[i],
              heard.text);
    }
    free(pairs.items);

    const struct {
        const char *words[2];
        struct plan_request request;
        const char *says;
    } refused[] = {
        {{"sha256", NULL},
         {.grid = {.step = 10, .count = 1}},
         "--grid is for functions with output of any length, and sha256"},
        {{"permutation", NULL}, {.grid = {.step = 10, .count = 1}}, "--grid is for functions"},
        {{"shake128", NULL},
         {.grid = {.rate_parts = 169, .count = 1}},
         "--grid: the rate of shake128 has not so many"},
        {{"shake128", NULL},
         {.grid = {.step = 10, .count = 1}, .dst_lens = {(size_t[]){32}, 1}},
         "--src-lens and --dst-lens do not go with it"},
        {{"shake128", NULL},
         {.grid = {.step = 10, .count = 1}, .pairs = {(struct plan_pair[]){{1, 1}}, 1}},
         "exclude each other"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct plan plan;
        struct plan_request request = refused[i].request;
        assert_false(make_plan(&plan, &request, refused[i].words));
        assert_int_equal(lines_heard(), 1);
        check(strstr(heard.text, refused[i].says) != NULL, "'%s' is not in: %s", refused[i].says, heard.text);
    }
}

/* --- Chains and KEMs of another provider --- */

static int refuse(const struct celer_subject *self, void **opened, const char **why)
{
    (void)self, (void)opened;
    *why = "it needs version 3.5";
    return -1;
}

static int make_nothing(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                        const uint8_t *seed64)
{
    (void)self, (void)state, (void)ek, (void)dk, (void)seed64;
    return 0;
}

static int send_nothing(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                        const uint8_t *ek, const uint8_t *coins32)
{
    (void)self, (void)state, (void)ct, (void)ss, (void)ek, (void)coins32;
    return 0;
}

static int get_nothing(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                       const uint8_t *dk)
{
    (void)self, (void)state, (void)ss, (void)ct, (void)dk;
    return 0;
}

static int open_nothing(const struct celer_subject *self, void *opened, const uint8_t *ek, const uint8_t *dk)
{
    (void)self, (void)opened, (void)ek, (void)dk;
    return 0;
}

static void test_foreign_kinds(void **state)
{
    (void)state;
    static const struct celer_subject has[] = {
        {.kind = CELER_KIND_CHAIN,
         .flags = 1,
         .ways = 1,
         .function = "md5-chain",
         .backend = "",
         .notes = "",
         .out_len = 32},
        {.kind = CELER_KIND_CHAIN,
         .flags = 1,
         .ways = 4,
         .function = "md5-chain",
         .backend = "",
         .notes = "",
         .out_len = 32},
        {.kind = CELER_KIND_KEM,
         .flags = 1,
         .ways = 1,
         .function = "ml-kem-512",
         .backend = "",
         .notes = "",
         .out_len = 32,
         .run.kem = {.keygen = make_nothing, .encaps = send_nothing, .decaps = get_nothing}},
        {.kind = CELER_KIND_KEM,
         .flags = 1,
         .ways = 8,
         .function = "ml-kem-512",
         .backend = "",
         .notes = "",
         .out_len = 32,
         .run.kem = {.keygen = make_nothing,
                     .encaps = send_nothing,
                     .decaps = get_nothing,
                     .open_keys = open_nothing}},
    };
    static const struct celer_subject refuses[] = {
        {.kind = CELER_KIND_KEM,
         .flags = 1,
         .ways = 1,
         .function = "ml-kem-512",
         .backend = "",
         .notes = "",
         .out_len = 32,
         .open = refuse},
    };
    static const struct celer_provider able = {
        .library = "able", .version = "1", .compiler = "", .flags = "", .subjects = has, .subject_count = 4};
    static const struct celer_provider unable = {.library = "unable",
                                                 .version = "1",
                                                 .compiler = "",
                                                 .flags = "",
                                                 .subjects = refuses,
                                                 .subject_count = 1};
    const struct celer_subject mixed[] = {refuses[0], has[0]};
    const struct celer_provider unable_chains = {.library = "unable",
                                                 .version = "1",
                                                 .compiler = "",
                                                 .flags = "",
                                                 .subjects = mixed,
                                                 .subject_count = 2};
    /* A celer that has no KEMs: ours come last. */
    struct celer_provider celer = *provider_celer();
    while (celer.subjects[celer.subject_count - 1].kind == CELER_KIND_KEM)
        celer.subject_count--;
    const struct celer_provider *const both[] = {&celer, &able}, *const none[] = {&celer, &unable};
    static const char *const words[] = {"md5-chain", "kem"};
    static const char *const names[] = {"md5_chain",         "md5_chain",         "ml_kem_512_keygen",
                                        "ml_kem_512_encaps", "ml_kem_512_decaps", NULL};
    struct plan plan;
    struct plan_request request = {.selections = words, .selection_count = 2};
    listen();
    assert_true(plan_make(&plan, &request, both, 2));
    stop_listening();
    check_names(&plan, names);
    assert_int_equal(plan.rows[1].ways, 4);
    assert_int_equal(plan_row_shape(&plan, &plan.rows[1]), PLAN_CHAINS);
    assert_int_equal(plan_row_shape(&plan, &plan.rows[4]), PLAN_KEMS);
    assert_int_equal(plan.cells[0].task.src_len, PLAN_ITERATIONS);
    assert_int_equal(plan.cells[4].task.operation, OPERATION_DECAPS);
    assert_int_equal(task_bytes(&plan.cells[1].task), 4 * 32 * PLAN_ITERATIONS);
    assert_int_equal(task_items(&plan.cells[1].task), 4 * PLAN_ITERATIONS);
    plan_free(&plan);

    /* A library that has it but cannot run it is no column, and no fault. */
    const struct celer_provider *const all[] = {&celer, &able, &unable};
    request = (struct plan_request){.selections = words + 1, .selection_count = 1};
    listen();
    assert_true(plan_make(&plan, &request, all, 3));
    stop_listening();
    assert_int_equal(plan.subject_count, 1);
    assert_int_equal(plan.row_count, 3);
    assert_non_null(strstr(heard.text, " unable-1 (it needs version 3.5)"));
    plan_free(&plan);
    static const char *const more[] = {"ml-kem-512", "md5-chain"};
    const struct celer_provider *const two[] = {&able, &unable_chains};
    request = (struct plan_request){.selections = more, .selection_count = 2};
    listen();
    assert_true(plan_make(&plan, &request, two, 2));
    stop_listening();
    assert_int_equal(plan.subject_count, 2);
    assert_non_null(strstr(heard.text, "unable-1 has no ml-kem-512 (it needs version 3.5)"));
    plan_free(&plan);

    size_t ways = 4; /* of chains alone, and there is nothing else to count */
    request = (struct plan_request){.selections = words, .selection_count = 1, .ways = {&ways, 1}};
    listen();
    assert_true(plan_make(&plan, &request, both, 2));
    stop_listening();
    assert_int_equal(plan.row_count, 1);
    plan_free(&plan);
    ways = 3;
    listen();
    assert_false(plan_make(&plan, &request, both, 2));
    stop_listening();
    assert_non_null(strstr(heard.text, "nothing of what is selected has so many ways"));
    request.selections = words + 1; /* keys of a KEM are columns, and opened ones are others */
    size_t keys[] = {1, 8};
    request.ways = (struct plan_list){keys, 2};
    request.keys = PLAN_KEYS_BYTES | PLAN_KEYS_OPENED;
    listen();
    assert_true(plan_make(&plan, &request, both, 2));
    stop_listening();
    assert_int_equal(plan.subject_count, 2); /* of four that were asked for */
    assert_string_equal(plan.subjects[0].label, "able-1");
    assert_string_equal(plan.subjects[1].label, "able-1-x8-opened");
    assert_int_equal(plan.row_count, 6);
    assert_int_equal(plan.rows[3].ways, 8);
    assert_ptr_equal(plan.cells[3].task.subject, &has[3]);
    plan_free(&plan);
    request.selection_count = 2; /* chains too, which have no keys */
    request.selections = words;
    listen();
    assert_false(plan_make(&plan, &request, both, 2));
    stop_listening();
    assert_non_null(strstr(heard.text, "--keys is for KEMs"));

    request = (struct plan_request){.selections = words + 1, .selection_count = 1};
    listen();
    assert_false(plan_make(&plan, &request, none, 2));
    stop_listening();
    assert_int_equal(lines_heard(), 1);
    assert_non_null(strstr(heard.text, "nothing here has a KEM; unable: it needs version 3.5; see --with"));
}

/* celer's own: in each form, on each row by name. */
static void test_kems(void **state)
{
    static const char *const words[] = {"kem", NULL}, *const one[] = {"KEM768", NULL};
    const struct celer_kernel *const kernel = celer_kem_at(0)->kernel;
    size_t ways[] = {1, 8};
    const char *backends[1], *row;
    struct plan plan;
    struct plan_request request = {.ways = {ways, 2}, .keys = PLAN_KEYS_BYTES | PLAN_KEYS_OPENED};
    (void)state;
    assert_true(make_plan(&plan, &request, words));
    assert_int_equal(plan.subject_count, 3); /* there are no batches of opened keys */
    assert_int_equal(plan.row_count, 3 * 9);
    for (size_t i = 0; i < plan.row_count; i++) {
        const struct task *const task = &plan.cells[plan.rows[i].first].task;
        assert_non_null(task->subject);
        assert_string_equal(task->subject->notes, i / 9 == 1 ? "opened keys" : "checks on every call");
        assert_int_equal(task->subject->ways, i / 9 == 2 ? 8 : 1);
        assert_int_equal(task->operation, OPERATION_KEYGEN + i % 3);
        assert_ptr_equal(celer_kem_find(task->subject->function), celer_kem_at(i % 9 / 3));
    }
    plan_free(&plan);
    for (size_t i = 0; (row = row_name(kernel, i)) != NULL; i++) {
        if (!row_usable(kernel, row))
            continue;
        backends[0] = row;
        request.backends = backends;
        request.backend_count = 1;
        assert_true(make_plan(&plan, &request, one));
        assert_int_equal(plan.subject_count, 3);
        assert_non_null(strstr(heard.text, "note: nothing of what is selected is in: celer-"));
        assert_null(strstr(heard.text, "does not exist"));
        assert_int_equal(plan.row_count, 3 * 3);
        for (size_t r = 0; r < plan.row_count; r++) {
            struct task task = plan.cells[plan.rows[r].first].task;
            assert_string_equal(task.subject->backend, row);
            assert_null(task_open(&task));
            task_enter(&task);
            assert_string_equal(celer_kernel_choice(kernel, 1)->name, row);
            task_close(&task);
        }
        plan_free(&plan);
    }
}

static void test_permutation(void **state)
{
    (void)state;
    size_t ways[] = {4, 1};
    struct plan plan;
    struct plan_request request = {0};
    static const char *const words[] = {"permutation", NULL};
    assert_true(make_plan(&plan, &request, words));
    assert_int_equal(plan.row_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(plan.rows[i].ways, 1u << i);
        assert_int_equal(plan.rows[i].count, 1);
        assert_non_null(plan.cells[plan.rows[i].first].task.subject);
        assert_int_equal(task_bytes(&plan.cells[plan.rows[i].first].task), 200u << i);
    }
    plan_free(&plan);
    request.ways = (struct plan_list){ways, 2};
    assert_true(make_plan(&plan, &request, words));
    assert_int_equal(plan.row_count, 2);
    plan_free(&plan);
}

static void test_lengths(void **state)
{
    (void)state;
    size_t src_lens[] = {1000, 1, 1000}, dst_lens[] = {32, 64};
    struct plan plan;
    struct plan_request request = {.src_lens = {src_lens, 3}, .dst_lens = {dst_lens, 2}};
    static const char *const words[] = {"shake128", "sha3-512", NULL};
    static const char *const names[] = {"shake128", "shake128", "sha3_512", NULL};
    assert_true(make_plan(&plan, &request, words));
    check_names(&plan, names);
    assert_int_equal(plan.src_lens.count, 2);
    assert_int_equal(plan.src_lens.items[0], 1000);
    assert_int_equal(plan.src_lens.items[1], 1);
    assert_int_equal(plan.rows[0].dst_len, 32);
    assert_int_equal(plan.rows[1].dst_len, 64);
    assert_int_equal(plan.rows[2].dst_len, 64);
    plan_free(&plan);
}

/* Wrong: another backend measured in the place of one that the function lacks. */
static void test_backends(void **state)
{
    (void)state;
    const struct celer_kernel *kernel = celer_hash_find("sha3-256")->kernel;
    const char *backends[] = {"scalar", "auto", "scalar"};
    struct plan plan;
    struct plan_request request = {.backends = backends, .backend_count = 3};
    static const char *const words[] = {"sha3-256", "permutation", NULL};
    assert_true(make_plan(&plan, &request, words));
    assert_int_equal(plan.subject_count, 2);
    check(strncmp(plan.subjects[0].label, "celer-scalar-", 13) == 0, "label %s", plan.subjects[0].label);
    check(strncmp(plan.subjects[1].label, "celer-auto-", 11) == 0, "label %s", plan.subjects[1].label);
    check(strpbrk(plan.subjects[0].label, " .,") == NULL, "label %s", plan.subjects[0].label);
    for (size_t i = 0; i < plan.row_count; i++) {
        const struct plan_row *row = &plan.rows[i];
        const struct celer_subject *subject = plan.cells[row->first].task.subject;
        const struct celer_backend *code;
        bool has = row->subject == 1; /* what celer chooses exists in every width */
        for (size_t j = 0; (code = celer_kernel_row(kernel, j)) != NULL; j++)
            has |= strcmp(code->name, "scalar") == 0 && code->ways == row->ways;
        check((subject != NULL) == has, "%s x%u of %s", row->name, (unsigned)row->ways,
              plan.subjects[row->subject].label);
        if (row->subject == 0 && has)
            assert_string_equal(subject->backend, "scalar");
    }
    assert_int_equal(lines_heard(), 1);
    assert_non_null(strstr(heard.text, "note: backend 'scalar' does not exist for: keccak_f1600 x"));
    plan_free(&plan);

    /* Each row of the kernel, by its name, is what runs once its subject is entered. */
    for (size_t i = 0; row_name(kernel, i) != NULL; i++) {
        static const char *const hash[] = {"sha3-256", NULL};
        if (!row_usable(kernel, row_name(kernel, i)))
            continue;
        backends[0] = row_name(kernel, i);
        request.backend_count = 1;
        assert_true(make_plan(&plan, &request, hash));
        const struct celer_subject *subject = plan.cells[0].task.subject;
        if (subject != NULL) {
            subject->enter(subject, NULL);
            assert_string_equal(celer_kernel_choice(kernel, 1)->name, backends[0]);
            assert_string_equal(subject->backend, backends[0]);
            subject->close(subject, NULL);
        }
        plan_free(&plan);
    }
}

struct mistake {
    const char *words[3];
    const char *backend;
    size_t src_len, dst_len, ways; /* 0: not given */
    const char *says;
};

static const struct mistake mistakes[] = {
    {{"md5", NULL, NULL}, NULL, 0, 0, 0, "unknown selection 'md5'; there are: sha3 "},
    {{"sha3", "SHA-3", NULL}, NULL, 0, 0, 0, "unknown selection 'SHA-3'; there are: sha3 "},
    {{"", NULL, NULL}, NULL, 0, 0, 0, "unknown selection ''; there are: sha3 "},
    {{"sha3", NULL, NULL}, "avx1024", 0, 0, 0, "unknown backend 'avx1024'; there are: "},
    {{"sha3", NULL, NULL}, "", 0, 0, 0, "unknown backend ''; there are: "},
    {{"sha256", NULL, NULL}, NULL, 0, 64, 0, "--dst-lens is for"},
    {{"permutation", "sha256-chain", NULL}, NULL, 64, 0, 0, "--src-lens is for hashes"},
    {{"permutation", NULL, NULL}, NULL, 0, 0, 3, "no permutation of 3 states; there are: 1 2 4 8"},
};

static void test_mistake(void **state)
{
    const struct mistake *mistake = *state;
    size_t src_len = mistake->src_len, dst_len = mistake->dst_len, ways = mistake->ways;
    struct plan plan;
    struct plan_request request = {
        .backends = &mistake->backend,
        .backend_count = mistake->backend != NULL,
        .src_lens = {&src_len, src_len > 0},
        .dst_lens = {&dst_len, dst_len > 0},
        .ways = {&ways, ways > 0},
    };
    assert_false(make_plan(&plan, &request, mistake->words));
    assert_int_equal(lines_heard(), 1);
    check(strstr(heard.text, mistake->says) != NULL, "'%s' is not in: %s", mistake->says, heard.text);
}

static void test_parse_list(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      ",",
                                      "1,",
                                      ",1",
                                      "0",
                                      "1,,2",
                                      "1 2",
                                      "x",
                                      "-1",
                                      "101",
                                      "1,2,101",
                                      "0x10",
                                      "99999999999999999999999999999999999999999999999999"};
    struct plan_list list = {0};
    assert_true(plan_parse_list("64,1,100", "--x", 1, 100, &list));
    assert_int_equal(list.count, 3);
    assert_int_equal(list.items[0], 64);
    assert_int_equal(list.items[1], 1);
    assert_int_equal(list.items[2], 100);
    assert_true(plan_parse_list("1Ki,2k", "--x", 1, 4096, &list));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0], 1024);
    assert_int_equal(list.items[1], 2000);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        listen();
        const bool ok = plan_parse_list(bad[i], "--x", 1, 100, &list);
        stop_listening();
        check(!ok, "'%s' is taken for a list", bad[i]);
        assert_int_equal(lines_heard(), 1);
        assert_non_null(strstr(heard.text, "--x: "));
    }
    free(list.items);
}

int main(void)
{
    struct suite suite = {0};
    suite_add(&suite, test_default, NULL, "the default table");
    suite_add(&suite, test_spelling, NULL, "spellings, and each hash once");
    suite_add(&suite, test_every_hash, NULL, "every hash of the list");
    suite_add(&suite, test_many, NULL, "batches");
    suite_add(&suite, test_ways, NULL, "numbers of messages");
    suite_add(&suite, test_threads, NULL, "numbers of threads");
    suite_add(&suite, test_place, NULL, "a place at the end of labels");
    suite_add(&suite, test_xof, NULL, "functions with output of any length");
    suite_add(&suite, test_pairs, NULL, "pairs of lengths");
    suite_add(&suite, test_grid, NULL, "grids of lengths");
    suite_add(&suite, test_pair_mistakes, NULL, "pairs and grids that are none");
    suite_add(&suite, test_kems, NULL, "KEMs");
    suite_add(&suite, test_foreign_kinds, NULL, "chains and KEMs of another library");
    suite_add(&suite, test_permutation, NULL, "permutations");
    suite_add(&suite, test_lengths, NULL, "lengths of input and output");
    suite_add(&suite, test_backends, NULL, "backends by name");
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        suite_add(&suite, test_mistake, (void *)(uintptr_t)&mistakes[i], "a mistake: %s", mistakes[i].says);
    suite_add(&suite, test_parse_list, NULL, "lists of numbers");
    return suite_run(&suite, "bench/plan");
}
