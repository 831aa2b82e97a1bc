/* machine.c: see machine.h. */
#include "machine.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
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

char *machine_cpus(char *text, size_t size)
{
    cpu_set_t set;
    size_t used = 0;
    text[0] = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return text;
    for (size_t i = 0; i < CPU_SETSIZE && used + 8 < size; i++)
        if (CPU_ISSET(i, &set))
            used += (size_t)snprintf(text + used, size - used, " %zu", i);
    return text;
}
#else
int machine_pin(int cpu)
{
    (void)cpu;
    errno = ENOSYS;
    return -1;
}

char *machine_cpus(char *text, size_t size)
{
    if (size > 0)
        text[0] = 0;
    return text;
}
#endif

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
