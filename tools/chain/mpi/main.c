/* main.c: celer-mpi, which shares the segments of `celer chain verify` among the processes of mpirun. Each of them reads
   the file, so it has to lie where all of them find it. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include "chain/chain.h"
#include "cli.h"

static void gather(const struct chain_result *mine, struct chain_result *all)
{
    const int size = (int)sizeof *mine;
    MPI_Allgather(mine, size, MPI_BYTE, all, size, MPI_BYTE, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int code = EXIT_TROUBLE;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &chain_ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &chain_ranks.size);
    chain_ranks.gather = gather;
    cli_start("chain");
    if (argc >= 3 && strcmp(argv[1], "chain") == 0 && strcmp(argv[2], "verify") == 0)
        code = cmd_chain(argc - 1, argv + 1);
    else if (chain_ranks.rank == 0)
        fputs("usage: mpirun [OPTION]... celer-mpi chain verify [OPTION]... FILE\n", stderr);
    MPI_Finalize();
    return code;
}
