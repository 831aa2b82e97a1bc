/* bench.h: `celer chain bench`, a verb with options of its own. */
#ifndef CHAIN_BENCH_H
#define CHAIN_BENCH_H

int cmd_chain_bench(int argc, char **argv);
#endif
