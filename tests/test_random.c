/* test_random.c: celer_random, when the system gives its bytes piece by piece, and when it gives none. */
#include "support.h"
#include <errno.h>
#include <stdbool.h>
#include <sys/random.h>

/* The linker puts __wrap_getrandom in the place of getrandom (CMakeLists.txt). What the next calls do: a number of bytes;
   0 none, without an error; below 0 minus errno. Behind the last of them, or without any, the system is asked. */
static const int *script;
static size_t script_length, calls;
static size_t largest;

ssize_t __real_getrandom(void *out, size_t n, unsigned flags);
ssize_t __wrap_getrandom(void *out, size_t n, unsigned flags);

ssize_t __wrap_getrandom(void *out, size_t n, unsigned flags)
{
    const size_t call = calls++;
    assert_int_equal(flags, 0); /* waits until the system is ready; never GRND_INSECURE */
    largest = n > largest ? n : largest;
    if (call >= script_length)
        return __real_getrandom(out, n, flags);
    if (script[call] < 0) {
        errno = -script[call];
        return -1;
    }
    const size_t some = (size_t)script[call] < n ? (size_t)script[call] : n;
    memset(out, (int)call + 1, some);
    return (ssize_t)some;
}

static void play(const int *steps, size_t n)
{
    script = steps;
    script_length = n;
    calls = 0;
}

static void test_bytes(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 1, 16, 32, 64, 255, 256, 257, 4096, 1 << 20};
    play(NULL, 0);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t n = lengths[i];
        struct guarded g = guarded_new(n);
        uint8_t *const out = g.end - n;
        assert_int_equal(celer_random(out, n), CELER_OK);
        assert_true(n < 16 || !all_zero(out + n - 16, 16)); /* wrong once in 2^128 */
        guarded_free(g);
    }
    assert_int_equal(celer_random(NULL, 0), CELER_OK);
    uint8_t a[32], b[32];
    assert_int_equal(celer_random(a, sizeof a) | celer_random(b, sizeof b), CELER_OK);
    assert_int_not_equal(memcmp(a, b, sizeof a), 0);
}

/* A byte that stays as it was in 64 calls was never written; each bit is seen as 0 and as 1. */
static void test_every_bit(void **state)
{
    (void)state;
    enum { N = 300 };
    uint8_t ones[N] = {0}, zeros[N] = {0}, out[N];
    play(NULL, 0);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(celer_random(out, N), CELER_OK);
        for (size_t j = 0; j < N; j++) {
            ones[j] |= out[j];
            zeros[j] |= (uint8_t)~out[j];
        }
    }
    for (size_t j = 0; j < N; j++)
        check(ones[j] == 0xff && zeros[j] == 0xff, "byte %zu has bits that never change", j);
}

static void test_pieces(void **state)
{
    (void)state;
    static const int steps[] = {-EINTR, 1, 100, -EINTR, -EINTR, 156, 1 << 20};
    uint8_t out[600], expected[600];
    play(steps, sizeof steps / sizeof steps[0]);
    assert_int_equal(celer_random(out, sizeof out), CELER_OK);
    assert_int_equal(calls, 7);
    memset(expected, 2, 1);
    memset(expected + 1, 3, 100);
    memset(expected + 101, 6, 156);
    memset(expected + 257, 7, 600 - 257);
    check_bytes(out, expected, sizeof out, "each piece in its place");
}

static void test_failures(void **state)
{
    (void)state;
    static const int errors[] = {-EPERM, -ENOSYS, -EAGAIN, -EFAULT, -EIO, 0};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        for (size_t before = 0; before < 3; before++) {
            const int steps[] = {before > 0 ? 10 : errors[i], before > 1 ? 300 : errors[i], errors[i]};
            uint8_t out[600];
            memset(out, 0xa5, sizeof out);
            play(steps, 3);
            check(celer_random(out, sizeof out) == CELER_ERANDOM, "step %zu: %d is a failure", before,
                  errors[i]);
            check(calls == before + 1, "step %zu: %d ends it", before, errors[i]);
            check(all_zero(out, sizeof out), "step %zu: nothing is left of a failure", before);
        }
    }
}

#if defined(__linux__)
#  include <linux/filter.h>
#  include <linux/seccomp.h>
#  include <stddef.h>
#  include <sys/prctl.h>
#  include <sys/syscall.h>
#  include <sys/wait.h>
#  include <unistd.h>

enum { REFUSED_GOOD, REFUSED_BAD, REFUSED_NEVER };

/* From here on the kernel refuses this process everything but its end. */
static bool refuse_everything(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void test_refused(void **state)
{
    (void)state;
    play(NULL, 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        uint8_t out[64];
        memset(out, 0xa5, sizeof out);
        if (!refuse_everything())
            _exit(REFUSED_NEVER);
        const bool is_good = celer_random(out, sizeof out) == CELER_ERANDOM && all_zero(out, sizeof out);
        /* Not _exit, which under AddressSanitizer looks for leaks first, and may not. */
        syscall(SYS_exit_group, is_good ? REFUSED_GOOD : REFUSED_BAD);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == REFUSED_NEVER)
        skip(); /* an emulator, or a kernel without filters */
    assert_int_equal(WEXITSTATUS(status), REFUSED_GOOD);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#if defined(__linux__)
        cmocka_unit_test(
            test_refused), /* first: a libc may keep random bytes back from one call for the next */
#endif
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_every_bit),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
