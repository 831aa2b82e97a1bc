/* support.c: see support.h. */
#include "support.h"
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

size_t first_difference(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    size_t i = 0;
    while (i < n && x[i] == y[i])
        i++;
    return i;
}

int all_zero(const void *p, size_t n)
{
    const unsigned char *x = p;
    size_t i = 0;
    while (i < n && x[i] == 0)
        i++;
    return i == n;
}

/* Whatever a test did to the mask, and wherever it failed. */
static int suite_teardown(void **state)
{
    (void)state;
    celer_cpu_mask(CELER_CPU_AUTO);
    return 0;
}

void suite_add(struct suite *suite, CMUnitTestFunction run, void *arg, const char *name, ...)
{
    char text[200];
    va_list args;
    va_start(args, name);
    vsnprintf(text, sizeof text, name, args);
    va_end(args);
    suite->tests = realloc(suite->tests, (suite->count + 1) * sizeof *suite->tests);
    char *copy = strdup(text);
    if (suite->tests == NULL || copy == NULL)
        abort();
    suite->tests[suite->count++] = (struct CMUnitTest){copy, run, NULL, suite_teardown, arg};
}

int suite_run(struct suite *suite, const char *name)
{
    if (suite->count == 0) {
        fprintf(stderr, "%s: no tests\n", name);
        return 1;
    }
    const int failed = _cmocka_run_group_tests(name, suite->tests, suite->count, NULL, NULL);
    for (size_t i = 0; i < suite->count; i++)
        free((void *)(uintptr_t)suite->tests[i].name);
    free(suite->tests);
    *suite = (struct suite){NULL, 0};
    return failed;
}

uint64_t rng_next(struct rng *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

size_t rng_below(struct rng *rng, size_t n)
{
    return (size_t)(rng_next(rng) % n);
}

void rng_fill(struct rng *rng, void *p, size_t n)
{
    unsigned char *to = p;
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)rng_next(rng);
}

size_t one_in(void)
{
    const char *const told = getenv("CELER_TESTS_ONE_IN");
    const long n = told != NULL ? strtol(told, NULL, 10) : 1;
    if (n < 1 || n > 50) /* there are loops of 60, and none may become empty */
        fail_msg("CELER_TESTS_ONE_IN=%s", told);
    return (size_t)n;
}

struct guarded guarded_new(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inner = (size / page + 1) * page;
    uint8_t *p = mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(p != MAP_FAILED);
    assert_int_equal(mprotect(p + page, inner, PROT_READ | PROT_WRITE), 0);
    return (struct guarded){p + page, p + page + inner};
}

void guarded_free(struct guarded g)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(g.begin - page, (size_t)(g.end - g.begin) + 2 * page);
}

struct stack_call {
    void (*call)(void *arg);
    void *arg;
};

static void *stack_thread(void *arg)
{
    const struct stack_call *c = arg;
    c->call(c->arg);
    return NULL;
}

void on_stack(struct guarded stack, void (*call)(void *arg), void *arg)
{
    struct stack_call c = {call, arg};
    pthread_attr_t attr;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstack(&attr, stack.begin, (size_t)(stack.end - stack.begin)), 0);
    assert_int_equal(pthread_create(&thread, &attr, stack_thread, &c), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
}

static sigjmp_buf fault_return;
static const void *volatile fault_address;

static void fault_handler(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    fault_address = info->si_addr;
    siglongjmp(fault_return, 1);
}

const void *fault_of(void (*call)(void *arg), void *arg)
{
    struct sigaction action, former_segv, former_bus;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = fault_handler;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &former_segv);
    sigaction(SIGBUS, &action, &former_bus);
    fault_address = NULL;
    if (sigsetjmp(fault_return, 1) == 0)
        call(arg);
    sigaction(SIGSEGV, &former_segv, NULL);
    sigaction(SIGBUS, &former_bus, NULL);
    return fault_address;
}

void each_kernel(void (*visit)(const struct celer_kernel *kernel, void *arg), void *arg)
{
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++) {
        size_t j = 0;
        while (celer_hash_at(j)->kernel != hash->kernel)
            j++;
        if (j == i)
            visit(hash->kernel, arg);
    }
}

const char *row_name(const struct celer_kernel *kernel, size_t i)
{
    const struct celer_backend *row, *earlier;
    for (size_t r = 0; (row = celer_kernel_row(kernel, r)) != NULL; r++) {
        size_t e = 0;
        while ((earlier = celer_kernel_row(kernel, e)) != row && strcmp(earlier->name, row->name) != 0)
            e++;
        if (e == r && i-- == 0)
            return row->name;
    }
    return NULL;
}

uint32_t row_needs(const struct celer_kernel *kernel, const char *name)
{
    const struct celer_backend *row;
    uint32_t needs = 0;
    for (size_t r = 0; (row = celer_kernel_row(kernel, r)) != NULL; r++)
        if (strcmp(row->name, name) == 0)
            needs |= row->needs;
    return needs;
}

int row_usable(const struct celer_kernel *kernel, const char *name)
{
    return (row_needs(kernel, name) & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) == 0;
}

void row_enter(const struct celer_kernel *kernel, const char *name)
{
    if (!row_usable(kernel, name))
        skip();
    celer_cpu_mask(row_needs(kernel, name));
    const struct celer_backend *row;
    size_t found = 0;
    for (size_t r = 0; (row = celer_kernel_row(kernel, r)) != NULL; r++)
        if (strcmp(row->name, name) == 0) {
            const struct celer_backend *choice = celer_kernel_choice(kernel, row->ways);
            check(choice != NULL && strcmp(choice->name, name) == 0, "%s/%s: %u ways would run on %s",
                  kernel->name, name, (unsigned)row->ways, choice != NULL ? choice->name : "nothing");
            found++;
        }
    check(found != 0, "%s has no rows named %s", kernel->name, name);
}
