/* text.c: see text.h. */
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void text_free(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}

void text_bytes(struct text *t, const void *data, size_t n)
{
    if (t->failed)
        return;
    if (n >= t->room - t->len) {
        const size_t room = 2 * t->room + n + 256;
        char *const grown = realloc(t->data, room);
        if (grown == NULL) {
            t->failed = true;
            return;
        }
        t->data = grown;
        t->room = room;
    }
    memcpy(t->data + t->len, data, n);
    t->len += n;
    t->data[t->len] = 0;
}

void text_add(struct text *t, const char *s)
{
    text_bytes(t, s, strlen(s));
}

void text_format(struct text *t, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line)
        t->failed = true; /* no caller has that much to say */
    else
        text_bytes(t, line, (size_t)n);
}

void text_number(struct text *t, double value, int decimals)
{
    static const double power[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6};
    const double most = 9e18 / power[decimals];
    if (isnan(value)) {
        text_add(t, "-");
        return;
    }
    const long long n = llround(fmin(fabs(value), most) * power[decimals]);
    const long long scale = (long long)power[decimals];
    text_format(t, "%s%lld", value < 0 && n != 0 ? "-" : "", n / scale);
    if (decimals > 0)
        text_format(t, ".%0*lld", decimals, n % scale);
}

void text_coordinate(struct text *t, double value)
{
    text_number(t, value, llround(value * 10) % 10 == 0 ? 0 : 1);
}

void text_figure(struct text *t, double value)
{
    const double size = fabs(value);
    text_number(t, value, size < 0.0995 ? 4 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0);
}

void text_escaped(struct text *t, const char *s)
{
    for (;;) {
        const size_t plain = strcspn(s, "&<>\"'");
        text_bytes(t, s, plain);
        s += plain;
        switch (*s++) {
        case '&':
            text_add(t, "&amp;");
            break;
        case '<':
            text_add(t, "&lt;");
            break;
        case '>':
            text_add(t, "&gt;");
            break;
        case '"':
            text_add(t, "&quot;");
            break;
        case '\'':
            text_add(t, "&#39;");
            break;
        default:
            return;
        }
    }
}

void text_csv(struct text *t, const char *s)
{
    const bool formula = *s != 0 && strchr("=+-@\t\r", *s) != NULL;
    const bool quoted = strpbrk(s, ",\"\r\n") != NULL;
    if (quoted)
        text_add(t, "\"");
    if (formula)
        text_add(t, "'");
    for (; *s != 0; s++)
        text_bytes(t, *s == '"' ? "\"\"" : s, *s == '"' ? 2 : 1);
    if (quoted)
        text_add(t, "\"");
}

void text_size(struct text *t, unsigned long long bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    size_t unit = 0;
    while (unit < 3 && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    text_format(t, "%llu\u00a0%s", bytes, units[unit]);
}

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

size_t text_length(const char *s)
{
    size_t n = 0;
    for (; *s != 0; s++)
        n += begins_character(*s);
    return n;
}

void text_clipped(struct text *t, const char *s, size_t n)
{
    if (text_length(s) <= n) {
        text_add(t, s);
        return;
    }
    const char *end = s;
    for (size_t seen = 0; *end != 0; end++)
        if (begins_character(*end) && ++seen == n)
            break;
    text_bytes(t, s, (size_t)(end - s));
    text_add(t, "…");
}

void text_slug(struct text *t, const char *s)
{
    bool gap = false;
    const size_t begin = t->len;
    for (; *s != 0; s++) {
        const char c = *s >= 'A' && *s <= 'Z' ? (char)(*s - 'A' + 'a') : *s;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            if (gap && t->len > begin)
                text_add(t, "-");
            text_bytes(t, &c, 1);
            gap = false;
        } else {
            gap = true;
        }
    }
}

static bool write_all(int fd, const struct text *t)
{
    for (size_t done = 0; done < t->len;) {
        const ssize_t wrote = write(fd, t->data + done, t->len - done);
        if (wrote > 0)
            done += (size_t)wrote;
        else if (wrote == 0 || errno != EINTR)
            return false;
    }
    return true;
}

/* Closes fd, keeping errno when something had failed before. */
static bool finish(int fd, bool ok)
{
    const int error = errno;
    const bool closed = fd < 0 || close(fd) == 0;
    if (!ok)
        errno = error;
    return ok && closed;
}

/* Beside the file first, and then in its place, so that a failure leaves what was there. */
static bool replace_file(const struct text *t, const char *path)
{
    const size_t n = strlen(path) + 8;
    char *const temporary = malloc(n);
    if (temporary == NULL)
        return false;
    snprintf(temporary, n, "%s.XXXXXX", path);
    const int fd = mkstemp(temporary);
    bool ok = fd >= 0 && write_all(fd, t);
    if (ok) { /* mkstemp lets only the owner read */
        const mode_t mask = umask(0);
        umask(mask);
        ok = fchmod(fd, 0666 & ~mask) == 0 && fsync(fd) == 0;
    }
    ok = finish(fd, ok) && rename(temporary, path) == 0;
    if (!ok && fd >= 0) {
        const int error = errno;
        unlink(temporary);
        errno = error;
    }
    free(temporary);
    return ok;
}

bool text_save(const struct text *t, const char *path, char *why, size_t why_size)
{
    struct stat status;
    bool ok = !t->failed;
    if (!ok)
        errno = ENOMEM;
    else if (stat(path, &status) == 0 &&
             !S_ISREG(status.st_mode)) { /* a device or a pipe has no place to take */
        const int fd = open(path, O_WRONLY | O_CLOEXEC);
        ok = finish(fd, fd >= 0 && write_all(fd, t));
    } else {
        char *const file = realpath(path, NULL); /* what a link leads to, and not the link */
        ok = replace_file(t, file != NULL ? file : path);
        free(file);
    }
    if (!ok)
        snprintf(why, why_size, "%s: %s", path, strerror(errno));
    return ok;
}
