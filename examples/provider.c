/* provider.c: a plug-in of `celer bench`: someone's own SHA3-256, here a short one rather than a fast one. It needs
   celer's header and nothing else, and is built as a shared object:

       celer bench sha3-256 --plugin build/examples/provider.so */
#include <celer/provider.h>

static void keccak_f1600(uint64_t s[25]);

static void sha3_256(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                     size_t in_len)
{
    uint64_t s[25] = {0};
    size_t at = 0;
    (void)self, (void)state; /* what open would have made; there is no need for it here */
    for (size_t i = 0; i < in_len; i++) {
        s[at / 8] ^= (uint64_t)((const uint8_t *)in)[i] << at % 8 * 8;
        if (++at == 136) {
            keccak_f1600(s);
            at = 0;
        }
    }
    s[at / 8] ^= (uint64_t)6 << at % 8 * 8;
    s[16] ^= (uint64_t)1 << 63;
    keccak_f1600(s);
    for (size_t i = 0; i < 32; i++)
        out[i] = (uint8_t)(s[i / 8] >> i % 8 * 8);
}

static const struct celer_subject subjects[] = {
    {.kind = CELER_KIND_HASH,
     .flags = CELER_SUBJECT_DEFAULT,
     .ways = 1,
     .function = "sha3-256",
     .backend = "scalar",
     .notes = "for reading",
     .out_len = 32,
     .run.hash = sha3_256},
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static const struct celer_provider provider = {
        CELER_PROVIDER_ABI, sizeof(struct celer_subject),        "example", "1.0", "", "",
        subjects,           sizeof subjects / sizeof subjects[0]};
    (void)why; /* for the reason, were it to return NULL */
    return &provider;
}

/* The hash itself; a real plug-in would link a library for it. */
static uint64_t rotate(uint64_t x, unsigned n)
{
    return n % 64 == 0 ? x : x << n % 64 | x >> (64 - n % 64);
}

static void keccak_f1600(uint64_t s[25])
{
    unsigned lfsr = 1;
    for (unsigned round = 0; round < 24; round++) {
        uint64_t c[5];
        for (unsigned x = 0; x < 5; x++)
            c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
        for (unsigned i = 0; i < 25; i++)
            s[i] ^= c[(i + 4) % 5] ^ rotate(c[(i + 1) % 5], 1);
        uint64_t moving = s[1];
        for (unsigned t = 1, x = 1, y = 0; t < 25; t++) {
            const unsigned row = (2 * x + 3 * y) % 5;
            x = y;
            y = row;
            const uint64_t kept = s[x + 5 * y];
            s[x + 5 * y] = rotate(moving, t * (t + 1) / 2);
            moving = kept;
        }
        for (unsigned y = 0; y < 25; y += 5) {
            for (unsigned x = 0; x < 5; x++)
                c[x] = s[y + x];
            for (unsigned x = 0; x < 5; x++)
                s[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
        }
        for (unsigned j = 0; j < 7; j++) {
            s[0] ^= (uint64_t)(lfsr & 1) << ((1U << j) - 1);
            lfsr = (lfsr << 1 ^ (lfsr >> 7) * 0x171) & 0xff;
        }
    }
}
