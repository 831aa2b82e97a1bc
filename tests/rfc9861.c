/* rfc9861.c: see rfc9861.h. */
#include "rfc9861.h"
#include <jansson.h>
#include "support.h"
#include "vectors.h"

uint8_t *rfc9861_pattern(size_t n)
{
    uint8_t *bytes = malloc(n + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)(i % 251);
    return bytes;
}

/* "17**2" or "41", and what is behind it. */
static size_t number(const char *text, const char **behind)
{
    char *end;
    const size_t base = strtoul(text, &end, 10);
    size_t n = 1, power = strncmp(end, "**", 2) == 0 ? strtoul(end + 2, &end, 10) : 1;
    for (; power > 0; power--)
        n *= base;
    *behind = end;
    return n;
}

/* "ptn(17**2 bytes)", "`FF FF`", or for no bytes "`00`^0". */
static uint8_t *string(const char *text, size_t *len)
{
    const char *p = text;
    if (strncmp(p, "ptn(", 4) == 0) {
        *len = number(p + 4, &p);
        check(strcmp(p, " bytes)") == 0, "%s: not understood", text);
        return rfc9861_pattern(*len);
    }
    uint8_t *bytes = malloc(strlen(text) + 1);
    assert_non_null(bytes);
    size_t n = 0;
    for (; (*p == '`' || *p == ' ') && hex_decode(bytes + n, p + 1, 1); p += 3)
        n++;
    check(n > 0 && (strcmp(p, "`") == 0 || strcmp(p, "`^0") == 0), "%s: not understood", text);
    *len = p[1] == 0 ? n : 0;
    return bytes;
}

void rfc9861_each(void (*visit)(const struct rfc9861_case *c, void *arg), void *arg)
{
    char *text = vector_text(RFC9861_FILE);
    json_error_t error;
    json_t *root = json_loads(text, 0, &error), *test;
    check(root != NULL, "%s:%d: %s", RFC9861_FILE, error.line, error.text);
    free(text);
    size_t i;
    json_array_foreach(json_object_get(root, "cases"), i, test)
    {
        struct rfc9861_case c = {.number = i};
        const char *msg, *custom = "`00`^0", *domain = "`00`", *end;
        int out_len, end_len;
        check(json_unpack_ex(test, &error, 0, "{s:s, s:s, s?s, s?s, s:i, s:i, s:s}", "fn", &c.function, "M",
                             &msg, "C", &custom, "D", &domain, "outlen", &out_len, "last", &end_len, "out",
                             &end) == 0,
              "%s: case %zu: %s", RFC9861_FILE, i, error.text);
        c.msg = string(msg, &c.msg_len);
        c.custom = string(custom, &c.custom_len);
        check(hex_decode(&c.domain, domain + 1, 1), "%s: case %zu: domain", RFC9861_FILE, i);
        c.out_len = (size_t)out_len;
        c.end_len = (size_t)end_len;
        c.end = malloc(c.end_len);
        check(c.end != NULL && c.end_len <= c.out_len && strlen(end) == 2 * c.end_len &&
                  hex_decode(c.end, end, c.end_len),
              "%s: case %zu: output", RFC9861_FILE, i);
        visit(&c, arg);
        free(c.msg);
        free(c.custom);
        free(c.end);
    }
    check(i == RFC9861_CASES, "%s: %zu cases", RFC9861_FILE, i);
    json_decref(root);
}
