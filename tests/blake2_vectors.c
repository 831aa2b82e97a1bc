/* blake2_vectors.c: see blake2_vectors.h. */
#include "blake2_vectors.h"
#include <jansson.h>
#include "support.h"
#include "vectors.h"

/* NULL for no text. */
static uint8_t *bytes_of(const char *text, size_t *len)
{
    *len = text != NULL ? strlen(text) / 2 : 0;
    if (*len == 0)
        return NULL;
    uint8_t *bytes = malloc(*len);
    assert_non_null(bytes);
    check(hex_decode(bytes, text, *len), "%s: not understood", text);
    return bytes;
}

void blake2_each(const char *path, void (*visit)(const struct blake2_case *c, void *arg), void *arg)
{
    char *text = vector_text(path);
    json_error_t error;
    json_t *root = json_loads(text, 0, &error), *test;
    check(root != NULL, "%s:%d: %s", path, error.line, error.text);
    free(text);
    size_t i;
    json_array_foreach(root, i, test)
    {
        struct blake2_case c = {.number = i};
        const char *msg, *key, *out, *salt = NULL, *personal = NULL;
        int fanout = 0, depth = 0, node_depth = 0, inner_len = 0, last_node = 0;
        const json_t *leaf_len = json_object_get(test, "leaf_size"),
                     *offset = json_object_get(test, "node_offset");
        check(json_unpack_ex(test, &error, 0, "{s:s, s:s, s:s, s:s, s?s, s?s, s?i, s?i, s?i, s?i, s?i}",
                             "hash", &c.function, "in", &msg, "key", &key, "out", &out, "salt", &salt,
                             "person", &personal, "fanout", &fanout, "depth", &depth, "node_depth",
                             &node_depth, "inner_size", &inner_len, "last_node", &last_node) == 0,
              "%s: case %zu: %s", path, i, error.text);
        c.msg = bytes_of(msg, &c.msg_len);
        c.key = bytes_of(key, &c.key_len);
        c.out = bytes_of(out, &c.out_len);
        uint8_t *const salt_bytes = bytes_of(salt, &c.params.salt_len);
        uint8_t *const personal_bytes = bytes_of(personal, &c.params.personal_len);
        c.params.salt = salt_bytes;
        c.params.personal = personal_bytes;
        c.params.fanout = (uint8_t)fanout;
        c.params.depth = (uint8_t)depth;
        c.params.node_depth = (uint8_t)node_depth;
        c.params.inner_len = (uint8_t)inner_len;
        c.params.leaf_len = (uint32_t)json_integer_value(leaf_len);
        c.params.node_offset = json_is_string(offset) ? strtoull(json_string_value(offset), NULL, 16)
                                                      : (uint64_t)json_integer_value(offset);
        c.last_node = last_node;
        visit(&c, arg);
        free(c.msg);
        free(c.key);
        free(c.out);
        free(salt_bytes);
        free(personal_bytes);
    }
    json_decref(root);
}

struct blake2_checked {
    const struct celer_hash *hash;
    const char *path;
    size_t cases;
};

/* Through the list there are no trees, and a row may have less lengths than the function: blake2b-256. */
static void check_case(const struct blake2_case *c, void *arg)
{
    struct blake2_checked *checked = arg;
    const struct celer_hash *hash = checked->hash;
    const size_t n = strlen(c->function);
    if (strncmp(hash->name, c->function, n) != 0 || (hash->name[n] != 0 && hash->name[n] != '-') ||
        c->out_len < hash->out_min || c->out_len > hash->out_max || c->params.depth != 0)
        return;
    const struct celer_hash_opts opts = {
        .out_len = c->out_len,
        .key = c->key,
        .key_len = c->key_len,
        .salt = c->params.salt,
        .salt_len = c->params.salt_len,
        .personal = c->params.personal,
        .personal_len = c->params.personal_len,
    };
    const struct celer_msg msgs[2] = {{c->msg, c->msg_len}, {c->msg, c->msg_len}};
    struct celer_hash_ctx ctx;
    uint8_t out[256], both[2 * 256];
    assert_true(c->out_len <= sizeof out);
    assert_int_equal(celer_hash_init(&ctx, hash, &opts), 0);
    celer_hash_update(&ctx, c->msg, c->msg_len);
    celer_hash_final(&ctx, out);
    check_bytes(out, c->out, c->out_len, "%s: case %zu", checked->path, c->number);
    assert_int_equal(celer_hash_many(hash, &opts, both, msgs, 2), 0);
    check_bytes(both, c->out, c->out_len, "%s: case %zu, the first of two", checked->path, c->number);
    check_bytes(both + c->out_len, c->out, c->out_len, "%s: case %zu, the second", checked->path, c->number);
    checked->cases++;
}

/* The messages and keys of RFC 7693 appendix E. */
static void selftest_fill(uint8_t *out, size_t len, uint32_t seed)
{
    uint32_t a = UINT32_C(0xdead4bad) * seed, b = 1;
    for (size_t i = 0; i < len; i++) {
        const uint32_t t = a + b;
        a = b;
        b = t;
        out[i] = (uint8_t)(t >> 24);
    }
}

static void selftest_add(struct celer_hash_ctx *sum, const struct celer_hash *hash, size_t out_len,
                         const uint8_t *key, size_t key_len, const uint8_t *in, size_t in_len)
{
    const struct celer_hash_opts opts = {.out_len = out_len, .key = key, .key_len = key_len};
    struct celer_hash_ctx ctx;
    uint8_t out[CELER_BLAKE2B_LEN];
    assert_int_equal(celer_hash_init(&ctx, hash, &opts), 0);
    celer_hash_update(&ctx, in, in_len);
    celer_hash_final(&ctx, out);
    celer_hash_update(sum, out, out_len);
}

/* A digest of digests of many lengths, keyed and not. */
static size_t check_selftest(const struct celer_hash *hash)
{
    char *text = vector_text(BLAKE2_SELFTEST), function[8];
    json_t *root = json_loads(text, 0, NULL), *md_len, *in_len;
    const struct celer_hash_opts opts = {.out_len = 32};
    struct celer_hash_ctx sum;
    uint8_t in[1024], key[CELER_BLAKE2B_LEN], out[32], want[32];
    size_t m, i, cases = 0;
    free(text);
    snprintf(function, sizeof function, "%s", hash->name);
    const json_t *test = json_object_get(root, function);
    const struct celer_hash *any = celer_hash_find(function);
    assert_true(json_is_object(test) && any != NULL);
    assert_int_equal(celer_hash_init(&sum, hash, &opts), 0);
    json_array_foreach(json_object_get(test, "md_len"), m, md_len)
    {
        json_array_foreach(json_object_get(test, "in_len"), i, in_len)
        {
            const size_t out_len = (size_t)json_integer_value(md_len),
                         len = (size_t)json_integer_value(in_len);
            assert_true(out_len <= sizeof key && len <= sizeof in);
            selftest_fill(in, len, (uint32_t)len);
            selftest_fill(key, out_len, (uint32_t)out_len);
            selftest_add(&sum, any, out_len, NULL, 0, in, len);
            selftest_add(&sum, any, out_len, key, out_len, in, len);
            cases++;
        }
    }
    assert_int_equal(cases, 24);
    celer_hash_final(&sum, out);
    assert_true(hex_decode(want, json_string_value(json_object_get(test, "result")), sizeof want));
    check_bytes(out, want, sizeof want, "%s: %s", BLAKE2_SELFTEST, function);
    json_decref(root);
    return 1;
}

size_t blake2_check(const struct celer_hash *hash, const char *path)
{
    if (strcmp(path, BLAKE2_SELFTEST) == 0)
        return check_selftest(hash);
    struct blake2_checked checked = {hash, path, 0};
    blake2_each(path, check_case, &checked);
    return checked.cases;
}
