/* step.c: steps of hash chains, alone, side by side, and of different lengths. */
#include "celer/chain.h"
#include "base/bytes.h"
#include "sha2/sha256_chain.h"

/* Chain w of those that are interleaved in h, from and to its 32 bytes. */
static void chain_load(uint32_t *h, size_t ways, size_t w, const uint8_t hash[32])
{
    for (size_t i = 0; i < 8; i++)
        h[i * ways + w] = load32_be(hash + 4 * i);
}

static void chain_store(uint8_t hash[32], const uint32_t *h, size_t ways, size_t w)
{
    for (size_t i = 0; i < 8; i++)
        store32_be(hash + 4 * i, h[i * ways + w]);
}

/* n steps of `count` chains. */
static void chain_steps(uint8_t (*hash)[32], size_t count, uint64_t n)
{
    _Alignas(64) uint32_t h[8 * SHA256_CHAIN_MAX_WAYS];
    while (count > 0) {
        const struct sha256_chain_backend *const k = celer_sha256_chain_widest_(count);
        const size_t ways = k->row.ways;
        for (size_t w = 0; w < ways; w++)
            chain_load(h, ways, w, hash[w]);
        k->chain(h, n);
        for (size_t w = 0; w < ways; w++)
            chain_store(hash[w], h, ways, w);
        hash += ways;
        count -= ways;
    }
}

void celer_sha256_chain(uint8_t hash[CELER_AT_LEAST(32)], uint64_t n)
{
    uint32_t h[8];
    chain_load(h, 1, 0, hash);
    celer_sha256_chain_(1)->chain(h, n);
    chain_store(hash, h, 1, 0);
}

void celer_sha256_chain_x2(uint8_t (*hash)[32], uint64_t n)
{
    chain_steps(hash, 2, n);
}

void celer_sha256_chain_x3(uint8_t (*hash)[32], uint64_t n)
{
    chain_steps(hash, 3, n);
}

void celer_sha256_chain_x4(uint8_t (*hash)[32], uint64_t n)
{
    chain_steps(hash, 4, n);
}

void celer_sha256_chain_x8(uint8_t (*hash)[32], uint64_t n)
{
    chain_steps(hash, 8, n);
}

void celer_sha256_chain_x16(uint8_t (*hash)[32], uint64_t n)
{
    chain_steps(hash, 16, n);
}

/* As many chains are at work as the widest row has lanes. Every run goes as far as the shortest of those it takes;
   chains that are done make room for others, and at the end, when there are none, narrower rows take over. */
void celer_chain_step_many(uint8_t (*hash)[32], const uint64_t *n, size_t count)
{
    const struct sha256_chain_backend *best[SHA256_CHAIN_MAX_WAYS + 1];
    struct {
        size_t chain;
        uint64_t left;
    } work[SHA256_CHAIN_MAX_WAYS];
    _Alignas(64) uint32_t h[8 * SHA256_CHAIN_MAX_WAYS];
    size_t live = 0, next = 0;

    celer_sha256_chain_plan_(best, count);
    for (;;) {
        for (; live < SHA256_CHAIN_MAX_WAYS && next < count; next++)
            if (n[next] != 0) {
                work[live].chain = next;
                work[live++].left = n[next];
            }
        if (live == 0)
            break;
        const struct sha256_chain_backend *const k = best[live];
        const size_t ways = k->row.ways, busy = live < ways ? live : ways;
        uint64_t steps = work[0].left;
        for (size_t w = 0; w < ways; w++) { /* a lane without a chain repeats the last one */
            const size_t i = w < busy ? w : busy - 1;
            chain_load(h, ways, w, hash[work[i].chain]);
            steps = work[i].left < steps ? work[i].left : steps;
        }
        k->chain(h, steps);
        for (size_t w = busy; w-- > 0;) {
            chain_store(hash[work[w].chain], h, ways, w);
            work[w].left -= steps;
            if (work[w].left == 0)
                work[w] = work[--live];
        }
    }
}

const struct celer_kernel *celer_sha256_chain_kernel(void)
{
    return &celer_sha256_chain_kernel_;
}
