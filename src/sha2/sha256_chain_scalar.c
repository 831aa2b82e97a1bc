/* sha256_chain_scalar.c: the hash chain in portable C. */
#include "sha2/sha2.h"
#include "sha2/sha256.h"
#include "sha2/sha256_chain.h"

static inline uint32_t chain_scalar_ror(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

#define WAYS           1
#define SUFFIX         x1_scalar
#define V              uint32_t
#define LOAD(p)        (*(p))
#define STORE(p, v)    (*(p) = (v))
#define SET(c)         (c)
#define ADD(a, b)      ((a) + (b))
#define SUB(a, b)      ((a) - (b))
#define ROR(v, n)      chain_scalar_ror(v, n)
#define SHR(v, n)      ((v) >> (n))
#define XOR3(a, b, c)  ((a) ^ (b) ^ (c))
#define CH(e, f, g)    ((g) ^ ((e) & ((f) ^ (g))))
#define MAJ(a, b, c)   (((a) & (b)) | ((c) & ((a) | (b))))
#define IN_REGISTER(v) (void)0
#define FINISH(w)      (void)0
#include "sha2/sha256_lanes.inc"
