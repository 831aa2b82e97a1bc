/* main.c: celer-mpi, which shares the segments of `celer chain verify` among the processes of mpirun. Each of them reads
   the file, so it has to lie where all of them find it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "celer/celer.h"
#include "chain/chain.h"
#include "cli.h"

static const char usage[] =
    "usage: mpirun [OPTION]... celer-mpi chain verify [OPTION]... FILE\n"
    "\n"
    "Does what celer chain verify does, in as many processes as mpirun starts; each of them needs to find FILE.\n"
    "Options, verdict and exit status are the same; celer-mpi chain verify --help tells them.\n"
    "\n"
    "  -h, --help     print this\n"
    "  -V, --version  print the version\n";

/* --- Once in each process, whether it can begin or not: a collective that some do not come to waits for ever --- */

static bool has_agreed;

static bool agree(int can_begin)
{
    has_agreed = true;
    MPI_Allreduce(MPI_IN_PLACE, &can_begin, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return can_begin;
}

static bool ready(void)
{
    return agree(true);
}

static void gather(const struct chain_result *mine, struct chain_result *all)
{
    const int size = (int)sizeof *mine;
    MPI_Allgather(mine, size, MPI_BYTE, all, size, MPI_BYTE, MPI_COMM_WORLD);
}

/* --- What is said in all processes is printed by the first --- */

#define SAID_MAX 16384

/* The messages of this process, each with a 0 behind it. The first one prints its own as they come. */
static char said[SAID_MAX];
static size_t said_len;

static bool note(const char *text)
{
    const size_t n = strlen(text) + 1;
    if (n <= SAID_MAX - said_len) {
        memcpy(said + said_len, text, n);
        said_len += n;
    }
    return chain_ranks.rank == 0;
}

static bool is_said(const char *text)
{
    for (size_t at = 0; at < said_len; at += strlen(said + at) + 1)
        if (strcmp(said + at, text) == 0)
            return true;
    return false;
}

/* What the others had to say and the first one had not. */
static void print_rest(void)
{
    char *const all = chain_ranks.rank == 0 ? calloc((size_t)chain_ranks.size, SAID_MAX) : NULL;
    if (chain_ranks.rank == 0 && all == NULL) {
        cli_error("out of memory");
        MPI_Abort(MPI_COMM_WORLD, EXIT_TROUBLE);
    }
    MPI_Gather(said, SAID_MAX, MPI_CHAR, all, SAID_MAX, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int rank = 1; chain_ranks.rank == 0 && rank < chain_ranks.size; rank++) {
        const char *const theirs = all + (size_t)rank * SAID_MAX;
        for (size_t at = 0; at < SAID_MAX && theirs[at] != 0; at += strlen(theirs + at) + 1)
            if (!is_said(theirs + at))
                cli_error("%s", theirs + at);
    }
    free(all);
}

static int command(int argc, char **argv)
{
    const char *const first = argc >= 2 ? argv[1] : "";
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        fputs(usage, stdout);
    else if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0)
        printf("celer %s\n", celer_version());
    else if (argc >= 3 && strcmp(first, "chain") == 0 && strcmp(argv[2], "verify") == 0)
        return cmd_chain(argc - 1, argv + 1);
    else {
        cli_error("celer-mpi does 'chain verify' and nothing else; celer-mpi --help tells more");
        return EXIT_TROUBLE;
    }
    return cli_finish(EXIT_GOOD);
}

int main(int argc, char **argv)
{
    if (!cli_hold_standard())
        return EXIT_TROUBLE;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &chain_ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &chain_ranks.size);
    chain_ranks.ready = ready;
    chain_ranks.gather = gather;
    cli_start("chain");
    cli_error_wanted = note;
    if (chain_ranks.rank != 0 && freopen("/dev/null", "w", stdout) == NULL)
        MPI_Abort(MPI_COMM_WORLD, EXIT_TROUBLE);
    const int code = command(argc, argv);
    if (!has_agreed)
        agree(false);
    print_rest();
    MPI_Finalize();
    return code;
}
