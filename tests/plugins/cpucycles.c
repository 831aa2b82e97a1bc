/* cpucycles.c: takes the place of libcpucycles, with one thing wrong each, which PLANT says. */
#include <signal.h>
#include <time.h>
#include "bench/yardstick.h"

#define GOOD      0
#define TIME      1 /* is what it counts */
#define STILL     2 /* stands its counter */
#define HALF      3 /* of the cycles are counted */
#define FUNCTION  4 /* is what cpucycles is, not a variable */
#define NO_SYMBOL 5 /* cpucycles_version, as in the first release */
#define NO_NAME   6
#define CRASH     7

const char *cpucycles_implementation(void);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double cycles_per_ns, start;

/* There may be no counter of cycles here, so one is made of the time by what a chain of known length took of it. */
static long long count(void)
{
    return PLANT == STILL ? 7 : (long long)((now() - start) * cycles_per_ns / (PLANT == HALF ? 2 : 1));
}

static long long choose(void);

#if PLANT == FUNCTION
long long cpucycles(void);
long long cpucycles(void)
{
    return choose();
}
#else
extern long long (*cpucycles)(void);
long long (*cpucycles)(void) = choose;
#endif

static long long choose(void)
{
    enum { HUNDREDS = 1000 };
    double shortest = 0;
    if (PLANT == CRASH)
        raise(SIGSEGV);
    signal(SIGSEGV, SIG_IGN); /* and leaves it so */
    for (int i = 0; i < 20; i++) {
        const double begin = now();
        chain_logic(HUNDREDS);
        const double span = now() - begin;
        shortest = i == 0 || span < shortest ? span : shortest;
    }
    start = now();
    cycles_per_ns = 100 * HUNDREDS / shortest;
#if PLANT != FUNCTION
    cpucycles = count;
#endif
    return count();
}

const char *cpucycles_implementation(void)
{
    return PLANT == NO_NAME ? NULL : PLANT == TIME ? "planted-tsc" : "planted-perfpmc";
}

#if PLANT != NO_SYMBOL
const char *cpucycles_version(void);
const char *cpucycles_version(void)
{
    return "20301231";
}
#endif
