/* mix.c: messages bound to a chain. */
#include "celer/chain.h"
#include "celer/sha2.h"

void celer_chain_mix(uint8_t hash[CELER_AT_LEAST(32)], const uint8_t payload[CELER_AT_LEAST(32)])
{
    struct celer_sha256 ctx;
    celer_sha256_init(&ctx);
    celer_sha256_update(&ctx, hash, 32);
    celer_sha256_update(&ctx, payload, 32);
    celer_sha256_final(&ctx, hash);
}
