/* test_long.c: messages of up to 4 GiB, where counts of bytes or bits outgrow 32 bits. Label `long`: minutes
   on a slow machine. Its arguments are in runs.h. */
#include "support.h"
#include "runs.h"
#include "vectors.h"
#include <sys/mman.h>

#define MIB (UINT64_C(1) << 20)

/* Digests of that many bytes, all zero, computed by another library. */
static const struct zeros {
    const char *hash;
    uint64_t len;
    const char *digest;
} zeros[] = {
    {"sha256", 256 * MIB, "a6d72ac7690f53be6ae46ba88506bd97302a093f7108472bd9efc3cefda06484"}, /* 2^31 bits */
    {"sha256", 512 * MIB, "9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767"}, /* 2^32 bits */
    {"sha256", 4096 * MIB, "8479e43911dc45e89f934fe48d01297e16f51d17aa561d4d1c216b1ae0fcddca"},
    {"sha512", 512 * MIB,
     "df68d060d2adafc2c4794407118f8116d000715233b2550302115556380d1d5b"
     "018ebce1c7fa412a8bc5e01e097b33db64d1e9117b3f7bdd8925f09b6594590a"}, /* 2^32 bits */
    {"sha512", 4096 * MIB,
     "43b5c6f434f71daae80a502212dc8c0e9e52d8b075d589afa430092eaf2d7f96"
     "0cb097cb5ec656cdeaf87d5a9e61fa8e81665b07f40665fd8b09b6aeccb7f02f"},
    {"blake2s", 4096 * MIB,
     "2a8e26830310da3ef7f7032b7b1af11b989aba44a3713a22f539f69bd2ce4a87"}, /* 2^32 bytes */
    {"sha3-224", 4096 * MIB, "c5bcc3bc73b5ef45e91d2d7c70b64f196fac08eee4e4acf6e6571ebe"},
};
#define ZEROS (sizeof zeros / sizeof zeros[0])

struct run {
    const struct zeros *zeros;
    const struct celer_hash *hash;
    const char *row;
    size_t first; /* bytes in an update before the long one; MANY: through celer_hash_many */
};
#define MANY SIZE_MAX

/* Memory that is never written needs no memory. */
static const uint8_t *zero_bytes(size_t len)
{
    const void *p = mmap(NULL, len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(p != MAP_FAILED);
    return p;
}

/* Wrong: the length in 32 bits of bits or bytes; room + length in 32 bits, which is small when a nearly full
   block meets an update of 4 GiB. */
static void test_zeros(void **state)
{
    const struct run *run = *state;
    uint8_t want[64], out[3 * 64];
    struct celer_hash_ctx ctx;
    const size_t out_len = run->hash->out_len;
    const size_t len = (size_t)run->zeros->len;
    assert_true(len == run->zeros->len && hex_decode(want, run->zeros->digest, out_len));
    row_enter(run->hash->kernel, run->row);
    const uint8_t *in = zero_bytes(len);
    if (run->first == MANY) {
        const struct celer_msg msgs[3] = {{in, 1}, {in, len}, {in, 1000}};
        assert_int_equal(celer_hash_many(run->hash, NULL, out, msgs, 3), 0);
        check_bytes(out + out_len, want, out_len, "among short messages");
    } else {
        assert_int_equal(celer_hash_init(&ctx, run->hash, NULL), 0);
        celer_hash_update(&ctx, in, run->first);
        celer_hash_update(&ctx, in, len - run->first);
        celer_hash_final(&ctx, out);
        check_bytes(out, want, out_len, "%zu + %zu bytes", run->first, len - run->first);
    }
    munmap((void *)(uintptr_t)in, len);
}

static int run_all(const struct celer_hash *hash, const char *row)
{
    static struct run runs[ZEROS][3];
    static const size_t firsts[] = {0, 1, MANY};
    struct suite suite = {NULL, 0};
    char name[100];
    for (size_t z = 0; z < ZEROS; z++)
        for (size_t f = 0; f < 3; f++) {
            if (strcmp(zeros[z].hash, hash->name) != 0)
                continue;
            runs[z][f] = (struct run){&zeros[z], hash, row, firsts[f]};
            snprintf(name, sizeof name, firsts[f] == MANY ? "among others" : "after %zu bytes", firsts[f]);
            suite_add(&suite, test_zeros, &runs[z][f], "%s/%s: %u MiB %s", hash->name, row,
                      (unsigned)(zeros[z].len / MIB), name);
        }
    return suite_run(&suite, hash->name);
}

static int has_zeros(const struct celer_hash *hash)
{
    size_t z = 0;
    while (z < ZEROS && strcmp(zeros[z].hash, hash->name) != 0)
        z++;
    return z < ZEROS;
}

int main(int argc, char **argv)
{
    return runs_main(argc, argv, run_all, has_zeros);
}
