/* read.c: from a file to a digest, on the backend asked for. */
#include "sum.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cli.h"

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

int sum_check_backend(const struct sum_options *options, const struct celer_hash *hash)
{
    const struct celer_backend *row = celer_kernel_choice(hash->kernel, 1);
    if (options->backend == NULL || (row != NULL && strcmp(row->name, options->backend) == 0))
        return 0;
    char known[256] = "";
    for (size_t i = 0; (row = celer_kernel_row(hash->kernel, i)) != NULL; i++)
        if (row->ways == 1)
            snprintf(known + strlen(known), sizeof known - strlen(known), " %s", row->name);
    cli_error("%s has no backend '%s'; there are:%s", hash->name, options->backend, known);
    return -1;
}
