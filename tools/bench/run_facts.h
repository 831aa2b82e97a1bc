/* run_facts.h: the machine and the program, in words, as a run reports them. */
#ifndef BENCH_RUN_FACTS_H
#define BENCH_RUN_FACTS_H

/* Each text is what tools/info/facts.h says: the fact, or "unknown (why)". */
struct run_facts {
    char microcode[256], cpus[256], caches[256], turbo[256];
    char isa[512];      /* "sse41 avx bmi2": what this CPU and system can run, of what celer knows */
    char compiler[512]; /* of this program, and its flags */
};

void run_facts_read(struct run_facts *facts);
#endif
