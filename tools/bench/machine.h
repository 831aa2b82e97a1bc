/* machine.h: what else runs on this machine, and where we run on it. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H
#include <stdbool.h>
#include <stddef.h>

/* Keeps this thread on one CPU: on that one, or where it is now if cpu < 0. Returns the CPU, or -1 when that cannot be
   done; then errno says why. */
int machine_pin(int cpu);

/* The CPUs that this process may use, as " 0 1 2", into text; returns text. */
char *machine_cpus(char *text, size_t size);

/* Average number of runnable threads during the last minute; negative: unknown. */
double machine_load(void);

/* CPUs that are switched on. */
long machine_cpu_count(void);

/* Seconds that the hypervisor gave to other machines although this one had work, summed over its CPUs since it was
   started; negative: unknown. */
double machine_stolen_seconds(void);
#endif
