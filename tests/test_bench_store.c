/* test_bench_store.c: the history and its documents: what goes in comes out, whatever happens to the processes that
   write, and files that are something else are refused and left as they are. */
#include "support.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "bench/document.h"
#include "bench/samples.h"
#include "bench/store.h"
#include "celer/sha2.h"
#include "bench/write.h"

/* --- Files --- */

static char folder[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/celer-store-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A path in the folder of the test; good until the eighth next call. */
static const char *in_folder(const char *name)
{
    static char paths[8][256];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, n, to), n);
    assert_int_equal(fclose(to), 0);
}

static void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

static char *read_file(const char *path, size_t *n)
{
    FILE *from = fopen(path, "rb");
    assert_non_null(from);
    assert_int_equal(fseek(from, 0, SEEK_END), 0);
    *n = (size_t)ftell(from);
    rewind(from);
    char *bytes = malloc(*n + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n, from), *n);
    fclose(from);
    bytes[*n] = 0;
    return bytes;
}

/* --- Documents --- */

/* A number of results of the same function, of one machine. id and name may be NULL. */
static json_t *made_up(const char *id, const char *name, const char *started, size_t results)
{
    json_t *document = json_pack(
        "{s:s, s:i, s:{s:s, s:s, s:s, s:s, s:f, s:i, s:s, s:s}, s:{s:s, s:s}, s:{s:s, s:b, s:b, s:s, s:f, s:f, s:f, s:f, s:s},"
        " s:{s:s?, s:s?, s:s, s:i, s:s, s:i, s:[i], s:[i], s:f, s:f, s:b}, s:[{s:s, s:s, s:s, s:s, s:s, s:s}], s:[]}",
        "format", "celer-bench", "version", 1, "machine", "cpu", "A CPU", "system", "Linux", "hypervisor",
        "KVM", "governor", "unknown", "load", 0.5, "pinned_to_cpu", 1, "microcode", "0x1", "isa",
        "avx2 shani", "build", "version", "1.2.3", "compiler", "gcc", "counter", "implementation",
        "amd64-tsc", "counts_cycles", 0, "estimated", 0, "doubt", "", "ticks_per_second", 2.3e9,
        "cycles_per_second", 3.1e9, "step_ticks", 2.0, "multiply_cycles", 3.0, "no_better_counter_because",
        "", "run", "id", id, "name", name, "started", started, "trials", 100, "mode", "throughput", "seed", 7,
        "src_lens", 64, "dst_lens", 32, "seconds", 1.5, "canary_cycles", 400.0, "interrupted", 0, "subjects",
        "label", "celer-avx512-gcc12", "library", "celer", "version", "1.2.3", "backend", "avx512",
        "compiler", "gcc 12.2.0", "flags_cc", "-O3", "results");
    assert_non_null(document);
    for (size_t i = 0; i < results; i++) {
        json_t *stats = json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "unit", "cycles", "median",
                                  1000.0 + (double)i, "min", 990.0, "p10", 991.0, "q1", 995.0, "q3", 1005.0,
                                  "mad", 1.0, "ci_lo", 999.0, "ci_hi", 1001.0);
        json_t *result = json_pack(
            "{s:s, s:s, s:s, s:n, s:s, s:i, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:[s,s], s:n, s:O,"
            " s:O, s:O}",
            "subject", "celer-avx512-gcc12", "function", "sha3_256", "backend", "avx512", "notes", "kind",
            "hash", "ways", 1, "mode", "throughput", "dst_len", 32, "src_len", 64 << i, "calls_per_sample", 4,
            "n", 90, "rejected_frequency", 7, "rejected_contended", 3, "canary_ratio", 2.5, "ghz", 3.1,
            "flags", "contended", "unsteady", "fault", "value", stats, "cycles", stats, "nanoseconds", stats);
        assert_non_null(result);
        assert_int_equal(json_array_append_new(json_object_get(document, "results"), result), 0);
        json_decref(stats);
    }
    return document;
}

static json_t *result_of(json_t *document, size_t i)
{
    return json_array_get(json_object_get(document, "results"), i);
}

/* Samples of the first result, four of each round. */
static json_t *give_samples(json_t *document, size_t n)
{
    json_t *const samples = json_pack("{s:[], s:[]}", "rounds", "cycles");
    for (size_t i = 0; i < n; i++) {
        const float cycles = 1000.1f + (float)i; /* s390x computes in double precision until it is stored */
        json_array_append_new(json_object_get(samples, "rounds"), json_integer((json_int_t)(i / 4)));
        json_array_append_new(json_object_get(samples, "cycles"), json_real((double)cycles));
    }
    assert_int_equal(json_object_set_new(result_of(document, 0), "samples", samples), 0);
    return document;
}

static void set_machine(json_t *document, const char *part, const char *key, json_t *value)
{
    json_object_set_new(json_object_get(document, part), key, value);
}

/* As it comes back: numbers have DOCUMENT_DIGITS digits. */
static json_t *rounded(const json_t *document)
{
    char *text = json_dumps(document, JSON_REAL_PRECISION(DOCUMENT_DIGITS));
    json_t *copy = json_loads(text, 0, NULL);
    free(text);
    assert_non_null(copy);
    return copy;
}

static void write_document(const char *path, json_t *document) /* which is taken */
{
    assert_int_equal(json_dump_file(document, path, 0), 0);
    json_decref(document);
}

/* What a process that never ran before calls itself. */
static const char *some_id(unsigned number)
{
    static char id[33];
    snprintf(id, sizeof id, "%08x%08x%08x%08x", number * 2654435761U, number, (unsigned)getpid(), 1U);
    return id;
}

/* --- Stores --- */

static struct store *open_store(const char *path, enum store_access mode)
{
    struct store *store;
    char why[512] = "";
    const enum store_status status = store_open(&store, path, mode, why, sizeof why);
    check(status == STORE_OK, "%d: %s", (int)status, why);
    return store;
}

/* The document is taken. */
static enum store_status put(struct store *store, json_t *document)
{
    char why[512] = "";
    const enum store_status status = store_add(store, document, why, sizeof why);
    check(status == STORE_OK || status == STORE_KNOWN, "%s", why);
    json_decref(document);
    return status;
}

static void check_refused(const char *path, enum store_access mode, enum store_status expected,
                          const char *reason)
{
    struct store *store;
    char why[512] = "";
    const enum store_status status = store_open(&store, path, mode, why, sizeof why);
    check(status == expected, "%s: status %d: %s", path, (int)status, why);
    check(strstr(why, reason) != NULL && strchr(why, '\n') == NULL, "'%s' does not say '%s'", why, reason);
    assert_null(store);
}

/* The first number of the answer. */
static size_t count_rows(const char *path, const char *question)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    check(sqlite3_prepare_v2(db, question, -1, &s, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
    check(sqlite3_step(s) == SQLITE_ROW, "%s", sqlite3_errmsg(db));
    const int count = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return (size_t)count;
}

/* What SQLite itself thinks of the file; and every run has all results that its document has. */
static size_t check_valid(const char *path)
{
    static const char *const questions[] = {
        "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
        "SELECT count(*) FROM pragma_foreign_key_check",
        ("SELECT count(*) FROM run WHERE json_array_length(document, '$.results') <>"
         " (SELECT count(*) FROM result WHERE run = run.id)"),
        "SELECT count(*) FROM (SELECT count(*) AS n FROM comparison GROUP BY uid) WHERE n <> 2",
        "SELECT count(*) FROM run",
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        count = count_rows(path, questions[i]);
        check(i == 4 || count == 0, "%s: %zu", questions[i], count);
    }
    return count;
}

/* What the tables are, in one text. */
static char *schema_of(const char *path)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db,
                           "SELECT group_concat(sql, ';') FROM"
                           " (SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name)",
                           -1, &s, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    char *const schema = strdup((const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    sqlite3_close(db);
    return schema;
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    check(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* Exit status of a child process that runs `work`; 256 and more: it was killed. */
static int in_child(int (*work)(void))
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(work());
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256;
}

/* --- Tests of documents --- */

static const struct clock timer = {
    .name = "amd64-tsc", .hz = 2e9, .step = 1, .chain_cycles = 3000, .core_hz = 3e9};

static void test_what_a_run_writes(void **state)
{
    (void)state;
    static const struct celer_provider provider = {
        .library = "celer", .version = "1.2.3", .compiler = "gcc 12.2.0", .flags = "-O3"};
    static const struct celer_subject subject = {
        .kind = CELER_KIND_HASH, .function = "sha3-256", .backend = "avx512"};
    static const struct run_facts facts = {"0x1", "2", "L1d 48 KiB", "on", "avx2", "gcc 12.2.0, flags: -O3"};
    /* Of 3 and of 4 GHz; during the last one the frequency changed. */
    struct sample samples[] = {{2000, {2000, 2000}, {300, 300}, 0},
                               {2100, {1500, 1500}, {225, 225}, 1},
                               {2000, {1000, 1500}, {225, 225}, 1}};
    size_t lens[] = {64}, dst[] = {32};
    struct plan_subject plan_subject = {
        .provider = &provider, .backend = "avx512", .label = "celer-avx512-gcc12"};
    struct plan_row row = {
        .kind = CELER_KIND_HASH, .ways = 1, .name = "sha3_256", .function = "sha3-256", .count = 2};
    struct cell cells[] = {{.task = {.subject = &subject, .ways = 1, .dst_len = 32, .src_len = 64},
                            .repeats = 1,
                            .samples = samples,
                            .count = 3,
                            .accepted = 2,
                            .rejected_frequency = 1,
                            .flags = FLAG_FEW,
                            .canary_ratio = 7,
                            .ghz = 3},
                           {.task = {.ways = 1, .dst_len = 32, .src_len = 1024}, .canary_ratio = NAN}};
    const struct plan plan = {.subjects = &plan_subject,
                              .subject_count = 1,
                              .rows = &row,
                              .row_count = 1,
                              .cells = cells,
                              .cell_count = 2,
                              .src_lens = {lens, 1},
                              .dst_lens = {dst, 1}};
    struct measure measure = {.clock = &timer, .trials = 2, .canary_floor = 450};
    char id[DOCUMENT_ID_SIZE], other[DOCUMENT_ID_SIZE], why[256] = "";
    const double stolen = 0.25;
    document_new_id(id);
    document_new_id(other);
    assert_string_not_equal(id, other);
    struct run run = {.plan = &plan,
                      .measure = &measure,
                      .cpu = "A \xff CPU",
                      .system = "s",
                      .hypervisor = "h",
                      .governor = "g",
                      .load = -1,
                      .pinned = -1,
                      .started = "2025-01-31T12:00:00Z"};
    json_t *document = run_json(&run); /* with all left out that may be */
    assert_non_null(document);
    check(document_check(document, why, sizeof why), "%s", why);
    assert_true(json_is_null(json_object_get(json_object_get(document, "machine"), "microcode")));
    json_decref(document);
    run.id = id;
    run.name = "before\xf0the change";
    run.facts = &facts;
    run.stolen_seconds = &stolen;
    run.with_samples = true;
    document = run_json(&run);
    assert_non_null(document);
    check(document_check(document, why, sizeof why), "%s", why);

    const char *read_id, *name, *cpu, *microcode, *isa, *compiler;
    double ghz_min, ghz_max, stolen_read;
    json_error_t error;
    assert_int_equal(json_unpack_ex(document, &error, 0,
                                    "{s:{s:s, s:s, s:s, s:F, s:F, s:F}, s:{s:s}, s:{s:s, s:s}}", "machine",
                                    "cpu", &cpu, "microcode", &microcode, "isa", &isa, "ghz_min", &ghz_min,
                                    "ghz_max", &ghz_max, "stolen_seconds", &stolen_read, "build", "compiler",
                                    &compiler, "run", "id", &read_id, "name", &name),
                     0);
    assert_string_equal(cpu, "A ? CPU");
    assert_string_equal(name, "before?the change");
    assert_string_equal(read_id, id);
    assert_string_equal(microcode, "0x1");
    assert_string_equal(isa, "avx2");
    assert_string_equal(compiler, "gcc 12.2.0, flags: -O3");
    check(fabs(ghz_min - 3) < 1e-9 && fabs(ghz_max - 4) < 1e-9 && fabs(stolen_read - 0.25) < 1e-9, "%g %g %g",
          ghz_min, ghz_max, stolen_read);
    /* In a file it has fewer digits, and they are those that a store keeps. */
    FILE *to = fopen(in_folder("a.json"), "w");
    assert_non_null(to);
    measure.seconds = 1.0 / 3;
    set_machine(document, "run", "seconds", json_real(1.0 / 3));
    assert_true(write_json(&run, to));
    fclose(to);
    json_t *loaded = document_load(in_folder("a.json"), why, sizeof why), *expected = rounded(document);
    check(loaded != NULL, "%s", why);
    assert_true(json_equal(json_array_get(loaded, 0), expected));
    json_decref(loaded);
    json_decref(expected);
    /* Those that were accepted, in cycles of a call. */
    json_t *kept = json_object_get(result_of(document, 0), "samples");
    expected = json_pack("{s:[i, i], s:[f, f]}", "rounds", 0, 1, "cycles", 3000.0, 4200.0);
    assert_true(json_equal(kept, expected));
    json_decref(expected);
    json_decref(document);
}

/* Each key of an object, and of all objects inside it, missing or of another type: is it noticed, and named? */
static void check_each_key(json_t *document, json_t *object, size_t *seen)
{
    static const char *const optional[] = {"build", "microcode", "isa",        "cpus",    "caches",
                                           "turbo", "ghz_min",   "ghz_median", "ghz_max", "stolen_seconds",
                                           "id",    "name",      "samples"};
    const char *name;
    json_t *const copy = json_copy(object), *value;
    json_object_foreach(copy, name, value)
    {
        char why[256] = "";
        bool may_miss = false;
        for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++)
            may_miss = may_miss || strcmp(name, optional[i]) == 0;
        json_object_del(object, name);
        check(document_check(document, why, sizeof why) == may_miss, "%s is missing: %s", name, why);
        check(may_miss || strstr(why, name) != NULL, "%s is missing: %s", name, why);
        json_object_set_new(object, name, json_is_boolean(value) ? json_integer(1) : json_true());
        check(!document_check(document, why, sizeof why) && strstr(why, name) != NULL,
              "%s of another type: %s", name, why);
        if (json_is_number(value)) {
            json_object_set_new(object, name, json_integer(-1));
            check(!document_check(document, why, sizeof why) && strstr(why, name) != NULL, "%s negative: %s",
                  name, why);
        }
        json_object_set(object, name, value);
        check(document_check(document, why, sizeof why), "%s is back: %s", name, why);
        if (json_is_object(value))
            check_each_key(document, value, seen);
        if (json_is_object(json_array_get(value, 0)))
            check_each_key(document, json_array_get(value, 0), seen);
        ++*seen;
    }
    json_decref(copy);
}

static void check_invalid(json_t *document, const char *reason)
{
    char why[256] = "";
    assert_false(document_check(document, why, sizeof why));
    check(strstr(why, reason) != NULL, "'%s' does not say '%s'", why, reason);
    json_decref(document);
}

static void test_check(void **state)
{
    (void)state;
    size_t seen = 0;
    json_t *document = give_samples(made_up(some_id(1), "label", "2025-01-31T12:00:00Z", 1), 3);
    char why[256];
    check(document_check(document, why, sizeof why), "%s", why);
    check_each_key(document, document, &seen);
    check(seen > 80, "%zu keys", seen);
    json_object_set_new(document, "later", json_true()); /* fields may be added */
    check(document_check(document, why, sizeof why), "%s", why);
    json_object_set_new(document, "version", json_integer(2));
    check_invalid(document, "written by a newer celer (version 2 ");

    document = made_up("short", NULL, "", 1);
    check_invalid(document, "run.id has to be 32 hexadecimal digits");
    document = made_up(NULL, NULL, "", 2);
    json_object_set_new(json_array_get(json_object_get(document, "results"), 1), "subject",
                        json_string("other"));
    check_invalid(document, "results[1].subject is none of the subjects: 'other'");
    document = made_up(NULL, NULL, "", 2);
    json_array_append_new(json_object_get(json_array_get(json_object_get(document, "results"), 0), "flags"),
                          json_null());
    check_invalid(document, "results[0].flags[2] has to be a text");
    static const char *const samples[] = {
        "{\"rounds\": [0], \"cycles\": []}",        "{\"rounds\": [], \"cycles\": [1]}",
        "{\"rounds\": [1, 0], \"cycles\": [1, 1]}", "{\"rounds\": [-1], \"cycles\": [1]}",
        "{\"rounds\": [0.5], \"cycles\": [1]}",     "{\"rounds\": [0], \"cycles\": [\"1\"]}",
        "{\"rounds\": [0], \"cycles\": [1e39]}",    "{\"rounds\": [4294967296], \"cycles\": [1]}",
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        document = made_up(NULL, NULL, "", 2);
        json_object_set_new(result_of(document, 1), "samples", json_loads(samples[i], 0, NULL));
        check_invalid(document, "results[1].samples have to be as many rounds");
    }
    document = made_up(NULL, NULL, "", 0);
    json_array_append_new(json_object_get(document, "results"), json_integer(1));
    check_invalid(document, "results[0] has to be an object");
    check_invalid(json_array(), "not results of celer bench");
    check_invalid(json_pack("{s:[]}", "benchmarks"), "not results of celer bench");
}

static void check_unloadable(const char *path, const char *reason)
{
    char why[512] = "";
    assert_null(document_load(path, why, sizeof why));
    check(strstr(why, reason) != NULL && strchr(why, '\n') == NULL, "'%s' does not say '%s'", why, reason);
    check(strstr(why, path) != NULL, "'%s' does not name the file", why);
}

static void test_load(void **state)
{
    (void)state;
    const char *path = in_folder("a.json");
    json_t *document = made_up(some_id(1), NULL, "2025-01-31T12:00:00Z", 2);
    char *text = json_dumps(document, JSON_INDENT(2)), why[512] = "", *three = malloc(4 * strlen(text));
    static const char *const forms[] = {"%s", "%s\n%s \r\n\t%s\n", "[%s,%s, %s]", "[%s]\n%s[%s]\n"};
    for (size_t i = 0; i < 4; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        sprintf(three, forms[i], text, text, text);
#pragma GCC diagnostic pop
        write_text(path, three);
        json_t *loaded = document_load(path, why, sizeof why);
        check(loaded != NULL, "%s", why);
        assert_int_equal(json_array_size(loaded), i == 0 ? 1 : 3);
        for (size_t j = 0; j < json_array_size(loaded); j++)
            assert_true(json_equal(json_array_get(loaded, j), document));
        json_decref(loaded);
    }
    check_unloadable(in_folder("none.json"), "No such file");
    check_unloadable(folder, "directory");
    write_text(path, " \n");
    check_unloadable(path, "no results in it");
    write_text(path, "[]");
    check_unloadable(path, "no results in it");
    write_text(path, "function,dst_len,64\nsha3_256,32,8.1\n");
    check_unloadable(path, "not JSON: line 1");
    write_text(path, "{\"context\": {}, \"benchmarks\": []}");
    check_unloadable(path, "not results of celer bench");
    write_text(path, "{\"format\": \"celer-bench\", \"format\": \"celer-bench\"}");
    check_unloadable(path, "not JSON");
    sprintf(three, "%s\n{\"format\":\"celer-bench\",\"version\":1}", text);
    write_text(path, three);
    check_unloadable(path, "document 2: machine is missing");
    sprintf(three, "%s\n%.*s", text, (int)strlen(text) / 2, text);
    write_text(path, three);
    check_unloadable(path, "after document 1: not JSON");
    free(three);
    free(text);
    json_decref(document);
}

/* --- Tests of samples --- */

static void test_packed(void **state)
{
    (void)state;
    static const struct {
        uint32_t rounds[4];
        float cycles[4];
        size_t n, size;
    } cases[] = {
        {{0}, {0}, 0, 0},
        {{0, 0, 1, 127}, {1, 1.5f, 3.25e9f, 3e38f}, 4, 20},
        {{128, 16511, 16511, 4294967295}, {-1, 0, 1e-30f, 0.1f}, 4, 2 + 2 + 1 + 5 + 16},
        {{4294967295, 4294967295}, {7, 8}, 2, 5 + 1 + 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *samples = json_pack("{s:[], s:[]}", "rounds", "cycles");
        for (size_t j = 0; j < cases[i].n; j++) {
            json_array_append_new(json_object_get(samples, "rounds"), json_integer(cases[i].rounds[j]));
            json_array_append_new(json_object_get(samples, "cycles"), json_real((double)cases[i].cycles[j]));
        }
        size_t size;
        assert_true(samples_check(samples));
        uint8_t *packed = samples_pack(samples, &size);
        assert_non_null(packed);
        assert_int_equal(size, cases[i].size);
        json_t *unpacked = samples_unpack(packed, size);
        assert_true(json_equal(samples, unpacked));
        json_decref(unpacked);
        /* Cut anywhere, they are fewer samples or none at all, and nothing is read beyond the end. */
        for (size_t cut = 0; cut < size; cut++) {
            uint8_t *part = malloc(cut + 1);
            memcpy(part, packed, cut);
            json_t *fewer = samples_unpack(part, cut);
            check(fewer == NULL || json_array_size(json_object_get(fewer, "rounds")) < cases[i].n, "cut %zu",
                  cut);
            json_decref(fewer);
            free(part);
        }
        free(packed);
        json_decref(samples);
    }
    /* The file may come from anyone: steps that do not end, or lead beyond 32 bits, and no numbers. */
    static const uint8_t endless[] = {255, 255, 255, 255, 255, 255, 1, 0, 0, 0, 0};
    static const uint8_t beyond[] = {255, 255, 255, 255, 15, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    static const uint8_t infinite[] = {0, 0, 0, 128, 127};
    assert_null(samples_unpack(endless, sizeof endless));
    assert_null(samples_unpack(beyond, sizeof beyond));
    assert_null(samples_unpack(infinite, sizeof infinite));
}

/* --- Tests of machines --- */

static void test_same_machine(void **state)
{
    (void)state;
    static const char *const keys[] = {"cpu", "microcode", "hypervisor", "isa"};
    char why[512] = "";
    json_t *a = made_up(NULL, NULL, "", 0);
    for (size_t i = 0; i < 4; i++) {
        json_t *b = json_deep_copy(a);
        check(document_same_machine(a, b, why, sizeof why), "%s", why);
        set_machine(b, "machine", keys[i], json_string("another"));
        assert_false(document_same_machine(a, b, why, sizeof why));
        check(strstr(why, "'another'") != NULL, "%s", why);
        json_object_del(json_object_get(b, "machine"), keys[i]);
        assert_false(document_same_machine(a, b, why, sizeof why));
        json_decref(b);
    }
    json_t *b = json_deep_copy(a);
    set_machine(b, "machine", "governor", json_string("another")); /* that may change */
    set_machine(b, "counter", "ticks_per_second", json_real(2.3e9 * 1.001));
    assert_true(document_same_machine(a, b, why, sizeof why));
    set_machine(b, "counter", "ticks_per_second", json_real(2.3e9 * 1.003));
    assert_false(document_same_machine(a, b, why, sizeof why));
    check(strstr(why, "2.3000") != NULL, "%s", why);
    set_machine(b, "counter", "counts_cycles", json_true()); /* then it says nothing about a timer */
    assert_true(document_same_machine(a, b, why, sizeof why));
    json_decref(a);
    json_decref(b);
}

/* --- Tests of the store --- */

static void check_get(struct store *store, const char *which, const json_t *expected)
{
    char why[512] = "";
    json_t *got = store_get(store, which, why, sizeof why), *rounded_up = rounded(expected);
    check(got != NULL, "%s: %s", which, why);
    check(json_equal(got, rounded_up), "%s is another", which);
    json_decref(got);
    json_decref(rounded_up);
}

static void check_no_get(struct store *store, const char *which, const char *reason)
{
    char why[512] = "";
    assert_null(store_get(store, which, why, sizeof why));
    check(strstr(why, reason) != NULL, "'%s' does not say '%s'", why, reason);
}

static void remember_run(const struct store_run *run, void *arg)
{
    char *text = arg;
    sprintf(text + strlen(text), "%.8s %s '%s' '%s' %d %zu;", run->id, run->started, run->name, run->cpu,
            (int)run->machine, run->results);
}

static void test_round_trip(void **state)
{
    (void)state;
    const char *path = in_folder("some/new/bench.db");
    char why[512] = "", runs[1024] = "";
    struct store *store = open_store(path, STORE_WRITE);
    assert_string_equal(store_path(store), path);
    json_t *a = made_up("aaaabbbb000000000000000000000001", "first", "2025-01-02T00:00:00Z", 3);
    json_t *b = made_up("aaaacccc000000000000000000000002", NULL, "2025-01-03T00:00:00Z", 1);
    json_t *c = made_up("dddd0000000000000000000000000003", "it's \xe2\x82\xac", "2025-01-01T00:00:00Z", 0);
    set_machine(a, "run", "seconds", json_real(1.0 / 3));
    set_machine(c, "machine", "microcode", json_string("0x2"));
    set_machine(a, "machine", "later", json_string("a field of the future"));
    assert_int_equal(store_add(store, a, why, sizeof why), STORE_OK);
    assert_int_equal(store_add(store, b, why, sizeof why), STORE_OK);
    assert_int_equal(store_add(store, c, why, sizeof why), STORE_OK);
    store_close(store);
    store = open_store(path, STORE_READ);
    check_get(store, "first", a);
    check_get(store, "aaaabbbb000000000000000000000001", a);
    check_get(store, "aaaaB", a);
    check_get(store, "aaaac", b);
    check_get(store, "dddd", c);
    check_get(store, "it's \xe2\x82\xac", c);
    check_get(store, "latest", b);
    check_no_get(store, "aaaa", "several runs");
    check_no_get(store, "aaa", "there is no run 'aaa'");
    check_no_get(store, "%%%%", "there is no run");
    check_no_get(store, "", "there is no run");
    assert_true(store_each_run(store, remember_run, runs, why, sizeof why));
    assert_string_equal(runs, "dddd0000 2025-01-01T00:00:00Z 'it's \xe2\x82\xac' 'A CPU' 2 0;"
                              "aaaabbbb 2025-01-02T00:00:00Z 'first' 'A CPU' 1 3;"
                              "aaaacccc 2025-01-03T00:00:00Z '' 'A CPU' 1 1;");
    /* Who reads cannot write. */
    json_t *d = made_up(some_id(9), NULL, "", 1);
    assert_int_equal(store_add(store, d, why, sizeof why), STORE_UNWRITABLE);
    json_decref(d);
    store_close(store);
    /* A label given again means the later run. */
    store = open_store(path, STORE_WRITE);
    set_machine(b, "run", "id", json_string("eeee0000000000000000000000000004"));
    set_machine(b, "run", "name", json_string("first"));
    assert_int_equal(store_add(store, b, why, sizeof why), STORE_OK);
    check_get(store, "first", b);
    set_machine(b, "run", "mode", json_integer(1));
    assert_int_equal(store_add(store, b, why, sizeof why), STORE_REFUSED);
    assert_string_equal(why, "run.mode has to be a text");
    store_close(store);
    assert_int_equal(check_valid(path), 4);
    json_decref(a);
    json_decref(b);
    json_decref(c);
}

static void test_known(void **state)
{
    (void)state;
    const char *path = in_folder("bench.db"), *file = in_folder("out.json"), *mixed = in_folder("mixed.json");
    char why[512] = "";
    size_t added, known;
    struct store *store = open_store(path, STORE_WRITE);
    assert_int_equal(put(store, made_up(some_id(1), NULL, "2025-01-01T00:00:00Z", 2)), STORE_OK);
    assert_int_equal(put(store, made_up(some_id(1), NULL, "2025-01-01T00:00:00Z", 2)), STORE_KNOWN);
    assert_int_equal(put(store, made_up(some_id(2), NULL, "2025-01-01T00:00:00Z", 2)), STORE_OK);
    /* Without an id, all that is in it tells. */
    assert_int_equal(put(store, made_up(NULL, NULL, "2025-01-01T00:00:00Z", 2)), STORE_OK);
    assert_int_equal(put(store, made_up(NULL, NULL, "2025-01-01T00:00:00Z", 2)), STORE_KNOWN);
    assert_int_equal(put(store, made_up(NULL, NULL, "2025-01-01T00:00:01Z", 2)), STORE_OK);
    FILE *to = fopen(file, "w");
    assert_non_null(to);
    check(store_export(store, to, why, sizeof why), "%s", why);
    fclose(to);
    assert_int_equal(store_import(store, file, &added, &known, why, sizeof why), STORE_OK);
    assert_int_equal(added, 0);
    assert_int_equal(known, 4);
    store_close(store);

    store = open_store(in_folder("other.db"), STORE_WRITE);
    assert_int_equal(store_import(store, file, &added, &known, why, sizeof why), STORE_OK);
    assert_int_equal(added, 4);
    assert_int_equal(known, 0);
    /* All of a file or nothing: the second document of this one is none. */
    write_document(mixed, json_pack("[o, {}]", made_up(some_id(3), NULL, "", 1)));
    assert_int_equal(store_import(store, mixed, &added, &known, why, sizeof why), STORE_REFUSED);
    check(strstr(why, "mixed.json: document 2: ") != NULL, "%s", why);
    assert_int_equal(added + known, 0);
    char *one = NULL;
    size_t length;
    FILE *single = open_memstream(&one, &length);
    check(store_export_run(store, some_id(2), single, why, sizeof why), "%s", why);
    assert_false(store_export_run(store, "gone", single, why, sizeof why));
    check(strstr(why, "there is no run 'gone'") != NULL, "%s", why);
    fclose(single);
    check(strchr(one, '\n') == one + length - 1 && strstr(one, some_id(2)) != NULL, "%s", one);
    free(one);
    FILE *again = fopen(in_folder("again.json"), "w+");
    assert_non_null(again);
    check(store_export(store, again, why, sizeof why), "%s", why);
    fclose(again);
    store_close(store);
    assert_int_equal(check_valid(in_folder("other.db")), 4);
    size_t n, m;
    char *x = read_file(file, &n), *y = read_file(in_folder("again.json"), &m);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static void remember_point(const struct store_point *p, void *arg)
{
    char *text = arg;
    sprintf(text + strlen(text), "%s %d %s %s %s %s %s/%s %u %d->%d %.0f %.0f %.0f %.1f %d '%s';", p->started,
            (int)p->machine, p->subject.label, p->subject.library, p->subject.backend, p->subject.compiler,
            p->kind, p->mode, (unsigned)p->ways, (int)p->src_len, (int)p->dst_len, p->cycles, p->ci_lo,
            p->ci_hi, p->ghz, isnan(p->canary_ratio), p->flags);
}

static void test_history(void **state)
{
    (void)state;
    const char *path = in_folder("bench.db");
    char why[512] = "", points[4096] = "";
    struct store *store = open_store(path, STORE_WRITE);
    json_t *late = made_up(NULL, NULL, "2025-01-02T00:00:00Z", 2);
    json_t *results = json_object_get(late, "results");
    json_object_set_new(json_array_get(results, 0), "canary_ratio", json_null());
    json_object_set_new(json_array_get(results, 0), "flags", json_array());
    json_object_set_new(json_array_get(results, 1), "cycles", json_null()); /* not measured: no point */
    json_t *early = made_up(NULL, NULL, "2025-01-01T00:00:00Z", 2);
    json_object_set_new(json_array_get(json_object_get(early, "results"), 0), "function",
                        json_string("sha256"));
    assert_int_equal(put(store, late), STORE_OK);
    assert_int_equal(put(store, early), STORE_OK);
    static const char *const spellings[] = {"sha3_256", "sha3-256", "SHA3-256"};
    for (size_t i = 0; i < 3; i++) {
        *points = 0;
        assert_true(store_history(store, spellings[i], remember_point, points, why, sizeof why));
        assert_string_equal(
            points, "2025-01-01T00:00:00Z 1 celer-avx512-gcc12 celer avx512 gcc 12.2.0 hash/throughput 1 "
                    "128->32 1001 999 1001 3.1 0 'contended unsteady';"
                    "2025-01-02T00:00:00Z 1 celer-avx512-gcc12 celer avx512 gcc 12.2.0 hash/throughput 1 "
                    "64->32 1000 999 1001 3.1 1 '';");
    }
    *points = 0;
    assert_true(store_history(store, "sha3", remember_point, points, why, sizeof why));
    assert_string_equal(points, "");
    store_close(store);
}

/* --- Samples and verdicts --- */

static char *exported(const char *path)
{
    char why[512] = "", *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    struct store *store = open_store(path, STORE_READ);
    check(store_export(store, to, why, sizeof why), "%s", why);
    store_close(store);
    fclose(to);
    return text;
}

static void test_samples(void **state)
{
    (void)state;
    const char *path = in_folder("bench.db"), *file = in_folder("out.json");
    char why[512] = "";
    json_t *document = give_samples(made_up(some_id(1), "sampled", "2025-01-01T00:00:00Z", 2), 2000);
    struct store *store = open_store(path, STORE_WRITE);
    assert_int_equal(store_add(store, document, why, sizeof why), STORE_OK);
    assert_int_equal(put(store, give_samples(made_up(some_id(2), NULL, "2025-01-02T00:00:00Z", 1), 0)),
                     STORE_OK);
    assert_int_equal(put(store, made_up(some_id(3), NULL, "2025-01-03T00:00:00Z", 2)), STORE_OK);
    /* A run without an id is the same with its samples and without. */
    assert_int_equal(put(store, made_up(NULL, NULL, "2025-01-04T00:00:00Z", 2)), STORE_OK);
    assert_int_equal(put(store, give_samples(made_up(NULL, NULL, "2025-01-04T00:00:00Z", 2), 5)),
                     STORE_KNOWN);
    assert_non_null(json_object_get(result_of(document, 0), "samples")); /* what was given is as it was */
    json_object_del(result_of(document, 0), "samples");
    check_get(store, "sampled", document);
    store_close(store);
    assert_int_equal(check_valid(path), 4);
    assert_int_equal(count_rows(path, "SELECT length(packed) FROM samples WHERE run = 1"), 5 * 2000);
    assert_int_equal(count_rows(path, "SELECT count(*) FROM samples"), 2);

    /* Out and in again. */
    char *text = exported(path);
    write_text(file, text);
    json_t *documents = document_load(file, why, sizeof why);
    check(documents != NULL, "%s", why);
    give_samples(document, 2000);
    json_t *expected = rounded(document);
    assert_true(json_equal(json_array_get(documents, 0), expected));
    json_decref(documents);
    json_decref(expected);
    json_decref(document);
    size_t added, known;
    store = open_store(in_folder("other.db"), STORE_WRITE);
    assert_int_equal(store_import(store, file, &added, &known, why, sizeof why), STORE_OK);
    assert_int_equal(added, 4);
    store_close(store);
    char *again = exported(in_folder("other.db"));
    assert_string_equal(text, again);
    free(text);
    free(again);

    /* Damage that SQLite does not see. */
    run_sql(path, "UPDATE samples SET packed = packed || x'0000000000' WHERE run = 1");
    store = open_store(path, STORE_READ);
    FILE *to = fopen(file, "w");
    assert_false(store_export(store, to, why, sizeof why));
    check(strstr(why, "damaged (a run is not as it was stored)") != NULL, "%s", why);
    fclose(to);
    store_close(store);
}

static const struct store_verdict verdict = {
    .base = {"celer-scalar-gcc12", "celer", "1.2.3", "scalar", "gcc 12.2.0", "-O3"},
    .test = {"celer-avx512-gcc12", "celer", "1.2.3", "avx512", "gcc 12.2.0", "-O3"},
    .function = "SHA3-256",
    .kind = "hash",
    .mode = "throughput",
    .base_ways = 1,
    .test_ways = 1,
    .dst_len = 32,
    .src_len = 64,
    .base_cycles = 1000,
    .test_cycles = 900,
    .ratio = 0.9,
    .ci_lo = 0.89,
    .ci_hi = 0.91,
    .p = 0.001,
    .p_adjusted = 0.002,
    .n = 200,
    .rejected = 3,
    .verdict = "faster"};

/* Of two rows, the ratio of one of which nobody knows. */
static enum store_status add_verdicts(struct store *store, const char *id, char why[512])
{
    const struct store_verdict verdicts[] = {verdict,
                                             {.base = verdict.base,
                                              .test = verdict.test,
                                              .function = "sha256",
                                              .kind = "hash",
                                              .mode = "latency",
                                              .ratio = NAN,
                                              .verdict = "inconclusive"}};
    json_t *document = made_up(id, NULL, "2025-01-01T00:00:00Z", 0);
    const enum store_status status = store_add_verdicts(store, document, 0.005, verdicts, 2, why, 512);
    json_decref(document);
    return status;
}

static void test_verdicts(void **state)
{
    (void)state;
    static const char row[] =
        "SELECT count(*) FROM comparison JOIN subject AS b ON b.id = base JOIN subject AS t ON t.id = test"
        " JOIN build ON build.id = b.build JOIN machine ON machine.id = machine"
        " WHERE uid = 'aaaabbbb000000000000000000000001' AND position = 0 AND cpu = 'A CPU'"
        " AND started = '2025-01-01T00:00:00Z' AND seed = 7 AND min_effect = 0.005"
        " AND b.label = 'celer-scalar-gcc12' AND b.backend = 'scalar' AND t.label = 'celer-avx512-gcc12'"
        " AND t.backend = 'avx512' AND library = 'celer' AND flags_cc = '-O3' AND function = 'sha3_256'"
        " AND kind = 'hash' AND mode = 'throughput' AND base_ways = 1 AND test_ways = 1 AND dst_len = 32"
        " AND src_len = 64 AND base_cycles = 1000 AND test_cycles = 900 AND ratio = 0.9 AND ci_lo = 0.89"
        " AND ci_hi = 0.91 AND p = 0.001 AND p_adjusted = 0.002 AND n = 200 AND rejected = 3"
        " AND verdict = 'faster'";
    const char *path = in_folder("bench.db");
    char why[512] = "";
    struct store *store = open_store(path, STORE_WRITE);
    put(store, made_up(some_id(1), NULL, "2025-01-01T00:00:00Z", 1));
    assert_int_equal(add_verdicts(store, "aaaabbbb000000000000000000000001", why), STORE_OK);
    assert_int_equal(add_verdicts(store, "aaaabbbb000000000000000000000002", why), STORE_OK);
    store_close(store);
    assert_int_equal(count_rows(path, row), 1);
    assert_int_equal(count_rows(path, "SELECT count(*) FROM comparison WHERE ratio IS NULL"), 2);
    /* Its machine and its subject are those of the run; and it is no run. */
    assert_int_equal(count_rows(path, "SELECT count(*) FROM machine"), 1);
    assert_int_equal(count_rows(path, "SELECT count(*) FROM subject"), 2);
    assert_int_equal(check_valid(path), 1);
    store = open_store(path, STORE_READ);
    assert_int_equal(add_verdicts(store, "aaaabbbb000000000000000000000003", why), STORE_UNWRITABLE);
    store_close(store);
}

/* --- Earlier versions of the tables --- */

static const char version_1[] =
    "CREATE TABLE machine(id INTEGER PRIMARY KEY, cpu TEXT NOT NULL, microcode TEXT NOT NULL,"
    " hypervisor TEXT NOT NULL, isa TEXT NOT NULL, timer_hz REAL);"
    "CREATE TABLE build(id INTEGER PRIMARY KEY, library TEXT NOT NULL, version TEXT NOT NULL,"
    " compiler TEXT NOT NULL, flags_cc TEXT NOT NULL, UNIQUE(library, version, compiler, flags_cc));"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, machine INTEGER NOT NULL REFERENCES machine,"
    " started TEXT NOT NULL, name TEXT NOT NULL, sha256 BLOB NOT NULL, document TEXT NOT NULL);"
    "CREATE INDEX run_by_time ON run(started);"
    "CREATE TABLE result(run INTEGER NOT NULL REFERENCES run, position INTEGER NOT NULL,"
    " build INTEGER NOT NULL REFERENCES build, subject TEXT NOT NULL, function TEXT NOT NULL, backend TEXT NOT NULL,"
    " kind TEXT NOT NULL, mode TEXT NOT NULL, ways INTEGER NOT NULL, dst_len INTEGER NOT NULL,"
    " src_len INTEGER NOT NULL, n INTEGER NOT NULL, cycles REAL, ci_lo REAL, ci_hi REAL, canary_ratio REAL, ghz REAL,"
    " flags TEXT NOT NULL, PRIMARY KEY(run, position)) WITHOUT ROWID;"
    "CREATE INDEX result_by_function ON result(function);"
    "PRAGMA application_id = 1667591282; PRAGMA user_version = 1;"
    "INSERT INTO machine VALUES(1, 'A CPU', '0x1', 'KVM', 'avx2 shani', 2.3e9);"
    "INSERT INTO build VALUES(1, 'celer', '1.2.3', 'gcc 12.2.0', '-O3'), (2, 'other', '1', '', '');"
    "INSERT INTO result VALUES"
    " (1, 0, 1, 'celer-auto-gcc12', 'sha3_256', 'avx512', 'hash', 'throughput', 1, 32, 64, 90, 1000, 999, 1001, 2.5,"
    " 3.1, 'contended unsteady'),"
    " (1, 1, 1, 'celer-auto-gcc12', 'sha256', 'shani', 'hash', 'throughput', 1, 32, 64, 90, 500, 499, 501, 2.5, 3.1,"
    " ''),"
    " (1, 2, 2, 'other-1', 'sha3_256', '', 'hash', 'throughput', 1, 32, 64, 0, NULL, NULL, NULL, NULL, NULL, ''),"
    " (2, 0, 1, 'celer-auto-gcc12', 'sha3_256', 'avx512', 'hash', 'latency', 1, 32, 64, 90, 1100, 1099, 1101, NULL,"
    " NULL, 'few');";

/* As version 1 kept it: a run, of whose document only its results are counted. */
static void add_to_version_1(const char *path, unsigned number, size_t results)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    uint8_t digest[CELER_SHA256_LEN];
    char started[32];
    snprintf(started, sizeof started, "2025-01-%02uT00:00:00Z", number);
    json_t *document = made_up(some_id(number), "old", started, results);
    char *text = json_dumps(document, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(9));
    celer_sha256(digest, text, strlen(text));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "INSERT INTO run VALUES(?, ?, 1, ?, 'old', ?, ?)", -1, &s, NULL),
                     SQLITE_OK);
    sqlite3_bind_int(s, 1, (int)number);
    sqlite3_bind_text(s, 2, some_id(number), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(s, 3, started, -1, SQLITE_STATIC);
    sqlite3_bind_blob(s, 4, digest, sizeof digest, SQLITE_STATIC);
    sqlite3_bind_text(s, 5, text, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    sqlite3_close(db);
    json_decref(document);
    free(text);
}

static void make_version_1(const char *path)
{
    run_sql(path, version_1);
    add_to_version_1(path, 1, 3);
    add_to_version_1(path, 2, 1);
}

/* Whoever reads an old history first brings it up to date, and nothing is lost. */
static void test_migration(void **state)
{
    (void)state;
    const char *path = in_folder("bench.db");
    char why[512] = "", points[4096] = "";
    make_version_1(path);
    struct store *store = open_store(path, STORE_READ);
    assert_true(store_history(store, "sha3-256", remember_point, points, why, sizeof why));
    assert_string_equal(points,
                        "2025-01-01T00:00:00Z 1 celer-auto-gcc12 celer avx512 gcc 12.2.0 hash/throughput 1 "
                        "64->32 1000 999 1001 3.1 0 'contended unsteady';"
                        "2025-01-02T00:00:00Z 1 celer-auto-gcc12 celer avx512 gcc 12.2.0 hash/latency 1 "
                        "64->32 1100 1099 1101 nan 1 'few';");
    store_close(store);
    assert_int_equal(check_valid(path), 2);
    assert_int_equal(count_rows(path, "PRAGMA user_version"), 2);
    assert_int_equal(count_rows(path, "SELECT count(*) FROM subject"), 3);
    /* All that this version makes, the old file has too. */
    store_close(open_store(in_folder("new.db"), STORE_WRITE));
    char *old = schema_of(path), *new = schema_of(in_folder("new.db"));
    assert_string_equal(old, new);
    free(old);
    free(new);
    store = open_store(path, STORE_WRITE);
    assert_int_equal(put(store, made_up(some_id(1), NULL, "", 1)), STORE_KNOWN);
    assert_int_equal(put(store, give_samples(made_up(some_id(3), NULL, "", 2), 10)), STORE_OK);
    assert_int_equal(add_verdicts(store, some_id(4), why), STORE_OK);
    json_t *document = made_up(some_id(2), "old", "2025-01-02T00:00:00Z", 1);
    check_get(store, "old", document);
    json_decref(document);
    store_close(store);
    assert_int_equal(check_valid(path), 3);
}

static void remember_machine(const struct store_run *run, void *arg)
{
    char *text = arg;
    sprintf(text + strlen(text), "%d", (int)run->machine);
}

/* The store numbers machines as document_same_machine tells them apart. */
static void test_machines(void **state)
{
    (void)state;
    char why[512] = "", numbers[64] = "";
    struct store *store = open_store(in_folder("bench.db"), STORE_WRITE);
    static const struct {
        const char *part, *key;
        double real;
        const char *text;
    } changes[] = {
        {"counter", "implementation", 0, "default-monotonic"}, /* nothing is known of the timer: still 1 */
        {"counter", "ticks_per_second", 2.4e9, NULL},          /* it is this one, then */
        {"counter", "ticks_per_second", 2.401e9, NULL},        /* measured a little differently */
        {"counter", "ticks_per_second", 2.41e9, NULL},         /* 2 */
        {"counter", "ticks_per_second", 2.3e9, NULL},          /* 3 */
        {"machine", "microcode", 0, "0x2"},                    /* 4 */
        {"machine", "hypervisor", 0, "none"},                  /* 5 */
        {"machine", "isa", 0, "avx2"},                         /* 6 */
        {"machine", "cpu", 0, "Another CPU"},                  /* 7 */
        {"machine", "governor", 0, "performance"},             /* 3 */
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char started[32];
        snprintf(started, sizeof started, "2025-01-%02zuT00:00:00Z", i + 1);
        json_t *document = made_up(NULL, NULL, started, 1);
        set_machine(document, changes[i].part, changes[i].key,
                    changes[i].text != NULL ? json_string(changes[i].text) : json_real(changes[i].real));
        assert_int_equal(put(store, document), STORE_OK);
    }
    assert_true(store_each_run(store, remember_machine, numbers, why, sizeof why));
    assert_string_equal(numbers, "1112345673");
    store_close(store);
}

/* --- Files that are something else --- */

static void check_untouched(const char *path, const char *reason)
{
    size_t before, after;
    char *a = read_file(path, &before);
    check_refused(path, STORE_WRITE, STORE_REFUSED, reason);
    check_refused(path, STORE_READ, STORE_REFUSED, reason);
    char *b = read_file(path, &after), side[300];
    check(before == after && memcmp(a, b, before) == 0, "%s was changed", path);
    static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(side, sizeof side, "%s%s", path, suffixes[i]);
        check(access(side, F_OK) != 0, "%s was left behind", side);
    }
    free(a);
    free(b);
}

static void test_refused(void **state)
{
    (void)state;
    const char *path = in_folder("x.db"), *good = in_folder("good.db");
    uint8_t noise[20000];
    struct rng rng = {1};
    struct store *store = open_store(good, STORE_WRITE);
    for (unsigned i = 0; i < 30; i++)
        put(store, made_up(some_id(i), NULL, "2025-01-01T00:00:00Z", 3));
    store_close(store);
    size_t n;
    char *bytes = read_file(good, &n);

    rng_fill(&rng, noise, sizeof noise);
    write_file(path, noise, sizeof noise);
    check_untouched(path, "x.db: not a history of celer");
    write_text(path, "function,dst_len,64\n");
    check_untouched(path, "x.db: not a history of celer");
    write_file(path, bytes, n / 2 / 4096 * 4096);
    check_untouched(path, "x.db: damaged");
    write_file(path, bytes, n);
    memset(bytes + 100, 0xff, 3000); /* the first page of tables */
    write_file(path, bytes, n);
    check_untouched(path, "x.db: damaged");
    free(bytes);

    remove(path);
    run_sql(path, "CREATE TABLE t(a); INSERT INTO t VALUES(1)");
    check_untouched(path, "x.db: the database of another program");
    run_sql(path, "PRAGMA user_version = 1");
    check_untouched(path, "x.db: the database of another program");
    run_sql(good, "PRAGMA user_version = 99");
    check_untouched(good, "good.db: made by a newer celer (version 99 ");
    remove(path);
    run_sql(path, "PRAGMA user_version = 99");
    check_untouched(path, "x.db: made by a newer celer (version 99 ");
    check_refused(folder, STORE_WRITE, STORE_REFUSED, "not a file");
}

/* Damage that SQLite does not see. */
static void test_damaged_document(void **state)
{
    (void)state;
    const char *path = in_folder("bench.db");
    char why[512] = "", *text = NULL;
    size_t size;
    struct store *store = open_store(path, STORE_WRITE);
    put(store, made_up(some_id(1), "a", "2025-01-01T00:00:00Z", 1));
    store_close(store);
    run_sql(path, "UPDATE run SET document = replace(document, '1000.0', '9000.0')");
    store = open_store(path, STORE_READ);
    check_no_get(store, "a", "damaged (a run is not as it was stored)");
    FILE *to = open_memstream(&text, &size);
    assert_false(store_export(store, to, why, sizeof why));
    fclose(to);
    check(strstr(why, "damaged") != NULL && size == 0, "%s: %s", why, text);
    free(text);
    store_close(store);
}

/* Of the table, whose root page is overwritten; pages have 4096 bytes. */
static void damage_table(const char *path, const char *table)
{
    char question[128];
    uint8_t bytes[4096];
    memset(bytes, 0xff, sizeof bytes);
    snprintf(question, sizeof question, "SELECT rootpage FROM sqlite_master WHERE name = '%s'", table);
    const long page = (long)count_rows(path, question);
    FILE *const to = fopen(path, "r+b");
    assert_non_null(to);
    assert_int_equal(fseek(to, (page - 1) * (long)sizeof bytes, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, sizeof bytes, to), sizeof bytes);
    assert_int_equal(fclose(to), 0);
}

/* Wrong: a note, as if only the place could not be written. */
static void test_damaged_tables(void **state)
{
    (void)state;
    static const char *const tables[] = {"run", "result", "subject", "machine", "comparison"};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char name[32], why[512] = "";
        snprintf(name, sizeof name, "%s.db", tables[i]);
        const char *const path = in_folder(name);
        struct store *store = open_store(path, STORE_WRITE);
        put(store, made_up(some_id(1), "a", "2025-01-01T00:00:00Z", 1));
        store_close(store);
        damage_table(path, tables[i]);
        size_t before, after;
        char *const was = read_file(path, &before);
        store = open_store(path, STORE_WRITE);
        const bool verdicts = strcmp(tables[i], "comparison") == 0;
        json_t *const document = made_up(some_id(2), "b", "2025-01-02T00:00:00Z", 1);
        const enum store_status status =
            verdicts ? add_verdicts(store, some_id(2), why) : store_add(store, document, why, sizeof why);
        check(status == STORE_REFUSED && strstr(why, "damaged (") != NULL, "%s: %d, %s", tables[i], status,
              why);
        json_decref(document);
        store_close(store);
        char *const is = read_file(path, &after);
        check(before == after && memcmp(was, is, before) == 0, "%s: it was written to", tables[i]);
        free(was);
        free(is);
    }
}

static void test_empty(void **state)
{
    (void)state;
    const char *path = in_folder("empty.db");
    write_text(path, "");
    check_refused(path, STORE_READ, STORE_ABSENT, "there is no history yet");
    check_refused(in_folder("none.db"), STORE_READ, STORE_ABSENT, "there is no history yet");
    check_refused(in_folder("none/none.db"), STORE_READ, STORE_ABSENT, "there is no history yet");
    assert_int_not_equal(access(in_folder("none.db"), F_OK), 0);
    assert_int_not_equal(access(in_folder("none"), F_OK), 0);
    store_close(open_store(path, STORE_WRITE));
    store_close(open_store(path, STORE_READ));
    assert_int_equal(check_valid(path), 0);
    store_close(NULL);
    /* Made, but whoever made it died before its tables were. */
    remove(path);
    run_sql(path, "PRAGMA journal_mode = WAL");
    store_close(open_store(path, STORE_WRITE));
    assert_int_equal(check_valid(path), 0);
}

static void test_places(void **state)
{
    (void)state;
    static const char *const names[] = {"a?mode=memory", "b#c", "d%41", ":memory:", "file:e?x", "f g\\h'\""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        store_close(open_store(in_folder(names[i]), STORE_WRITE));
        check(access(in_folder(names[i]), F_OK) == 0, "%s was not made", names[i]);
    }
    char before[256], why[512];
    struct store *store;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(remove(":memory:"), 0);
    store_close(open_store(":memory:", STORE_WRITE));
    store_close(open_store("file::memory:", STORE_WRITE));
    assert_int_equal(access(":memory:", F_OK), 0);
    assert_int_equal(access("file::memory:", F_OK), 0);
    assert_int_equal(chdir(before), 0);

    setenv("XDG_DATA_HOME", in_folder("data"), 1);
    setenv("HOME", in_folder("home"), 1);
    store_close(open_store(NULL, STORE_WRITE));
    struct stat st;
    assert_int_equal(stat(in_folder("data/celer/bench.db"), &st), 0);
    assert_int_equal(stat(in_folder("data/celer"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    setenv("XDG_DATA_HOME", "relative", 1); /* by the rules of XDG, to be ignored */
    store_close(open_store(NULL, STORE_WRITE));
    assert_int_equal(access(in_folder("home/.local/share/celer/bench.db"), F_OK), 0);
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    assert_int_equal(store_open(&store, NULL, STORE_WRITE, why, sizeof why), STORE_UNWRITABLE);
    check(strstr(why, "neither XDG_DATA_HOME nor HOME") != NULL, "%s", why);

    write_text(in_folder("file"), "");
    check_refused(in_folder("file/bench.db"), STORE_WRITE, STORE_UNWRITABLE, "Not a directory");
    check_refused("", STORE_WRITE, STORE_UNWRITABLE, "empty");
    check_refused("/proc/none/bench.db", STORE_WRITE, STORE_UNWRITABLE, "No such file");
    char *endless = malloc(10000);
    memset(endless, 'x', 9999);
    endless[9999] = 0;
    check_refused(endless, STORE_WRITE, STORE_UNWRITABLE, "too long");
    free(endless);
}

static int differs(int code, enum store_status status, const char *why)
{
    fprintf(stderr, "%d: status %d: %s\n", code, (int)status, why);
    return code;
}

/* As somebody who may not write there; root may everywhere. */
static int use_read_only_folder(void)
{
    if (geteuid() == 0 && setuid(65534) != 0)
        return 77;
    struct store *store;
    char why[512] = "";
    enum store_status status = store_open(&store, in_folder("closed/new.db"), STORE_WRITE, why, sizeof why);
    if (status != STORE_UNWRITABLE || strstr(why, "Permission denied") == NULL)
        return differs(1, status, why);
    status = store_open(&store, in_folder("closed/below/new.db"), STORE_WRITE, why, sizeof why);
    if (status != STORE_UNWRITABLE || strstr(why, "Permission denied") == NULL)
        return differs(2, status, why);
    status = store_open(&store, in_folder("closed/bench.db"), STORE_WRITE, why, sizeof why);
    if (status != STORE_UNWRITABLE)
        return differs(3, status, why);
    status = store_open(&store, in_folder("closed/bench.db"), STORE_READ, why, sizeof why);
    if (status != STORE_OK)
        return differs(4, status, why);
    json_t *document = store_get(store, "label", why, sizeof why);
    json_decref(document);
    store_close(store);
    if (document == NULL)
        return 5;
    status = store_open(&store, in_folder("closed/old.db"), STORE_READ, why, sizeof why);
    if (status != STORE_UNWRITABLE ||
        strstr(why, "old.db: made by an older celer, and cannot be brought up to date: Permission denied") ==
            NULL)
        return differs(6, status, why);
    return 0;
}

static void test_read_only(void **state)
{
    (void)state;
    struct store *store = open_store(in_folder("closed/bench.db"), STORE_WRITE);
    put(store, made_up(some_id(1), "label", "2025-01-01T00:00:00Z", 1));
    store_close(store);
    make_version_1(in_folder("closed/old.db"));
    assert_int_equal(chmod(in_folder("closed/bench.db"), 0444), 0);
    assert_int_equal(chmod(in_folder("closed"), 0555), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    const int code = in_child(use_read_only_folder);
    assert_int_equal(chmod(in_folder("closed"), 0755), 0);
    if (code == 77)
        skip();
    assert_int_equal(code, 0);
}

static int fill_disk(void)
{
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit = {300000, 300000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    struct store *store;
    char why[512] = "";
    if (store_open(&store, in_folder("bench.db"), STORE_WRITE, why, sizeof why) != STORE_OK)
        return 2;
    enum store_status status = STORE_OK;
    for (unsigned i = 0; i < 200 && status == STORE_OK; i++) {
        json_t *document = made_up(some_id(i), NULL, "2025-01-01T00:00:00Z", 10);
        status = store_add(store, document, why, sizeof why);
        json_decref(document);
    }
    store_close(store);
    return status == STORE_UNWRITABLE && strstr(why, "bench.db: ") != NULL ? 0 : 3;
}

static void test_full_disk(void **state)
{
    (void)state;
    assert_int_equal(in_child(fill_disk), 0);
    check(check_valid(in_folder("bench.db")) > 0, "nothing fitted");
    struct store *store = open_store(in_folder("bench.db"), STORE_WRITE);
    assert_int_equal(put(store, made_up(some_id(999), "after", "2025-01-01T00:00:00Z", 1)), STORE_OK);
    store_close(store);
}

/* --- Processes --- */

/* Adds runs until it is killed; from the very beginning, so that it may die while the tables are made. */
static void add_for_ever(void)
{
    for (unsigned i = 0;; i++) {
        struct store *store;
        char why[512];
        if (store_open(&store, in_folder("bench.db"), STORE_WRITE, why, sizeof why) != STORE_OK)
            _exit(1);
        for (unsigned j = 0; j < 5; j++) {
            json_t *document =
                give_samples(made_up(some_id(5 * i + j), NULL, "2025-01-01T00:00:00Z", 20), 200);
            if (store_add(store, document, why, sizeof why) != STORE_OK)
                _exit(2);
            json_decref(document);
            if (add_verdicts(store, some_id(5 * i + j), why) != STORE_OK)
                _exit(3);
        }
        store_close(store);
    }
}

/* Lets a writer live for at most so many microseconds; returns how many runs the file then has. */
static size_t kill_writer(struct rng *rng, size_t longest)
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        add_for_ever();
    usleep((unsigned)rng_below(rng, longest));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    check(WIFSIGNALED(status), "the writer failed: %d", WEXITSTATUS(status));
    store_close(open_store(in_folder("bench.db"), STORE_WRITE));
    return check_valid(in_folder("bench.db"));
}

static void test_kill(void **state)
{
    (void)state;
    struct rng rng = {(uint64_t)time(NULL)};
    size_t before = 0, grown = 0, longest = 60000;
    for (int i = 0; i < 60; i++) {
        const size_t now = kill_writer(&rng, longest);
        check(now >= before, "of %zu runs %zu are left", before, now);
        grown += now > before;
        if (now == before && longest < 2000000) /* a slow machine, or an emulator */
            longest += longest / 4;
        before = now;
    }
    check(grown > 10, "only %zu writers got anywhere", grown);
}

static void remove_history(void)
{
    static const char *const names[] = {"bench.db", "bench.db-wal", "bench.db-shm", "bench.db-journal"};
    for (size_t i = 0; i < 4; i++)
        remove(in_folder(names[i]));
}

/* Lets a process bring an old history up to date for so many microseconds; whether it got that far. */
static bool kill_migration(unsigned longest)
{
    remove_history();
    make_version_1(in_folder("bench.db"));
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        store_close(open_store(in_folder("bench.db"), STORE_WRITE));
        _exit(0);
    }
    usleep(longest);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    return count_rows(in_folder("bench.db"), "PRAGMA user_version") == 2;
}

/* It happens at once, or not yet: at moments around that at which it is done, which is searched for. */
static void test_kill_while_migrating(void **state)
{
    (void)state;
    size_t migrated = 0;
    unsigned moment = 1000;
    for (int i = 0; i < 30; i++) {
        const bool done = kill_migration(moment);
        migrated += done;
        moment = done ? moment - moment / 5 : moment + moment / 4;
        store_close(open_store(in_folder("bench.db"), STORE_WRITE));
        assert_int_equal(check_valid(in_folder("bench.db")), 2);
        assert_int_equal(count_rows(in_folder("bench.db"), "SELECT count(*) FROM result"), 4);
    }
    check(migrated > 2 && migrated < 28, "%zu of 30 were done", migrated);
}

static void test_kill_while_new(void **state)
{
    (void)state;
    struct rng rng = {(uint64_t)time(NULL)};
    for (int i = 0; i < 200; i++) {
        remove_history();
        kill_writer(&rng, 4000);
    }
}

#define WRITERS 8
#define RUNS    25

static void test_writers(void **state)
{
    (void)state;
    pid_t children[WRITERS];
    fflush(NULL);
    for (size_t w = 0; w < WRITERS; w++) {
        children[w] = fork();
        if (children[w] != 0)
            continue;
        /* Each opens a history that does not exist yet, half of them anew for each run. */
        char why[512];
        struct store *store = NULL;
        for (unsigned i = 0; i < RUNS; i++) {
            if (store == NULL &&
                store_open(&store, in_folder("new/bench.db"), STORE_WRITE, why, sizeof why) != STORE_OK) {
                fprintf(stderr, "open: %s\n", why);
                _exit(1);
            }
            json_t *document = made_up(i == 0 ? "0123456789abcdef0123456789abcdef" : some_id(i), NULL,
                                       "2025-01-01T00:00:00Z", 10);
            if (store_add(store, document, why, sizeof why) > STORE_KNOWN) {
                fprintf(stderr, "add: %s\n", why);
                _exit(2);
            }
            json_decref(document);
            if (add_verdicts(store, some_id(i), why) != STORE_OK)
                _exit(3);
            if (w % 2 == 0) {
                store_close(store);
                store = NULL;
            }
        }
        store_close(store);
        _exit(0);
    }
    for (size_t w = 0; w < WRITERS; w++) {
        int status;
        assert_int_equal(waitpid(children[w], &status, 0), children[w]);
        check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "writer %zu: %x", w, (unsigned)status);
    }
    /* The first run of all of them is the same one. */
    assert_int_equal(check_valid(in_folder("new/bench.db")), WRITERS * (RUNS - 1) + 1);
    assert_int_equal(count_rows(in_folder("new/bench.db"), "SELECT count(*) FROM comparison"),
                     2 * WRITERS * RUNS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_a_run_writes),
        TEST(test_check),
        TEST(test_load),
        TEST(test_packed),
        TEST(test_same_machine),
        TEST(test_round_trip),
        TEST(test_known),
        TEST(test_history),
        TEST(test_samples),
        TEST(test_verdicts),
        TEST(test_migration),
        TEST(test_machines),
        TEST(test_refused),
        TEST(test_damaged_document),
        TEST(test_damaged_tables),
        TEST(test_empty),
        TEST(test_places),
        TEST(test_read_only),
        TEST(test_full_disk),
        TEST(test_kill),
        TEST(test_kill_while_new),
        TEST(test_kill_while_migrating),
        TEST(test_writers),
    };
    return cmocka_run_group_tests_name("bench/store", tests, NULL, NULL);
}
