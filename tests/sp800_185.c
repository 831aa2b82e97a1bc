/* sp800_185.c: see sp800_185.h. */
#include "sp800_185.h"
#include <ctype.h>
#include <jansson.h>
#include "sha3/sp800_185.h"
#include "sha3/sponge.h"
#include "support.h"
#include "vectors.h"

/* ---- files ---- */

static struct sp800_185_bits from_hex(const char *text)
{
    const size_t len = strlen(text) / 2;
    struct sp800_185_bits b = {malloc(len + 1), 8 * len};
    assert_non_null(b.bytes);
    check(strlen(text) == 2 * len && hex_decode(b.bytes, text, len), "%s is not hexadecimal", text);
    return b;
}

static struct sp800_185_bits from_text(const char *text)
{
    struct sp800_185_bits b = {(uint8_t *)strdup(text), 8 * strlen(text)};
    assert_non_null(b.bytes);
    return b;
}

/* The string of that name, hexadecimal or as it is; empty where there is none. */
static struct sp800_185_bits field(const json_t *test, const char *name, int hex)
{
    const char *text = json_string_value(json_object_get(test, name));
    text = text != NULL ? text : "";
    return hex ? from_hex(text) : from_text(text);
}

/* The same, but as long as another field says. */
static struct sp800_185_bits field_of(const json_t *test, const char *name, const char *bits)
{
    struct sp800_185_bits b = field(test, name, 1);
    const size_t n = (size_t)json_integer_value(json_object_get(test, bits));
    check(json_is_integer(json_object_get(test, bits)) && (n + 7) / 8 <= b.bits / 8, "%s: %zu bits", name, n);
    b.bits = n;
    return b;
}

static void add_tuple(struct sp800_185_case *c, const json_t *elements)
{
    c->tuple_len = json_array_size(elements);
    c->tuple = calloc(c->tuple_len + 1, sizeof c->tuple[0]);
    assert_non_null(c->tuple);
    for (size_t i = 0; i < c->tuple_len; i++) {
        const struct sp800_185_bits b = from_hex(json_string_value(json_array_get(elements, i)));
        c->tuple[i] = (struct celer_msg){b.bytes, b.bits / 8};
    }
}

static void clear(struct sp800_185_case *c)
{
    for (size_t i = 0; i < c->tuple_len; i++)
        free((void *)(uintptr_t)c->tuple[i].data);
    free(c->tuple);
    free(c->key.bytes);
    free(c->msg.bytes);
    free(c->name.bytes);
    free(c->custom.bytes);
    free(c->out.bytes);
}

/* Lower case, without the hyphens before a number: cshake128. */
static void set_function(struct sp800_185_case *c, const char *algorithm, int xof)
{
    const size_t digits = strcspn(algorithm, "0123456789");
    snprintf(c->function, sizeof c->function, "%.*s%s%s",
             (int)(digits - (digits > 0 && algorithm[digits - 1] == '-')), algorithm, xof ? "xof" : "",
             algorithm + digits);
    for (char *p = c->function; *p != 0; p++)
        *p = (char)tolower((unsigned char)*p);
}

static void read_sample(struct sp800_185_case *c, const json_t *test)
{
    set_function(c, json_string_value(json_object_get(test, "fn")), 0);
    c->key = field(test, "K", 1);
    c->msg = field(test, "X", 1);
    c->name = field(test, "N", 1);
    c->custom = field(test, "S", 1);
    c->out = field_of(test, "out", "outbits");
    c->block_len = (size_t)json_integer_value(json_object_get(test, "B"));
    add_tuple(c, json_object_get(test, "T"));
}

static void read_wycheproof(struct sp800_185_case *c, const json_t *test, const char *algorithm)
{
    set_function(c, algorithm, 0);
    c->key = field(test, "key", 1);
    c->msg = field(test, "msg", 1);
    c->out = field(test, "tag", 1);
    c->valid = strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0;
}

static void read_acvp(struct sp800_185_case *c, const json_t *test, const json_t *group,
                      const char *algorithm)
{
    const int mac = json_object_get(test, "mac") != NULL;
    const int hex = json_is_true(json_object_get(group, "hexCustomization"));
    const json_t *tuple = json_object_get(test, "tuple");
    set_function(c, algorithm, json_is_true(json_object_get(group, "xof")));
    if (mac)
        c->key = field_of(test, "key", "keyLen");
    if (tuple == NULL)
        c->msg = field_of(test, "msg", mac ? "msgLen" : "len");
    c->name = field(test, "functionName", 0);
    c->custom = field(test, hex ? "customizationHex" : "customization", hex);
    c->out = mac ? field_of(test, "mac", "macLen") : field_of(test, "md", "outLen");
    c->valid = !json_is_false(json_object_get(test, "testPassed"));
    c->block_len = (size_t)json_integer_value(json_object_get(test, "blockSize"));
    add_tuple(c, tuple);
}

void sp800_185_each(const char *path, void (*visit)(const struct sp800_185_case *c, void *arg), void *arg)
{
    char *text = vector_text(path);
    json_error_t error;
    json_t *root = json_loads(text, 0, &error), *group, *test;
    check(root != NULL, "%s:%d: %s", path, error.line, error.text);
    free(text);
    const char *algorithm = json_string_value(json_object_get(root, "algorithm"));
    const int wycheproof = json_object_get(root, "schema") != NULL;
    size_t g, t, number = 0;
    json_array_foreach(json_object_get(root, "cases"), t, test)
    {
        struct sp800_185_case c = {.number = number++, .valid = 1};
        read_sample(&c, test);
        visit(&c, arg);
        clear(&c);
    }
    json_array_foreach(json_object_get(root, "testGroups"), g, group)
    {
        json_array_foreach(json_object_get(group, "tests"), t, test)
        {
            struct sp800_185_case c = {.number = number++, .valid = 1};
            if (wycheproof)
                read_wycheproof(&c, test, algorithm);
            else
                read_acvp(&c, test, group, algorithm);
            visit(&c, arg);
            clear(&c);
        }
    }
    json_decref(root);
}

/* ---- hashes of the list ---- */

struct checked {
    const struct celer_hash *hash;
    const char *path;
    size_t cases;
};

/* Absorbs bits, then bytes that follow them without a gap, and ends absorbing. A partial byte is turned round: FIPS 202
   wants its bits at the low end. */
static void absorb_and_finish(struct celer_sponge *sponge, struct sp800_185_bits in, const uint8_t *end,
                              size_t end_len)
{
    const unsigned extra = in.bits % 8;
    celer_sponge_absorb_(sponge, in.bytes, in.bits / 8);
    unsigned carry = extra != 0 ? (unsigned)in.bytes[in.bits / 8] >> (8 - extra) : 0;
    for (size_t i = 0; i < end_len; i++) {
        carry |= (unsigned)end[i] << extra;
        const uint8_t byte = (uint8_t)carry;
        celer_sponge_absorb_(sponge, &byte, 1);
        carry >>= 8;
    }
    celer_sponge_finish_bits_(sponge, (uint8_t)carry, extra);
}

void sp800_185_parallel_node(struct celer_sponge *node, unsigned rate, const uint8_t *in, size_t len,
                             size_t block_len, const void *custom, size_t custom_len)
{
    const size_t cv_len = rate == CSHAKE128_RATE ? 32 : 64;
    uint64_t blocks = 0;
    uint8_t cv[64];
    celer_cshake_init_(node, rate, "ParallelHash", 12, custom, custom_len);
    celer_absorb_left_(node, block_len, ENCODE_NUMBER);
    for (; len > 0; blocks++) {
        const size_t n = len < block_len ? len : block_len;
        celer_sponge_(cv, cv_len, in, n, rate, SHAKE_SUFFIX, 24);
        celer_sponge_absorb_(node, cv, cv_len);
        in += n;
        len -= n;
    }
    celer_absorb_right_(node, blocks, ENCODE_NUMBER);
}

/* Lengths that are no whole bytes, which the public functions do not take: each function from its parts. */
static void hash_bits(const struct celer_hash *hash, const struct sp800_185_case *c, uint8_t *out)
{
    const unsigned rate = (unsigned)hash->block_len;
    struct celer_sponge sponge;
    uint8_t end[ENCODED_MAX];
    struct sp800_185_bits msg = c->msg;
    size_t end_len = 0;
    if (strncmp(hash->name, "cshake", 6) == 0)
        celer_cshake_init_(&sponge, rate, c->name.bytes, c->name.bits / 8, c->custom.bytes,
                           c->custom.bits / 8);
    else
        end_len = right_encode(end, hash->flags & CELER_HASH_XOF ? 0 : c->out.bits, ENCODE_NUMBER);
    if (strncmp(hash->name, "kmac", 4) == 0) {
        celer_cshake_init_(&sponge, rate, "KMAC", 4, c->custom.bytes, c->custom.bits / 8);
        celer_absorb_left_(&sponge, rate, ENCODE_NUMBER);
        celer_absorb_left_(&sponge, c->key.bits, ENCODE_NUMBER);
        celer_sponge_absorb_(&sponge, c->key.bytes, (c->key.bits + 7) / 8);
        celer_sponge_fill_(&sponge);
    }
    if (strncmp(hash->name, "parallelhash", 12) == 0) {
        assert_int_equal(msg.bits % 8, 0);
        sp800_185_parallel_node(&sponge, rate, msg.bytes, msg.bits / 8, c->block_len, c->custom.bytes,
                                c->custom.bits / 8);
        msg.bits = 0; /* it is in */
    }
    absorb_and_finish(&sponge, msg, end, end_len);
    celer_sponge_squeeze_(&sponge, out, (c->out.bits + 7) / 8);
    if (c->out.bits % 8 != 0)
        out[c->out.bits / 8] = (uint8_t)(out[c->out.bits / 8] << (8 - c->out.bits % 8));
}

static void hash_bytes(const struct celer_hash *hash, const struct sp800_185_case *c, uint8_t *out)
{
    const struct celer_hash_opts opts = {
        .out_len = c->out.bits / 8,
        .key = c->key.bytes,
        .key_len = c->key.bits / 8,
        .name = c->name.bytes,
        .name_len = c->name.bits / 8,
        .custom = c->custom.bytes,
        .custom_len = c->custom.bits / 8,
        .block_len = c->block_len,
    };
    struct celer_hash_ctx ctx;
    assert_int_equal(celer_hash_init(&ctx, hash, &opts), 0);
    celer_hash_update(&ctx, c->msg.bytes, c->msg.bits / 8);
    celer_hash_final(&ctx, out);
}

static void check_case(const struct sp800_185_case *c, void *arg)
{
    struct checked *checked = arg;
    const struct celer_hash *hash = checked->hash;
    if (strcmp(c->function, hash->name) != 0)
        return;
    const size_t out_len = (c->out.bits + 7) / 8;
    const int bits = c->key.bits % 8 != 0 || c->msg.bits % 8 != 0 || c->out.bits % 8 != 0;
    uint8_t *out = malloc(out_len + 1);
    assert_non_null(out);
    (bits ? hash_bits : hash_bytes)(hash, c, out);
    if (c->valid)
        check_bytes(out, c->out.bytes, out_len, "%s: case %zu", checked->path, c->number);
    else
        check(!celer_equal(out, c->out.bytes, out_len), "%s: case %zu: a wrong code", checked->path,
              c->number);
    free(out);
    checked->cases++;
}

size_t sp800_185_check(const struct celer_hash *hash, const char *path)
{
    struct checked checked = {hash, path, 0};
    sp800_185_each(path, check_case, &checked);
    return checked.cases;
}
