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
    enum unit units[UNIT_COUNT]; /* when several were given, each a line of its own; the first is `unit` */
    size_t unit_count;           /* 0 or 1: only one */
    /* The machine, in words. */
    const char *cpu, *system, *hypervisor, *governor;
    double load;         /* negative: unknown */
    int pinned;          /* to this CPU; negative: not */
    const char *started; /* "2025-01-31T12:00:00Z" */
    bool interrupted;
    bool continued; /* what is printed goes on after that of another run */
    /* These may be left out. */
    const char *id;                /* document_new_id; NULL: none */
    const char *name;              /* the label that the user gave the run; NULL: none */
    const struct run_facts *facts; /* more of the machine; NULL: not known */
    const double *stolen_seconds;  /* by other machines of the hypervisor, during the run; NULL: not known */
    bool with_samples;             /* the document keeps them (samples.h) */
};

/* Medians, in tables with an empty line between them. Hashes as lines of a function and a column for each length, with a
   leading column for the subject when there are several; pairs of lengths, permutations, chains and KEMs as lines and
   the subjects as columns. Several units: a column `unit`, and a line for each. False when out of memory. */
bool write_csv(const struct run *run, FILE *to);

/* The same in Markdown, and in columns for people to read. A line above each table names unit and mode. */
bool write_md(const struct run *run, FILE *to);
bool write_table(const struct run *run, FILE *to);

/* Everything about each cell, one line each for each unit. */
void write_long(const struct run *run, FILE *to);

/* Everything, as the interchange document (document.h). NULL when out of memory. */
json_t *run_json(const struct run *run);

/* That document, for other programs. False when out of memory. */
bool write_json(const struct run *run, FILE *to);

/* Unit, mode and kind of a row: permutations and chains depend on each other in every mode, KEMs in
   none. */
enum unit run_unit(const struct run *run, const struct plan_row *row);
size_t run_units(const struct run *run, const struct plan_row *row, enum unit units[UNIT_COUNT]); /* all */
enum mode run_mode(const struct run *run, const struct plan_row *row);
const char *run_kind(const struct plan_row *row);
#endif
