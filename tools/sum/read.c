/* read.c: from a file to a digest. */
#include "sum.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int hash_descriptor(struct sum_worker *worker, const struct sum_algorithm *algorithm, int fd)
{
    const struct celer_hash_opts opts = {.out_len = algorithm->out_len};
    if (celer_hash_init(&worker->ctx, algorithm->hash, &opts) != 0)
        return EINVAL;
#ifdef POSIX_FADV_SEQUENTIAL
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL); /* a hint; pipes refuse it */
#endif
    for (;;) {
        const ssize_t got = read(fd, worker->buffer, sizeof worker->buffer);
        if (got > 0) {
            celer_hash_update(&worker->ctx, worker->buffer, (size_t)got);
        } else if (got == 0) {
            celer_hash_final(&worker->ctx, worker->out);
            return 0;
        } else if (errno != EINTR) {
            const int error = errno;
            celer_hash_wipe(&worker->ctx);
            return error;
        }
    }
}

int sum_file(struct sum_worker *worker, const struct sum_algorithm *algorithm, const char *name)
{
    if (strcmp(name, "-") == 0)
        return hash_descriptor(worker, algorithm, STDIN_FILENO);
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    const int error = hash_descriptor(worker, algorithm, fd);
    close(fd);
    return error;
}
