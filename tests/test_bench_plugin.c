/* test_bench_plugin.c: plug-ins: what is refused and why, where they are found, and whether the libraries behind those
   built here compute what they say, for every length from 0 to 300. */
#include "support.h"
#include <stdbool.h>
#include <unistd.h>
#include "bench/measure.h"
#include "bench/plugin.h"
#include "bench/providers.h"
#include "bench/reference.h"

static const char *planted(const char *name)
{
    static char file[4096];
    snprintf(file, sizeof file, "%s/%s.so", PLANTED_DIR, name);
    return file;
}

/* --- One object --- */

static void expect_refused(const char *file, const char *reason)
{
    static const struct celer_provider *const before = (const struct celer_provider *)(const void *)"";
    const struct celer_provider *provider = before;
    char why[512] = "";
    check(!plugin_load(file, &provider, why, sizeof why), "%s was taken", file);
    check(strstr(why, reason) != NULL, "%s: '%s', not '%s'", file, why, reason);
    check(strchr(why, '\n') == NULL, "%s: more than one line: %s", file, why);
    check(strncmp(why, file, strlen(file)) != 0, "%s: the reason has the name in it: %s", file, why);
    assert_ptr_equal(provider, before); /* wrong: a pointer into an object that is gone */
    char little[8];
    assert_false(plugin_load(file, &provider, little, sizeof little));
    assert_true(strlen(little) < sizeof little);
}

static void test_refusals(void **state)
{
    (void)state;
    expect_refused(planted("other_abi"), "made for number 0 of the interface, and this celer has number 1");
    expect_refused(planted("no_symbol"), "no symbol celer_provider_1");
    expect_refused(planted("size"), "its subjects have ");
    expect_refused(planted("refuses"), "the moon is in the wrong quarter");
    expect_refused(planted("no_text"), "its subject 0, fnv1a, has a text that is NULL");
    expect_refused(planted("no_run"), "its subject 0, fnv1a, has nothing to run");
    expect_refused(planted("hollow"), "its subject 0, fnv1a, has nothing to run");
    expect_refused(planted("unlinked"), "celer_test_function_that_is_nowhere");
    expect_refused(planted("empty"), "it has nothing to measure");
    expect_refused(planted("absent"), "No such file");
    expect_refused("absent.so", "No such file"); /* wrong: looked for among the system's libraries */
    expect_refused("libc.so.6", "No such file");
    expect_refused("/dev/null", "");
    char longest[5000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    expect_refused(longest, "its name is too long");
}

static void test_good(void **state)
{
    const struct celer_provider *provider = NULL, *again = NULL;
    char why[512] = "";
    (void)state;
    check(plugin_load(planted("good"), &provider, why, sizeof why), "refused: %s", why);
    assert_string_equal(provider->library, "planted");
    assert_true(plugin_load(planted("good"), &again, why, sizeof why));
    assert_ptr_equal(provider, again);
}

/* --- Collections --- */

static void expect_set(const struct plugin_set *set, size_t count, const char *first, const char *last)
{
    check(set->count == count, "%zu providers, not %zu", set->count, count);
    assert_string_equal(set->providers[0]->library, first);
    assert_string_equal(set->providers[count - 1]->library, last);
}

static void test_collect(void **state)
{
    const struct celer_provider *const own = provider_celer();
    struct plugin_set set;
    const char *const twice[] = {planted("good"), planted("good")};
    (void)state;
    assert_non_null(own);
    assert_true(plugin_collect(&set, own, NULL, NULL, 0));
    expect_set(&set, 1, "celer", "celer");
    plugin_set_free(&set);
    assert_true(plugin_collect(&set, own, NULL, twice, 2));
    expect_set(&set, 2, "celer", "planted"); /* wrong: the same one measured twice */
    plugin_set_free(&set);
    char celer[4096];
    snprintf(celer, sizeof celer, "%s", planted("celer"));
    const char *const other_celer[] = {planted("good"), celer};
    assert_true(plugin_collect(&set, own, NULL, other_celer, 2));
    expect_set(&set, 2, "planted", "celer"); /* wrong: a celer that nobody asked for */
    check(set.providers[1] != own, "the plug-in did not take the place of the built-in code");
    plugin_set_free(&set);
    assert_false(plugin_collect(&set, own, "no-such-library", NULL, 0));
    assert_false(plugin_collect(&set, own, "", NULL, 0));
    const char *const unable[] = {planted("unable")}, *const nameless[] = {""};
    assert_false(plugin_collect(&set, own, NULL, unable, 1));
    assert_false(plugin_collect(&set, own, NULL, nameless, 1));
    char bad[4096];
    snprintf(bad, sizeof bad, "%s", planted("other_abi"));
    const char *const mixed[] = {planted("good"), bad};
    assert_false(plugin_collect(&set, own, NULL, mixed, 2));
    assert_null(set.providers);
}

static void test_find(void **state)
{
    static const char *const libraries[] = {"openssl",   "libgcrypt", "cryptopp", "botan",   "nettle",
                                            "libsodium", "libb2",     "mbedtls",  "wolfssl", "liboqs",
                                            "xkcp",      "libblake3", "libblake2"};
    struct plugin plugins[PLUGIN_MAX];
    const size_t count = plugin_find_all(plugins);
    (void)state;
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        size_t at = 0;
        while (at < count && strcmp(plugins[at].name, libraries[i]) != 0)
            at++;
        check(at < count, "%s is neither there nor missing", libraries[i]);
        check((plugins[at].file[0] == 0) == (plugins[at].why[0] != 0), "%s: file '%s', why '%s'",
              libraries[i], plugins[at].file, plugins[at].why);
        if (plugins[at].file[0] == 0)
            check(!plugin_load_found(&plugins[at]), "%s has no file and was loaded", libraries[i]);
    }
}

/* --- What the libraries compute --- */

#define MOST 300

static struct plugin_set all;

/* Every length, at an odd place, written to a place that is not clean; the state is used again and again. */
static void test_subject(void **state)
{
    const struct celer_subject *const s = *state;
    struct rng rng = {.state = 1};
    uint8_t text[MOST + 1], got[136], want[136];
    void *opened = NULL;
    const char *why = "";
    rng_fill(&rng, text, sizeof text);
    check(s->open == NULL || s->open(s, &opened, &why) == 0, "it cannot be opened: %s", why);
    check(s->out_len <= sizeof got, "%zu bytes", s->out_len);
    const size_t lens[] = {s->out_len, 1, 32, sizeof got};
    for (size_t l = 0; l < (s->kind == CELER_KIND_XOF ? 4 : 1); l++)
        for (size_t len = 0; len <= MOST; len++) {
            const uint8_t *const in = text + (len < MOST);
            check(reference_result(s, want, lens[l], in, len), "nobody else has this function");
            if (s->enter != NULL)
                s->enter(s, opened);
            memset(got, 0xa5, sizeof got);
            if (s->kind == CELER_KIND_XOF)
                s->run.xof(s, opened, got, lens[l], in, len);
            else
                s->run.hash(s, opened, got, in, len);
            check_bytes(got, want, lens[l], "%zu bytes from %zu", lens[l], len);
            for (size_t i = lens[l]; i < sizeof got; i++)
                check(got[i] == 0xa5, "writes behind its %zu bytes", lens[l]);
        }
    if (s->close != NULL)
        s->close(s, opened);
}

/* Other kinds are asked as they are when measured. */
static void test_other_kind(void **state)
{
    const struct celer_subject *const s = *state;
    static const enum operation kem[] = {OPERATION_KEYGEN, OPERATION_ENCAPS, OPERATION_DECAPS};
    const bool is_kem = s->kind == CELER_KIND_KEM;
    struct task task = {.subject = s, .ways = s->ways, .dst_len = s->out_len, .src_len = s->out_len};
    struct work work;
    assert_null(task_open(&task));
    for (size_t i = 0; i < (is_kem ? 3 : 1); i++) {
        task.operation = is_kem ? kem[i] : OPERATION_NONE;
        assert_true(work_start(&work, MODE_THROUGHPUT, 1, &task, 1));
        for (size_t repeats = 1; repeats <= 3; repeats++) {
            task_enter(&task);
            work_prepare(&work, &task, 0);
            work_run(&work, &task, repeats, 0);
            const char *const fault = work_check(&work, &task, repeats, 0);
            check(fault == NULL, "%s, %zu times: %s", operation_names[task.operation], repeats, fault);
        }
        work_free(&work);
    }
    task_close(&task);
}

/* What this version, or build, of a library lacks, and says so; any other reason is a mistake of the plug-in. */
static void test_absent(void **state)
{
    const struct celer_subject *const s = *state;
    void *opened;
    const char *why = NULL;
    assert_non_null(s->open);
    assert_int_not_equal(s->open(s, &opened, &why), 0);
    assert_non_null(why);
    check(strchr(why, '\n') == NULL && (strncmp(why, "this ", 5) == 0 || strstr(why, " needs ") != NULL),
          "'%s' is no reason", why);
}

static bool can_open(const struct celer_subject *s)
{
    struct task task = {.subject = s};
    if (task_open(&task) != NULL)
        return false;
    task_close(&task);
    return true;
}

static void add_provider(struct suite *suite, const struct celer_provider *p)
{
    for (size_t i = 0; i < p->subject_count; i++) {
        const struct celer_subject *s = &p->subjects[i];
        if (!can_open(s))
            suite_add(suite, test_absent, (void *)(uintptr_t)s, "%s/%s is absent", p->library, s->function);
        else if (s->kind != CELER_KIND_HASH && s->kind != CELER_KIND_XOF)
            suite_add(suite, test_other_kind, (void *)(uintptr_t)s, "%s/%s x%u", p->library, s->function,
                      (unsigned)s->ways);
        else if (reference_name(s) == NULL)
            printf("not checked: nobody but %s has %s\n", p->library, s->function);
        else
            suite_add(suite, test_subject, (void *)(uintptr_t)s, "%s/%s against %s", p->library, s->function,
                      reference_name(s));
    }
}

/* What a wrong one, and one that does nothing, come to when measured. */
static void test_faults(void **state)
{
    static const struct {
        const char *plant, *fault;
    } cases[] = {{"wrong", "its results are wrong"}, {"nothing", "it does nothing"}};
    (void)state;
    struct clock clock;
    clock_open(&clock, NULL);
    for (size_t i = 0; i < 2; i++) {
        const struct celer_provider *p;
        char why[512];
        struct measure measure = {.clock = &clock, .trials = 2};
        assert_true(plugin_load(planted(cases[i].plant), &p, why, sizeof why));
        struct cell cell = {.task = {.subject = p->subjects, .ways = 1, .dst_len = 32, .src_len = 64}};
        assert_true(measure_cells(&measure, &cell, 1));
        assert_non_null(cell.fault);
        assert_string_equal(cell.fault, cases[i].fault);
        cell_free(&cell);
    }
    clock_close();
}

/* A function celer does not have: the answer is another's, but never that of one who gets the standard's example
   wrong, or of the one who is asked about. */
static void answer(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    (void)state, (void)in, (void)in_len;
    memset(out, *(const int *)self->arg, self->out_len);
}

static void test_reference(void **state)
{
    static const int one = 1, two = 2;
#define SAYS(name, number)                                                                                 \
  {                                                                                                        \
    .kind = CELER_KIND_HASH, .flags = CELER_SUBJECT_DEFAULT, .ways = 1, .function = (name), .backend = "", \
    .notes = "", .out_len = 32, .arg = &(number), .run.hash = answer                                       \
  }
    static const struct celer_subject a[] = {SAYS("fnv1a", one), SAYS("sha512-256", one),
                                             SAYS("lonely", one)},
                                      b[] = {SAYS("fnv1a", two), SAYS("sha512-256", two)};
    static const struct celer_provider pa = {.library = "a", .subjects = a, .subject_count = 3},
                                       pb = {.library = "b", .subjects = b, .subject_count = 2};
    const struct celer_provider *const both[] = {&pa, &pb};
    uint8_t out[32];
    (void)state;
    reference_providers(both, 2);
    assert_string_equal(reference_name(&a[0]), "b");
    assert_string_equal(reference_name(&b[0]), "a");
    assert_true(reference_result(&a[0], out, 32, out, 0));
    assert_int_equal(out[0], 2);
    assert_true(reference_result(&b[0], out, 32, out, 0));
    assert_int_equal(out[0], 1);
    assert_null(reference_name(&a[2]));
    assert_false(reference_result(&a[2], out, 32, out, 0));
    if (celer_hash_find("sha512-256") == NULL)
        assert_null(reference_name(&a[1])); /* wrong: a liar for a witness */
    reference_providers(all.providers, all.count);
}

int main(void)
{
    struct suite suite = {0};
    if (!plugin_collect(&all, provider_celer(), "all", NULL, 0))
        return 1;
    reference_providers(all.providers, all.count);
    suite_add(&suite, test_refusals, NULL, "refusals");
    suite_add(&suite, test_good, NULL, "a good one");
    suite_add(&suite, test_collect, NULL, "collections");
    suite_add(&suite, test_find, NULL, "what there is and what is missing");
    suite_add(&suite, test_faults, NULL, "faults");
    suite_add(&suite, test_reference, NULL, "reference");
    for (size_t i = 1; i < all.count; i++)
        add_provider(&suite, all.providers[i]);
    const int failed = suite_run(&suite, "plugin");
    reference_providers(NULL, 0);
    plugin_set_free(&all);
    return failed != 0;
}
