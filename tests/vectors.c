/* vectors.c: reads the files of NIST (CAVP .rsp, ACVP .json) and of the Keccak team (XKCP .txt), and finds who reads the
   others. */
#include "vectors.h"
#include "blake2_vectors.h"
#include "rfc9861.h"
#include "sp800_185.h"
#include "support.h"
#include <errno.h>
#include <jansson.h>
#include "sha2/sha2.h"
#include "sha3/sponge.h"

/* Which end of a partial last byte holds the message bits. Output bits of SHAKE are at the low end in all
   files. */
enum ends { WHOLE_BYTES, LOW_END, HIGH_END };

static const struct vectors {
    const char *hash, *path;
    enum ends ends;
    size_t cases; /* a file cut short, or a parser that skips, must not pass */
} files[] = {
    {"sha224", "sha2/SHA224ShortMsg.rsp", WHOLE_BYTES, 65},
    {"sha224", "sha2/ACVP-SHA2-224-1.0-AFT.json", HIGH_END, 82},
    {"sha256", "sha2/SHA256ShortMsg.rsp", WHOLE_BYTES, 65},
    {"sha256", "sha2/SHA256LongMsg.rsp", WHOLE_BYTES, 12},
    {"sha256", "sha2/ACVP-SHA2-256-1.0-AFT.json", HIGH_END, 174},
    {"sha384", "sha2/SHA384ShortMsg.rsp", WHOLE_BYTES, 129},
    {"sha384", "sha2/ACVP-SHA2-384-1.0-AFT.json", HIGH_END, 171},
    {"sha512", "sha2/SHA512ShortMsg.rsp", WHOLE_BYTES, 129},
    {"sha512", "sha2/SHA512LongMsg.rsp", WHOLE_BYTES, 12},
    {"sha512", "sha2/ACVP-SHA2-512-1.0-AFT.json", HIGH_END, 247},
    {"sha512-224", "sha2/SHA512_224ShortMsg.rsp", WHOLE_BYTES, 129},
    {"sha512-224", "sha2/ACVP-SHA2-512-224-1.0-AFT.json", HIGH_END, 162},
    {"sha512-256", "sha2/SHA512_256ShortMsg.rsp", WHOLE_BYTES, 129},
    {"sha512-256", "sha2/ACVP-SHA2-512-256-1.0-AFT.json", HIGH_END, 277},
    {"sha3-224", "sha3/SHA3_224ShortMsg.rsp", WHOLE_BYTES, 145},
    {"sha3-224", "sha3/SHA3_224LongMsg.rsp", WHOLE_BYTES, 6},
    {"sha3-224", "sha3/ShortMsgKAT_SHA3-224.txt", LOW_END, 204},
    {"sha3-224", "sha3/ACVP-SHA3-224-2.0-AFT.json", HIGH_END, 582},
    {"sha3-256", "sha3/SHA3_256ShortMsg.rsp", WHOLE_BYTES, 137},
    {"sha3-256", "sha3/SHA3_256LongMsg.rsp", WHOLE_BYTES, 6},
    {"sha3-256", "sha3/ShortMsgKAT_SHA3-256.txt", LOW_END, 204},
    {"sha3-256", "sha3/ACVP-SHA3-256-2.0-AFT.json", HIGH_END, 536},
    {"sha3-384", "sha3/SHA3_384ShortMsg.rsp", WHOLE_BYTES, 105},
    {"sha3-384", "sha3/SHA3_384LongMsg.rsp", WHOLE_BYTES, 6},
    {"sha3-384", "sha3/ShortMsgKAT_SHA3-384.txt", LOW_END, 212},
    {"sha3-384", "sha3/ACVP-SHA3-384-2.0-AFT.json", HIGH_END, 415},
    {"sha3-512", "sha3/SHA3_512ShortMsg.rsp", WHOLE_BYTES, 73},
    {"sha3-512", "sha3/SHA3_512LongMsg.rsp", WHOLE_BYTES, 6},
    {"sha3-512", "sha3/ShortMsgKAT_SHA3-512.txt", LOW_END, 220},
    {"sha3-512", "sha3/ACVP-SHA3-512-2.0-AFT.json", HIGH_END, 282},
    {"shake128", "shake/SHAKE128ShortMsg.rsp", WHOLE_BYTES, 169},
    {"shake128", "shake/SHAKE128LongMsg.rsp", WHOLE_BYTES, 5},
    {"shake128", "shake/SHAKE128VariableOut.rsp", WHOLE_BYTES, 94},
    {"shake128", "shake/ShortMsgKAT_SHAKE128.txt", LOW_END, 70},
    {"shake128", "shake/ACVP-SHAKE-128-1.0.json", HIGH_END, 400},
    {"shake256", "shake/SHAKE256ShortMsg.rsp", WHOLE_BYTES, 137},
    {"shake256", "shake/SHAKE256LongMsg.rsp", WHOLE_BYTES, 5},
    {"shake256", "shake/SHAKE256VariableOut.rsp", WHOLE_BYTES, 104},
    {"shake256", "shake/ShortMsgKAT_SHAKE256.txt", LOW_END, 70},
    {"shake256", "shake/ACVP-SHAKE-256-1.0.json", HIGH_END, 336},
    {"cshake128", SP800_185_SAMPLES, HIGH_END, 2},
    {"cshake128", "sp800-185/ACVP-cSHAKE-128-1.0.json", HIGH_END, 25},
    {"kmac128", SP800_185_SAMPLES, HIGH_END, 3},
    {"kmac128", "sp800-185/ACVP-KMAC-128-1.0.json", HIGH_END, 50},
    {"kmac128", "mac/wycheproof-kmac128_no_customization_test.json", HIGH_END, 58},
    {"kmacxof128", SP800_185_SAMPLES, HIGH_END, 3},
    {"kmacxof128", "sp800-185/ACVP-KMAC-128-1.0.json", HIGH_END, 43},
    {"parallelhash128", SP800_185_SAMPLES, HIGH_END, 2},
    {"parallelhash128", "sp800-185/ACVP-ParallelHash-128-1.0.json", HIGH_END, 7},
    {"parallelhashxof128", "sp800-185/ACVP-ParallelHash-128-1.0.json", HIGH_END, 7},
    {"cshake256", SP800_185_SAMPLES, HIGH_END, 2},
    {"cshake256", "sp800-185/ACVP-cSHAKE-256-1.0.json", HIGH_END, 25},
    {"kmac256", SP800_185_SAMPLES, HIGH_END, 3},
    {"kmac256", "sp800-185/ACVP-KMAC-256-1.0.json", HIGH_END, 45},
    {"kmac256", "mac/wycheproof-kmac256_no_customization_test.json", HIGH_END, 87},
    {"kmacxof256", SP800_185_SAMPLES, HIGH_END, 3},
    {"kmacxof256", "sp800-185/ACVP-KMAC-256-1.0.json", HIGH_END, 53},
    {"parallelhash256", SP800_185_SAMPLES, HIGH_END, 2},
    {"parallelhash256", "sp800-185/ACVP-ParallelHash-256-1.0.json", HIGH_END, 5},
    {"parallelhashxof256", "sp800-185/ACVP-ParallelHash-256-1.0.json", HIGH_END, 6},
    {"turboshake128", RFC9861_FILE, WHOLE_BYTES, 12},
    {"turboshake256", RFC9861_FILE, WHOLE_BYTES, 12},
    {"kt128", RFC9861_FILE, WHOLE_BYTES, 9},
    {"kt256", RFC9861_FILE, WHOLE_BYTES, 9},
    {"blake2b", "blake2/blake2-kat-b-s.json", WHOLE_BYTES, 94},
    {"blake2b", BLAKE2_HASHLIB, WHOLE_BYTES, 105},
    {"blake2b", BLAKE2_SELFTEST, WHOLE_BYTES, 1},
    {"blake2b-256", BLAKE2_HASHLIB, WHOLE_BYTES, 26},
    {"blake2b-256", BLAKE2_SELFTEST, WHOLE_BYTES, 1},
    {"blake2s", "blake2/blake2-kat-b-s.json", WHOLE_BYTES, 94},
    {"blake2s", BLAKE2_HASHLIB, WHOLE_BYTES, 67},
    {"blake2s", BLAKE2_SELFTEST, WHOLE_BYTES, 1},
    {"blake2bp", "blake2/blake2-kat-bp-sp.json", WHOLE_BYTES, 26},
    {"blake2sp", "blake2/blake2-kat-bp-sp.json", WHOLE_BYTES, 26},
    {"blake2xb", "blake2/blake2-kat-xb-xs.json", WHOLE_BYTES, 28},
    {"blake2xs", "blake2/blake2-kat-xb-xs.json", WHOLE_BYTES, 28},
};
#define FILES (sizeof files / sizeof files[0])

static const struct vectors *find(const struct celer_hash *hash, size_t i)
{
    for (size_t f = 0; f < FILES; f++)
        if (strcmp(files[f].hash, hash->name) == 0 && i-- == 0)
            return &files[f];
    return NULL;
}

const char *vector_file(const struct celer_hash *hash, size_t i)
{
    const struct vectors *v = find(hash, i);
    return v != NULL ? v->path : NULL;
}

char *vector_text(const char *path)
{
    const char *folder = getenv("CELER_VECTORS");
    char name[1024];
    const size_t len = strlen(path);
    const int zipped = len > 3 && strcmp(path + len - 3, ".gz") == 0;
    snprintf(name, sizeof name, "%s%s/%s%s", zipped ? "gzip -dc '" : "",
             folder != NULL ? folder : CELER_VECTORS_DIR, path, zipped ? "'" : "");
    FILE *file = zipped ? popen(name, "r") : fopen(name, "rb");
    check(file != NULL, "%s: %s", name, strerror(errno));
    char *text = NULL;
    size_t used = 0, got;
    do {
        text = realloc(text, used + 65536 + 1);
        assert_non_null(text);
        got = fread(text + used, 1, 65536, file);
        used += got;
    } while (got != 0);
    check(!ferror(file), "%s: read error", name);
    check((zipped ? pclose(file) : fclose(file)) == 0, "%s: error", name);
    text[used] = 0;
    return text;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int hex_decode(uint8_t *bytes, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const int high = hex_digit(text[2 * i]);
        const int low = high < 0 ? -1 : hex_digit(text[2 * i + 1]);
        if (low < 0)
            return 0;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return 1;
}

/* final for a message with `extra` (1..7) bits after its last whole byte, which are in `last` at the given
   end. */
static void final_bits(struct celer_hash_ctx *ctx, uint8_t *out, uint8_t last, unsigned extra, enum ends ends)
{
    if (strcmp(ctx->hash->family, "sha2") == 0) { /* FIPS 180-4: the first bit of a byte is its highest */
        assert_int_equal(ends, HIGH_END);
        void *const state = ctx->state.bytes;
        if (ctx->hash->ctx_size == sizeof(struct celer_sha256_state))
            celer_sha256_final_bits_(state, out, ctx->out_len, last, extra);
        else
            celer_sha512_final_bits_(state, out, ctx->out_len, last, extra);
    } else { /* FIPS 202 B.1: it is the lowest */
        assert_string_equal(ctx->hash->family, "sha3");
        if (ends == HIGH_END)
            last = (uint8_t)(last >> (8 - extra));
        struct celer_sponge *sponge = (struct celer_sponge *)(void *)ctx->state.bytes;
        celer_sponge_finish_bits_(sponge, last, extra);
        celer_sponge_squeeze_(sponge, out, ctx->out_len);
    }
}

static void check_case(const struct celer_hash *hash, const struct vectors *v, size_t number,
                       const char *msg_hex, size_t bits, const char *out_hex, size_t out_bits)
{
    const size_t len = (bits + 7) / 8, out_len = (out_bits + 7) / 8;
    uint8_t *msg = malloc(len + 1), *expected = malloc(out_len), *out = malloc(out_len);
    assert_true(msg != NULL && expected != NULL && out != NULL);
    check(hex_decode(msg, msg_hex, len) && hex_decode(expected, out_hex, out_len),
          "%s: case %zu has too few digits", v->path, number);
    check(bits % 8 == 0 || v->ends != WHOLE_BYTES, "%s: case %zu has a length of %zu bits", v->path, number,
          bits);
    struct celer_hash_ctx ctx;
    const struct celer_hash_opts opts = {.out_len = out_len};
    assert_int_equal(celer_hash_init(&ctx, hash, &opts), 0);
    celer_hash_update(&ctx, msg, bits / 8);
    if (bits % 8 == 0)
        celer_hash_final(&ctx, out);
    else
        final_bits(&ctx, out, msg[bits / 8], bits % 8, v->ends);
    if (out_bits % 8 != 0)
        out[out_len - 1] &= (uint8_t)((1u << out_bits % 8) - 1);
    check_bytes(out, expected, out_len, "%s: case %zu, %zu bits", v->path, number, bits);
    free(msg);
    free(expected);
    free(out);
}

/* "Key = value" at the start of a line: the value, or NULL. */
static const char *value_of(const char *line, const char *key)
{
    const size_t n = strlen(key);
    return strncmp(line, key, n) == 0 && strncmp(line + n, " = ", 3) == 0 ? line + n + 3 : NULL;
}

/* Lines "Len", "Msg", and "MD", "Output" or "Squeezed", which completes a case. VariableOut files give the
   length of the messages once, as "[Input Length"; others that of the output, as "[Outputlen" or by its
   digits. */
static size_t check_lines(const struct celer_hash *hash, const struct vectors *v, const char *text)
{
    const char *msg = NULL, *out, *value;
    size_t bits = 0, out_bits = 0, cases = 0;
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if ((value = value_of(line, "Len")) != NULL || (value = value_of(line, "[Input Length")) != NULL)
            bits = strtoul(value, NULL, 10);
        else if ((value = value_of(line, "Outputlen")) != NULL ||
                 (value = value_of(line, "[Outputlen")) != NULL)
            out_bits = strtoul(value, NULL, 10);
        else if ((value = value_of(line, "Msg")) != NULL)
            msg = value;
        else if ((out = value_of(line, "MD")) != NULL || (out = value_of(line, "Output")) != NULL ||
                 (out = value_of(line, "Squeezed")) != NULL) {
            const size_t digits = strspn(out, "0123456789abcdefABCDEF");
            check(msg != NULL && digits > 0, "%s: case %zu has no message or no digest", v->path, cases);
            check(out_bits == 0 || (out_bits + 7) / 8 * 2 == digits, "%s: case %zu: %zu digits of %zu bits",
                  v->path, cases, digits, out_bits);
            check_case(hash, v, cases++, msg, bits, out, out_bits != 0 ? out_bits : 4 * digits);
            msg = NULL;
        }
    }
    return cases;
}

static size_t check_json(const struct celer_hash *hash, const struct vectors *v, const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error), *group, *test;
    check(root != NULL, "%s:%d: %s", v->path, error.line, error.text);
    size_t g, t, cases = 0;
    json_array_foreach(json_object_get(root, "testGroups"), g, group)
    {
        json_array_foreach(json_object_get(group, "tests"), t, test)
        {
            const char *msg = json_string_value(json_object_get(test, "msg"));
            const char *md = json_string_value(json_object_get(test, "md"));
            const json_t *len = json_object_get(test, "len"), *out_len = json_object_get(test, "outLen");
            check(msg != NULL && md != NULL && json_is_integer(len), "%s: case %zu is incomplete", v->path,
                  cases);
            check_case(hash, v, cases++, msg, (size_t)json_integer_value(len), md,
                       out_len != NULL ? (size_t)json_integer_value(out_len) : 4 * strlen(md));
        }
    }
    json_decref(root);
    return cases;
}

struct rfc9861_check {
    const struct celer_hash *hash;
    size_t cases;
};

/* Through the list a hash takes no customization string. */
static void check_rfc9861_case(const struct rfc9861_case *c, void *arg)
{
    struct rfc9861_check *check = arg;
    if (strcasecmp(c->function, check->hash->name) != 0 || c->custom_len != 0)
        return;
    const struct celer_hash_opts opts = {.out_len = c->out_len, .domain = c->domain};
    struct celer_hash_ctx ctx;
    uint8_t *out = malloc(c->out_len);
    assert_non_null(out);
    assert_int_equal(celer_hash_init(&ctx, check->hash, &opts), 0);
    celer_hash_update(&ctx, c->msg, c->msg_len);
    celer_hash_final(&ctx, out);
    check_bytes(out + c->out_len - c->end_len, c->end, c->end_len, "case %zu, %zu bytes", c->number,
                c->msg_len);
    free(out);
    check->cases++;
}

void vector_file_check(const struct celer_hash *hash, size_t i)
{
    const struct vectors *v = find(hash, i);
    assert_non_null(v);
    size_t cases;
    if (strcmp(v->path, RFC9861_FILE) == 0) {
        struct rfc9861_check check = {hash, 0};
        rfc9861_each(check_rfc9861_case, &check);
        cases = check.cases;
    } else if (strncmp(v->path, "sp800-185/", 10) == 0 || strncmp(v->path, "mac/", 4) == 0) {
        cases = sp800_185_check(hash, v->path);
    } else if (strncmp(v->path, "blake2/", 7) == 0) {
        cases = blake2_check(hash, v->path);
    } else {
        char *text = vector_text(v->path);
        cases = strstr(v->path, ".json") != NULL ? check_json(hash, v, text) : check_lines(hash, v, text);
        free(text);
    }
    check(cases == v->cases, "%s: %zu cases, expected %zu", v->path, cases, v->cases);
}
