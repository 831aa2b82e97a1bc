/* support.h: what the tests share: checks that say where they failed, groups built at run time, reproducible
   random bytes, memory between guard pages, and backends by name. */
#ifndef SUPPORT_H
#define SUPPORT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "celer/celer.h"

/* Fails the running test with a message of its own, unless the condition holds. */
#define check(condition, ...)     \
  do {                            \
    if (!(condition)) {           \
      print_error(__VA_ARGS__);   \
      print_error("\n");          \
      fail_msg("%s", #condition); \
    }                             \
  } while (0)

/* The same for n bytes that have to be equal. The message names the first byte that is not. */
#define check_bytes(got, expected, n, ...)                                    \
  do {                                                                        \
    const size_t differ_at = first_difference(got, expected, n);              \
    if (differ_at < (n)) {                                                    \
      print_error(__VA_ARGS__);                                               \
      print_error("\n");                                                      \
      fail_msg("%s: byte %zu of %zu is wrong", #got, differ_at, (size_t)(n)); \
    }                                                                         \
  } while (0)

size_t first_difference(const void *a, const void *b, size_t n); /* n: none */
int all_zero(const void *p, size_t n);

/* A group of tests that grows. Names are copied. */
struct suite {
    struct CMUnitTest *tests;
    size_t count;
};
void suite_add(struct suite *suite, CMUnitTestFunction run, void *arg, const char *name, ...)
    __attribute__((format(printf, 4, 5)));
/* Runs and frees the group; returns the number of failed tests. A group without tests is a failed one. */
int suite_run(struct suite *suite, const char *name);

/* Pseudo-random and the same in every run (splitmix64). */
struct rng {
    uint64_t state;
};
uint64_t rng_next(struct rng *rng);
size_t rng_below(struct rng *rng, size_t n); /* 0 .. n - 1 */
void rng_fill(struct rng *rng, void *p, size_t n);

/* Of cases by the hundred that are all alike, one in so many is enough: 1, or CELER_TESTS_ONE_IN of the environment, for
   runs that are slow. */
size_t one_in(void);

/* `size` bytes at least, from begin to end, with an unreadable page on either side: an access one byte
   outside is a SIGSEGV, wherever the code under test was written. */
struct guarded {
    uint8_t *begin, *end;
};
struct guarded guarded_new(size_t size);
void guarded_free(struct guarded g);

/* Runs call(arg) and returns the address whose access faulted, or NULL when it returned without a fault. */
const void *fault_of(void (*call)(void *arg), void *arg);

/* 0 where a stack holds copies that nobody wrote, variables kept in memory, or lies elsewhere. CELER_SANITIZED: the build
   has a sanitizer, of which compilers do not always tell. */
#if defined(CELER_SANITIZED) || !defined(__OPTIMIZE__)
#  define STACK_IS_PLAIN 0
#else
#  define STACK_IS_PLAIN 1
#endif

/* Runs call(arg) in a thread whose stack is that memory, to be looked at afterwards. It need have no more than
   STACK_SIZE bytes. */
enum { STACK_SIZE = 256 * 1024 };
void on_stack(struct guarded stack, void (*call)(void *arg), void *arg);

/* Calls visit(kernel, arg) for each distinct kernel of the list of hashes. */
void each_kernel(void (*visit)(const struct celer_kernel *kernel, void *arg), void *arg);

/* The names that the rows of a kernel bear, each once: name number i, or NULL. */
const char *row_name(const struct celer_kernel *kernel, size_t i);

/* What the rows of that name need together, preferences included; rows are found by celer_cpu_mask(that). */
uint32_t row_needs(const struct celer_kernel *kernel, const char *name);

/* 1 when this CPU has what those rows need. */
int row_usable(const struct celer_kernel *kernel, const char *name);

/* Makes the rows of that name the ones that run, in each width they exist in, and fails the test when the
   library would choose others; marks it skipped when this CPU lacks them. The mask is lifted when the test
   ends. */
void row_enter(const struct celer_kernel *kernel, const char *name);
#endif
