/* machine.c: see machine.h. */
#include "machine.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
int machine_pin(int cpu)
{
    cpu_set_t set;
    if (cpu < 0 && (cpu = sched_getcpu()) < 0)
        return -1;
    if (cpu >= CPU_SETSIZE) {
        errno = EINVAL;
        return -1;
    }
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? cpu : -1;
}

size_t machine_usable(int *cpus, size_t most)
{
    cpu_set_t set;
    size_t count = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 0;
    for (int i = 0; i < CPU_SETSIZE && count < most; i++)
        if (CPU_ISSET((size_t)i, &set))
            cpus[count++] = i;
    return count;
}
#else
int machine_pin(int cpu)
{
    (void)cpu;
    errno = ENOSYS;
    return -1;
}

size_t machine_usable(int *cpus, size_t most)
{
    size_t count = 0;
    while (count < most && (long)count < machine_cpu_count()) {
        cpus[count] = (int)count;
        count++;
    }
    return count;
}
#endif

char *machine_cpus(char *text, size_t size)
{
    int cpus[MACHINE_MAX_CPUS];
    const size_t count = machine_usable(cpus, MACHINE_MAX_CPUS);
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < count && used + 12 < size; i++)
        used += (size_t)snprintf(text + used, size - used, " %d", cpus[i]);
    return text;
}

/* --- Types of cores --- */

#define SYSTEM_DEVICES "/sys/devices/"

/* The first line of a file of the kernel, without its end; false when there is none. */
static bool read_line(const char *root, const char *name, char *text, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s" SYSTEM_DEVICES "%s", root, name);
    FILE *const from = fopen(path, "re");
    const bool got = from != NULL && fgets(text, (int)size, from) != NULL;
    if (from != NULL)
        fclose(from);
    if (got)
        text[strcspn(text, "\n")] = 0;
    return got;
}

/* Whether "0-7,16" has it. */
static bool list_has(const char *list, int cpu)
{
    for (const char *p = list; *p != 0;) {
        char *end;
        const long first = strtol(p, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        if (end == p)
            return false;
        if (first <= cpu && cpu <= last)
            return true;
        p = *end == ',' ? end + 1 : end;
    }
    return false;
}

/* On x86 each type has counters of its own, which list their CPUs; on Arm a register says which core it is, and the
   scheduler how much it does in the same time. */
static void name_type(const char *root, int cpu, char *name, size_t size)
{
    static const char *const counters[] = {"core", "atom", "lowpower"};
    char file[128], line[1024], midr[24], capacity[16];
    name[0] = 0;
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        snprintf(file, sizeof file, "cpu_%s/cpus", counters[i]);
        if (read_line(root, file, line, sizeof line) && list_has(line, cpu)) {
            snprintf(name, size, "%s", counters[i]);
            return;
        }
    }
    snprintf(file, sizeof file, "system/cpu/cpu%d/regs/identification/midr_el1", cpu);
    const bool has_midr = read_line(root, file, midr, sizeof midr);
    snprintf(file, sizeof file, "system/cpu/cpu%d/cpu_capacity", cpu);
    const bool has_capacity = read_line(root, file, capacity, sizeof capacity);
    snprintf(name, size, "%s%s%s%s%s", has_midr ? "midr " : "", has_midr ? midr : "",
             has_midr && has_capacity ? ", " : "", has_capacity ? "capacity " : "",
             has_capacity ? capacity : "");
}

size_t machine_types(const char *root, const int *cpus, size_t count, struct machine_type *types, size_t most)
{
    size_t found = 0;
    for (size_t i = 0; i < count && found < most; i++) {
        struct machine_type *const type = &types[found];
        size_t same = 0;
        type->cpu = cpus[i];
        name_type(root, cpus[i], type->name, sizeof type->name);
        while (same < found && strcmp(types[same].name, type->name) != 0)
            same++;
        found += same == found;
    }
    return found;
}

/* --- The whole of it --- */

double machine_load(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : -1;
}

long machine_cpu_count(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN);
}

double machine_stolen_seconds(void)
{
    double stolen = -1;
    unsigned long long ticks[8];
    FILE *from = fopen("/proc/stat", "re");
    if (from == NULL)
        return stolen;
    if (fscanf(from, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1], &ticks[2],
               &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]) == 8)
        stolen = (double)ticks[7] / (double)sysconf(_SC_CLK_TCK);
    fclose(from);
    return stolen;
}
