/* clock.c: see clock.h. */
#include "clock.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "stats.h"
#include "yardstick.h"

#if defined(__linux__)
#  include <linux/perf_event.h>
#  include <sys/mman.h>
#  include <sys/syscall.h>
#endif
#if defined(__x86_64__)
#  include <cpuid.h>
#endif

#define PARANOID_FILE "/proc/sys/kernel/perf_event_paranoid"

/* --- The system --- */

#if defined(__linux__)
static int system_perf_open(struct perf_event_attr *attr)
{
    return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, 0);
}

static void *system_map(int fd, size_t size)
{
    void *page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    return page == MAP_FAILED ? NULL : page;
}

static void system_unmap(void *page, size_t size)
{
    munmap(page, size);
}
#else
static int system_perf_open(struct perf_event_attr *attr)
{
    (void)attr;
    errno = ENOSYS;
    return -1;
}

static void *system_map(int fd, size_t size)
{
    (void)fd, (void)size;
    return NULL;
}

static void system_unmap(void *page, size_t size)
{
    (void)page, (void)size;
}
#endif

static void system_close(int fd)
{
    close(fd);
}

static int system_perf_paranoid(void)
{
    int level = CLOCK_UNREADABLE;
    FILE *from = fopen(PARANOID_FILE, "re");
    if (from == NULL)
        return level;
    char line[32];
    if (fgets(line, sizeof line, from) != NULL)
        level = atoi(line);
    fclose(from);
    return level;
}

static bool system_virtual_machine(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c >> 31 & 1);
#else
    return access("/sys/hypervisor/type", F_OK) == 0;
#endif
}

static const struct clock_system real_system = {
    .perf_open = system_perf_open,
    .map = system_map,
    .unmap = system_unmap,
    .read = read,
    .close = system_close,
    .perf_paranoid = system_perf_paranoid,
    .virtual_machine = system_virtual_machine,
};

/* --- perf_event_open: core cycles --- */

/* Counters are read without an argument, so what they read from is here. One process has one clock. */
static struct {
    const struct clock_system *system;
    int fd; /* -1: none */
    void *page;
    size_t page_size;
} perf = {.fd = -1};

static uint64_t perf_read(void)
{
    uint64_t count = 0;
    return perf.system->read(perf.fd, &count, sizeof count) == (ssize_t)sizeof count ? count : 0;
}

#if defined(__linux__) && defined(__x86_64__)
/* The protocol of perf_event_open(2), cap_user_rdpmc: the kernel changes lock when it changes the rest. Returns false
   when the event is not on a counter just now. */
static bool perf_page_read(uint64_t *count)
{
    const volatile struct perf_event_mmap_page *page = perf.page;
    uint32_t lock, index;
    do {
        lock = page->lock;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        index = page->index;
        *count = (uint64_t)page->offset;
        if (!page->cap_user_rdpmc || index == 0)
            return false;
        uint32_t low, high;
        __asm__ __volatile__("lfence\n\trdpmc\n\tlfence" : "=a"(low), "=d"(high) : "c"(index - 1) : "memory");
        const unsigned unused = 64u - page->pmc_width;
        *count += (uint64_t)((int64_t)(((uint64_t)high << 32 | low) << unused) >> unused);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    } while (page->lock != lock);
    return true;
}

static uint64_t perf_read_pmc(void)
{
    uint64_t count;
    return perf_page_read(&count) ? count : perf_read();
}

static bool perf_has_pmc(void)
{
    uint64_t count;
    perf.page_size = (size_t)sysconf(_SC_PAGESIZE);
    perf.page = perf.system->map(perf.fd, perf.page_size);
    return perf.page != NULL && perf_page_read(&count);
}
#endif

static const char *error_name(int error)
{
    static const struct {
        int error;
        const char *name;
    } names[] = {{ENOENT, "ENOENT"}, {ENODEV, "ENODEV"}, {EOPNOTSUPP, "EOPNOTSUPP"}, {EACCES, "EACCES"},
                 {EPERM, "EPERM"},   {ENOSYS, "ENOSYS"}, {EBUSY, "EBUSY"},           {EINVAL, "EINVAL"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].error == error)
            return names[i].name;
    return strerror(error);
}

void clock_perf_reason(int error, int paranoid, bool virtual_machine, char *text, size_t size)
{
    const char *name = error_name(error);
    switch (error) {
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        if (virtual_machine)
            snprintf(
                text, size,
                "no PMU in this virtual machine (perf_event_open: %s); remedy: only its host can provide one, "
                "as with qemu -cpu host,pmu=on",
                name);
        else
            snprintf(
                text, size,
                "no PMU in this machine that the kernel knows (perf_event_open: %s); remedy: a kernel with a "
                "driver for it",
                name);
        break;
    case EACCES:
    case EPERM:
        if (paranoid > 2)
            snprintf(text, size,
                     "not permitted (perf_event_open: %s): " PARANOID_FILE " is %d; remedy: "
                     "sudo sysctl kernel.perf_event_paranoid=2",
                     name, paranoid);
        else if (paranoid == CLOCK_UNREADABLE)
            snprintf(text, size,
                     "not permitted (perf_event_open: %s), and " PARANOID_FILE " cannot be read; remedy: "
                     "sudo sysctl kernel.perf_event_paranoid=2, and a container profile that allows the call",
                     name);
        else
            snprintf(
                text, size,
                "not permitted (perf_event_open: %s) although " PARANOID_FILE " is %d, which allows it: a "
                "seccomp filter or security module refuses; remedy: allow the call in the profile of the "
                "container, or run outside of it",
                name, paranoid);
        break;
    case ENOSYS:
        snprintf(
            text, size,
            "no perf_event_open in this system, or a seccomp filter hides it (%s); remedy: a kernel with "
            "CONFIG_PERF_EVENTS, or a container profile that allows the call",
            name);
        break;
    case EBUSY:
        snprintf(text, size,
                 "in use by something else (perf_event_open: %s); remedy: sudo sysctl kernel.nmi_watchdog=0",
                 name);
        break;
    default:
        snprintf(text, size, "perf_event_open: %s", name);
    }
}

static void perf_close(void)
{
    if (perf.page != NULL)
        perf.system->unmap(perf.page, perf.page_size);
    if (perf.fd >= 0)
        perf.system->close(perf.fd);
    perf.page = NULL;
    perf.fd = -1;
}

/* Opens the counter of user-mode cycles of this thread; false and the reason when it cannot be had. */
static bool perf_start(const struct clock_system *system, char *why, size_t size)
{
    perf_close();
    perf.system = system;
#if defined(__linux__)
    struct perf_event_attr attr = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof attr,
        .config = PERF_COUNT_HW_CPU_CYCLES,
        .pinned = 1, /* always on a counter, or an error */
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    perf.fd = system->perf_open(&attr);
#else
    perf.fd = system->perf_open(NULL);
#endif
    if (perf.fd < 0) {
        clock_perf_reason(errno, system->perf_paranoid(), system->virtual_machine(), why, size);
        return false;
    }
    const uint64_t before = perf_read();
    chain_multiply(100);
    if (perf_read() <= before) { /* some virtual machines offer an event and never count it */
        snprintf(why, size,
                 "perf_event_open succeeds, but its cycle counter stands still; remedy: none known");
        perf_close();
        return false;
    }
    return true;
}

/* --- Time --- */

#if defined(__x86_64__) || defined(__aarch64__)
#  define HAS_TIMER 1
/* Where programs may not read the timer, the C library may not either, and is ended when it tries. */
static bool timer_is_forbidden;
#else
#  define HAS_TIMER 0
#endif

static uint64_t monotonic_read(void)
{
    struct timespec now;
#if HAS_TIMER && defined(__linux__)
    if (timer_is_forbidden)
        syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    else
#endif
        clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

double clock_seconds(void)
{
    return 1e-9 * (double)monotonic_read();
}

#if defined(__x86_64__)
#  define TIMER_NAME "amd64-tsc"
/* rdtscp waits for what comes before it, lfence holds back what comes after. */
static uint64_t timer_read(void)
{
    uint32_t low, high;
    __asm__ __volatile__("rdtscp\n\tlfence" : "=a"(low), "=d"(high) : : "rcx", "memory");
    return (uint64_t)high << 32 | low;
}

static bool timer_exists(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (d >> 27 & 1); /* rdtscp */
}
#elif defined(__aarch64__)
#  define TIMER_NAME "arm64-vct"
static uint64_t timer_read(void)
{
    uint64_t count;
    __asm__ __volatile__("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(count) : : "memory");
    return count;
}

static bool timer_exists(void)
{
    return true;
}
#endif

#if HAS_TIMER
static sigjmp_buf timer_refused;
static volatile sig_atomic_t timer_signal;

static void timer_on_signal(int signal_number)
{
    timer_signal = signal_number;
    siglongjmp(timer_refused, 1);
}

/* A system may forbid programs to read the timer, and then ends them with a signal. */
static bool timer_start(char *why, size_t size)
{
    static const int signals[] = {SIGSEGV, SIGILL};
    const struct sigaction act = {.sa_handler = timer_on_signal};
    struct sigaction former[2];
    if (!timer_exists()) {
        snprintf(why, size, "this CPU has none that a program can read in order");
        return false;
    }
    timer_signal = 0;
    for (size_t i = 0; i < 2; i++)
        sigaction(signals[i], &act, &former[i]);
    if (sigsetjmp(timer_refused, 1) == 0)
        timer_read();
    for (size_t i = 0; i < 2; i++)
        sigaction(signals[i], &former[i], NULL);
    timer_is_forbidden = timer_signal != 0;
    if (timer_is_forbidden)
        snprintf(why, size, "the system forbids programs to read it (%s); remedy: see PR_SET_TSC in prctl(2)",
                 timer_signal == SIGSEGV ? "SIGSEGV" : "SIGILL");
    return !timer_is_forbidden;
}
#endif

/* --- Choice and calibration --- */

#define COUNTERS 4

/* One counter after the other, best first: usable, or not and why. */
struct counter {
    const char *name;
    uint64_t (*read)(void); /* NULL: not usable here */
    bool counts_cycles;
    char why[320];
};

static size_t counters_find(const struct clock_system *system, struct counter counters[COUNTERS])
{
    size_t n = 0;
    struct counter *pmc = NULL, *event;
    memset(counters, 0, COUNTERS * sizeof *counters);
#if defined(__x86_64__)
    pmc = &counters[n++];
    pmc->name = "amd64-pmc";
    pmc->counts_cycles = true;
#endif
    event = &counters[n++];
    event->name = "default-perfevent";
    event->counts_cycles = true;
    if (perf_start(system, event->why, sizeof event->why))
        event->read = perf_read;
    if (pmc != NULL) {
        snprintf(pmc->why, sizeof pmc->why, "%s",
                 event->read == NULL ? event->why
                                     : "the kernel does not let programs read the counter (rdpmc)");
#if defined(__linux__) && defined(__x86_64__)
        if (event->read != NULL && perf_has_pmc())
            pmc->read = perf_read_pmc;
#endif
    }
#if HAS_TIMER
    counters[n].name = TIMER_NAME;
    if (timer_start(counters[n].why, sizeof counters[n].why))
        counters[n].read = timer_read;
    n++;
#endif
    counters[n].name = "default-monotonic";
    counters[n++].read = monotonic_read;
    return n;
}

double clock_cycles(const struct clock *clock, double span, double chain_ticks)
{
    return clock->counts_cycles ? span : span * clock->chain_cycles / chain_ticks;
}

static double time_chain(const struct clock *clock, void (*chain)(size_t), size_t hundreds)
{
    const uint64_t start = clock->read();
    chain(hundreds);
    return (double)(clock->read() - start) - clock->cost;
}

double clock_chain(const struct clock *clock)
{
    return time_chain(clock, chain_multiply, clock->chain_hundreds);
}

double clock_canary(const struct clock *clock)
{
    return time_chain(clock, canary, clock->canary_hundreds) * CLOCK_CANARY_HUNDREDS /
           (double)clock->canary_hundreds;
}

/* Ticks per second; on the way, the core leaves its sleep and comes up to its speed. */
static void calibrate_rate(struct clock *clock)
{
    const uint64_t warm_ns = 20000000, measured_ns = 50000000;
    const uint64_t begin = monotonic_read();
    while (monotonic_read() - begin < warm_ns)
        chain_multiply(10);
    const uint64_t start = monotonic_read(), start_ticks = clock->read();
    uint64_t end;
    do {
        chain_multiply(10);
        end = monotonic_read();
    } while (end - start < measured_ns);
    clock->hz = (double)(clock->read() - start_ticks) * 1e9 / (double)(end - start);
}

#define READINGS 501

/* A counter that counts time may advance in steps of many ticks, which no reading can divide. */
static void calibrate_reading(struct clock *clock)
{
    double cost[READINGS];
    clock->step = 0;
    for (size_t i = 0; i < READINGS; i++) {
        const uint64_t start = clock->read();
        cost[i] = (double)(clock->read() - start);
        if (cost[i] > 0 && (clock->step == 0 || cost[i] < clock->step))
            clock->step = cost[i];
    }
    if (clock->step == 0) { /* so coarse that it never moved */
        const uint64_t start = clock->read();
        uint64_t now;
        do
            now = clock->read();
        while (now == start);
        clock->step = (double)(now - start);
    }
    if (clock->counts_cycles) /* by one; what was seen is the cost of reading */
        clock->step = 1;
    clock->cost = stats_median(cost, READINGS);
}

/* Least length of what is timed, so that its error is small: in ticks; in steps, when the counter advances by more
   than one tick; and in cycles, for the cost of reading. */
#define MIN_TICKS  1000
#define MIN_STEPS  400
#define MIN_CYCLES 10000

#define TOLERANCE 0.01

/* Median of the ratio of chain_multiply to chain_logic; 0 when the two never held still. */
static double chain_ratio(const struct clock *clock)
{
    enum { WANTED = 15, TRIES = 100 };
    double ratio[WANTED];
    size_t n = 0;
    const size_t hundreds = clock->chain_hundreds;
    for (size_t i = 0; i < TRIES && n < WANTED; i++) {
        const double before = time_chain(clock, chain_multiply, hundreds);
        const double logic = time_chain(clock, chain_logic, 3 * hundreds) / 3;
        const double after = time_chain(clock, chain_multiply, hundreds);
        if (before > 0 && logic > 0 && after < before * (1 + TOLERANCE) && before < after * (1 + TOLERANCE))
            ratio[n++] = (before + after) / 2 / logic;
    }
    return n == WANTED ? stats_median(ratio, n) : 0;
}

static bool near(double value, double expected)
{
    return value > expected * (1 - TOLERANCE) && value < expected * (1 + TOLERANCE);
}

/* The cost of a multiplication: known, or the whole number of logical operations that takes as long. Either way two
   different chains have to agree before either is believed. */
static void calibrate_chain(struct clock *clock)
{
    double ratio = 0, cycles = 0;
    for (int attempt = 0; attempt < 3; attempt++) {
        ratio = chain_ratio(clock);
        cycles = chain_multiply_cycles != 0 ? chain_multiply_cycles : (double)(long)(ratio + 0.5);
        if (cycles >= 1 && near(ratio, cycles))
            break;
    }
    clock->multiply_cycles = cycles >= 1 ? cycles : 1;
    clock->chain_cycles = 100 * clock->multiply_cycles * (double)clock->chain_hundreds;
    if (!chain_is_exact) {
        clock->estimated = !clock->counts_cycles;
        if (clock->estimated)
            snprintf(clock->doubt, sizeof clock->doubt,
                     "on this architecture no sequence of known cost is known to celer");
    } else if (!near(ratio, clock->multiply_cycles)) {
        clock->estimated = true;
        snprintf(
            clock->doubt, sizeof clock->doubt,
            "two sequences of known cost disagree: one multiplication takes as long as %.2f logical operations",
            ratio);
    }
}

/* Does a counter of cycles count them? In a virtual machine it may count something else. */
static void cross_check_counter(struct clock *clock)
{
    enum { CHAINS = 25 };
    double ticks[CHAINS];
    for (size_t i = 0; i < CHAINS; i++)
        ticks[i] = clock_chain(clock);
    const double each = stats_median(ticks, CHAINS) / (100.0 * (double)clock->chain_hundreds);
    if (clock->counts_cycles && chain_is_exact && !clock->estimated && !near(each, clock->multiply_cycles)) {
        clock->estimated = true;
        snprintf(clock->doubt, sizeof clock->doubt,
                 "the counter says %.2f cycles for a multiplication, not %.0f", each, clock->multiply_cycles);
    }
    clock->core_hz = clock->counts_cycles ? clock->hz : clock->hz * clock->multiply_cycles / each;
}

/* Chains and canary of about the least length worth timing. */
static void calibrate_lengths(struct clock *clock)
{
    double ticks = 0;
    for (int i = 0; i < 5; i++) { /* the fastest of a few: none of them was interrupted */
        const double t = time_chain(clock, chain_multiply, 100) / 100;
        ticks = i == 0 || t < ticks ? t : ticks;
    }
    if (ticks <= 0)
        ticks = 1;
    const double least_hundreds = MIN_CYCLES / 300.0;
    clock->min_span = MIN_STEPS * clock->step > MIN_TICKS ? MIN_STEPS * clock->step : MIN_TICKS;
    if (clock->min_span < least_hundreds * ticks)
        clock->min_span = least_hundreds * ticks;
    clock->chain_hundreds = (size_t)(clock->min_span / ticks) + 1;
    /* half as long as the chain on a core that does five additions a cycle; longer on others */
    clock->canary_hundreds = clock->chain_hundreds * 15 / 2;
}

void clock_open(struct clock *clock, const struct clock_system *system)
{
    struct counter counters[COUNTERS];
    memset(clock, 0, sizeof *clock);
    const size_t n = counters_find(system != NULL ? system : &real_system, counters);
    size_t i = 0;
    while (i + 1 < n && counters[i].read == NULL)
        i++;
    clock->name = counters[i].name;
    clock->read = counters[i].read;
    clock->counts_cycles = counters[i].counts_cycles;
    if (!clock->counts_cycles)
        snprintf(clock->missing, sizeof clock->missing, "%s", counters[0].why);
    calibrate_rate(clock);
    calibrate_reading(clock);
    calibrate_lengths(clock);
    calibrate_chain(clock);
    cross_check_counter(clock);
}

void clock_close(void)
{
    perf_close();
}

void clock_describe(FILE *to)
{
    struct counter counters[COUNTERS];
    const size_t n = counters_find(&real_system, counters);
    bool used = false;
    for (size_t i = 0; i < n; i++) {
        fprintf(to, "  %-18s ", counters[i].name);
        if (counters[i].read == NULL)
            fprintf(to, "not available: %s\n",
                    i > 0 && strcmp(counters[i].why, counters[i - 1].why) == 0 ? "the same"
                                                                               : counters[i].why);
        else
            fprintf(to, "%s: counts %s\n", used ? "available" : "used",
                    counters[i].counts_cycles ? "core cycles"
                                              : "time, scaled to cycles by a chain of known cost");
        used |= counters[i].read != NULL;
    }
    perf_close();
}

/* Median cycles of one step in a million, each time with chains of the usual length on either side. */
static double self_test_cycles(const struct clock *clock, void (*chain)(size_t))
{
    enum { WANTED = 25, TRIES = 2000, HUNDREDS = 10000 };
    double cycles[WANTED];
    size_t n = 0;
    for (size_t i = 0; i < TRIES && n < WANTED; i++) {
        const double before = clock_chain(clock);
        const double span = time_chain(clock, chain, HUNDREDS);
        const double after = clock_chain(clock);
        if (after < before * (1 + TOLERANCE) && before < after * (1 + TOLERANCE))
            cycles[n++] = clock_cycles(clock, span, (before + after) / 2) / (100.0 * HUNDREDS);
    }
    return n == WANTED ? stats_median(cycles, n) : 0;
}

bool clock_self_test(const struct clock *clock, FILE *to)
{
    const double multiply = self_test_cycles(clock, chain_multiply);
    const double logic = self_test_cycles(clock, chain_logic);
    const bool multiply_good = near(multiply, clock->multiply_cycles), logic_good = near(logic, 1);
    fprintf(to, "counter: %s, %s\n", clock->name,
            clock->counts_cycles ? "core cycles" : "time, scaled by a chain of dependent multiplications");
    fprintf(to, "1000000 dependent multiplications: %.3f cycles each, expected %.2f: %s\n", multiply,
            clock->multiply_cycles, multiply_good ? "ok" : "WRONG");
    fprintf(to, "1000000 dependent logical operations: %.3f cycles each, expected 1.00: %s\n", logic,
            logic_good ? "ok" : "WRONG");
    if (clock->estimated)
        fprintf(to, "cycles are estimated: %s\n", clock->doubt);
    return multiply_good && logic_good && !clock->estimated;
}
