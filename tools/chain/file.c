/* file.c: the file of a chain: read, appended to, mended. */
#include "chain.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bench/clock.h"
#include "cli.h"

enum { HEADER = CELER_CHAIN_HEADER_LEN, RECORD = CELER_CHAIN_RECORD_LEN, AT_ONCE = 1024 };

const char *chain_type_name(uint32_t type)
{
    static const char *const names[] = {[CELER_CHAIN_CHECKPOINT] = "checkpoint",
                                        [CELER_CHAIN_MIX] = "mix",
                                        [CELER_CHAIN_RESUME] = "resume",
                                        [CELER_CHAIN_FINAL] = "final",
                                        [CELER_CHAIN_LABEL] = "label"};
    return type >= 1 && type < sizeof names / sizeof names[0] ? names[type] : NULL;
}

const char *chain_hex(char text[65], const uint8_t hash[32])
{
    for (size_t i = 0; i < 64; i++)
        text[i] = "0123456789abcdef"[hash[i / 2] >> (i % 2 ? 0 : 4) & 15];
    text[64] = 0;
    return text;
}

bool chain_unhex(uint8_t hash[32], const char *text)
{
    memset(hash, 0, 32);
    for (size_t i = 0; i < 64; i++) {
        const char c = text[i], lower = (char)(c | 0x20);
        if (c >= '0' && c <= '9')
            hash[i / 2] = (uint8_t)(hash[i / 2] << 4 | (c - '0'));
        else if (lower >= 'a' && lower <= 'f')
            hash[i / 2] = (uint8_t)(hash[i / 2] << 4 | (lower - 'a' + 10));
        else
            return false;
    }
    return text[64] == 0;
}

static int fail(const struct chain_file *file, int error)
{
    cli_error("%s: %s", file->name, strerror(error));
    return -1;
}

static int damaged(const struct chain_file *file, uint64_t r, const char *how)
{
    cli_error("%s: record %" PRIu64 ", at byte %" PRIu64 ", %s; the file is left as it is", file->name, r,
              HEADER + r * RECORD, how);
    return -1;
}

/* Up to n bytes; fewer at the end of the file. -1 and errno when they cannot be read. */
static ssize_t read_at(int fd, void *to, size_t n, uint64_t offset)
{
    size_t got = 0;
    while (got < n) {
        const ssize_t more = pread(fd, (uint8_t *)to + got, n - got, (off_t)(offset + got));
        if (more == 0)
            break;
        if (more > 0)
            got += (size_t)more;
        else if (errno != EINTR)
            return -1;
    }
    return (ssize_t)got;
}

/* What a good record means after those before it. NULL; or what is wrong with it, in which case nothing changed. */
static const char *take(struct chain_file *file, const struct celer_chain_record *record)
{
    const bool checkpoint = record->type == CELER_CHAIN_CHECKPOINT;
    if (chain_type_name(record->type) == NULL)
        return "is of a type not known here";
    if (record->index > CELER_CHAIN_INDEX_MAX)
        return "has an index that no chain reaches";
    if (record->index < file->steps || (record->index == file->steps) == checkpoint)
        return "has an index that does not follow";
    if (checkpoint && record->index - file->steps > file->header.segment)
        return "ends a segment that is too long";
    if (file->labels > 0 && record->type != CELER_CHAIN_LABEL && record->type != CELER_CHAIN_MIX)
        return "should be the mix-in that the label before it is of";
    uint64_t goal = 0;
    switch (record->type) {
    case CELER_CHAIN_CHECKPOINT:
        if (file->segments == file->room) {
            const size_t room = file->room > 0 ? 2 * file->room : 1024;
            uint64_t *const ends = realloc(file->ends, room * sizeof *ends);
            if (ends == NULL)
                return "does not fit into memory";
            file->ends = ends;
            file->room = room;
        }
        file->ends[file->segments++] = file->records;
        file->steps = record->index;
        memcpy(file->value, record->hash, 32);
        break;
    case CELER_CHAIN_MIX:
        celer_chain_mix(file->value, record->hash);
        file->mixes++;
        break;
    case CELER_CHAIN_RESUME:
        for (unsigned i = 0; i < 8; i++)
            goal |= (uint64_t)record->hash[i] << (8 * i);
        if (goal != 0 && goal <= file->steps)
            return "begins a run to an index already reached";
        if (goal > CELER_CHAIN_INDEX_MAX)
            return "begins a run to an index that no chain reaches";
        file->goal = goal;
        file->runs++;
        break;
    case CELER_CHAIN_FINAL:
        if (memcmp(record->hash, file->value, 32) != 0 && file->wrong_final == UINT64_MAX)
            file->wrong_final = file->records;
        file->goal = 0;
        break;
    default:
        if (file->labels == CHAIN_LABEL_MAX / 32)
            return "makes a label too long";
    }
    file->labels = record->type == CELER_CHAIN_LABEL ? file->labels + 1 : 0;
    if (record->type != CELER_CHAIN_LABEL)
        file->complete = record->type == CELER_CHAIN_FINAL;
    file->records++;
    return NULL;
}

static bool all_zero(const uint8_t *p, size_t n)
{
    while (n > 0 && p[n - 1] == 0)
        n--;
    return n == 0;
}

/* As read_at, but nothing from byte `size` on. */
static ssize_t read_until(int fd, uint8_t *to, size_t n, uint64_t offset, uint64_t size)
{
    const uint64_t left = offset < size ? size - offset : 0;
    return read_at(fd, to, left < n ? (size_t)left : n, offset);
}

/* From `offset` on the file holds what a crash leaves behind: one record at most, or zeros that a file system wrote in
   the place of data that were lost with the power. Returns the bytes; -1 when it is something else, -2 and errno when it
   cannot be read. */
static int64_t torn_bytes(const struct chain_file *file, uint64_t offset, uint64_t size)
{
    uint8_t bytes[RECORD * AT_ONCE];
    bool zero = true;
    uint64_t n = 0;
    ssize_t got;
    while ((got = read_until(file->fd, bytes, sizeof bytes, offset + n, size)) > 0) {
        zero = zero && all_zero(bytes, (size_t)got);
        n += (uint64_t)got;
        if (!zero && n > RECORD)
            return -1;
    }
    return got < 0 ? -2 : (int64_t)n;
}

/* Says what is wrong with a whole header. */
static void refuse_header(const struct chain_file *file)
{
    const struct celer_chain_header *const h = &file->header;
    if (h->version == 0 && h->segment == 0)
        cli_error("%s: the header is damaged", file->name);
    else if (h->version != 1 || h->algorithm != 1 || h->flags != 0)
        cli_error("%s: version %" PRIu32 ", algorithm %" PRIu32 ", flags %" PRIu32 ": not known here",
                  file->name, h->version, h->algorithm, h->flags);
    else if (h->segment == 0)
        cli_error("%s: the header says that segments have 0 steps", file->name);
    else if (h->segment > CELER_CHAIN_INDEX_MAX)
        cli_error("%s: the header says that segments have %" PRIu64 " steps, and they may have %" PRIu64,
                  file->name, h->segment, CELER_CHAIN_INDEX_MAX);
    else if (h->context_len > CELER_CHAIN_CONTEXT_MAX)
        cli_error("%s: the header says that the context has %" PRIu32 " bytes, and it may have %d",
                  file->name, h->context_len, CELER_CHAIN_CONTEXT_MAX);
    else
        cli_error("%s: the header holds bytes other than zero behind the context", file->name);
}

static int scan(struct chain_file *file)
{
    struct celer_sha256 digest;
    uint8_t bytes[RECORD * AT_ONCE];
    uint64_t labels_at = 0;
    struct stat status;
    if (fstat(file->fd, &status) != 0)
        return fail(file, errno);
    const uint64_t size = (uint64_t)status.st_size; /* it may grow while it is read */
    ssize_t got = read_until(file->fd, bytes, HEADER, 0, size);
    if (got < 0)
        return fail(file, errno);
    if (got < 8 || memcmp(bytes, CELER_CHAIN_MAGIC, 8) != 0) {
        cli_error("%s: this is no hash chain, or its first bytes are damaged", file->name);
        return -1;
    }
    if (got < HEADER) {
        cli_error("%s: the header is cut off", file->name);
        return -1;
    }
    if (celer_chain_header_decode(&file->header, bytes) != CELER_OK) {
        refuse_header(file);
        return -1;
    }
    memcpy(file->value, file->header.seed, 32);
    celer_sha256_init(&digest);
    celer_sha256_update(&digest, bytes, HEADER);
    for (;;) {
        got = read_until(file->fd, bytes, sizeof bytes, HEADER + file->records * RECORD, size);
        if (got < 0)
            return fail(file, errno);
        const size_t whole = (size_t)got / RECORD;
        size_t i = 0;
        struct celer_chain_record record;
        for (; i < whole && celer_chain_record_decode(&record, bytes + i * RECORD) == CELER_OK; i++) {
            if (file->labels == 0)
                labels_at = file->records;
            const char *const wrong = take(file, &record);
            if (wrong != NULL)
                return damaged(file, file->records, wrong);
        }
        celer_sha256_update(&digest, bytes, i * RECORD);
        if (i < whole || (size_t)got < sizeof bytes)
            break;
    }
    const int64_t torn = torn_bytes(file, HEADER + file->records * RECORD, size);
    if (torn == -2)
        return fail(file, errno);
    if (torn == -1)
        return damaged(file, file->records, "is damaged, and there are others behind it");
    file->torn = (uint64_t)torn;
    if (file->labels > 0) { /* of a mix-in that never came */
        file->torn += (file->records - labels_at) * RECORD;
        file->records = labels_at;
        file->labels = 0;
    }
    celer_sha256_final(&digest, file->digest);
    return 0;
}

/* Where the good records end. */
static uint64_t good_bytes(const struct chain_file *file)
{
    return HEADER + file->records * RECORD;
}

static int mend(struct chain_file *file)
{
    if (ftruncate(file->fd, (off_t)good_bytes(file)) != 0)
        return fail(file, errno);
    cli_error("%s: cut off %" PRIu64 " bytes of a torn record behind step %" PRIu64, file->name, file->torn,
              file->steps);
    file->torn = 0;
    return chain_sync(file);
}

static int lock(struct chain_file *file)
{
    if (flock(file->fd, LOCK_EX | LOCK_NB) == 0)
        return 0;
    if (errno != EWOULDBLOCK)
        return fail(file, errno);
    cli_error("%s: another process is writing to it", file->name);
    return -1;
}

/* Whether somebody writes to it now. Those who come later may. */
static bool is_written(const struct chain_file *file)
{
    if (flock(file->fd, LOCK_SH | LOCK_NB) != 0)
        return true;
    flock(file->fd, LOCK_UN);
    return false;
}

static int begin(struct chain_file *file, const char *name, int flags)
{
    *file = (struct chain_file){.name = name, .wrong_final = UINT64_MAX};
    struct stat status;
    file->fd = open(name, flags | O_CLOEXEC | O_NONBLOCK, 0666); /* a pipe would wait for its other end */
    if (file->fd < 0 || fstat(file->fd, &status) != 0)
        return fail(file, errno);
    if (S_ISREG(status.st_mode))
        return 0;
    cli_error("%s: not a regular file", name);
    close(file->fd);
    file->fd = -1;
    return -1;
}

int chain_open(struct chain_file *file, const char *name, enum chain_access access)
{
    if (begin(file, name, access == CHAIN_READ ? O_RDONLY : O_RDWR) != 0)
        return -1;
    int result = access == CHAIN_READ ? 0 : lock(file);
    if (result == 0)
        result = scan(file);
    if (result == 0 && file->torn > 0 && access == CHAIN_READ && is_written(file))
        file->torn = 0;
    if (result == 0 && file->torn > 0 && access == CHAIN_MEND)
        result = mend(file);
    if (result == 0 && file->torn > 0 && access == CHAIN_WRITE) {
        cli_error("%s: ends in %" PRIu64 " bytes of a torn record; celer chain resume cuts them off", name,
                  file->torn);
        result = -1;
    }
    if (result != 0)
        chain_close(file);
    return result;
}

/* All n bytes. When they cannot all be written, the file ends at offset, as it did. */
static int write_at(const struct chain_file *file, const uint8_t *from, size_t n, uint64_t offset)
{
    size_t done = 0;
    while (done < n) {
        const ssize_t more = pwrite(file->fd, from + done, n - done, (off_t)(offset + done));
        if (more >= 0) {
            done += (size_t)more;
        } else if (errno != EINTR) {
            const int error = errno;
            if (ftruncate(file->fd, (off_t)offset) != 0)
                cli_error("%s: its end is torn; celer chain resume mends it", file->name);
            return fail(file, error);
        }
    }
    return 0;
}

/* The name of a new file survives a loss of power when its folder was synced. */
static int sync_folder(const struct chain_file *file)
{
    const char *const slash = strrchr(file->name, '/');
    char *const folder = slash != NULL ? strndup(file->name, (size_t)(slash - file->name) + 1) : strdup(".");
    const int fd = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    if (fd < 0)
        return fail(file, errno);
    const int result = fsync(fd) == 0 || errno == EINVAL ? 0 : fail(file, errno);
    close(fd);
    return result;
}

int chain_create(struct chain_file *file, const char *name, const struct celer_chain_header *header)
{
    uint8_t bytes[HEADER];
    if (begin(file, name, O_RDWR | O_CREAT | O_EXCL) != 0)
        return -1;
    file->header = *header;
    memcpy(file->value, header->seed, 32);
    celer_chain_header_encode(bytes, header);
    if (lock(file) == 0 && write_at(file, bytes, HEADER, 0) == 0 && chain_sync(file) == 0 &&
        sync_folder(file) == 0)
        return 0;
    unlink(name);
    chain_close(file);
    return -1;
}

bool chain_read(const struct chain_file *file, uint64_t r, struct celer_chain_record *record)
{
    uint8_t bytes[RECORD];
    const ssize_t got = read_at(file->fd, bytes, RECORD, HEADER + r * RECORD);
    if (got == RECORD && celer_chain_record_decode(record, bytes) == CELER_OK)
        return true;
    if (got < 0)
        fail(file, errno);
    else
        cli_error("%s: changed while it was read", file->name);
    return false;
}

bool chain_segment(const struct chain_file *file, uint64_t i, struct celer_chain_segment *segment)
{
    struct celer_chain_record record = {0};
    uint64_t r = 0;
    memcpy(segment->start, file->header.seed, 32);
    if (i > 0) {
        r = file->ends[i - 1];
        if (!chain_read(file, r++, &record))
            return false;
        memcpy(segment->start, record.hash, 32);
    }
    const uint64_t index = record.index;
    for (; r <= file->ends[i]; r++) {
        if (!chain_read(file, r, &record))
            return false;
        if (record.type == CELER_CHAIN_MIX)
            celer_chain_mix(segment->start, record.hash);
    }
    memcpy(segment->end, record.hash, 32);
    segment->steps = record.index - index;
    return true;
}

/* The lock keeps out other writers of ours, and nobody else. */
static int check_untouched(const struct chain_file *file)
{
    struct stat status;
    if (fstat(file->fd, &status) != 0)
        return fail(file, errno);
    if (status.st_nlink == 0)
        cli_error("%s: was removed while it was written", file->name);
    else if ((uint64_t)status.st_size != good_bytes(file))
        cli_error("%s: somebody else changed its length while it was written", file->name);
    else
        return 0;
    return -1;
}

int chain_append(struct chain_file *file, const struct celer_chain_record *records, size_t n)
{
    uint8_t bytes[CHAIN_APPEND_MAX * RECORD] = {0};
    for (size_t i = 0; i < n; i++)
        celer_chain_record_encode(bytes + i * RECORD, &records[i]);
    if (check_untouched(file) != 0 || write_at(file, bytes, n * RECORD, good_bytes(file)) != 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *const wrong = take(file, &records[i]);
        if (wrong != NULL)
            return damaged(file, file->records, wrong);
    }
    return 0;
}

int chain_sync(struct chain_file *file)
{
    const double start = clock_seconds();
    /* EINVAL: what it lies on has no such thing */
    if (fsync(file->fd) != 0 && errno != EINVAL)
        return fail(file, errno);
    file->synced = clock_seconds();
    file->sync_cost = file->synced - start;
    return 0;
}

int chain_sync_some(struct chain_file *file)
{
    const double wait = file->sync_cost > 1.0 / 200 ? 200 * file->sync_cost : 1;
    return clock_seconds() - file->synced < wait ? 0 : chain_sync(file);
}

void chain_close(struct chain_file *file)
{
    free(file->ends);
    file->ends = NULL;
    close(file->fd);
}
