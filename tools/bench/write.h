/* write.h: results in the shapes that programs and people read. */
#ifndef BENCH_WRITE_H
#define BENCH_WRITE_H
#include <jansson.h>
#include <stdio.h>
#include "clock.h"
#include "measure.h"
#include "plan.h"
#include "run_facts.h"

/* A finished run. */
struct run {
    const struct plan *plan;
    const struct measure *measure;
    bool unit_given; /* else the customary one of each kind */
    enum unit unit;
    /* The machine, in words. */
    const char *cpu, *system, *hypervisor, *governor;
    double load;         /* negative: unknown */
    int pinned;          /* to this CPU; negative: not */
    const char *started; /* "2025-01-31T12:00:00Z" */
    bool interrupted;
    /* These may be left out. */
    const char *id;                /* document_new_id; NULL: none */
    const char *name;              /* the label that the user gave the run; NULL: none */
    const struct run_facts *facts; /* more of the machine; NULL: not known */
    const double *stolen_seconds;  /* by other machines of the hypervisor, during the run; NULL: not known */
    bool with_samples;             /* the document keeps every sample */
};

/* Medians. Hashes as lines of a function and a column for each length, with a leading column for the subject when
   there are several; after them, following an empty line, permutations as lines and subjects as columns. */
void write_csv(const struct run *run, FILE *to);

/* Everything about each cell, one line each. */
void write_long(const struct run *run, FILE *to);

/* Everything, as the interchange document (document.h). NULL when out of memory. */
json_t *run_json(const struct run *run);

/* That document, for other programs. False when out of memory. */
bool write_json(const struct run *run, FILE *to);

/* Unit, mode and kind of a row: permutations depend on each other in every mode. */
enum unit run_unit(const struct run *run, const struct plan_row *row);
enum mode run_mode(const struct run *run, const struct plan_row *row);
const char *run_kind(const struct plan_row *row);
#endif
