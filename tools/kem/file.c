/* file.c: keys and secrets from files and into them: whole, or not at all. */
#include "kem.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli.h"

static int fail(const char *name, int error)
{
    cli_error("%.4096s: %s", name, strerror(error));
    return EXIT_TROUBLE;
}

int kem_file_read(const char *name, uint8_t *bytes, size_t room, size_t *n)
{
    const bool standard = strcmp(name, "-") == 0;
    const int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    int error = fd < 0 ? errno : 0;
    uint8_t more;
    *n = 0;
    while (error == 0) {
        const bool full = *n == room;
        const ssize_t got = read(fd, full ? &more : bytes + *n, full ? 1 : room - *n);
        if (got < 0 && errno != EINTR)
            error = errno;
        else if (got > 0 && full)
            error = EFBIG;
        else if (got > 0)
            *n += (size_t)got;
        else if (got == 0)
            break;
    }
    if (fd >= 0 && !standard)
        close(fd);
    if (error == 0)
        return 0;
    celer_wipe(bytes, *n);
    if (standard)
        name = "standard input";
    if (error != EFBIG)
        return fail(name, error);
    cli_error("%.4096s: more than %zu bytes", name, room);
    return EXIT_NEGATIVE;
}

/* An output on its way. */
struct place {
    const struct kem_output *output;
    int fd;
    char path[PATH_MAX];          /* where it is to be in the end; empty: no file, which cannot be undone */
    char temporary[PATH_MAX + 8]; /* where it is until then; empty: there */
    char aside[PATH_MAX + 16];    /* what was there before; empty: nothing, or it is needed no more */
    bool made;                    /* a new file, which a failure removes again */
};

static const char *title(const struct place *place)
{
    return strcmp(place->output->name, "-") == 0 ? "standard output" : place->output->name;
}

static int open_new(struct place *place)
{
    strcpy(place->path, place->output->name); /* shorter than PATH_MAX */
    place->fd = open(place->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    place->made = place->fd >= 0;
    return place->made && fchmod(place->fd, 0600) == 0 ? 0 : errno; /* whatever the umask takes away */
}

/* What is no regular file, such as a pipe, has no place to be taken. Of a link to a file it is the place of that. */
static int open_over(struct place *place)
{
    const char *const name = place->output->name;
    struct stat status;
    if (stat(name, &status) == 0 && !S_ISREG(status.st_mode)) {
        place->fd = open(name, O_WRONLY | O_CLOEXEC);
        return place->fd >= 0 ? 0 : errno;
    }
    if (realpath(name, place->path) == NULL)
        strcpy(place->path, name); /* shorter than PATH_MAX */
    stpcpy(stpcpy(place->temporary, place->path), ".XXXXXX");
    place->fd = mkostemp(place->temporary, O_CLOEXEC);
    place->made = place->fd >= 0;
    return place->made && fchmod(place->fd, 0600) == 0 ? 0 : errno;
}

static int begin(struct place *place, bool force)
{
    const struct kem_output *const output = place->output;
    int error = 0;
    if (strcmp(output->name, "-") == 0)
        place->fd = dup(STDOUT_FILENO);
    else if (strlen(output->name) >= PATH_MAX)
        errno = ENAMETOOLONG;
    else
        error = force ? open_over(place) : open_new(place);
    if (place->fd < 0 || error != 0)
        return fail(title(place), error != 0 ? error : errno);
    if (!output->secret || force || !isatty(place->fd))
        return 0;
    cli_error("%.4096s: a secret is not shown on a terminal without --force", title(place));
    return EXIT_TROUBLE;
}

static int two_in_one(const struct place *place)
{
    return cli_usage("%.256s: one file cannot hold both", title(place));
}

/* Whether what `place` writes to, or is about to replace, is what the other output has open. The file itself tells, for
   one file may have many names. */
static bool collides(const struct place *place, const struct place *other)
{
    struct stat here, there;
    const int error = place->temporary[0] != 0 ? stat(place->path, &here) : fstat(place->fd, &here);
    return error == 0 && fstat(other->fd, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* All of it, as far as the disk. */
static int write_out(const struct place *place)
{
    const uint8_t *const bytes = place->output->bytes;
    size_t done = 0;
    while (done < place->output->n) {
        const ssize_t more = write(place->fd, bytes + done, place->output->n - done);
        if (more > 0)
            done += (size_t)more;
        else if (more == 0 || errno != EINTR)
            return fail(title(place), more == 0 ? EIO : errno);
    }
    if (place->made && fsync(place->fd) != 0 && errno != EINVAL)
        return fail(title(place), errno);
    return 0;
}

/* From beside the file into its place. What was there is kept if other outputs may still fail. */
static int settle(struct place *place, bool last)
{
    if (place->temporary[0] == 0)
        return 0;
    stpcpy(stpcpy(place->aside, place->temporary), ".old");
    if (last || (link(place->path, place->aside) != 0 && rename(place->path, place->aside) != 0)) {
        place->aside[0] = 0;
        if (!last && errno != ENOENT)
            return fail(place->output->name, errno);
    }
    if (rename(place->temporary, place->path) != 0)
        return fail(place->output->name, errno);
    place->temporary[0] = 0;
    return 0;
}

static void undo(const struct place *place)
{
    if (place->temporary[0] != 0)
        unlink(place->temporary);
    else if (place->aside[0] == 0)
        unlink(place->path);
    if (place->aside[0] == 0)
        return;
    if (rename(place->aside, place->path) != 0)
        cli_error("%.4096s: what was there is now in %.4096s", place->output->name, place->aside);
    else
        unlink(place->aside); /* two names of one file, of which rename lets both be */
}

int kem_files_write(const struct kem_output *outputs, size_t n, bool force)
{
    struct place places[KEM_OUTPUTS] = {{.fd = -1}, {.fd = -1}};
    int code = 0;
    cli_catch_stops(); /* what was begun is finished, or undone */
    for (size_t i = 0; i < n && code == 0; i++) {
        places[i].output = &outputs[i];
        if (i > 0 && strcmp(outputs[i].name, outputs[0].name) == 0)
            code = two_in_one(&places[i]);
        else
            code = begin(&places[i], force);
    }
    if (n == 2 && code == 0 && (collides(&places[0], &places[1]) || collides(&places[1], &places[0])))
        code = two_in_one(&places[1]);
    /* What can be undone comes first. */
    for (size_t i = 0; i < n && code == 0; i++)
        code = places[i].made ? write_out(&places[i]) : 0;
    for (size_t i = 0; i < n && code == 0; i++)
        code = places[i].made ? 0 : write_out(&places[i]);
    /* Where there was nothing before, both names lead to the first output only now that it is there. */
    for (size_t i = 0; i < n && code == 0; i++)
        code = i > 0 && collides(&places[i], &places[0]) ? two_in_one(&places[i])
                                                         : settle(&places[i], i + 1 == n);
    for (size_t i = 0; i < n; i++) {
        if (places[i].fd >= 0)
            close(places[i].fd);
        if (code == 0 && places[i].aside[0] != 0)
            unlink(places[i].aside);
        else if (code != 0 && places[i].made)
            undo(&places[i]);
    }
    return code;
}
