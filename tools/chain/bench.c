/* bench.c: `celer chain bench`: how fast a chain is made on this CPU, against a plain loop over SHA-256.

   One chain of COUNT steps is cut into as many segments as there are lanes in all threads. What each begins with is
   computed beforehand; then the plain loop computes where each ends, and the fast code has to arrive there too. The rate
   is that of the median slice of each thread, so that a disturbance does not count; but threads that share a CPU are not
   faster than all of them were together. */
#include "chain/bench.h"
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/clock.h"
#include "bench/machine.h"
#include "bench/stats.h"
#include "celer/celer.h"
#include "chain/chain.h"
#include "cli.h"

static const char usage[] =
    "usage: celer chain bench [OPTION]...\n"
    "\n"
    "Times a chain of SHA-256: the code that celer has for it (Fast), and a loop over plain SHA-256 (Reference).\n"
    "\n"
    "  -i, --iterations COUNT  steps of the chain (100M)\n"
    "  -s, --ghz GHZ           the frequency for what is told per GHz or cycle; else it is measured\n"
    "  -m, --unit UNIT         MH (default), MB or MiB a second, or cpb, cycles per byte; a step is a block of 64 bytes\n"
    "  -t, --threads T         on T threads, a segment of the chain each (1)\n"
    "      --lanes N           1 (default), 2, 3, 4, 8 or 16 segments side by side in each thread\n"
    "  -b, --backend NAME      on this instruction set (celer info lists them)\n"
    "      --cpu N             on CPU N, and with threads on those that follow; each-type: on one of each type\n"
    "  -f, --format NAME       text (default), csv or json\n"
    "      --no-progress       as it is: no bar is drawn\n"
    "  -h, --help              print this\n"
    "  -V, --version           print the version\n"
    "\n"
    "Exit status: 0 good; 1 a result is wrong; 2 usage.\n";

#define MOST_THREADS  256
#define MOST_LANES    16
#define SLICE         500000 /* steps between two looks at the clock, or more, */
#define MOST_SLICES   4096   /* when there would be so many of them */
#define LEAST_SECONDS 0.01   /* of what is timed: what disturbs it is as long as some milliseconds */
#define MOST_SPREAD   1.05   /* from one quartile to the other, where nothing disturbs */
#define FEW_SLICES    8      /* of which quartiles say nothing */

enum unit { UNIT_MH, UNIT_MB, UNIT_MIB, UNIT_CPB, UNITS };
static const char *const unit_words[UNITS] = {"MH", "MB", "MiB", "cpb"};
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMATS };
static const char *const format_words[FORMATS] = {"text", "csv", "json"};

struct options {
    uint64_t iterations, threads, lanes;
    double ghz; /* 0: measured */
    enum unit unit;
    enum format format;
    int cpu;             /* negative: where it starts */
    bool each_type;      /* one CPU after the other */
    char place[16];      /* behind the names of lines, where there are several of a name */
    const char *backend; /* NULL: as celer chooses */
};

/* A line of the output. */
struct line {
    const char *name;
    double rate; /* steps per second, of all lanes and threads */
    double seconds, ghz;
    double
        spread; /* the quartiles of the slices of a thread, the slow one by the fast one; the most of all threads */
    bool right;
};

/* --- What is timed --- */

static void reference(uint8_t hash[32], uint64_t n)
{
    for (; n > 0; n--)
        celer_sha256(hash, hash, 32);
}

static void fast(uint8_t (*hash)[32], uint64_t n, unsigned lanes)
{
    switch (lanes) {
    case 2:
        celer_sha256_chain_x2(hash, n);
        break;
    case 3:
        celer_sha256_chain_x3(hash, n);
        break;
    case 4:
        celer_sha256_chain_x4(hash, n);
        break;
    case 8:
        celer_sha256_chain_x8(hash, n);
        break;
    case 16:
        celer_sha256_chain_x16(hash, n);
        break;
    default:
        celer_sha256_chain(hash[0], n);
    }
}

/* --- One pass over all segments --- */

struct team {
    const struct options *options;
    const struct clock *clock;
    bool is_fast;
    uint64_t steps; /* of a segment */
    double ghz;     /* result: what was measured */
    pthread_barrier_t start;
    struct member {
        struct team *team;
        uint8_t (*hash)[32]; /* of its lanes: where they begin, and then where they end */
        int cpu;
        double begin, end;        /* seconds */
        double pace[MOST_SLICES]; /* seconds for a step of all lanes, in each slice */
        double ghz[MOST_SLICES];
        size_t slices;
    } member[MOST_THREADS];
};

static double ghz_now(const struct clock *clock)
{
    return clock->hz * clock->chain_cycles / clock_chain(clock) / 1e9;
}

static void *member_run(void *arg)
{
    struct member *const m = arg;
    const struct team *const team = m->team;
    const unsigned lanes = (unsigned)team->options->lanes;
    const uint64_t least = team->steps / MOST_SLICES + 1, slice = least > SLICE ? least : SLICE;
    if (m->cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)m->cpu, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    m->slices = 0;
    pthread_barrier_wait(&m->team->start);
    m->begin = m->end = clock_seconds();
    for (uint64_t left = team->steps, n; left > 0; left -= n) {
        n = left < slice ? left : slice;
        const double begin = clock_seconds();
        if (team->is_fast)
            fast(m->hash, n, lanes);
        else
            for (unsigned i = 0; i < lanes; i++)
                reference(m->hash[i], n);
        m->end = clock_seconds();
        m->pace[m->slices] = (m->end - begin) / (double)n;
        m->ghz[m->slices++] = ghz_now(team->clock);
    }
    return NULL;
}

/* All segments at once, in their threads; `hashes` holds where they begin and then where they end. False after an error
   line. */
static bool team_run(struct team *team, uint8_t (*hashes)[32], struct line *line)
{
    const struct options *const o = team->options;
    pthread_t thread[MOST_THREADS];
    size_t started = 0;
    if (pthread_barrier_init(&team->start, NULL, (unsigned)o->threads) != 0) {
        cli_error("cannot start threads");
        return false;
    }
    for (size_t i = 0; i < o->threads; i++) {
        team->member[i] = (struct member){
            .team = team, .hash = hashes + i * o->lanes, .cpu = o->cpu >= 0 ? o->cpu + (int)i : -1};
        if (i > 0 && pthread_create(&thread[i], NULL, member_run, &team->member[i]) != 0) {
            cli_error("cannot start %llu threads", (unsigned long long)o->threads);
            exit(EXIT_TROUBLE); /* those that wait for each other cannot be called back */
        }
        started++;
    }
    member_run(&team->member[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&team->start);
    double begin = team->member[0].begin, end = team->member[0].end;
    line->rate = line->spread = 0;
    for (size_t i = 0; i < started; i++) {
        struct member *const m = &team->member[i];
        begin = fmin(begin, m->begin);
        end = fmax(end, m->end);
        line->rate += (double)o->lanes / stats_median(m->pace, m->slices); /* and they are sorted */
        if (m->slices >= FEW_SLICES)
            line->spread = fmax(line->spread, stats_quantile(m->pace, m->slices, 0.75) /
                                                  stats_quantile(m->pace, m->slices, 0.25));
    }
    line->seconds = end - begin;
    if (started > 1)
        line->rate = fmin(line->rate, (double)(team->steps * o->threads * o->lanes) / line->seconds);
    team->ghz = stats_median(team->member[0].ghz, team->member[0].slices);
    line->ghz = o->ghz > 0 ? o->ghz : team->ghz;
    return true;
}

/* --- Output --- */

static double rate(const struct line *line, enum unit unit)
{
    switch (unit) {
    case UNIT_MB:
        return line->rate * 64 / 1e6;
    case UNIT_MIB:
        return line->rate * 64 / 1048576;
    case UNIT_CPB:
        return line->ghz * 1e9 / (line->rate * 64);
    default:
        return line->rate / 1e6;
    }
}

static void print_text(const struct options *o, const struct line *line)
{
    const double value = rate(line, o->unit);
    printf("- %s%s: ", line->name, o->place);
    if (o->unit == UNIT_CPB)
        printf("%.3f cpb", value);
    else
        printf("%.2f %s/s (%.3f %s/s/0.1GHz)", value, unit_words[o->unit], value / (10 * line->ghz),
               unit_words[o->unit]);
    printf(" [verify hash: %s]\n", line->right ? "ok" : "FAILED");
}

static void print_csv(const struct options *o, const struct line *line, uint64_t steps)
{
    printf("%s%s,%llu,%llu,%llu,%.6f,%.3f,%s", line->name, o->place,
           (unsigned long long)(steps * o->threads * o->lanes), (unsigned long long)o->threads,
           (unsigned long long)o->lanes, line->seconds, line->ghz, o->ghz > 0 ? "given" : "measured");
    for (int unit = 0; unit < UNITS; unit++)
        printf(",%.3f", rate(line, (enum unit)unit));
    printf(",%s\n", line->right ? "ok" : "FAILED");
}

static void print_json(const struct options *o, const struct line *line, uint64_t steps, bool first)
{
    printf(
        "%s{\"name\": \"%s%s\", \"iterations\": %llu, \"threads\": %llu, \"lanes\": %llu, \"seconds\": %.6f, \"ghz\": %.3f, "
        "\"ghz_from\": \"%s\"",
        first ? "[" : ",\n ", line->name, o->place, (unsigned long long)(steps * o->threads * o->lanes),
        (unsigned long long)o->threads, (unsigned long long)o->lanes, line->seconds, line->ghz,
        o->ghz > 0 ? "given" : "measured");
    for (int unit = 0; unit < UNITS; unit++)
        printf(", \"%s\": %.3f", unit_words[unit], rate(line, (enum unit)unit));
    printf(", \"verified\": %s}", line->right ? "true" : "false");
}

/* `first`: nothing was printed before. */
static void print_lines(const struct options *o, const struct line lines[2], uint64_t steps, bool first)
{
    if (o->format == FORMAT_CSV && first)
        puts("name,iterations,threads,lanes,seconds,ghz,ghz_from,MH,MB,MiB,cpb,verified");
    for (int i = 0; i < 2; i++)
        switch (o->format) {
        case FORMAT_CSV:
            print_csv(o, &lines[i], steps);
            break;
        case FORMAT_JSON:
            print_json(o, &lines[i], steps, first && i == 0);
            break;
        default:
            print_text(o, &lines[i]);
        }
}

/* --- The whole --- */

/* How good the figures are, and of what frequency. */
static void say_quality(const struct options *o, const struct line lines[2], double ghz)
{
    const double load = machine_load();
    fprintf(stderr, "info: load=%.2f ghz=%.3f ", load, lines[0].ghz);
    if (o->ghz > 0)
        fprintf(stderr, "as given; measured %.3f\n", ghz);
    else
        fprintf(stderr, "measured\n");
    if (load > 0.75 * (double)machine_cpu_count())
        fprintf(stderr, "warning: other programs keep this machine busy (load %.2f)\n", load);
    for (int i = 0; i < 2; i++)
        if (lines[i].spread > MOST_SPREAD)
            fprintf(stderr,
                    "warning: something disturbed %s: the middle half of its slices differs by %.0f %%\n",
                    lines[i].name, 100 * (lines[i].spread - 1));
    if (lines[0].seconds < LEAST_SECONDS)
        fprintf(stderr, "warning: %.6f s is too short to time; -i 10M takes longer\n", lines[0].seconds);
}

/* `first`: nothing was printed before. */
static int bench(const struct options *o, bool first)
{
    static struct team team;
    static uint8_t begin[MOST_THREADS * MOST_LANES + 1][32], slow_end[MOST_THREADS * MOST_LANES][32],
        fast_end[MOST_THREADS * MOST_LANES][32];
    const size_t segments = (size_t)(o->threads * o->lanes);
    struct clock clock;
    struct line lines[2] = {{.name = "Fast"}, {.name = "Reference"}};
    if ((o->threads == 1 || o->cpu >= 0) && machine_pin(o->cpu) < 0 && o->cpu >= 0) {
        char cpus[1024];
        cli_error("--cpu %d: %s; there are:%s", o->cpu, strerror(errno), machine_cpus(cpus, sizeof cpus));
        return EXIT_TROUBLE;
    }
    clock_open(&clock, NULL);
    team.options = o;
    team.clock = &clock;
    team.steps = (o->iterations + segments - 1) / segments;
    for (size_t i = 0; i < segments; i++) {
        memcpy(begin[i + 1], begin[i], 32);
        fast(&begin[i + 1], team.steps, 1);
    }
    memcpy(slow_end, begin, segments * 32);
    memcpy(fast_end, begin, segments * 32);
    team.is_fast = true;
    bool done = team_run(&team, fast_end, &lines[0]);
    team.is_fast = false;
    done = done && team_run(&team, slow_end, &lines[1]);
    clock_close();
    if (!done)
        return EXIT_TROUBLE;
    lines[0].right = memcmp(fast_end, slow_end, segments * 32) == 0;
    lines[1].right = memcmp(slow_end, begin + 1, segments * 32) == 0;
    say_quality(o, lines, team.ghz);
    print_lines(o, lines, team.steps, first);
    return lines[0].right && lines[1].right ? EXIT_GOOD : EXIT_NEGATIVE;
}

/* A run for each type of core, on the first CPU of it. */
static int bench_each_type(struct options *o)
{
    int cpus[MACHINE_MAX_CPUS], worst = EXIT_GOOD;
    struct machine_type types[MACHINE_MAX_TYPES];
    const size_t usable = machine_usable(cpus, MACHINE_MAX_CPUS),
                 count = machine_types("", cpus, usable, types, MACHINE_MAX_TYPES);
    if (count == 0) {
        cli_error("--cpu each-type: it is not known here which CPUs there are");
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; i < count; i++) {
        o->cpu = types[i].cpu;
        if (count == 1) {
            cli_error("note: all CPUs are of one type; this is number %d", o->cpu);
        } else {
            snprintf(o->place, sizeof o->place, "@cpu%d", o->cpu);
            cli_error("note: CPU %d is of type '%s'", o->cpu, types[i].name);
        }
        const int code = bench(o, i == 0);
        worst = code > worst ? code : worst;
    }
    return worst;
}

static bool check_backend(const struct options *o)
{
    char what[16];
    snprintf(what, sizeof what, "%d lane%s", (int)o->lanes, o->lanes == 1 ? "" : "s");
    return o->backend == NULL || chain_choose_backend(o->backend, (uint32_t)o->lanes, what);
}

static bool check_cpus(const struct options *o)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return true;
    if (o->cpu < 0) {
        if (o->threads > (uint64_t)CPU_COUNT(&set))
            fprintf(stderr, "warning: %d threads share %d CPU%s\n", (int)o->threads, CPU_COUNT(&set),
                    CPU_COUNT(&set) == 1 ? "" : "s");
        return true;
    }
    for (size_t i = 0; i < o->threads; i++) {
        const size_t cpu = (size_t)o->cpu + i;
        if (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &set))
            continue;
        char cpus[1024];
        cli_error("no CPU %zu here; there are:%s", cpu, machine_cpus(cpus, sizeof cpus));
        return false;
    }
    return true;
}

/* Returns 0, or EXIT_TROUBLE after an error line, or -1 when all is said. */
static int parse(int argc, char **argv, struct options *o)
{
    enum { OPTION_LANES = 256, OPTION_CPU, OPTION_NO_PROGRESS };
    static const struct option longs[] = {{"backend", required_argument, NULL, 'b'},
                                          {"cpu", required_argument, NULL, OPTION_CPU},
                                          {"format", required_argument, NULL, 'f'},
                                          {"ghz", required_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"iterations", required_argument, NULL, 'i'},
                                          {"lanes", required_argument, NULL, OPTION_LANES},
                                          {"no-progress", no_argument, NULL, OPTION_NO_PROGRESS},
                                          {"threads", required_argument, NULL, 't'},
                                          {"unit", required_argument, NULL, 'm'},
                                          {"version", no_argument, NULL, 'V'},
                                          {NULL, 0, NULL, 0}};
    uint64_t number;
    char *end;
    int c, word;
    while ((c = cli_option(argc, argv, ":b:f:hi:m:s:t:V", longs)) != -1)
        switch (c) {
        case 'i':
            if (!cli_number(optarg, UINT64_C(1) << 53, &o->iterations) || o->iterations == 0)
                return cli_usage("--iterations '%s': a number from 1 to 2^53", optarg);
            break;
        case 's':
            o->ghz = strtod(optarg, &end);
            if (end == optarg || *end != 0 || !(o->ghz >= 0.01 && o->ghz <= 100))
                return cli_usage("--ghz '%s': a number from 0.01 to 100", optarg);
            break;
        case 'm':
            if ((word = cli_word("unit", optarg, unit_words, UNITS)) < 0)
                return EXIT_TROUBLE;
            o->unit = (enum unit)word;
            break;
        case 'f':
            if ((word = cli_word("format", optarg, format_words, FORMATS)) < 0)
                return EXIT_TROUBLE;
            o->format = (enum format)word;
            break;
        case 't':
            if (!cli_number(optarg, MOST_THREADS, &o->threads) || o->threads == 0)
                return cli_usage("--threads '%s': a number from 1 to %d", optarg, MOST_THREADS);
            break;
        case OPTION_LANES:
            if (!cli_number(optarg, MOST_LANES, &o->lanes) || o->lanes == 0 ||
                (o->lanes > 4 && o->lanes != 8 && o->lanes != 16))
                return cli_usage("--lanes '%s': there are 1 2 3 4 8 16", optarg);
            break;
        case OPTION_CPU:
            o->each_type = strcmp(optarg, "each-type") == 0;
            if (o->each_type)
                break;
            if (!cli_number(optarg, 1 << 20, &number))
                return cli_usage("--cpu '%s' is neither the number of a CPU nor each-type", optarg);
            o->cpu = (int)number;
            break;
        case 'b':
            o->backend = optarg;
            break;
        case OPTION_NO_PROGRESS:
            break;
        case 'h':
            fputs(usage, stdout);
            return -1;
        case 'V':
            printf("celer %s\n", celer_version());
            return -1;
        default:
            return EXIT_TROUBLE;
        }
    if (optind < argc)
        return cli_usage("bench takes no FILE; there is '%s'", argv[optind]);
    if (o->each_type && o->threads > 1)
        return cli_usage("--cpu each-type is for one thread");
    return check_backend(o) && check_cpus(o) ? 0 : EXIT_TROUBLE;
}

int cmd_chain_bench(int argc, char **argv)
{
    struct options o = {.iterations = 100000000, .threads = 1, .lanes = 1, .cpu = -1};
    cli_start("chain bench");
    const int code_of_options = parse(argc, argv, &o);
    if (code_of_options != 0)
        return code_of_options < 0 ? cli_finish(EXIT_GOOD) : code_of_options;
    const int code = o.each_type ? bench_each_type(&o) : bench(&o, true);
    if (o.format == FORMAT_JSON && code != EXIT_TROUBLE)
        puts("]");
    return cli_finish(code);
}
