/* secret.h: marks of memory for the tool that the program runs under: valgrind's memcheck, or clang's MemorySanitizer. Both
   follow uninitialised bits through a computation, and report a branch or an address that depends on one. Secret is what
   they are told is uninitialised. */
#ifndef SECRET_H
#define SECRET_H
#include <stddef.h>

#if defined(__has_feature)
#  if __has_feature(memory_sanitizer)
#    define UNDER_MSAN 1
#  endif
#endif

#ifdef UNDER_MSAN
#  include <sanitizer/msan_interface.h>

static inline int secrets_are_followed(void)
{
    return 1;
}

static inline void make_secret(const void *p, size_t n)
{
    __msan_poison(p, n);
}

static inline void make_public(const void *p, size_t n)
{
    __msan_unpoison(p, n);
}

static inline int has_secret(const void *p, size_t n)
{
    return __msan_test_shadow(p, n) >= 0;
}

#else
#  include <valgrind/memcheck.h>

static inline int secrets_are_followed(void)
{
    return RUNNING_ON_VALGRIND != 0;
}

static inline void make_secret(const void *p, size_t n)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(p, n);
}

static inline void make_public(const void *p, size_t n)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(p, n);
}

static inline int has_secret(const void *p, size_t n)
{
    const char *c = p;
    unsigned char bits = 0;
    for (size_t i = 0; i < n && bits == 0; i++)
        (void)VALGRIND_GET_VBITS(c + i, &bits, 1);
    return bits != 0;
}
#endif

/* 1 when every byte has a secret bit. */
static inline int is_secret(const void *p, size_t n)
{
    const char *c = p;
    size_t i = 0;
    while (i < n && has_secret(c + i, 1))
        i++;
    return i == n;
}
#endif
