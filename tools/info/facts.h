/* facts.h: what can be learned of this machine. Each function writes one line of text without its end: the fact, or
   "unknown (why)". */
#ifndef INFO_FACTS_H
#define INFO_FACTS_H
#include <stddef.h>

typedef void fact(char *text, size_t size);

fact fact_system; /* kernel and architecture */
fact fact_cpu;    /* the name its maker gave it */
fact fact_cpu_id; /* vendor, family, model, stepping; or what this architecture has instead */
fact fact_microcode;
fact fact_hypervisor;
fact fact_cpus;     /* how many, and their threads per core */
fact fact_caches;   /* of CPU 0 */
fact fact_governor; /* of CPU 0 */
fact fact_turbo;
fact fact_compiler; /* and its flags, which built this program */
#endif
