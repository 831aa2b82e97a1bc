/* progress.c: see progress.h. */
#include "progress.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "clock.h"

#define BAR_WIDTH  30
#define LINE_WIDTH 79
#define INTERVAL   0.1

static struct {
    double start, drawn; /* seconds; 0: not yet */
} progress;

bool progress_wanted(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

void progress_show(void *arg, double done, double rate)
{
    (void)arg;
    const double now = clock_seconds();
    if (progress.start == 0)
        progress.start = now;
    if (now - progress.drawn < INTERVAL)
        return;
    progress.drawn = now;
    const int full = (int)(done * BAR_WIDTH);
    const double left = done > 0 ? (now - progress.start) * (1 - done) / done : 0;
    const char *no_color = getenv("NO_COLOR");
    const bool color = no_color == NULL || *no_color == 0;
    char bar[BAR_WIDTH + 1];
    memset(bar, '#', BAR_WIDTH);
    bar[full > BAR_WIDTH ? BAR_WIDTH : full] = 0;
    fprintf(stderr, "\r%3d %% [%s%s%s%*s] %.0f samples/s, %.0f s left  ", (int)(100 * done),
            color ? "\033[32m" : "", bar, color ? "\033[0m" : "", BAR_WIDTH - full, "", rate, left);
    fflush(stderr);
}

void progress_clear(void)
{
    if (progress.drawn > 0)
        fprintf(stderr, "\r%*s\r", LINE_WIDTH, "");
    progress.drawn = 0;
}
