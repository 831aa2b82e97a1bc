/* crash.c: see crash.h. */
#include "crash.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include "cli.h"

static const struct {
    int number;
    const char *name;
} signals[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGILL, "SIGILL"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGABRT, "SIGABRT"},
};
#define SIGNALS (sizeof signals / sizeof signals[0])
static struct sigaction former[SIGNALS];

/* Threads begin after the last plug-in is loaded, and only read this. */
static const struct celer_provider *providers[64];
static size_t provider_count;

static _Thread_local const struct celer_subject *volatile running;
static _Thread_local const char *volatile loading;

struct line {
    char text[512];
    size_t len;
};

static void add(struct line *line, const char *text)
{
    const size_t room = sizeof line->text - line->len, len = strlen(text), n = len < room ? len : room;
    memcpy(line->text + line->len, text, n);
    line->len += n;
}

static void add_owner(struct line *line, const struct celer_subject *subject)
{
    for (size_t p = 0; p < provider_count; p++)
        for (size_t i = 0; i < providers[p]->subject_count; i++)
            if (&providers[p]->subjects[i] == subject) {
                add(line, " of ");
                add(line, providers[p]->library);
                add(line, "-");
                add(line, providers[p]->version);
                return;
            }
}

/* Nothing here but what a signal handler may call. */
static void on_crash(int number)
{
    static atomic_flag said = ATOMIC_FLAG_INIT; /* several threads may crash at once */
    struct line line = {.len = 0};
    size_t i = 0;
    while (i + 1 < SIGNALS && signals[i].number != number)
        i++;
    add(&line, "celer ");
    add(&line, cli_started());
    add(&line, ": ");
    if (loading != NULL)
        add(&line, loading);
    else if (running != NULL) {
        add(&line, running->function);
        add_owner(&line, running);
    }
    if ((loading != NULL || running != NULL) && !atomic_flag_test_and_set(&said)) {
        add(&line, " crashed (");
        add(&line, signals[i].name);
        add(&line, ")\n");
        const ssize_t written = write(STDERR_FILENO, line.text, line.len);
        (void)written; /* there is nobody left to tell */
    }
    sigaction(number, &former[i], NULL);
    raise(number);
}

/* On a stack of its own, as far as the first thread goes, because that may be what has run out. */
static void prepare(void)
{
    static bool prepared;
    static char room[64 << 10];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction act = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    if (prepared)
        return;
    prepared = true;
    sigemptyset(&act.sa_mask);
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(signals[i].number, &act, &former[i]);
}

void crash_loading(const char *file)
{
    prepare();
    loading = file;
}

void crash_provider(const struct celer_provider *provider)
{
    for (size_t i = 0; i < provider_count; i++)
        if (providers[i] == provider)
            return;
    if (provider_count < sizeof providers / sizeof providers[0])
        providers[provider_count++] = provider;
}

const struct celer_subject *crash_subject(const struct celer_subject *subject)
{
    const struct celer_subject *const before = running;
    running = subject;
    return before;
}
