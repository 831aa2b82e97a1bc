/* test_chain_file.c: files of `celer chain` that were forged, flipped, cut off, or left by a process that was killed. The
   command runs in this process, and the linker can break the machine under it. */
#include "support.h"
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "chain/chain.h"
#include "cli.h"

enum {
    HEADER = CELER_CHAIN_HEADER_LEN,
    RECORD = CELER_CHAIN_RECORD_LEN,
    LARGEST = 1 << 20,
    MOST_ARGUMENTS = 16
};

void __real_celer_chain_step_many(uint8_t (*hash)[32], const uint64_t *n, size_t count);
void __wrap_celer_chain_step_many(uint8_t (*hash)[32], const uint64_t *n, size_t count);
void __real_celer_sha256_chain(uint8_t hash[32], uint64_t n);
void __wrap_celer_sha256_chain(uint8_t hash[32], uint64_t n);

static bool broken_many, broken_one;
static _Atomic size_t most_at_once; /* chains in a call */

void __wrap_celer_chain_step_many(uint8_t (*hash)[32], const uint64_t *n, size_t count)
{
    if (count > most_at_once)
        most_at_once = count;
    __real_celer_chain_step_many(hash, n, count);
    if (broken_many)
        hash[count - 1][0]++; /* in another call it would be flipped back */
}

void __wrap_celer_sha256_chain(uint8_t hash[32], uint64_t n)
{
    __real_celer_sha256_chain(hash, n);
    if (broken_one)
        hash[0] ^= 1;
}

static char folder[64], path[128], out_path[128], err_path[128];
static char out[65536], err[4096]; /* what the last command printed */

static const char seed[] = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

static void read_back(char *text, size_t size, int fd)
{
    const ssize_t got = pread(fd, text, size - 1, 0);
    text[got > 0 ? got : 0] = 0;
    close(fd);
}

/* Runs `celer chain VERB path ARGUMENT...`, the last of which is NULL; returns the exit code. */
static int chain(const char *verb, ...)
{
    char *argv[MOST_ARGUMENTS] = {"chain", (char *)(uintptr_t)verb, path};
    int argc = 3;
    va_list args;
    va_start(args, verb);
    while ((argv[argc] = va_arg(args, char *)) != NULL)
        argc++;
    va_end(args);
    fflush(NULL);
    const int output = dup(STDOUT_FILENO), errors = dup(STDERR_FILENO);
    const int to = open(out_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    const int errors_to = open(err_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(to, STDOUT_FILENO);
    dup2(errors_to, STDERR_FILENO);
    optind = 0;
    const int code = cmd_chain(argc, argv);
    fflush(NULL);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close(output);
    close(errors);
    read_back(out, sizeof out, to);
    read_back(err, sizeof err, errors_to);
    return code;
}

struct image {
    size_t size;
    uint8_t bytes[LARGEST];
};

static void load(struct image *image)
{
    FILE *const f = fopen(path, "rb");
    assert_non_null(f);
    image->size = fread(image->bytes, 1, LARGEST, f);
    assert_true(image->size < LARGEST);
    fclose(f);
}

static void store(const struct image *image, size_t size)
{
    FILE *const f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(image->bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* The CRC32C that belongs to the other bytes of a header. */
static void mend_crc(uint8_t header[HEADER])
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < 8 * (HEADER - 4); i++) {
        crc ^= header[i / 8] >> i % 8 & 1;
        crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
    }
    for (size_t i = 0; i < 4; i++)
        header[HEADER - 4 + i] = (uint8_t)(~crc >> 8 * i);
}

static bool is_stored(const struct image *image, size_t size)
{
    static struct image now;
    load(&now);
    return now.size == size && memcmp(now.bytes, image->bytes, size) == 0;
}

/* The record'th of that type in a file; bytes at *record. */
static bool find(const struct image *image, uint32_t type, size_t nth, size_t *at,
                 struct celer_chain_record *record)
{
    for (*at = HEADER; *at + RECORD <= image->size; *at += RECORD) {
        assert_int_equal(celer_chain_record_decode(record, image->bytes + *at), CELER_OK);
        if (record->type == type && nth-- == 0)
            return true;
    }
    return false;
}

/* Another value in the nth checkpoint, with the CRC that belongs to it. */
static void forge(struct image *image, size_t nth)
{
    struct celer_chain_record record;
    size_t at;
    assert_true(find(image, CELER_CHAIN_CHECKPOINT, nth, &at, &record));
    record.hash[nth % 32] ^= 4;
    celer_chain_record_encode(image->bytes + at, &record);
}

static void fresh(const char *segment)
{
    unlink(path);
    assert_int_equal(chain("new", "--seed", seed, "--segment", segment, NULL), EXIT_GOOD);
}

/* A file with everything in it: runs, mix-ins with and without labels, segments of several lengths. Its last run was to
   end at step 60. */
static void make_small(struct image *image)
{
    fresh("7");
    assert_int_equal(chain("mix", "--text", "before", NULL), EXIT_GOOD);
    assert_int_equal(chain("run", "-n", "20", NULL), EXIT_GOOD);
    assert_int_equal(chain("mix", "--text", "a", "--label", "a label of more than 32 bytes of text", NULL),
                     EXIT_GOOD);
    assert_int_equal(chain("mix", "--text", "b", NULL), EXIT_GOOD);
    assert_int_equal(chain("run", "-n", "40", NULL), EXIT_GOOD);
    load(image);
}

/* Processes that take part one after the other; the first of them is the last, and has what the others found. */
static struct chain_result results[3];

static void collect(const struct chain_result *mine, struct chain_result *all)
{
    results[chain_ranks.rank] = *mine;
    for (int i = 0; i < chain_ranks.size; i++)
        all[i] = chain_ranks.rank == 0 ? results[i] : *mine;
}

static bool ready(void)
{
    return true;
}

static int verify_shared(const char *range, int processes)
{
    const struct chain_ranks alone = chain_ranks;
    int code = -1;
    chain_ranks = (struct chain_ranks){processes, processes, ready, collect};
    while (chain_ranks.rank-- > 0)
        code = chain("verify", "-f", "json", "--threads", "1", "--range", range, NULL);
    chain_ranks = alone;
    return code;
}

/* The verdict as JSON, the same whatever the number of threads or processes. Returns the exit code. */
static int verify(const char *range)
{
    static char first[sizeof out];
    char threads[2] = "1";
    const int code = chain("verify", "-f", "json", "--threads", threads, "--range", range, NULL);
    memcpy(first, out, sizeof out);
    for (int i = 2; i <= 7; i++) {
        threads[0] = (char)('0' + i);
        const int again = i <= 4 ? chain("verify", "-f", "json", "--threads", threads, "--range", range, NULL)
                                 : verify_shared(range, i - 4);
        check(code == again && strcmp(first, out) == 0, "%s, %d: %d, %s after %d, %s", range, i, again, out,
              code, first);
    }
    return code;
}

static bool says(const char *key, size_t value)
{
    char text[64];
    snprintf(text, sizeof text, "\"%s\":%zu,", key, value);
    const size_t n = strlen(text);
    if (strstr(out, text) != NULL)
        return true;
    text[n - 1] = '}';
    return strstr(out, text) != NULL;
}

/* Something is bad that is not a segment. */
static bool says_reason(const char *reason, size_t index)
{
    char text[128];
    snprintf(text, sizeof text, "\"reason\":\"%s\",\"bad_segment\":null,\"bad_index\":%zu}", reason, index);
    return strstr(out, text) != NULL;
}

static struct image good, bad;

/* What the file says is what a chain is, step by step. */
static void test_values(void **state)
{
    (void)state;
    uint8_t value[32], payload[32];
    for (size_t i = 0; i < 32; i++)
        value[i] = (uint8_t)i;
    make_small(&good);
    uint64_t steps = 0;
    for (size_t at = HEADER; at < good.size; at += RECORD) {
        struct celer_chain_record record;
        assert_int_equal(celer_chain_record_decode(&record, good.bytes + at), CELER_OK);
        for (; steps < record.index; steps++)
            celer_sha256(value, value, 32);
        if (record.type == CELER_CHAIN_MIX) {
            struct celer_sha256 ctx;
            celer_sha256_init(&ctx);
            celer_sha256_update(&ctx, value, 32);
            celer_sha256(payload,
                         &"before\0a\0b\0"[steps == 0               ? 0
                                           : record.hash[0] == 0xca ? 7
                                                                    : 9],
                         steps == 0 ? 6 : 1);
            check_bytes(record.hash, payload, 32, "payload");
            celer_sha256_update(&ctx, payload, 32);
            celer_sha256_final(&ctx, value);
        }
        if (record.type == CELER_CHAIN_CHECKPOINT || record.type == CELER_CHAIN_FINAL)
            check_bytes(record.hash, value, 32, "value at %llu", (unsigned long long)record.index);
    }
    assert_int_equal(steps, 60);
    assert_int_equal(verify(":"), EXIT_GOOD);
    assert_true(says("steps", 60) && says("segments", 9));
    assert_non_null(strstr(out, "\"proof\":true"));
}

/* A wrong value makes two segments wrong, the one it ends and the one it begins; the first, the middle, the last. */
static void test_forged(void **state)
{
    (void)state;
    make_small(&good);
    for (size_t i = 0; i < 9; i++) {
        bad = good;
        forge(&bad, i);
        store(&bad, bad.size);
        assert_int_equal(verify(":"), EXIT_NEGATIVE);
        check(says("bad_segment", i), "forged %zu: %s", i, out);
        assert_true(is_stored(&bad, bad.size));
    }
}

/* 100 random ranges of a file with some wrong values, by 1 to 4 threads and 1 to 3 processes. */
static void test_ranges(void **state)
{
    (void)state;
    enum { SEGMENTS = 100 };
    struct rng rng = {1};
    fresh("50");
    assert_int_equal(chain("run", "-n", "5000", NULL), EXIT_GOOD);
    load(&good);
    for (size_t round = 0; round < 100; round++) {
        bool wrong[SEGMENTS + 1] = {false};
        bad = good;
        for (size_t i = rng_below(&rng, 4); i > 0; i--) {
            const size_t at = rng_below(&rng, SEGMENTS);
            if (wrong[at] || wrong[at + 1])
                continue; /* forged twice is forged back */
            forge(&bad, at);
            wrong[at] = wrong[at + 1] = true;
        }
        store(&bad, bad.size);
        const size_t begin = rng_below(&rng, SEGMENTS), end = begin + 1 + rng_below(&rng, SEGMENTS - begin);
        size_t lowest = begin;
        while (lowest < end && !wrong[lowest])
            lowest++;
        const bool valid = lowest >= end && !wrong[SEGMENTS], computed = lowest >= begin && lowest < end;
        char range[64];
        snprintf(range, sizeof range, "%zu:%zu", begin, end);
        const int code = verify(range);
        check(code == (valid ? EXIT_GOOD : EXIT_NEGATIVE) && (!computed || says("bad_segment", lowest)),
              "round %zu, range %s, lowest %zu: %d, %s", round, range, lowest, code, out);
        /* the last checkpoint is what the final record repeats, wherever one looks */
        check(valid || computed || says_reason("final-record", 50 * SEGMENTS), "round %zu: %s", round, out);
    }
}

/* What one thread finds at once does not hide what another one finds later, further down. */
static void test_slow_and_low(void **state)
{
    (void)state;
    enum { SLOW = 16, SEGMENTS = 96 };
    struct celer_chain_record record = {.type = CELER_CHAIN_CHECKPOINT};
    fresh("100k");
    load(&bad);
    for (size_t i = 0; i < 32; i++)
        record.hash[i] = (uint8_t)i;
    for (size_t i = 0; i < SEGMENTS; i++) {
        const uint64_t steps = i < SLOW ? 100000 : 1;
        celer_sha256_chain(record.hash, steps);
        record.index += steps;
        celer_chain_record_encode(bad.bytes + bad.size, &record);
        bad.size += RECORD;
    }
    forge(&bad, SEGMENTS / 2);
    forge(&bad, 5);
    store(&bad, bad.size);
    assert_int_equal(verify("0:"), EXIT_NEGATIVE);
    check(says("bad_segment", 5), "%s", out);
}

/* No byte of a file can change without being noticed, and nothing is mended but the last record. */
static void test_flipped(void **state)
{
    (void)state;
    struct rng rng = {2};
    make_small(&good);
    for (size_t at = 0; at < good.size; at++) {
        bad = good;
        bad.bytes[at] ^= (uint8_t)(1 + rng_below(&rng, 255));
        store(&bad, bad.size);
        const int code = chain("verify", "--threads", "1", NULL);
        check(code == EXIT_NEGATIVE || code == EXIT_TROUBLE, "byte %zu: exit code %d", at, code);
        assert_true(is_stored(&bad, bad.size));
        if (at < good.size - RECORD) {
            assert_int_equal(chain("resume", NULL), EXIT_TROUBLE);
            assert_int_equal(chain("run", "-n", "1", NULL), EXIT_TROUBLE);
            assert_int_equal(chain("mix", "--text", "x", NULL), EXIT_TROUBLE);
            check(is_stored(&bad, bad.size), "byte %zu: the file was changed", at);
        }
    }
}

/* Cut off anywhere, resume comes to where the run was to end, but for what needs what is lost. */
static void test_cut_off(void **state)
{
    (void)state;
    struct celer_chain_record last_run;
    size_t run_at;
    make_small(&good);
    assert_true(find(&good, CELER_CHAIN_RESUME, 1, &run_at, &last_run));
    for (size_t size = 0; size < good.size; size++) {
        store(&good, size);
        const bool torn = size < HEADER || (size - HEADER) % RECORD != 0;
        const int code = chain("verify", "--threads", "1", NULL);
        check(code == EXIT_TROUBLE || (code == EXIT_GOOD && !torn), "%zu bytes: exit code %d", size, code);
        assert_true(is_stored(&good, size));
        if (torn) { /* nobody else mends it */
            assert_int_equal(chain("run", "-n", "1", NULL), EXIT_TROUBLE);
            assert_true(is_stored(&good, size));
        }
        const int resumed = chain("resume", NULL);
        check(resumed == (size < HEADER ? EXIT_TROUBLE : EXIT_GOOD), "%zu bytes: resume: %d", size, resumed);
        if (size < HEADER) {
            assert_true(is_stored(&good, size));
        } else if (size >= run_at + RECORD) {
            static struct image now;
            load(&now);
            check_bytes(now.bytes + now.size - RECORD, good.bytes + good.size - RECORD, RECORD, "%zu bytes",
                        size);
            assert_int_equal(chain("verify", NULL), EXIT_GOOD);
        } else if (size >= HEADER + 5 * RECORD) {
            assert_int_equal(chain("verify", NULL), EXIT_GOOD);
        }
    }
}

/* What a power loss leaves: zeros, any number of them. Something else behind a torn record is damage. */
static void test_zeros_behind(void **state)
{
    (void)state;
    make_small(&good);
    for (size_t zeros = 1; zeros < 200000; zeros += zeros < 2000 ? 97 : 60000) {
        bad = good;
        memset(bad.bytes + bad.size, 0, zeros);
        store(&bad, bad.size + zeros);
        assert_int_equal(chain("verify", NULL), EXIT_TROUBLE);
        assert_int_equal(chain("resume", NULL), EXIT_GOOD);
        assert_true(is_stored(&good, good.size));
        if (zeros > RECORD) {
            bad.bytes[bad.size + rng_below(&(struct rng){zeros}, RECORD)] = 1;
            store(&bad, bad.size + zeros);
            assert_int_equal(chain("resume", NULL), EXIT_TROUBLE);
            assert_true(is_stored(&bad, bad.size + zeros));
        }
    }
}

/* Records that no run writes, each with a right CRC. */
static void test_nonsense(void **state)
{
    (void)state;
    static const struct {
        uint32_t type;
        int64_t index; /* from where the chain is */
        uint8_t first;
    } nonsense[] = {
        {CELER_CHAIN_CHECKPOINT, 0, 0},
        {CELER_CHAIN_CHECKPOINT, 8, 0},
        {CELER_CHAIN_CHECKPOINT, -1, 0},
        {CELER_CHAIN_MIX, 1, 0},
        {CELER_CHAIN_MIX, -1, 0},
        {CELER_CHAIN_RESUME, 0, 60},
        {CELER_CHAIN_RESUME, 1, 0},
        {CELER_CHAIN_FINAL, 1, 0},
        {CELER_CHAIN_LABEL, 1, 'x'},
        {0, 0, 0},
        {6, 0, 0},
        {UINT32_MAX, 0, 0},
    };
    make_small(&good);
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        const struct celer_chain_record record = {.index = (uint64_t)(60 + nonsense[i].index),
                                                  .type = nonsense[i].type,
                                                  .hash = {nonsense[i].first}};
        bad = good;
        celer_chain_record_encode(bad.bytes + bad.size, &record);
        bad.size += RECORD;
        store(&bad, bad.size);
        check(chain("verify", NULL) == EXIT_TROUBLE, "case %zu", i);
        assert_int_equal(chain("resume", NULL), EXIT_TROUBLE);
        assert_true(is_stored(&bad, bad.size));
    }
    for (size_t labels = 1; labels <= 6; labels++) { /* without a mix-in; five are too many */
        bad = good;
        for (size_t i = 0; i < labels; i++, bad.size += RECORD)
            celer_chain_record_encode(bad.bytes + bad.size,
                                      &(struct celer_chain_record){60, CELER_CHAIN_LABEL, {'x'}});
        store(&bad, bad.size);
        assert_int_equal(chain("verify", NULL), EXIT_TROUBLE);
        assert_int_equal(chain("resume", NULL), labels <= 4 ? EXIT_GOOD : EXIT_TROUBLE);
        assert_true(labels <= 4 ? is_stored(&good, good.size) : is_stored(&bad, bad.size));
    }
}

/* Both ends are held on to: what the file claims at its end, and what the user knows. */
static void test_ends(void **state)
{
    (void)state;
    char final[65], other[65];
    make_small(&good);
    assert_int_equal(chain("verify", NULL), EXIT_GOOD);
    memcpy(final, strstr(out, "final ") + 6, 64);
    final[64] = 0;
    assert_int_equal(chain("verify", "--seed", seed, "--final", final, NULL), EXIT_GOOD);
    memcpy(other, final, 65);
    other[63] = other[63] == '0' ? '1' : '0';
    assert_int_equal(chain("verify", "-f", "json", "--final", other, NULL), EXIT_NEGATIVE);
    check(says_reason("final", 60), "%s", out);
    assert_int_equal(chain("verify", "-f", "json", "--seed", other, "--final", other, NULL), EXIT_NEGATIVE);
    check(says_reason("seed", 0), "%s", out);
    bad = good;
    forge(&bad, 5); /* which comes before the end */
    store(&bad, bad.size);
    assert_int_equal(chain("verify", "-f", "json", "--final", other, NULL), EXIT_NEGATIVE);
    assert_non_null(strstr(out, "\"reason\":\"segment\",\"bad_segment\":5,"));
    for (size_t i = 0; i < 2; i++) { /* of three mix-ins and two runs */
        struct celer_chain_record record;
        size_t at;
        bad = good;
        assert_true(find(&bad, CELER_CHAIN_FINAL, 1 + 3 * i, &at, &record));
        record.hash[0] ^= 1;
        celer_chain_record_encode(bad.bytes + at, &record);
        store(&bad, bad.size);
        assert_int_equal(verify(":"), EXIT_NEGATIVE);
        check(says_reason("final-record", i == 0 ? 20 : 60), "%s", out);
    }
    /* A chain of another seed, with a header of its own. */
    struct celer_chain_header header;
    bad = good;
    assert_int_equal(celer_chain_header_decode(&header, bad.bytes), CELER_OK);
    header.seed[0] ^= 1;
    celer_chain_header_encode(bad.bytes, &header);
    store(&bad, bad.size);
    assert_int_equal(verify(":"), EXIT_NEGATIVE);
    assert_true(says_reason("final-record", 0)); /* of the first mix-in */
}

/* A header that is whole, and cannot be, is refused for what is wrong with it. */
static void test_strange_header(void **state)
{
    (void)state;
    static const struct {
        uint64_t segment;
        uint32_t context_len;
        uint8_t behind;
        const char *message;
    } strange[] = {{0, 0, 0, "the header says that segments have 0 steps"},
                   {UINT64_C(1) << 63, 0, 0,
                    "segments have 9223372036854775808 steps, and they may have 9223372036854775807"},
                   {7, 449, 0, "the header says that the context has 449 bytes, and it may have 448"},
                   {7, 3, 1, "the header holds bytes other than zero behind the context"}};
    make_small(&good);
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        bad = good;
        for (size_t j = 0; j < 8; j++)
            bad.bytes[48 + j] = (uint8_t)(strange[i].segment >> 8 * j);
        for (size_t j = 0; j < 4; j++)
            bad.bytes[56 + j] = (uint8_t)(strange[i].context_len >> 8 * j);
        bad.bytes[60 + 447] = strange[i].behind;
        mend_crc(bad.bytes);
        store(&bad, bad.size);
        assert_int_equal(chain("verify", NULL), EXIT_TROUBLE);
        check(strstr(err, strange[i].message) != NULL, "case %zu: %s", i, err);
        assert_true(is_stored(&bad, bad.size));
    }
}

/* A label of a file may be anything; on a terminal it is no command. U+009B is one, e with an accent is none. */
static void test_strange_label(void **state)
{
    (void)state;
    const struct celer_chain_record records[] = {
        {0, CELER_CHAIN_LABEL, "\33[2J \302\2332J \303\251"},
        {0, CELER_CHAIN_MIX, {0}},
    };
    fresh("7");
    load(&good);
    for (size_t i = 0; i < 2; i++, good.size += RECORD)
        celer_chain_record_encode(good.bytes + good.size, &records[i]);
    store(&good, good.size);
    assert_int_equal(chain("export", "-f", "csv", NULL), EXIT_GOOD);
    check(strstr(out, ",\"?[2J ??2J \303\251\"\n") != NULL, "%s", out);
}

/* Wrong: a number that some reader of JSON takes for a negative one. */
static void test_largest_index(void **state)
{
    (void)state;
    struct celer_chain_record record = {.index = CELER_CHAIN_INDEX_MAX, .type = CELER_CHAIN_CHECKPOINT};
    fresh("9223372036854775807");
    load(&good);
    celer_chain_record_encode(good.bytes + good.size, &record);
    good.size += RECORD;
    store(&good, good.size);
    assert_int_equal(chain("info", NULL), EXIT_GOOD);
    assert_non_null(strstr(out, "steps     9223372036854775807\n"));
    assert_int_equal(chain("run", "-n", "1", NULL), EXIT_TROUBLE);
    check(strstr(err, "no more than 0 steps go on from here") != NULL, "%s", err);
    assert_int_equal(chain("run", "--seconds", "0.01", NULL), EXIT_TROUBLE);
    assert_true(is_stored(&good, good.size));
    record.index++;
    celer_chain_record_encode(good.bytes + good.size, &record);
    store(&good, good.size + RECORD);
    assert_int_equal(chain("info", NULL), EXIT_TROUBLE);
    check(strstr(err, "has an index that no chain reaches") != NULL, "%s", err);
}

/* Lanes of the widest code that this CPU runs. */
static size_t widest(void)
{
    size_t lanes = 1;
    const struct celer_backend *row;
    for (size_t i = 0; (row = celer_kernel_row(celer_sha256_chain_kernel(), i)) != NULL; i++)
        if (row->ways > lanes && celer_kernel_choice(celer_sha256_chain_kernel(), row->ways) != NULL)
            lanes = row->ways;
    return lanes;
}

/* Wrong: one thread that takes all segments of a chain that has few, or leaves lanes empty that it could fill. */
static void test_threads_share(void **state)
{
    (void)state;
    static const struct {
        const char *steps, *threads;
        size_t share;
    } cases[] = {{"2", "2", 1}, {"16", "2", 8}, {"16", "4", 4}, {"5", "2", 3}, {"3", "8", 1}};
    const size_t lanes = widest();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fresh("1");
        assert_int_equal(chain("run", "-n", cases[i].steps, NULL), EXIT_GOOD);
        most_at_once = 0;
        assert_int_equal(chain("verify", "--threads", cases[i].threads, NULL), EXIT_GOOD);
        const size_t share = cases[i].share;
        check(most_at_once <= share && most_at_once >= (share < lanes ? share : lanes),
              "case %zu: %zu at once, of %zu, in %zu lanes", i, most_at_once, share, lanes);
    }
}

/* Wrong: a good proof called invalid by a machine that cannot compute, or a chain made by one. */
static void test_broken_machine(void **state)
{
    (void)state;
    make_small(&good);
    broken_many = true;
    most_at_once = 0;
    assert_int_equal(chain("verify", "-f", "json", "--threads", "1", NULL), EXIT_TROUBLE);
    const size_t last = most_at_once - 1; /* of the first call, which has no fewer than others */
    assert_non_null(strstr(out, "\"verdict\":\"backend-failure\""));
    check(says("bad_segment", last), "%zu: %s", last, out);
    bad = good;
    forge(&bad, last);
    store(&bad, bad.size);
    assert_int_equal(chain("verify", "-f", "json", "--threads", "1", NULL), EXIT_NEGATIVE);
    assert_non_null(strstr(out, "\"verdict\":\"invalid\""));
    broken_many = false;
    broken_one = true;
    store(&good, good.size);
    assert_int_equal(chain("run", "-n", "100", NULL), EXIT_TROUBLE);
    assert_true(is_stored(&good, good.size));
}

static int mend(void **state)
{
    (void)state;
    broken_many = broken_one = false;
    return 0;
}

/* Starts `run` or `resume` in a process of its own and kills it. */
static void killed(const char *verb, const char *count, unsigned microseconds)
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        if (count != NULL)
            chain(verb, "-n", count, NULL);
        else
            chain(verb, NULL);
        _exit(0);
    }
    usleep(microseconds);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* A part of a record more. */
static void tear(size_t n)
{
    const uint8_t bytes[RECORD] = {1, 2, 3, 4};
    const int fd = open(path, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, bytes, n), n);
    assert_int_equal(close(fd), 0);
}

/* Killed 50 times, at any byte, and the end is what it would have been. All that was written before stays. */
static void test_killed(void **state)
{
    (void)state;
    enum { STEPS = 2000000 };
    struct rng rng = {3};
    uint8_t value[32];
    struct stat before, after;
    char count[32], hex[65];
    for (size_t i = 0; i < 32; i++)
        value[i] = (uint8_t)i;
    celer_sha256_chain(value, STEPS);
    for (size_t i = 0; i < 32; i++)
        snprintf(hex + 2 * i, 3, "%02x", value[i]);
    fresh("200");
    snprintf(count, sizeof count, "%d", STEPS);
    killed("run", count, 3000);
    for (size_t i = 1; i < 50; i++) {
        assert_int_equal(stat(path, &before), 0);
        const off_t whole = HEADER + (before.st_size - HEADER) / RECORD * RECORD;
        if (before.st_size == whole) /* seldom it was torn anyway, between two pages */
            tear(rng_below(&rng, RECORD));
        if (before.st_size > HEADER + RECORD) {
            killed("resume", NULL, (unsigned)rng_below(&rng, 4000));
        } else { /* it had not begun */
            assert_int_equal(truncate(path, whole), 0);
            killed("run", count, (unsigned)rng_below(&rng, 4000));
        }
        assert_int_equal(stat(path, &after), 0);
        assert_true(after.st_size >= whole);
    }
    assert_int_equal(chain("resume", NULL), EXIT_GOOD);
    assert_non_null(strstr(out, count));
    check(strstr(out, hex) != NULL, "%s is not %s", out, hex);
    assert_int_equal(chain("verify", "--final", hex, NULL), EXIT_GOOD);
}

static int clean_up(void **state)
{
    (void)state;
    unlink(path);
    unlink(out_path);
    unlink(err_path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),         cmocka_unit_test(test_forged),
        cmocka_unit_test(test_ranges),         cmocka_unit_test(test_slow_and_low),
        cmocka_unit_test(test_flipped),        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_zeros_behind),   cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_ends),           cmocka_unit_test_teardown(test_broken_machine, mend),
        cmocka_unit_test(test_strange_header), cmocka_unit_test(test_threads_share),
        cmocka_unit_test(test_killed),         cmocka_unit_test(test_largest_index),
        cmocka_unit_test(test_strange_label),
    };
    /* In memory, if possible: here it is no matter what a disk takes. */
    snprintf(folder, sizeof folder, "%s/celer-chain-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/chain", folder);
    snprintf(out_path, sizeof out_path, "%s/out", folder);
    snprintf(err_path, sizeof err_path, "%s/err", folder);
    cli_start("chain");
    return cmocka_run_group_tests_name("chain/file", tests, NULL, clean_up);
}
