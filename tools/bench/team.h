/* team.h: threads that run a task at the same time as their leader, who is whoever calls these functions. Each is on a
   CPU of its own and has inputs of its own, and a state of the subject that only it touches. What is not timed they do
   one after the other: opening, checking, closing. The leader alone reads the clock, for a counter of cycles belongs to
   one thread. */
#ifndef BENCH_TEAM_H
#define BENCH_TEAM_H
#include "work.h"

struct team;

/* So many threads, on these CPUs where the system lets us choose; cpus NULL: on any. Inputs are as large as the largest
   of n tasks wants them. NULL when there is no memory or no thread left. */
struct team *team_start(size_t size, const int *cpus, enum mode mode, uint64_t seed, const struct task *tasks,
                        size_t n);
void team_end(struct team *team);

/* The first `count` of the team open the subject, and leave their states in states[0 .. count). NULL; or why one of them
   could not, and then none has it open. */
const char *team_open(struct team *team, size_t count, const struct task *task, void **states);
void team_close(struct team *team, size_t count, const struct task *task, void **states);

/* A series of spans of `repeats` calls by each. The leader calls begin, and then for each span prepare, after which all
   of them have fresh input for result number i; go, from which on they run; and wait, until the last has done its calls.
   Between these they sleep or spin, without work. */
void team_begin(struct team *team, size_t count, const struct task *task, void *const *states,
                size_t repeats);
void team_prepare(struct team *team, size_t i);
void team_go(struct team *team);
void team_wait(struct team *team);

/* After the series: NULL, or what is wrong with a result of number 0 .. results - 1. */
const char *team_finish(struct team *team, size_t results);
#endif
