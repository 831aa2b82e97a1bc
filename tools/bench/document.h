/* document.h: the interchange document of a run, as `celer bench -f json` writes it and `run_json` makes it: one JSON
   object with format, version, machine, build, counter, run, subjects and results. Fields are only ever added. */
#ifndef BENCH_DOCUMENT_H
#define BENCH_DOCUMENT_H
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define DOCUMENT_FORMAT  "celer-bench"
#define DOCUMENT_VERSION 1

/* Whatever is written of a document has this many digits, so that a run and its copy in a file are equal. */
#define DOCUMENT_DIGITS 9

/* A new random name for a run: 32 hexadecimal digits. */
#define DOCUMENT_ID_SIZE 33
void document_new_id(char id[DOCUMENT_ID_SIZE]);

/* The time, "2025-01-31T12:00:00Z"; "" when it is not known. */
#define DOCUMENT_TIME_SIZE 32
void document_time(char now[DOCUMENT_TIME_SIZE]);

/* Whether it is one: every field that was there from the first version on, each of its type. False: why not, in one
   line without the name of a file. */
bool document_check(const json_t *document, char *why, size_t why_size);

/* Reads a file ("-": standard input) of one document, several one after the other, or an array of them, and checks them
   all. An array of documents, at least one, which the caller owns; NULL: why, with the name of the file. */
json_t *document_load(const char *file, char *why, size_t why_size);

/* Writes it as document_load reads it. False when out of memory; whether all was written, ferror tells. */
bool document_write(const json_t *document, FILE *to);

/* What tells machines apart; texts live as long as the document, "" where it does not say. */
struct document_machine {
    const char *cpu, *microcode, *hypervisor, *isa;
    double timer_hz; /* NAN: the counter that was used does not tell */
};
#define DOCUMENT_TIMER_TOLERANCE 0.002 /* relative; it is measured anew in each run */
struct document_machine document_machine(const json_t *document);

/* Whether two documents come from the same machine, as far as its facts tell: CPU, microcode, hypervisor, instruction
   sets, rate of the timer. False: why not. */
bool document_same_machine(const json_t *a, const json_t *b, char *why, size_t why_size);
#endif
