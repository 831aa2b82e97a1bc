/* typed_template.h: the functions of one algorithm, celer_sha3_256 and its like, against its row in the list.
   A test file lists its algorithms with TYPED_FIXED or TYPED_XOF and adds each with typed_template_add. */
#ifndef TYPED_TEMPLATE_H
#define TYPED_TEMPLATE_H
#include "support.h"

/* Everything through void pointers and lengths; what a function does not take is ignored. */
struct typed {
    const char *name; /* in the list */
    size_t ctx_size;
    size_t len_constant; /* CELER_..._LEN, or for an XOF CELER_..._RATE */
    void (*oneshot)(uint8_t *out, size_t out_len, const void *in, size_t in_len);
    void (*many)(uint8_t *out, size_t out_len, const struct celer_msg *msgs,
                 size_t n); /* NULL: there is none */
    void (*init)(void *ctx);
    void (*update)(void *ctx, const void *in, size_t in_len);
    void (*end)(void *ctx, uint8_t *out, size_t out_len); /* final, or squeeze */
    void (*wipe)(void *ctx);
    const struct celer_hash_opts *opts; /* with which the list's row is the same function; NULL: none */
};

#define TYPED_COMMON(id)                                             \
  static void id##_init_(void *ctx)                                  \
  {                                                                  \
    celer_##id##_init(ctx);                                          \
  }                                                                  \
  static void id##_update_(void *ctx, const void *in, size_t in_len) \
  {                                                                  \
    celer_##id##_update(ctx, in, in_len);                            \
  }                                                                  \
  static void id##_wipe_(void *ctx)                                  \
  {                                                                  \
    celer_##id##_wipe(ctx);                                          \
  }

#define TYPED_FIXED(id, len)                                                                   \
  TYPED_COMMON(id)                                                                             \
  static void id##_oneshot_(uint8_t *out, size_t out_len, const void *in, size_t in_len)       \
  {                                                                                            \
    assert_int_equal(out_len, len);                                                            \
    celer_##id(out, in, in_len);                                                               \
  }                                                                                            \
  static void id##_many_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n) \
  {                                                                                            \
    assert_int_equal(out_len, len);                                                            \
    celer_##id##_many((uint8_t(*)[len])out, msgs, n);                                          \
  }                                                                                            \
  static void id##_end_(void *ctx, uint8_t *out, size_t out_len)                               \
  {                                                                                            \
    assert_int_equal(out_len, len);                                                            \
    celer_##id##_final(ctx, out);                                                              \
  }

#define TYPED_XOF(id)                                                                          \
  TYPED_COMMON(id)                                                                             \
  static void id##_oneshot_(uint8_t *out, size_t out_len, const void *in, size_t in_len)       \
  {                                                                                            \
    celer_##id(out, out_len, in, in_len);                                                      \
  }                                                                                            \
  static void id##_many_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n) \
  {                                                                                            \
    celer_##id##_many(out, out_len, msgs, n);                                                  \
  }                                                                                            \
  static void id##_end_(void *ctx, uint8_t *out, size_t out_len)                               \
  {                                                                                            \
    celer_##id##_squeeze(ctx, out, out_len);                                                   \
  }

#define TYPED_ROW(id, list_name, constant)                                                               \
  {                                                                                                      \
    list_name, sizeof(struct celer_##id), constant, id##_oneshot_, id##_many_, id##_init_, id##_update_, \
        id##_end_, id##_wipe_, NULL                                                                      \
  }

/* Adds the tests of that algorithm on every row of its kernel. `typed` is kept. */
void typed_template_add(struct suite *suite, const struct typed *typed);
#endif
