/* run_facts.c: see run_facts.h. */
#include "run_facts.h"
#include "celer/celer.h"
#include "cli.h"
#include "info/facts.h"

void run_facts_read(struct run_facts *facts)
{
    fact_microcode(facts->microcode, sizeof facts->microcode);
    fact_cpus(facts->cpus, sizeof facts->cpus);
    fact_caches(facts->caches, sizeof facts->caches);
    fact_turbo(facts->turbo, sizeof facts->turbo);
    fact_compiler(facts->compiler, sizeof facts->compiler);
    cli_bit_names(celer_cpu_detected() & ~CELER_CPU_FAST_ALL, facts->isa, sizeof facts->isa);
}
