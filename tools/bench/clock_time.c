/* clock_time.c: what every system has: its timer, and the clock made of it. */
#include "clock_counters.h"
#include <stdio.h>
#include <time.h>
#include "celer/celer.h"

#if defined(__linux__)
#  include <sys/syscall.h>
#  include <unistd.h>
#endif
#if defined(__x86_64__)
#  include <cpuid.h>
#endif

#if defined(__x86_64__) || defined(__aarch64__)
#  define HAS_TIMER 1
/* Where programs may not read the timer, the C library may not either, and is ended when it tries. */
static bool timer_is_forbidden;
#else
#  define HAS_TIMER 0
#endif

uint64_t monotonic_read(void)
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
static void timer_probe(void)
{
    timer_read();
}

/* A system may forbid programs to read the timer, and then ends them with a signal. */
static bool timer_start(char *why, size_t size)
{
    if (!timer_exists()) {
        snprintf(why, size, "this CPU has none that a program can read in order");
        return false;
    }
    const char *const signal_name = counter_probe(timer_probe);
    timer_is_forbidden = signal_name != NULL;
    if (timer_is_forbidden)
        snprintf(why, size, "the system forbids programs to read it (%s); remedy: see PR_SET_TSC in prctl(2)",
                 signal_name);
    return !timer_is_forbidden;
}
#endif

size_t counters_of_time(struct counter counters[2])
{
    size_t n = 0;
#if HAS_TIMER
    counters[n] = (struct counter){.title = TIMER_NAME, .name = TIMER_NAME, .version = celer_version()};
    if (timer_start(counters[n].why, sizeof counters[n].why))
        counters[n].read = timer_read;
    n++;
#endif
    counters[n++] = (struct counter){
        .title = "default-monotonic",
        .name = "default-monotonic",
        .version = celer_version(),
        .read = monotonic_read,
        .doubt = "CLOCK_MONOTONIC is read through the system, which also adjusts its rate",
    };
    return n;
}
