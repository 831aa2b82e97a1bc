/* test_bench_clock.c: the choice of a counter when the system refuses, and the scale from ticks to cycles. No
   test here depends on how fast anything is. */
#include "support.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "bench/clock.h"
#include "bench/clock_counters.h"

#if defined(__linux__)
#  include <linux/filter.h>
#  include <linux/seccomp.h>
#  include <stddef.h>
#  include <sys/prctl.h>
#  include <sys/syscall.h>
#endif

/* --- A system that does as it is told --- */

static struct {
    int error; /* of perf_event_open; 0: it works */
    int paranoid;
    bool guest;
    bool taken;    /* by another event is its counter */
    uint64_t step; /* by which its counter advances with each reading */
    uint64_t count;
    int open, closed; /* descriptors */
} fake;

static int fake_open(struct perf_event_attr *attr)
{
    (void)attr;
    if (fake.error != 0) {
        errno = fake.error;
        return -1;
    }
    fake.open++;
    return 1000;
}

static void *fake_map(int fd, size_t size)
{
    (void)fd, (void)size;
    return NULL;
}

static void fake_unmap(void *page, size_t size)
{
    (void)page, (void)size;
    fail_msg("unmaps what was not mapped");
}

/* Counts nanoseconds, three to the cycle, or stands still. */
static ssize_t fake_read(int fd, void *to, size_t size)
{
    struct timespec now;
    assert_int_equal(fd, 1000);
    assert_int_equal(size, 8);
    if (fake.taken)
        return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    fake.count = fake.step * ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
    memcpy(to, &fake.count, 8);
    return 8;
}

static void fake_close(int fd)
{
    assert_int_equal(fd, 1000);
    fake.closed++;
}

static int fake_paranoid(void)
{
    return fake.paranoid;
}

static bool fake_guest(void)
{
    return fake.guest;
}

static struct clock_system fake_system = {
    .perf_open = fake_open,
    .map = fake_map,
    .unmap = fake_unmap,
    .read = fake_read,
    .close = fake_close,
    .perf_paranoid = fake_paranoid,
    .virtual_machine = fake_guest,
};

static void pretend(int error)
{
    memset(&fake, 0, sizeof fake);
    fake.error = error;
    fake_system.library = "no-such-folder/libcpucycles.so.1";
}

/* --- Reasons and remedies --- */

struct refusal {
    int error, paranoid;
    bool guest;
    const char *words[4];
};

static const struct refusal refusals[] = {
    {ENOENT, 2, true, {"no PMU in this virtual machine", "ENOENT", "remedy", NULL}},
    {EOPNOTSUPP, 2, true, {"no PMU in this virtual machine", "EOPNOTSUPP", NULL}},
    {ENODEV, 2, false, {"no PMU in this machine", "ENODEV", "remedy", NULL}},
    {EACCES,
     3,
     true,
     {"/proc/sys/kernel/perf_event_paranoid is 3", "EACCES", "sysctl kernel.perf_event_paranoid=2", NULL}},
    {EPERM, 2, true, {"perf_event_paranoid is 2", "EPERM", "seccomp", "profile"}},
    {EPERM, CLOCK_UNREADABLE, true, {"perf_event_paranoid cannot be read", "EPERM", "remedy", NULL}},
    {ENOSYS, 2, false, {"ENOSYS", "seccomp", "CONFIG_PERF_EVENTS", NULL}},
    {EBUSY, 2, false, {"EBUSY", "nmi_watchdog", NULL}},
    {EINVAL, 2, false, {"EINVAL", NULL}},
};

static void check_words(const char *text, const char *const *words)
{
    for (size_t i = 0; i < 4 && words[i] != NULL; i++)
        check(strstr(text, words[i]) != NULL, "'%s' is missing in: %s", words[i], text);
    check(strchr(text, '\n') == NULL, "more than one line: %s", text);
}

/* Wrong: a counter that is refused without a word, or with a remedy that is none. */
static void test_refusal(void **state)
{
    const struct refusal *refusal = *state;
    struct clock clock;
    pretend(refusal->error);
    fake.paranoid = refusal->paranoid;
    fake.guest = refusal->guest;
    clock_open(&clock, &fake_system);
    check_words(clock.missing, refusal->words);
    assert_false(clock.counts_cycles);
    assert_true(clock.read() <= clock.read());
    assert_int_equal(fake.open, 0);
    clock_close();
}

/* Wrong: figures from an event that some virtual machines offer and never count. */
static void test_counter_stands_still(void **state)
{
    (void)state;
    struct clock clock;
    pretend(0);
    clock_open(&clock, &fake_system);
    assert_false(clock.counts_cycles);
    assert_non_null(strstr(clock.missing, "stands still"));
    clock_close();
    assert_int_equal(fake.open, 1);
    assert_int_equal(fake.closed, 1);
}

/* Wrong: the advice for a counter that does not work where somebody has it. */
static void test_counter_taken(void **state)
{
    static const char *const words[] = {"something else uses its counter", "remedy", "nmi_watchdog", NULL};
    (void)state;
    struct clock clock;
    pretend(0);
    fake.taken = true;
    clock_open(&clock, &fake_system);
    assert_false(clock.counts_cycles);
    check_words(clock.missing, words);
    clock_close();
    assert_int_equal(fake.closed, 1);
}

static void test_counter_of_cycles(void **state)
{
    (void)state;
    struct clock clock;
    pretend(0);
    fake.step = 3;
    clock_open(&clock, &fake_system);
    assert_string_equal(clock.name, "default-perfevent");
    assert_string_equal(clock.version, celer_version());
    assert_true(clock.counts_cycles);
    assert_string_equal(clock.missing, "");
    check(fabs(clock.hz / 3e9 - 1) < 0.05, "%g ticks per second", clock.hz);
    check(clock.step == 1, "step %g", clock.step);
    check(clock_cycles(&clock, 1234, 999) == 1234, "cycles were scaled");
    clock_close();
    assert_int_equal(fake.open, 1);
    assert_int_equal(fake.closed, 1);
}

/* --- libcpucycles --- */

struct library {
    const char *plant; /* tests/plugins/cpucycles.c */
    const char *words[4];
};

static const struct library useless[] = {
    {"missing", {"not available", "missing.so", "No such file", NULL}},
    {"time", {"not available", "20301231", "planted-tsc", "counts time"}},
    {"still", {"not available", "planted-perfpmc", "counts 0.00 cycles", NULL}},
#if defined(__x86_64__) || defined(__aarch64__)
    {"half", {"not available", "planted-perfpmc", "cycles for an operation that takes one", NULL}},
#endif
#if defined(__GLIBC__)
    {"function", {"not available", "cpucycles is not the variable", NULL}},
#endif
    {"no_symbol", {"not available", "no symbol cpucycles_version", NULL}},
    {"no_name", {"not available", "does not say which counter", NULL}},
    {"crash", {"not available", "SIGSEGV", NULL}},
};

static const char *plant(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/cpucycles/%s.so", PLANTED_DIR, name);
    return path;
}

/* The line of the description that is about the library. */
static void describe_library(char *line, size_t size)
{
    char text[4096] = "";
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    clock_describe(to, &fake_system);
    fclose(to);
    const char *begin = strstr(text, "  libcpucycles ");
    check(begin != NULL, "no line about it:\n%s", text);
    snprintf(line, size, "%.*s", (int)strcspn(begin, "\n"), begin);
}

static void on_segv(int signal_number)
{
    (void)signal_number;
}

/* Wrong: a counter of time that passes for one of cycles, or a program that falls over a library. */
static void test_library_useless(void **state)
{
    const struct library *library = *state;
    const struct sigaction ours = {.sa_handler = on_segv};
    struct sigaction former, now;
    struct clock clock;
    char line[512];
    pretend(ENOENT);
    fake_system.library = plant(library->plant);
    sigaction(SIGSEGV, &ours, &former);
    describe_library(line, sizeof line);
    clock_open(&clock, &fake_system);
    sigaction(SIGSEGV, &former, &now);
    check_words(line, library->words);
    check(now.sa_handler == on_segv, "the handler of the program is gone");
    assert_false(clock.counts_cycles);
    assert_string_equal(clock.version, celer_version());
    assert_non_null(strstr(clock.missing, "no PMU"));
    clock_close();
}

static void test_library(void **state)
{
    (void)state;
    const struct sigaction ours = {.sa_handler = on_segv};
    struct sigaction former, now;
    struct clock clock;
    pretend(ENOENT);
    fake_system.library = plant("good");
    sigaction(SIGSEGV, &ours, &former);
    clock_open(&clock, &fake_system);
    sigaction(SIGSEGV, &former, &now);
    check(now.sa_handler == on_segv, "the handler of the program is gone");
    assert_string_equal(clock.name, "planted-perfpmc");
    assert_string_equal(clock.version, "20301231");
    assert_true(clock.counts_cycles);
    assert_string_equal(clock.missing, "");
    check(clock_cycles(&clock, 1234, 999) == 1234, "cycles were scaled");
    check(clock_chain(&clock) > 0, "a chain takes no time");
    clock_close();
}

/* Wrong: the library where celer's own counter of cycles works. */
static void test_library_comes_second(void **state)
{
    static const char *const words[] = {"available: counts core cycles", "planted-perfpmc", "20301231", NULL};
    (void)state;
    struct clock clock;
    char line[512];
    pretend(0);
    fake.step = 3;
    fake_system.library = plant("good");
    clock_open(&clock, &fake_system);
    assert_string_equal(clock.name, "default-perfevent");
    clock_close();
    describe_library(line, sizeof line);
    check_words(line, words);
}

/* --- The scale --- */

static void test_scale(void **state)
{
    (void)state;
    const struct clock timer = {.chain_cycles = 3000};
    check(fabs(clock_cycles(&timer, 500, 1000) - 1500) < 1e-9, "wrong scale");
    check(fabs(clock_cycles(&timer, 500, 2000) - 750) < 1e-9,
          "a slower core does fewer cycles in the same time");
}

/* Whatever counter this machine has, what is timed lasts 1000 of its ticks and 10000 cycles at least. */
static void test_calibration(void **state)
{
    (void)state;
    struct clock clock;
    clock_open(&clock, NULL);
    check(clock.hz > 1e6 && clock.core_hz > 1e6, "%g ticks and %g cycles per second", clock.hz,
          clock.core_hz);
    check(clock.step >= 1, "step %g", clock.step);
    check(clock.min_span >= 400 * clock.step && clock.min_span >= 1000, "span %g of step %g", clock.min_span,
          clock.step);
    check(clock.chain_cycles >= 10000 * clock.multiply_cycles / 3, "a chain of %g cycles",
          clock.chain_cycles);
    check(clock.chain_cycles == 100 * clock.multiply_cycles * (double)clock.chain_hundreds, "chain");
    check(clock_chain(&clock) > 0, "a chain takes no time");
    assert_true(clock.estimated == (clock.doubt[0] != 0));
    assert_true(clock.counts_cycles == (clock.missing[0] == 0));
    clock_close();
}

/* --- Refusals by the real system, each in a process of its own --- */

/* Runs `child`, which returns its exit code: 0 good, 77 this system cannot be made to refuse. */
static void in_child(int (*child)(void))
{
    fflush(NULL);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(child());
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    check(WIFEXITED(status), "ended by signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

#if defined(__linux__) && defined(__x86_64__)
static int child_without_tsc(void)
{
    struct clock clock;
    pretend(ENOENT);
    if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0)
        return 77;
    clock_open(&clock, &fake_system);
    return strcmp(clock.name, "default-monotonic") == 0 && !clock.counts_cycles && clock.estimated ? 0 : 1;
}

/* Wrong: the program dies where the time stamp counter is forbidden, or is sure of its figures. */
static void test_without_tsc(void **state)
{
    (void)state;
    in_child(child_without_tsc);
}
#endif

#if defined(__linux__)
struct filter {
    int error;
    const char *words[4];
};

static const struct filter filters[] = {
    {EPERM, {"EPERM", "perf_event_paranoid", "remedy", NULL}},
    {EACCES, {"EACCES", "perf_event_paranoid", "remedy", NULL}},
    {ENOSYS, {"ENOSYS", "seccomp", "remedy", NULL}},
};
static const struct filter *filter;

static int child_under_seccomp(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)filter->error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof code / sizeof code[0], code};
    struct clock_system system = clock_real_system;
    struct clock clock;
    system.library = "no-such-folder/libcpucycles.so.1";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ||
        prctl(PR_GET_SECCOMP) != SECCOMP_MODE_FILTER)
        return 77;
    clock_open(&clock, &system);
    bool good = !clock.counts_cycles;
    for (size_t i = 0; filter->words[i] != NULL; i++)
        good = good && strstr(clock.missing, filter->words[i]) != NULL;
    if (!good)
        fprintf(stderr, "%s: %s\n", clock.name, clock.missing);
    return good ? 0 : 1;
}

static void test_under_seccomp(void **state)
{
    filter = *state;
    in_child(child_under_seccomp);
}
#endif

static void test_describe(void **state)
{
    (void)state;
    char text[4096] = "";
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    clock_describe(to, NULL);
    fclose(to);
    int lines = 0, used = 0;
    for (const char *p = text; *p != 0; p = strchr(p, '\n') + 1) {
        lines++;
        used += strstr(p, " used: ") != NULL && strstr(p, " used: ") < strchr(p, '\n');
    }
    check(lines >= 2 && used == 1, "%d lines, %d used:\n%s", lines, used, text);
    assert_non_null(strstr(text, "default-monotonic"));
}

int main(void)
{
    struct suite suite = {0};
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        suite_add(&suite, test_refusal, (void *)(uintptr_t)&refusals[i],
                  "perf_event_open fails: %s, paranoid %d", strerror(refusals[i].error),
                  refusals[i].paranoid);
    suite_add(&suite, test_counter_stands_still, NULL, "a counter that stands still is not used");
    suite_add(&suite, test_counter_taken, NULL, "a counter that something else has is not used");
    suite_add(&suite, test_counter_of_cycles, NULL, "a counter of cycles is used as it is");
    for (size_t i = 0; i < sizeof useless / sizeof useless[0]; i++)
        suite_add(&suite, test_library_useless, (void *)(uintptr_t)&useless[i],
                  "a libcpucycles that is of no use: %s", useless[i].plant);
    suite_add(&suite, test_library, NULL, "a libcpucycles that counts cycles");
    suite_add(&suite, test_library_comes_second, NULL, "libcpucycles beside a counter of cycles");
    suite_add(&suite, test_scale, NULL, "the scale from ticks to cycles");
    suite_add(&suite, test_calibration, NULL, "calibration");
#if defined(__linux__) && defined(__x86_64__)
    suite_add(&suite, test_without_tsc, NULL, "the time stamp counter is forbidden");
#endif
#if defined(__linux__)
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
        suite_add(&suite, test_under_seccomp, (void *)(uintptr_t)&filters[i],
                  "a seccomp filter refuses perf_event_open: %s", filters[i].words[0]);
#endif
    suite_add(&suite, test_describe, NULL, "the description of counters");
    return suite_run(&suite, "bench/clock");
}
