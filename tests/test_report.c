/* test_report.c: the parts of `celer report`: numbers and quoting, scales, what is read from documents, and that
   drawings and page hold nothing of a document but quoted text. The drawings themselves: tests/cli/report.sh. */
#include "support.h"
#include <locale.h>
#include <math.h>
#include "bench/document.h"
#include "report/charts.h"
#include "report/page.h"
#include "report/scale.h"
#include "report/svg.h"

static void check_text(struct text *t, const char *expected)
{
    assert_false(t->failed);
    assert_string_equal(t->data != NULL ? t->data : "", expected);
    text_free(t);
}

static void numbers(void **state)
{
    static const struct {
        double value;
        int decimals;
        const char *expected;
    } rows[] = {{0, 0, "0"},
                {0.05, 1, "0.1"},
                {-0.04, 1, "0.0"},
                {-1.25, 1, "-1.3"},
                {1234.5678, 2, "1234.57"},
                {0.999999, 3, "1.000"},
                {5, 6, "5.000000"},
                {NAN, 2, "-"},
                {1e300, 0, "9000000000000000000"},
                {2.005e9, 1, "2005000000.0"}};
    static const struct {
        double value;
        const char *expected;
    } figures[] = {{0.01234, "0.0123"}, {0.0994, "0.0994"}, {0.631, "0.63"},
                   {5.4, "5.40"},       {99.99, "99.99"},   {99.999, "100.0"},
                   {807.44, "807.4"},   {999.96, "1000"},   {45123.4, "45123"}};
    struct text t = {0};
    (void)state;
    /* Where commas stand for points, if this system has such a place. */
    setlocale(LC_ALL, "de_DE.UTF-8");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text_number(&t, rows[i].value, rows[i].decimals);
        check_text(&t, rows[i].expected);
    }
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        text_figure(&t, figures[i].value);
        check_text(&t, figures[i].expected);
    }
    text_coordinate(&t, 12.04);
    text_add(&t, " ");
    text_coordinate(&t, 12.06);
    text_add(&t, " ");
    text_coordinate(&t, -0.01);
    check_text(&t, "12 12.1 0");
    setlocale(LC_ALL, "C");
}

static void quoting(void **state)
{
    static const struct {
        const char *from, *escaped, *csv, *slug;
    } rows[] = {
        {"plain", "plain", "plain", "plain"},
        {"", "", "", ""},
        {"<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;", "\"<b>&\"\"'\"", "b"},
        {"a,b", "a,b", "\"a,b\"", "a-b"},
        {"=1+1", "=1+1", "'=1+1", "1-1"},
        {"@x,y", "@x,y", "\"'@x,y\"", "x-y"},
        {"-O3", "-O3", "'-O3", "o3"},
        {"+", "+", "'+", ""},
        {"two\nlines", "two\nlines", "\"two\nlines\"", "two-lines"},
        {"../SHA3_256 é/..", "../SHA3_256 é/..", "../SHA3_256 é/..", "sha3-256"},
    };
    struct text t = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text_escaped(&t, rows[i].from);
        check_text(&t, rows[i].escaped);
        text_csv(&t, rows[i].from);
        check_text(&t, rows[i].csv);
        text_slug(&t, rows[i].from);
        check_text(&t, rows[i].slug);
    }
    text_clipped(&t, "éééé", 4);
    check_text(&t, "éééé");
    text_clipped(&t, "ééééé", 4);
    check_text(&t, "ééé…");
    text_size(&t, 65536);
    check_text(&t, "64\u00a0KiB");
    text_size(&t, 1025);
    check_text(&t, "1025\u00a0B");
    text_size(&t, 0);
    check_text(&t, "0\u00a0B");
}

static void check_ticks(const struct scale *s, const double *expected, size_t n)
{
    check(s->tick_count == n, "%zu ticks, not %zu; from %g to %g", s->tick_count, n, s->low, s->high);
    for (size_t i = 0; i < n; i++)
        check(fabs(s->ticks[i] - expected[i]) <= 1e-9 * fabs(expected[n - 1]), "tick %zu is %g, not %g", i,
              s->ticks[i], expected[i]);
}

static void scales(void **state)
{
    struct scale s = scale_linear(0, 7.95, 6, 100, 500);
    (void)state;
    check_ticks(&s, (const double[]){0, 2, 4, 6, 8}, 5);
    assert_int_equal(s.decimals, 0);
    assert_true(scale_place(&s, 0) == 100 && scale_place(&s, 8) == 500 && scale_place(&s, 4) == 300);
    assert_true(scale_place(&s, -5) == 100 && scale_place(&s, 1e9) == 500 && scale_place(&s, NAN) == 100);
    s = scale_linear(0, 0.631, 6, 0, 1);
    check_ticks(&s, (const double[]){0, 0.2, 0.4, 0.6, 0.8}, 5);
    assert_int_equal(s.decimals, 1);
    s = scale_linear(-31, 12, 6, 0, 1);
    check_ticks(&s, (const double[]){-40, -30, -20, -10, 0, 10, 20}, 7);
    s = scale_linear(6.72, 9.34, 6, 0, 1);
    check_ticks(&s, (const double[]){6.5, 7, 7.5, 8, 8.5, 9, 9.5}, 7);
    s = scale_linear(0, 1000, 6, 0, 1);
    check_ticks(&s, (const double[]){0, 200, 400, 600, 800, 1000}, 6);
    s = scale_log(2.04, 17, 8, 0, 1);
    check_ticks(&s, (const double[]){2, 5, 10, 20}, 4);
    assert_true(fabs(scale_place(&s, sqrt(2 * 20)) - 0.5) < 1e-12);
    s = scale_log(1, 1000, 8, 0, 1);
    assert_true(s.low == 1 && s.high == 1000);
    /* Nothing odd makes them odd. */
    const double odd[] = {0, -1, 1e-12, 1e-300, 1e14, 1e14 + 0.0625, 5e19, 1e300, NAN, INFINITY, -INFINITY};
    const size_t n = sizeof odd / sizeof odd[0];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (int log = 0; log < 2; log++) {
                s = log ? scale_log(odd[i], odd[j], 8, 0, 100) : scale_linear(odd[i], odd[j], 6, 0, 100);
                check(s.tick_count >= 2 && s.tick_count <= SCALE_MAX_TICKS && s.low < s.high &&
                          isfinite(s.low) && isfinite(s.high) && s.decimals >= 0 && s.decimals <= 6,
                      "%s scale of %g .. %g: %zu ticks, %g to %g", log ? "log" : "linear", odd[i], odd[j],
                      s.tick_count, s.low, s.high);
            }
}

static json_t *samples(const char *const *names, size_t n)
{
    json_t *const documents = json_array();
    for (size_t i = 0; i < n; i++) {
        char path[512], why[512];
        snprintf(path, sizeof path, "%s/%s", SAMPLES_DIR, names[i]);
        json_t *const loaded = document_load(path, why, sizeof why);
        check(loaded != NULL, "%s", why);
        json_array_extend(documents, loaded);
        json_decref(loaded);
    }
    return documents;
}

static const struct result *find(const struct data *data, const char *subject, const char *function,
                                 uint64_t src_len)
{
    for (size_t i = 0; i < data->result_count; i++)
        if (strcmp(data->results[i].subject, subject) == 0 &&
            strcmp(data->results[i].function, function) == 0 && data->results[i].src_len == src_len)
            return &data->results[i];
    fail_msg("no %s of %s", function, subject);
    return NULL;
}

static void reading(void **state)
{
    /* In whatever order they come. */
    const char *const names[] = {"laptop.json", "run.json", "earlier.json"};
    json_t *const documents = samples(names, 3);
    struct data data;
    char name[RESULT_NAME_SIZE];
    (void)state;
    assert_true(data_make(&data, documents));
    assert_int_equal(data.machine_count, 2);
    assert_int_equal(data.run_count, 5);
    assert_string_equal(data.runs[0].started, "2026-01-05T09:30:00Z");
    assert_string_equal(data.machines[0].name, "Intel Core Ultra 7");
    assert_int_equal(data.past_count, 24 + 18 + 12 + 12); /* run: 24 hashes, 18 others; 3 * 4; laptop */
    assert_int_equal(data.result_count, 54);              /* all of `earlier` has newer figures */
    const struct result *r = find(&data, "celer-avx512-gcc12", "sha3-256", 16384);
    assert_string_equal(data.runs[r->run].started, "2026-02-03T10:00:00Z");
    assert_true(fabs(result_cost(r, r->cycles) - 6.06) < 0.01);
    assert_true(fabs(result_rate(r, r->ns) - 645.3) < 0.1);
    assert_string_equal(r->backend, "avx512");
    r = find(&data, "celer-avx512-gcc12", "ml-kem-768", 0);
    assert_string_equal(r->operation, "keygen");
    result_name(r, name);
    assert_string_equal(name, "ml-kem-768 keygen");
    r = find(&data, "celer-scalar-gcc12", "sha256-chain", 1000);
    assert_true(fabs(result_rate(r, r->ns) - 33.06) < 0.01);
    r = find(&data, "celer-avx512-gcc12", "keccak-f1600", 200);
    assert_int_equal(r->group, GROUP_PERMUTATION);
    assert_true(result_floor(&data, r) == 540);
    for (size_t i = 0; i < data.result_count; i++) /* nobody is below the floor */
        assert_false(result_cost(&data.results[i], data.results[i].cycles) <
                     result_floor(&data, &data.results[i]));
    data_free(&data);
    json_decref(documents);
}

/* A result like the given one, but for these. */
static void add_result(json_t *document, const json_t *like, const char *function, int dst_len, int ways,
                       const char *mode)
{
    json_t *const copy = json_deep_copy(like);
    json_object_set_new(copy, "function", json_string(function));
    json_object_set_new(copy, "dst_len", json_integer(dst_len));
    json_object_set_new(copy, "ways", json_integer(ways));
    json_object_set_new(copy, "kind", json_string(ways > 1 ? "many" : "xof"));
    json_object_set_new(copy, "mode", json_string(mode));
    json_array_append_new(json_object_get(document, "results"), copy);
}

/* Wrong: two bars of one name, or two charts of one title. */
static void names_differ(void **state)
{
    const char *const name = "run.json";
    json_t *const documents = samples(&name, 1), *const document = json_array_get(documents, 0);
    json_t *const like = json_incref(json_array_get(json_object_get(document, "results"), 0));
    const struct chart_request request = {.kinds = CHARTS_USUAL, .with_style = true};
    struct data data;
    struct charts charts;
    size_t overviews = 0;
    (void)state;
    json_array_clear(json_object_get(document, "results"));
    for (int latency = 0; latency < 2; latency++) {
        const char *const mode = latency ? "latency" : "throughput";
        add_result(document, like, "shake128", 32, 1, mode);
        add_result(document, like, "sha3_256", 32, 1, mode); /* between those that have to be told apart */
        add_result(document, like, "shake128", 64, 1, mode);
        add_result(document, like, "shake128_threads2", 64, 1, mode);
        add_result(document, like, "shake128_many4", 32, 4, mode);
        add_result(document, like, "shake128_many8", 32, 8, mode);
    }
    assert_true(data_make(&data, documents));
    assert_int_equal(data.result_count, 12);
    charts_make(&charts, &data, &request);
    assert_false(charts.failed);
    for (size_t i = 0; i < charts.count; i++) {
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(charts.items[i].title, charts.items[j].title);
        if (charts.items[i].kind != CHART_OVERVIEW || strstr(charts.items[i].title, "many") != NULL)
            continue;
        overviews++;
        assert_non_null(strstr(charts.items[i].csv.data, "shake128, 32 B out · "));
        assert_non_null(strstr(charts.items[i].csv.data, "shake128, 64 B out · "));
        assert_non_null(strstr(charts.items[i].csv.data, "shake128-threads2 · "));
        assert_non_null(strstr(charts.items[i].csv.data, "sha3-256 · "));
    }
    assert_int_equal(overviews, 2);
    charts_free(&charts);
    data_free(&data);
    json_decref(like);
    json_decref(documents);
}

static void no_results(void **state)
{
    const char *const name = "run.json";
    json_t *const documents = samples(&name, 1);
    struct data data;
    (void)state;
    json_array_clear(json_object_get(json_array_get(documents, 0), "results"));
    assert_true(data_make(&data, documents));
    assert_int_equal(data.result_count, 0);
    data_free(&data);
    json_decref(documents);
}

static void spoil(json_t *value, const char *text)
{
    const char *key;
    json_t *inner;
    size_t i;
    json_object_foreach(value, key, inner) if (json_is_string(inner) && strcmp(key, "format") != 0 &&
                                               strcmp(key, "kind") != 0) json_string_set(inner, text);
    else spoil(inner, text);
    json_array_foreach(value, i, inner) spoil(inner, text);
}

/* Every text of a document at once is what would end an element, an attribute, or a line. */
static void hostile(void **state)
{
    const char *const names[] = {"run.json", "laptop.json"};
    static const char text[] = "\"'><script>x</script>]]>--><i onload=x>\x01\n\t\x7f\u202e\uffff=";
    json_t *const documents = samples(names, 2);
    struct data data;
    struct charts charts;
    struct chart_request request = {.kinds = (1u << CHART_KIND_COUNT) - 1, .with_style = true};
    struct text page = {0}, csv = {0};
    (void)state;
    spoil(documents, text);
    assert_true(data_make(&data, documents));
    assert_true(data.result_count > 0);
    char function[256];
    snprintf(function, sizeof function, "%s", data.results[0].function);
    request.history = function;
    charts_make(&charts, &data, &request);
    assert_false(charts.failed);
    assert_true(charts.count > 0);
    for (size_t i = 0; i < charts.count; i++) {
        const char *svg = charts.items[i].svg.data;
        assert_null(strstr(svg, "<script"));
        assert_null(strstr(svg, "<i "));
        assert_null(strstr(svg, "]]>"));
        for (const char *p = svg; *p != 0; p++)
            check((unsigned char)*p >= ' ' || *p == '\n', "a control character, %d, in %s", *p,
                  charts.items[i].name);
        assert_int_equal(strspn(charts.items[i].name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                         strlen(charts.items[i].name));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(charts.items[i].name, charts.items[j].name);
    }
    page_write(&page, &data, &charts);
    assert_false(page.failed);
    const char *const script = strstr(page.data, "<script");
    assert_non_null(script); /* ours, and no other */
    assert_null(strstr(script + 1, "<script"));
    assert_null(strstr(page.data, "<i onload"));
    page_csv(&csv, &data);
    for (const char *line = csv.data; (line = strchr(line, '\n')) != NULL && line[1] != 0; line++)
        check(line[1] == '"', "a line of the CSV begins with %.20s", line + 1);
    text_free(&page);
    text_free(&csv);
    charts_free(&charts);
    data_free(&data);
    json_decref(documents);
}

/* The digest in the policy is that of the script: otherwise browsers would not run it. Checked in one by tests/web. */
static void page_texts(void **state)
{
    (void)state;
    assert_non_null(strstr(page_css, "color-scheme"));
    assert_non_null(strstr(page_js, "'use strict'"));
    assert_null(strstr(page_js, "</script"));
    assert_null(strstr(page_css, "http"));
    assert_null(strstr(page_js, "https:"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers),    cmocka_unit_test(quoting),
                                       cmocka_unit_test(scales),     cmocka_unit_test(reading),
                                       cmocka_unit_test(no_results), cmocka_unit_test(hostile),
                                       cmocka_unit_test(page_texts), cmocka_unit_test(names_differ)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
