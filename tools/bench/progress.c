/* progress.c: see progress.h. */
#include "progress.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "clock.h"

#define BAR_WIDTH  30
#define TEXT_WIDTH 39 /* most of what stands beside the bar */
#define INTERVAL   0.1

/* Columns that a line may fill without being broken. */
static int line_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col - 1 : 79;
}

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
    const double now = clock_seconds();
    if (progress.start == 0)
        progress.start = now;
    if (now - progress.drawn < INTERVAL)
        return;
    progress.drawn = now;
    const int width = line_width(), room = width - TEXT_WIDTH,
              bar_width = room < BAR_WIDTH ? room : BAR_WIDTH;
    if (bar_width < 1) { /* a narrow window */
        if (width >= 5)
            fprintf(stderr, "\r%3d %%", (int)(100 * done));
        fflush(stderr);
        return;
    }
    const int full = done < 1 ? (int)(done * bar_width) : bar_width;
    const double left = done > 0 ? (now - progress.start) * (1 - done) / done : 0;
    const char *no_color = getenv("NO_COLOR");
    const bool color = no_color == NULL || *no_color == 0;
    char bar[BAR_WIDTH + 1];
    memset(bar, '#', BAR_WIDTH);
    bar[full] = 0;
    fprintf(stderr, "\r%3d %% [%s%s%s%*s] %.*f %s/s, %.0f s left  ", (int)(100 * done),
            color ? "\033[32m" : "", bar, color ? "\033[0m" : "", bar_width - full, "", rate < 100 ? 1 : 0,
            rate, arg != NULL ? (const char *)arg : "samples", left);
    fflush(stderr);
}

void progress_clear(void)
{
    if (progress.drawn > 0)
        fprintf(stderr, "\r%*s\r", line_width(), "");
    progress.drawn = 0;
}
