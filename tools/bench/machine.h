/* machine.h: what else runs on this machine, and where we run on it. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H
#include <stdbool.h>
#include <stddef.h>

#define MACHINE_MAX_CPUS  1024
#define MACHINE_MAX_TYPES 16

/* Keeps this thread on one CPU: on that one, or where it is now if cpu < 0. Returns the CPU, or -1 when that cannot be
   done; then errno says why. */
int machine_pin(int cpu);

/* The CPUs that this thread may use, ascending, up to `most` of them; returns how many. */
size_t machine_usable(int *cpus, size_t most);

/* The same as " 0 1 2", into text; returns text. */
char *machine_cpus(char *text, size_t size);

/* A type of core. */
struct machine_type {
    int cpu; /* the first that is of it */
    char name
        [64]; /* "core" "atom" "midr 0x00000000410fd490, capacity 1024"; "" where the system tells none apart */
};

/* The types of the CPUs in cpus[0 .. count), in their order, up to `most`; returns how many. `root` is put before the
   names of the kernel's files: "" but for tests. */
size_t machine_types(const char *root, const int *cpus, size_t count, struct machine_type *types,
                     size_t most);

/* Average number of runnable threads during the last minute; negative: unknown. */
double machine_load(void);

/* CPUs that are switched on. */
long machine_cpu_count(void);

/* Seconds that the hypervisor gave to other machines although this one had work, summed over its CPUs since it was
   started; negative: unknown. */
double machine_stolen_seconds(void);
#endif
