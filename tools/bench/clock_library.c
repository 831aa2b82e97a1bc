/* clock_library.c: the counters of D. J. Bernstein's libcpucycles, where that is installed. It knows some that celer
   does not, such as those that a kernel lets programs read without perf_event_open. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "clock_counters.h"
#include "yardstick.h"

#if defined(__GLIBC__)
#  include <link.h>
#endif

/* What keeps the processor from reading a counter before or after its time. */
#if defined(__x86_64__)
#  define IN_ORDER() __asm__ __volatile__("lfence" ::: "memory")
#elif defined(__aarch64__)
#  define IN_ORDER() __asm__ __volatile__("isb" ::: "memory")
#else
#  define IN_ORDER() __asm__ __volatile__("" ::: "memory")
#endif

/* Counters are read without an argument, so what they read from is here. */
static struct {
    /* cpucycles.h */
    long long (**cpucycles)(void); /* a variable: the first call chooses a counter and puts it there */
    const char *(*implementation)(void);
    const char *(*version)(void);
    /* what came of the first call */
    char chosen[32], number[32];
    long long (*count)(void);
    double cycles_per_operation;
} library;

static uint64_t library_read(void)
{
    IN_ORDER();
    const long long count = library.count();
    IN_ORDER();
    return (uint64_t)count;
}

/* Whoever takes a function for that variable calls what its code reads as an address. */
static bool is_variable(const void *symbol)
{
#if defined(__GLIBC__)
    Dl_info info;
    void *entry = NULL;
    if (dladdr1(symbol, &info, &entry, RTLD_DL_SYMENT) != 0 && entry != NULL)
        return ELF64_ST_TYPE(((const ElfW(Sym) *)entry)->st_info) == STT_OBJECT; /* the same in 32 bits */
#endif
    (void)symbol;
    return true;
}

/* Puts the address of a symbol into the pointer at `to`: ISO C has no cast to one to a function. */
static bool find(void *object, const char *name, void *to, char *why, size_t size)
{
    void *const symbol = dlsym(object, name);
    memcpy(to, &symbol, sizeof symbol);
    if (symbol == NULL)
        snprintf(why, size, "it has no symbol %s", name);
    return symbol != NULL;
}

/* The shortest of a few, in its cycles: none of them was interrupted. */
static double shortest_chain(size_t hundreds)
{
    double shortest = 0;
    for (int i = 0; i < 10; i++) {
        const uint64_t start = library_read();
        chain_logic(hundreds);
        const double span = (double)(library_read() - start);
        shortest = i == 0 || span < shortest ? span : shortest;
    }
    return shortest;
}

static void choose(void)
{
    (*library.cpucycles)();
    const char *const chosen = library.implementation(), *const number = library.version();
    snprintf(library.chosen, sizeof library.chosen, "%s", chosen != NULL ? chosen : "");
    snprintf(library.number, sizeof library.number, "%s", number != NULL ? number : "");
    library.count = *library.cpucycles;
    library.cycles_per_operation =
        (shortest_chain(200) - shortest_chain(100)) / 10000; /* without cost to read */
}

/* All other counters of the library are of time, which it scales to cycles by a frequency that it has been told. */
static bool counts_cycles(const char *chosen)
{
    static const char *const kinds[] = {"pmc",     "pmcff",       "perfpmc", "perfpmcff", "perfevent",
                                        "rdcycle", "perfrdcycle", "cortex",  "1176"};
    const char *const kind = strrchr(chosen, '-');
    for (size_t i = 0; kind != NULL && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kind + 1, kinds[i]) == 0)
            return true;
    return false;
}

/* The counter has been opened; is it of use? A rough check: cycles that are a little off are told by clock_open. */
static bool judge(char *why, size_t size)
{
    const double cycles = library.cycles_per_operation;
    if (library.chosen[0] == 0 || library.number[0] == 0)
        snprintf(why, size, "it does not say which counter of which version it chose");
    else if (!counts_cycles(library.chosen))
        snprintf(why, size,
                 "its version %s chose %s here, which counts time and has nothing over celer's own counters",
                 library.number, library.chosen);
    else if (!(cycles > 0) || (chain_is_exact && !(cycles > 0.75 && cycles < 1.33)))
        snprintf(why, size,
                 "its version %s chose %s here, which counts %.2f cycles for an operation that takes one",
                 library.number, library.chosen, cycles);
    else
        return true;
    return false;
}

static bool library_start(const char *file, char *why, size_t size)
{
    void *const object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) {
        snprintf(why, size, "%s", dlerror());
        return false;
    }
    if (find(object, "cpucycles", &library.cpucycles, why, size) &&
        find(object, "cpucycles_implementation", &library.implementation, why, size) &&
        find(object, "cpucycles_version", &library.version, why, size)) {
        const char *signal_name;
        if (!is_variable(library.cpucycles))
            snprintf(why, size, "its cpucycles is not the variable that it is in libcpucycles");
        else if ((signal_name = counter_probe(choose)) != NULL) {
            snprintf(why, size, "it ended with %s when it was to choose a counter", signal_name);
            return false; /* and stays loaded: nobody knows in what state */
        } else if (judge(why, size))
            return true; /* and stays loaded: it cannot close what it opened */
    }
    dlclose(object);
    return false;
}

size_t counters_of_library(const struct clock_system *system, struct counter counters[1])
{
    struct counter *const c = counters;
    *c = (struct counter){.title = "libcpucycles", .counts_cycles = true};
    if (library_start(system->library, c->why, sizeof c->why)) {
        c->name = library.chosen;
        c->version = library.number;
        c->read = library_read;
    }
    return 1;
}
