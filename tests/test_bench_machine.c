/* test_bench_machine.c: types of cores, from made-up files of the kernel. */
#include "support.h"
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench/machine.h"

static char root[] = "/tmp/celer-machine-XXXXXX";

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

/* Makes the folders of a path below the root. */
static void make_folders(const char *path)
{
    char folder[512];
    for (const char *p = strchr(path, '/'); p != NULL; p = strchr(p + 1, '/')) {
        snprintf(folder, sizeof folder, "%s/%.*s", root, (int)(p - path), path);
        mkdir(folder, 0700);
    }
}

#define COUNTERS    "sys/devices/"
#define CPU(number) "sys/devices/system/cpu/cpu" #number "/"

struct tree {
    const char *name;
    struct {
        const char *path, *text;
    } files[8];
    int cpus[8];
    size_t count;
    struct machine_type types[4]; /* up to one without a CPU */
};
#define NO_MORE \
  {             \
    -1, ""      \
  }

static const struct tree trees[] = {
    {"that tells nothing", {{NULL, NULL}}, {0, 1, 2}, 3, {{0, ""}, NO_MORE}},
    {"whose first CPU is not for us", {{NULL, NULL}}, {5, 7}, 2, {{5, ""}, NO_MORE}},
    {"without a CPU", {{NULL, NULL}}, {0}, 0, {NO_MORE}},
    {"of two types",
     {{COUNTERS "cpu_core/cpus", "0-3\n"}, {COUNTERS "cpu_atom/cpus", "4-5,7\n"}},
     {0, 1, 2, 3, 4, 5, 7},
     7,
     {{0, "core"}, {4, "atom"}, NO_MORE}},
    {"of three types",
     {{COUNTERS "cpu_core/cpus", "2,4"},
      {COUNTERS "cpu_atom/cpus", "0-1,3"},
      {COUNTERS "cpu_lowpower/cpus", "10-11"}},
     {1, 2, 3, 4, 11},
     5,
     {{1, "atom"}, {2, "core"}, {11, "lowpower"}, NO_MORE}},
    {"one of whose types is not for us",
     {{COUNTERS "cpu_core/cpus", "0-7"}, {COUNTERS "cpu_atom/cpus", "8-15"}},
     {9, 10},
     2,
     {{9, "atom"}, NO_MORE}},
    {"with a list that is none",
     {{COUNTERS "cpu_core/cpus", "0,x"}, {COUNTERS "cpu_atom/cpus", "\n"}},
     {0, 1},
     2,
     {{0, "core"}, {1, ""}, NO_MORE}},
    {"of big and little cores",
     {{CPU(0) "regs/identification/midr_el1", "0x00000000410fd034\n"},
      {CPU(1) "regs/identification/midr_el1", "0x00000000410fd034\n"},
      {CPU(2) "regs/identification/midr_el1", "0x00000000410fd082\n"},
      {CPU(0) "cpu_capacity", "446\n"},
      {CPU(1) "cpu_capacity", "446\n"},
      {CPU(2) "cpu_capacity", "1024\n"}},
     {0, 1, 2},
     3,
     {{0, "midr 0x00000000410fd034, capacity 446"}, {2, "midr 0x00000000410fd082, capacity 1024"}, NO_MORE}},
    {"of equal cores in two places",
     {{CPU(0) "regs/identification/midr_el1", "0x00000000410fd490\n"},
      {CPU(1) "regs/identification/midr_el1", "0x00000000410fd490\n"}},
     {0, 1},
     2,
     {{0, "midr 0x00000000410fd490"}, NO_MORE}},
    {"with capacities alone",
     {{CPU(0) "cpu_capacity", "1024\n"}, {CPU(1) "cpu_capacity", "512\n"}},
     {0, 1},
     2,
     {{0, "capacity 1024"}, {1, "capacity 512"}, NO_MORE}},
};

static void write_files(const struct tree *tree, bool there)
{
    char path[512];
    for (size_t i = 0; i < 8 && tree->files[i].path != NULL; i++) {
        snprintf(path, sizeof path, "%s/%s", root, tree->files[i].path);
        if (!there) {
            unlink(path);
            continue;
        }
        make_folders(tree->files[i].path);
        FILE *const to = fopen(path, "w");
        assert_non_null(to);
        fputs(tree->files[i].text, to);
        fclose(to);
    }
}

static void test_types(void **state)
{
    const struct tree *const tree = *state;
    struct machine_type types[MACHINE_MAX_TYPES];
    write_files(tree, true);
    const size_t count = machine_types(root, tree->cpus, tree->count, types, MACHINE_MAX_TYPES);
    write_files(tree, false);
    for (size_t i = 0; i < count; i++) {
        check(tree->types[i].cpu == types[i].cpu && strcmp(tree->types[i].name, types[i].name) == 0,
              "CPU %d is of type '%s'; not CPU %d of type '%s'", types[i].cpu, types[i].name,
              tree->types[i].cpu, tree->types[i].name);
    }
    check(tree->types[count].cpu < 0, "%zu types", count);
    assert_int_equal(machine_types(root, tree->cpus, tree->count, types, 1), count > 0);
}

/* What is said of this machine agrees with itself. */
static void test_usable(void **state)
{
    (void)state;
    int cpus[MACHINE_MAX_CPUS];
    char text[8192], number[16];
    const size_t count = machine_usable(cpus, MACHINE_MAX_CPUS);
    assert_true(count > 0);
    machine_cpus(text, sizeof text - 1);
    strcat(text, " ");
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || cpus[i - 1] < cpus[i]);
        snprintf(number, sizeof number, " %d ", cpus[i]);
        assert_non_null(strstr(text, number));
    }
    assert_int_equal(machine_usable(cpus, 1), 1);
}

int main(void)
{
    struct suite suite = {0};
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++)
        suite_add(&suite, test_types, (void *)(uintptr_t)&trees[i], "a machine %s", trees[i].name);
    suite_add(&suite, test_usable, NULL, "CPUs that can be used");
    const int failed = suite_run(&suite, "bench/machine");
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return failed;
}
