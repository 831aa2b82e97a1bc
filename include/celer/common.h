/* common.h: what every public header shares.

   Conventions of the whole library: lengths are bytes; arguments come as context, outputs, inputs; a function
   is void when every argument its types admit is valid, and otherwise returns 0 or a negative enum celer_error. */
#ifndef CELER_COMMON_H
#define CELER_COMMON_H
#include <stddef.h>
#include <stdint.h>

#define CELER_VERSION "0.1.0"

#if defined(__GNUC__)
#  define CELER_API        __attribute__((visibility("default")))
#  define CELER_MUST_CHECK __attribute__((warn_unused_result))
#else
#  define CELER_API
#  define CELER_MUST_CHECK
#endif

/* uint8_t out[CELER_AT_LEAST(32)]: the caller's array has 32 bytes or more; C compilers check it. */
#if defined(__cplusplus) || defined(_MSC_VER)
#  define CELER_AT_LEAST(n) n
#else
#  define CELER_AT_LEAST(n) static n
#endif

enum celer_error {
    CELER_OK = 0,
    CELER_EINVAL = -1, /* an argument outside its documented range */
    CELER_EKEY = -2,   /* a key that is none */
    CELER_ERANDOM = -3 /* the system gave no random bytes */
};

#ifndef CELER_MSG_DEFINED
#  define CELER_MSG_DEFINED
/* One input of a batch. data may be NULL when len is 0. */
struct celer_msg {
    const void *data;
    size_t len;
};
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0": the version of the library that is linked, where CELER_VERSION is that of the header. */
CELER_API const char *celer_version(void);

/* One line of English without a full stop for a value of enum celer_error; never NULL. */
CELER_API const char *celer_strerror(int error);

/* 1 when the n bytes at a and b are equal, else 0, in a time that depends on n alone. Compare MACs with this. */
CELER_API int celer_equal(const void *a, const void *b, size_t n) CELER_MUST_CHECK;

/* Writes n zero bytes at p in a way that no compiler removes. Contexts with secrets end with this. */
CELER_API void celer_wipe(void *p, size_t n);

#ifdef __cplusplus
}
#endif
#endif
