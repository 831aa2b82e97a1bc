/* import.c: `celer chain import`: a file of values that came from elsewhere. Whether they are true, verify says. */
#include "chain.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli.h"

/* "VALUE" at the end of the next segment, or "INDEX VALUE". Empty lines and those that begin with # say nothing. Returns 1
   and the record, 0 when the line says nothing, -1 when it is improper. */
static int read_line(char *line, const struct chain_file *file, struct celer_chain_record *record)
{
    const char *words[3];
    size_t n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\r\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (n == 3)
            return -1;
        words[n++] = word;
    }
    if (n == 0 || words[0][0] == '#')
        return 0;
    record->type = CELER_CHAIN_CHECKPOINT;
    record->index = file->steps + file->header.segment;
    if (n == 3 || !chain_unhex(record->hash, words[n - 1]) || record->index < file->steps)
        return -1;
    return n == 1 || cli_number(words[0], UINT64_MAX, &record->index) ? 1 : -1;
}

static int read_lines(struct chain_file *file)
{
    struct celer_chain_record record;
    char *line = NULL;
    size_t room = 0;
    uint64_t number = 0;
    int result = 0;
    while (result == 0 && getline(&line, &room, stdin) > 0) {
        number++;
        const int got = read_line(line, file, &record);
        if (got > 0 && (record.index <= file->steps || record.index - file->steps > file->header.segment)) {
            cli_error("line %" PRIu64 ": index %" PRIu64 " has to be 1 to %" PRIu64 " behind %" PRIu64,
                      number, record.index, file->header.segment, file->steps);
            result = -1;
        } else if (got < 0) {
            cli_error("line %" PRIu64 " is not 'VALUE' or 'INDEX VALUE'", number);
            result = -1;
        } else if (got > 0) {
            result = chain_append(file, &record, 1);
        }
    }
    free(line);
    if (result == 0 && ferror(stdin)) {
        cli_error("standard input: %s", strerror(errno));
        result = -1;
    }
    return result;
}

int chain_import(const struct chain_options *options)
{
    struct chain_file file;
    if (chain_create(&file, options->files[0], &options->header) != 0)
        return EXIT_TROUBLE;
    int result = read_lines(&file);
    struct celer_chain_record record = {.index = file.steps, .type = CELER_CHAIN_FINAL};
    memcpy(record.hash, file.value, 32);
    if (result == 0 && file.segments == 0) {
        cli_error("standard input holds no values");
        result = -1;
    }
    if (result == 0)
        result = chain_append(&file, &record, 1);
    if (result == 0)
        result = chain_sync(&file);
    if (result == 0)
        cli_error("%s: %" PRIu64 " values up to step %" PRIu64 ", not verified", file.name, file.segments,
                  file.steps);
    else
        unlink(file.name);
    chain_close(&file);
    return result == 0 ? EXIT_GOOD : EXIT_TROUBLE;
}
