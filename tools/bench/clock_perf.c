/* clock_perf.c: the counter of core cycles that the kernel offers, perf_event_open(2), and all else that is asked of
   the system. */
#include "clock_counters.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "celer/celer.h"
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
    return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
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

const struct clock_system clock_real_system = {
    .perf_open = system_perf_open,
    .map = system_map,
    .unmap = system_unmap,
    .read = read,
    .close = system_close,
    .perf_paranoid = system_perf_paranoid,
    .virtual_machine = system_virtual_machine,
    .library = "libcpucycles.so.1",
};

/* --- perf_event_open: core cycles --- */

/* Counters are read without an argument, so what they read from is here. One process has one clock. */
static struct {
    const struct clock_system *system;
    int fd; /* -1: none */
    void *page;
    size_t page_size;
} perf = {.fd = -1};

/* False when the event has lost its counter, which ends the file. */
static bool perf_count(uint64_t *count)
{
    return perf.system->read(perf.fd, count, sizeof *count) == (ssize_t)sizeof *count;
}

static uint64_t perf_read(void)
{
    uint64_t count;
    return perf_count(&count) ? count : 0;
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

void perf_close(void)
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
    uint64_t before, after;
    const bool readable = perf_count(&before);
    chain_multiply(100);
    if (readable && perf_count(&after) && after > before)
        return true;
    /* a pinned event that got no counter ends the file; some virtual machines offer an event and never count it */
    snprintf(why, size, "perf_event_open succeeds, but %s",
             readable ? "its cycle counter stands still; remedy: none known"
                      : "something else uses its counter (read: end of file); remedy: "
                        "sudo sysctl kernel.nmi_watchdog=0");
    perf_close();
    return false;
}

size_t counters_of_perf(const struct clock_system *system, struct counter counters[2])
{
    struct counter *event = counters;
#if defined(__x86_64__)
    struct counter *const pmc = event++;
    *pmc = (struct counter){.title = "amd64-pmc", .counts_cycles = true};
#endif
    *event = (struct counter){.title = "default-perfevent", .counts_cycles = true};
    if (perf_start(system, event->why, sizeof event->why))
        event->read = perf_read;
#if defined(__x86_64__)
    snprintf(pmc->why, sizeof pmc->why, "%s",
             event->read == NULL ? event->why : "the kernel does not let programs read the counter (rdpmc)");
#  if defined(__linux__)
    if (event->read != NULL && perf_has_pmc())
        pmc->read = perf_read_pmc;
#  endif
#endif
    const size_t n = (size_t)(event - counters) + 1;
    for (size_t i = 0; i < n; i++) {
        counters[i].name = counters[i].title;
        counters[i].version = celer_version();
    }
    return n;
}
