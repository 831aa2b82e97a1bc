/* xkcp.c: XKCP, by the authors of Keccak: its functions of one call, and the permutation of those widths that it was
   built with. It does not number its releases. */
#include <KangarooTwelve.h>
#include <KeccakP-1600-SnP.h>
#include <SP800-185.h>
#include <SimpleFIPS202.h>
#include <TurboSHAKE.h>
#include <config.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "peer.h"
#ifdef XKCP_has_KeccakP1600times2
#  include <KeccakP-1600-times2-SnP.h>
#endif
#ifdef XKCP_has_KeccakP1600times4
#  include <KeccakP-1600-times4-SnP.h>
#endif
#ifdef XKCP_has_KeccakP1600times8
#  include <KeccakP-1600-times8-SnP.h>
#endif

/* --- Hashes --- */

/* A call that fails writes nothing, and that is noticed. */
#define HASH_CALL(name, call)                                                                   \
  static void name(const struct celer_subject *self, void *state, uint8_t *out, const void *in, \
                   size_t in_len)                                                               \
  {                                                                                             \
    (void)self, (void)state;                                                                    \
    if ((call) != 0)                                                                            \
      return;                                                                                   \
  }
#define XOF_CALL(name, call)                                                                    \
  static void name(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len, \
                   const void *in, size_t in_len)                                               \
  {                                                                                             \
    (void)self, (void)state;                                                                    \
    if ((call) != 0)                                                                            \
      return;                                                                                   \
  }

#define PARALLEL_BLOCK 8192 /* bytes of a block of ParallelHash, as many as celer takes by itself */

HASH_CALL(sha3_224, SHA3_224(out, in, in_len))
HASH_CALL(sha3_256, SHA3_256(out, in, in_len))
HASH_CALL(sha3_384, SHA3_384(out, in, in_len))
HASH_CALL(sha3_512, SHA3_512(out, in, in_len))
XOF_CALL(shake128, SHAKE128(out, out_len, in, in_len))
XOF_CALL(shake256, SHAKE256(out, out_len, in, in_len))
XOF_CALL(cshake128, cSHAKE128(in, 8 * in_len, out, 8 * out_len, NULL, 0, NULL, 0))
XOF_CALL(cshake256, cSHAKE256(in, 8 * in_len, out, 8 * out_len, NULL, 0, NULL, 0))
HASH_CALL(kmac128, KMAC128(NULL, 0, in, 8 * in_len, out, 8 * self->out_len, NULL, 0))
HASH_CALL(kmac256, KMAC256(NULL, 0, in, 8 * in_len, out, 8 * self->out_len, NULL, 0))
HASH_CALL(parallelhash128, ParallelHash128(in, 8 * in_len, PARALLEL_BLOCK, out, 8 * self->out_len, NULL, 0))
HASH_CALL(parallelhash256, ParallelHash256(in, 8 * in_len, PARALLEL_BLOCK, out, 8 * self->out_len, NULL, 0))
XOF_CALL(turboshake128, TurboSHAKE(256, in, in_len, 0x1f, out, out_len))
XOF_CALL(turboshake256, TurboSHAKE(512, in, in_len, 0x1f, out, out_len))
XOF_CALL(kt128, KT128(in, in_len, out, out_len, NULL, 0))
XOF_CALL(kt256, KT256(in, in_len, out, out_len, NULL, 0))

/* --- The permutation --- */

#define LANES     25
#define ALIGNMENT 64 /* the most that an implementation wants */

/* How lanes lie in memory is the business of each implementation; most have them as the bench has. */
static bool is_plain(const uint64_t *states, size_t ways)
{
    for (size_t i = 0; i < LANES * ways; i++)
        if (states[i] != i)
            return false;
    return true;
}

static void close_states(const struct celer_subject *self, void *state)
{
    (void)self;
    free(state);
}

/* `put` sets lane i of state w of `s` to the eight bytes at `lane`. Where the bench's states cannot serve as the
   library's, its own room does. */
#define PERMUTATION(width, type, initialize, put, permute)                                                  \
  static int open_x##width(const struct celer_subject *self, void **state, const char **why)                \
  {                                                                                                         \
    type *const s = *state = aligned_alloc(ALIGNMENT, (sizeof *s + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT); \
    (void)self;                                                                                             \
    *why = s == NULL ? "out of memory" : "this XKCP has its states in another form";                        \
    if (s == NULL)                                                                                          \
      return -1;                                                                                            \
    initialize(s);                                                                                          \
    for (unsigned i = 0; i < LANES; i++)                                                                    \
      for (unsigned w = 0; w < (width); w++) {                                                              \
        const unsigned char lane[8] = {(unsigned char)(i * (width) + w)};                                   \
        put;                                                                                                \
      }                                                                                                     \
    if (is_plain(*state, width))                                                                            \
      return 0;                                                                                             \
    free(s);                                                                                                \
    return -1;                                                                                              \
  }                                                                                                         \
  static void permute_x##width(const struct celer_subject *self, void *state, uint64_t *states,             \
                               size_t times)                                                                \
  {                                                                                                         \
    const size_t size = (size_t)8 * LANES * (width);                                                        \
    const bool fits = sizeof(type) == size && (uintptr_t)states % ALIGNMENT == 0;                           \
    type *const s = fits ? (void *)states : memcpy(state, states, size);                                    \
    (void)self;                                                                                             \
    for (; times > 0; times--)                                                                              \
      permute(s);                                                                                           \
    if (!fits)                                                                                              \
      memcpy(states, s, size);                                                                              \
  }
#define PERMUTATIONS(width)                                                                     \
  PERMUTATION(width, KeccakP1600times##width##_states, KeccakP1600times##width##_InitializeAll, \
              KeccakP1600times##width##_OverwriteBytes(s, w, lane, 8 * i, 8),                   \
              KeccakP1600times##width##_PermuteAll_24rounds)

PERMUTATION(1, KeccakP1600_state, KeccakP1600_Initialize, KeccakP1600_OverwriteBytes(s, lane, 8 * i, 8),
            KeccakP1600_Permute_24rounds)
#ifdef XKCP_has_KeccakP1600times2
PERMUTATIONS(2)
#endif
#ifdef XKCP_has_KeccakP1600times4
PERMUTATIONS(4)
#endif
#ifdef XKCP_has_KeccakP1600times8
PERMUTATIONS(8)
#endif

/* --- The table --- */

#define HASH(name, length, function_, note)                                  \
  {                                                                          \
    PEER_SUBJECT(CELER_KIND_HASH, name, length, note), .run.hash = function_ \
  }
#define XOF(name, length, function_, note)                                 \
  {                                                                        \
    PEER_SUBJECT(CELER_KIND_XOF, name, length, note), .run.xof = function_ \
  }
#define STATES(width, code)                                                                                  \
  {                                                                                                          \
    .kind = CELER_KIND_PERMUTATION, .flags = CELER_SUBJECT_DEFAULT, .ways = (width),                         \
    .function = "keccak-f1600", .backend = "", .notes = (code), .out_len = 8 * LANES, .open = open_x##width, \
    .close = close_states, .run.permutation = permute_x##width                                               \
  }

static const struct celer_subject subjects[] = {
    HASH("sha3-224", 28, sha3_224, "one call"),
    HASH("sha3-256", 32, sha3_256, "one call"),
    HASH("sha3-384", 48, sha3_384, "one call"),
    HASH("sha3-512", 64, sha3_512, "one call"),
    XOF("shake128", 32, shake128, "one call"),
    XOF("shake256", 64, shake256, "one call"),
    XOF("cshake128", 32, cshake128, "one call"),
    XOF("cshake256", 64, cshake256, "one call"),
    HASH("kmac128", 32, kmac128, "one call, empty key"),
    HASH("kmac256", 64, kmac256, "one call, empty key"),
    HASH("parallelhash128", 32, parallelhash128, "one call, blocks of 8 KiB"),
    HASH("parallelhash256", 64, parallelhash256, "one call, blocks of 8 KiB"),
    XOF("turboshake128", 32, turboshake128, "one call"),
    XOF("turboshake256", 64, turboshake256, "one call"),
    XOF("kt128", 32, kt128, "one call"),
    XOF("kt256", 64, kt256, "one call"),
    STATES(1, KeccakP1600_implementation),
#ifdef XKCP_has_KeccakP1600times2
    STATES(2, KeccakP1600times2_implementation),
#endif
#ifdef XKCP_has_KeccakP1600times4
    STATES(4, KeccakP1600times4_implementation),
#endif
#ifdef XKCP_has_KeccakP1600times8
    STATES(8, KeccakP1600times8_implementation),
#endif
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static const struct celer_provider provider = {PEER_PROVIDER("xkcp"), .version = "unnumbered"};
    (void)why;
    return &provider;
}
