/* test_chain_bench.c: `celer chain bench`: its lines, and that it finds a machine that computes something wrong. The
   linker can break the fast code. */
#include "support.h"
#include <getopt.h>
#include <stdbool.h>
#include <unistd.h>
#include "chain/bench.h"
#include "cli.h"

void __real_celer_sha256_chain(uint8_t hash[32], uint64_t n);
void __wrap_celer_sha256_chain(uint8_t hash[32], uint64_t n);
void __real_celer_sha256_chain_x4(uint8_t (*hash)[32], uint64_t n);
void __wrap_celer_sha256_chain_x4(uint8_t (*hash)[32], uint64_t n);

static bool broken;

void __wrap_celer_sha256_chain(uint8_t hash[32], uint64_t n)
{
    __real_celer_sha256_chain(hash, n);
    hash[31] ^= (uint8_t)broken;
}

void __wrap_celer_sha256_chain_x4(uint8_t (*hash)[32], uint64_t n)
{
    __real_celer_sha256_chain_x4(hash, n);
    hash[2][0] ^= (uint8_t)broken;
}

/* Runs it with these arguments, NULL at the end; what it prints goes to `out`. */
static int bench(char *out, size_t size, const char *const *arguments)
{
    char *argv[16] = {(char *)(uintptr_t) "bench"};
    int argc = 1;
    for (; arguments[argc - 1] != NULL; argc++)
        argv[argc] = (char *)(uintptr_t)arguments[argc - 1];
    FILE *const file = tmpfile();
    assert_non_null(file);
    fflush(stdout);
    const int before = dup(STDOUT_FILENO);
    assert_true(before >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
    optind = 0; /* getopt begins anew */
    const int code = cmd_chain_bench(argc, argv);
    fflush(stdout);
    assert_true(dup2(before, STDOUT_FILENO) >= 0);
    close(before);
    rewind(file);
    out[fread(out, 1, size - 1, file)] = 0;
    fclose(file);
    return code;
}

/* `text` is `shape` with a number for each #. */
static bool has_shape(const char *text, const char *shape)
{
    for (; *shape != 0; shape++)
        if (*shape != '#') {
            if (*text++ != *shape)
                return false;
        } else {
            const size_t digits = strspn(text, "0123456789.");
            if (digits == 0)
                return false;
            text += digits;
        }
    return *text == 0;
}

static void test_lines(void **state)
{
    (void)state;
    static const struct {
        const char *arguments[10], *shape;
    } cases[] = {
        {{"-i", "2k"},
         "- Fast: # MH/s (# MH/s/0.1GHz) [verify hash: ok]\n"
         "- Reference: # MH/s (# MH/s/0.1GHz) [verify hash: ok]\n"},
        {{"-i", "2k", "-m", "cpb", "-s", "3.0"},
         "- Fast: # cpb [verify hash: ok]\n- Reference: # cpb [verify hash: ok]\n"},
        {{"-i", "3001", "-m", "MiB", "--lanes", "4", "-t", "2"},
         "- Fast: # MiB/s (# MiB/s/0.1GHz) [verify hash: ok]\n"
         "- Reference: # MiB/s (# MiB/s/0.1GHz) [verify hash: ok]\n"},
        {{"-i", "2k", "--lanes", "16", "-f", "csv", "-s", "3.0"},
         "name,iterations,threads,lanes,seconds,ghz,ghz_from,MH,MB,MiB,cpb,verified\n"
         "Fast,2000,1,16,#,3.000,given,#,#,#,#,ok\nReference,2000,1,16,#,3.000,given,#,#,#,#,ok\n"},
    };
    char out[2048];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(bench(out, sizeof out, cases[i].arguments), EXIT_GOOD);
        check(has_shape(out, cases[i].shape), "case %zu: %s", i, out);
    }
}

static void test_wrong(void **state)
{
    (void)state;
    static const char *const one[] = {"-i", "2k", NULL}, *const four[] = {"-i", "2k", "--lanes", "4", NULL},
                             *const csv[] = {"-i", "2k", "-f", "csv", NULL};
    char out[2048];
    broken = true;
    assert_int_equal(bench(out, sizeof out, one), EXIT_NEGATIVE);
    check(strstr(out, "- Fast: ") == out && strstr(out, "[verify hash: FAILED]\n") != NULL, "%s", out);
    assert_int_equal(bench(out, sizeof out, four), EXIT_NEGATIVE);
    check(strstr(out, "[verify hash: FAILED]\n") != NULL, "%s", out);
    assert_int_equal(bench(out, sizeof out, csv), EXIT_NEGATIVE);
    check(strstr(out, ",FAILED\n") != NULL, "%s", out);
    broken = false;
    assert_int_equal(bench(out, sizeof out, one), EXIT_GOOD);
}

static void test_bad_options(void **state)
{
    (void)state;
    static const char *const cases[][4] = {
        {"-m", "X"},    {"-i", "0"}, {"-i", "many"}, {"-s", "0"},       {"-s", "3GHz"},   {"-s", "1e-300"},
        {"-s", "101"},  {"-t", "0"}, {"-t", "257"},  {"--lanes", "5"},  {"--lanes", "0"}, {"--cpu", "-1"},
        {"-f", "yaml"}, {"file"},    {"--sideways"}, {"-b", "nothing"}, {"-i", "1", "-m"}};
    char out[256];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(bench(out, sizeof out, cases[i]), EXIT_TROUBLE);
        check(out[0] == 0, "case %zu prints %s", i, out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_wrong),
                                       cmocka_unit_test(test_bad_options)};
    cli_start("chain");
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
