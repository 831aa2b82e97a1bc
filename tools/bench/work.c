/* work.c: see work.h. */
#include "work.h"
#include <stdlib.h>
#include <string.h>
#include "crash.h"
#include "prng.h"
#include "reference.h"

const char fault_wrong[] = "its results are wrong", fault_idle[] = "it does nothing",
           fault_failed[] = "it says that it failed";
const char *const mode_names[MODE_COUNT] = {"throughput", "latency"};
const char *const operation_names[OPERATION_COUNT] = {"", "keygen", "encaps", "decaps"};

/* A message is a window on a text that is OFFSETS bytes longer. A loop over one place would measure the luck of that
   place: whether it straddles cache lines. */
#define OFFSETS    64
#define STEP       37   /* odd, so that every offset comes */
#define POOL_EXTRA 4096 /* texts are a random piece of the pool, which is as much longer */

/* Works in place, each call on what the one before left. */
static bool in_place(const struct task *t)
{
    return t->subject->kind == CELER_KIND_PERMUTATION || t->subject->kind == CELER_KIND_CHAIN;
}

static bool is_kem(const struct task *t)
{
    return t->subject->kind == CELER_KIND_KEM;
}

/* Bytes for each key. */
#define KEM_SEED   64
#define KEM_COINS  32
#define KEM_RANDOM (KEM_SEED + KEM_COINS)

static size_t text_len(const struct task *t)
{
    return (is_kem(t)                              ? KEM_RANDOM
            : t->subject->kind == CELER_KIND_CHAIN ? t->dst_len
                                                   : t->src_len) +
           OFFSETS;
}

/* Everything about keys lies where results do, because a result is checked with the keys that it is of. */
struct kem_places {
    uint8_t *ek, *dk, *ct, *ss, *check;
};

static struct kem_places kem_places(const struct task *t, uint8_t *at)
{
    struct kem_places p = {.ek = at};
    p.dk = p.ek + t->subject->run.kem.ek_len * t->ways;
    p.ct = p.dk + t->subject->run.kem.dk_len * t->ways;
    p.ss = p.ct + t->subject->run.kem.ct_len * t->ways;
    p.check = p.ss + (size_t)32 * t->ways;
    return p;
}

static size_t out_size(const struct task *t)
{
    if (is_kem(t))
        return (t->subject->run.kem.ek_len + t->subject->run.kem.dk_len + t->subject->run.kem.ct_len + 64) *
               t->ways;
    return t->dst_len * t->ways;
}

size_t task_bytes(const struct task *t)
{
    if (t->subject != NULL && t->subject->kind == CELER_KIND_CHAIN)
        return t->src_len * t->dst_len * t->ways;
    return t->src_len * t->ways;
}

size_t task_items(const struct task *t)
{
    return t->subject != NULL && t->subject->kind == CELER_KIND_CHAIN ? t->src_len * t->ways : t->ways;
}

const char *task_lack(const struct celer_subject *s, enum operation operation)
{
    if (s->kind != CELER_KIND_KEM)
        return NULL;
    if (s->run.kem.keygen == NULL)
        return operation_names[OPERATION_KEYGEN];
    if (operation != OPERATION_KEYGEN && s->run.kem.encaps == NULL)
        return operation_names[OPERATION_ENCAPS];
    return operation == OPERATION_DECAPS && s->run.kem.decaps == NULL ? operation_names[OPERATION_DECAPS]
                                                                      : NULL;
}

const char *task_open(struct task *t)
{
    const char *why = NULL;
    if (t->subject->open == NULL)
        return NULL;
    const struct celer_subject *const before = crash_subject(t->subject);
    const bool good = t->subject->open(t->subject, &t->state, &why) == 0;
    crash_subject(before);
    return good ? NULL : why != NULL ? why : "it cannot run here, and gives no reason";
}

void task_enter(const struct task *t)
{
    crash_subject(t->subject);
    if (t->subject->enter != NULL)
        t->subject->enter(t->subject, t->state);
}

void task_close(const struct task *t)
{
    crash_subject(t->subject);
    if (t->subject->close != NULL)
        t->subject->close(t->subject, t->state);
    crash_subject(NULL);
}

bool work_start(struct work *work, enum mode mode, uint64_t seed, const struct task *tasks, size_t n)
{
    size_t ways = 1, size = 64;
    memset(work, 0, sizeof *work);
    work->mode = mode;
    work->random = seed;
    work->out_size = 64;
    for (size_t i = 0; i < n; i++) {
        size = text_len(&tasks[i]) * tasks[i].ways > size ? text_len(&tasks[i]) * tasks[i].ways : size;
        work->out_size = out_size(&tasks[i]) > work->out_size ? out_size(&tasks[i]) : work->out_size;
        ways = tasks[i].ways > ways ? tasks[i].ways : ways;
    }
    work->in_size = (size + 63) / 64 * 64;
    work->out_size = (work->out_size + 63) / 64 * 64;
    const size_t pool_size = work->in_size + POOL_EXTRA;
    work->pool = malloc(pool_size);
    work->in = aligned_alloc(64, work->in_size);
    work->copy = malloc(work->in_size);
    work->expected = malloc(work->out_size);
    work->msgs = calloc(ways, sizeof *work->msgs);
    bool ok = work->pool != NULL && work->in != NULL && work->copy != NULL && work->expected != NULL &&
              work->msgs != NULL;
    for (size_t i = 0; i < WORK_BATCH; i++)
        ok &= (work->out[i] = aligned_alloc(64, work->out_size)) != NULL;
    for (size_t i = 0; ok && i < pool_size; i += 8) {
        const uint64_t r = prng_next(&work->random);
        memcpy(work->pool + i, &r, 8);
    }
    return ok;
}

void work_free(struct work *work)
{
    free(work->pool);
    free(work->in);
    free(work->copy);
    for (size_t i = 0; i < WORK_BATCH; i++)
        free(work->out[i]);
    free(work->expected);
    free(work->msgs);
    memset(work, 0, sizeof *work);
}

/* A pattern that no result has, so that a subject which writes none is found out. */
#define POISON 0xa5

static int kem_encaps(const struct task *t, uint8_t *ct, uint8_t *ss, const struct kem_places *p,
                      const uint8_t *coins)
{
    const struct celer_subject *const s = t->subject;
    return s->run.kem.encaps(s, t->state, ct, ss, s->run.kem.open_keys != NULL ? NULL : p->ek, coins);
}

static int kem_decaps(const struct task *t, uint8_t *ss, const struct kem_places *p)
{
    const struct celer_subject *const s = t->subject;
    return s->run.kem.decaps(s, t->state, ss, p->ct, s->run.kem.open_keys != NULL ? NULL : p->dk);
}

static int kem_open(const struct task *t, const struct kem_places *p)
{
    const struct celer_subject *const s = t->subject;
    return s->run.kem.open_keys != NULL ? s->run.kem.open_keys(s, t->state, p->ek, p->dk) : 0;
}

/* Keys and a ciphertext, by the subject itself, as far as the operation needs them. */
static void prepare_kem(struct work *work, const struct task *t, size_t i)
{
    const struct celer_subject *const s = t->subject;
    const struct kem_places p = kem_places(t, work->out[i]);
    memset(work->out[i], POISON, out_size(t));
    work->failed[i] = 0;
    if (t->operation == OPERATION_KEYGEN)
        return;
    work->failed[i] |= s->run.kem.keygen(s, t->state, p.ek, p.dk, work->in + work->offset);
    work->failed[i] |= kem_open(t, &p);
    if (t->operation == OPERATION_DECAPS)
        work->failed[i] |= kem_encaps(t, p.ct, p.check, &p, work->in + work->offset);
}

static void run_kem(struct work *work, const struct task *t, size_t i, size_t offset)
{
    const struct kem_places p = kem_places(t, work->out[i]);
    if (work->failed[i] != 0)
        return;
    switch (t->operation) {
    case OPERATION_KEYGEN:
        work->failed[i] = t->subject->run.kem.keygen(t->subject, t->state, p.ek, p.dk, work->in + offset);
        break;
    case OPERATION_ENCAPS:
        work->failed[i] = kem_encaps(t, p.ct, p.ss, &p, work->in + offset);
        break;
    default:
        work->failed[i] = kem_decaps(t, p.ss, &p);
        break;
    }
}

static bool is_poison(const uint8_t *at, size_t n)
{
    size_t i = 0;
    while (i < n && at[i] == POISON)
        i++;
    return i == n;
}

/* Whether `other` makes the same of one key, where `at` says, and of the same seed or coins. `rejected`, if not NULL, is
   the secret of the ciphertext with its first bit inverted. */
static bool same_kem(struct work *work, const struct task *t, const struct task *other,
                     const struct kem_places *at, const uint8_t *random, const uint8_t *rejected)
{
    const struct celer_subject *const s = other->subject;
    const struct kem_places own = kem_places(other, work->expected);
    switch (t->operation) {
    case OPERATION_KEYGEN:
        return s->run.kem.keygen(s, other->state, own.ek, own.dk, random) == 0 &&
               memcmp(own.ek, at->ek, s->run.kem.ek_len) == 0 &&
               memcmp(own.dk, at->dk, s->run.kem.dk_len) == 0;
    case OPERATION_ENCAPS:
        return kem_encaps(other, own.ct, own.ss, at, random) == 0 &&
               memcmp(own.ct, at->ct, s->run.kem.ct_len) == 0 && memcmp(own.ss, at->ss, 32) == 0;
    default:
        if (kem_decaps(other, own.ss, at) != 0 || memcmp(own.ss, at->ss, 32) != 0)
            return false;
        if (rejected == NULL)
            return true;
        at->ct[0] ^= 1;
        kem_decaps(other, own.ss, at);
        at->ct[0] ^= 1;
        return memcmp(own.ss, rejected, 32) == 0;
    }
}

/* Whether the last of so many calls left what another library makes of the same, key by key; also true when there is
   none. p.check is of ciphertexts the first of which had its first bit inverted. */
static bool kem_agrees(struct work *work, const struct task *t, size_t repeats, size_t i)
{
    const struct kem_places p = kem_places(t, work->out[i]);
    const size_t offset = (work->begin[i].offset + (repeats - 1) * STEP) % OFFSETS;
    const uint8_t *const random = work->pool + work->begin[i].place + offset;
    struct task other = {.ways = 1};
    other.subject = reference_kem(t->subject, &other.state);
    if (other.subject == NULL)
        return true;
    bool same = true;
    task_enter(&other);
    for (size_t w = 0; same && w < t->ways; w++) {
        const struct kem_places at = {.ek = p.ek + w * t->subject->run.kem.ek_len,
                                      .dk = p.dk + w * t->subject->run.kem.dk_len,
                                      .ct = p.ct + w * t->subject->run.kem.ct_len,
                                      .ss = p.ss + w * 32};
        same = same_kem(work, t, &other, &at,
                        random + w * (t->operation == OPERATION_KEYGEN ? KEM_SEED : KEM_COINS),
                        w == 0 ? p.check : NULL);
    }
    task_enter(t);
    return same;
}

/* By going there and back: what encaps and decaps share is equal, and is not when the ciphertext is another. */
static const char *check_return(struct work *work, const struct task *t, const struct kem_places *p)
{
    const size_t ss_len = (size_t)32 * t->ways;
    if (t->operation == OPERATION_KEYGEN &&
        (kem_open(t, p) != 0 || kem_encaps(t, p->ct, p->ss, p, work->in + work->offset) != 0))
        return fault_failed;
    kem_open(t, p); /* again: when only one ciphertext in a row is right, the other is not */
    if (t->operation != OPERATION_DECAPS) {
        memset(p->check, POISON, ss_len);
        if (kem_decaps(t, p->check, p) != 0)
            return fault_failed;
    }
    if (memcmp(p->ss, p->check, ss_len) != 0 || is_poison(p->ss, ss_len))
        return fault_wrong;
    p->ct[0] ^= 1;
    kem_decaps(t, p->check, p);
    p->ct[0] ^= 1;
    return memcmp(p->ss, p->check, 32) != 0 ? NULL : fault_wrong;
}

/* In that way, where the subject has both; and by another library, where there is one. */
static const char *check_kem(struct work *work, const struct task *t, size_t repeats, size_t i)
{
    const struct kem_places p = kem_places(t, work->out[i]);
    if (work->failed[i] != 0)
        return fault_failed;
    if (t->operation == OPERATION_KEYGEN ? is_poison(p.ek, (size_t)(p.ct - p.ek))
                                         : is_poison(p.ss, (size_t)32 * t->ways))
        return fault_idle;
    const bool returns = t->subject->run.kem.encaps != NULL && t->subject->run.kem.decaps != NULL;
    const char *const fault = returns ? check_return(work, t, &p) : NULL;
    return fault != NULL ? fault : kem_agrees(work, t, repeats, i) ? NULL : fault_wrong;
}

void work_prepare(struct work *work, const struct task *t, size_t i)
{
    work->begin[i].place = prng_below(&work->random, POOL_EXTRA);
    work->begin[i].offset = work->offset = prng_below(&work->random, OFFSETS);
    const uint8_t *const text = work->pool + work->begin[i].place;
    if (in_place(t)) {
        memcpy(work->out[i], text, out_size(t));
        return;
    }
    memcpy(work->in, text, text_len(t) * t->ways);
    if (is_kem(t)) {
        prepare_kem(work, t, i);
        return;
    }
    for (uint32_t w = 0; w < t->ways; w++)
        work->msgs[w].len = t->src_len;
    memset(work->out[i], POISON, out_size(t));
}

static size_t next_offset(size_t offset)
{
    return (offset + STEP) % OFFSETS;
}

/* In latency mode each call has to wait for the one before: its result is written over the next input. */
static void feed_back(const struct task *t, uint8_t *in, const uint8_t *out, size_t offset)
{
    const size_t n = t->dst_len < t->src_len ? t->dst_len : t->src_len;
    for (uint32_t w = 0; w < t->ways; w++)
        memcpy(in + w * text_len(t) + offset, out + w * t->dst_len, n);
}

static void run_many(struct work *work, const struct task *t, uint8_t *out, size_t offset)
{
    for (uint32_t w = 0; w < t->ways; w++)
        work->msgs[w].data = work->in + w * text_len(t) + offset;
    t->subject->run.many(t->subject, t->state, out, t->dst_len, work->msgs, t->ways);
}

/* Calls go through a pointer that the compiler knows nothing of, so none of them can be left out. */
void work_run(struct work *work, const struct task *t, size_t repeats, size_t i)
{
    const struct celer_subject *const self = t->subject;
    uint8_t *const out = work->out[i];
    const bool latency = work->mode == MODE_LATENCY;
    size_t offset = work->offset;
    if (self->kind == CELER_KIND_PERMUTATION) {
        self->run.permutation(self, t->state, (uint64_t *)(void *)out, repeats);
        return;
    }
    for (; repeats > 0; repeats--) {
        switch (self->kind) {
        case CELER_KIND_HASH:
            self->run.hash(self, t->state, out, work->in + offset, t->src_len);
            break;
        case CELER_KIND_XOF:
            self->run.xof(self, t->state, out, t->dst_len, work->in + offset, t->src_len);
            break;
        case CELER_KIND_MANY:
            run_many(work, t, out, offset);
            break;
        case CELER_KIND_CHAIN:
            self->run.chain(self, t->state, (uint8_t(*)[32])(void *)out, t->src_len);
            continue;
        case CELER_KIND_KEM:
            run_kem(work, t, i, offset);
            offset = next_offset(offset);
            continue;
        default:
            break;
        }
        offset = next_offset(offset);
        if (latency)
            feed_back(t, work->in, out, offset);
    }
}

/* work->expected = what the calls have to leave; false when there is nobody to say. */
static bool expect(struct work *work, const struct task *t, size_t repeats, size_t i)
{
    const uint8_t *const text = work->pool + work->begin[i].place;
    size_t offset = work->begin[i].offset;
    crash_subject(NULL); /* from here on others compute */
    if (t->subject->kind == CELER_KIND_CHAIN)
        return reference_chain(t->subject->function, work->expected, text, t->ways,
                               (uint64_t)t->src_len * repeats);
    if (t->subject->kind == CELER_KIND_PERMUTATION)
        return reference_permutation(t->subject->function, work->expected, text, t->ways, repeats);
    memcpy(work->copy, text, text_len(t) * t->ways);
    for (; repeats > 0; repeats--) {
        const bool wanted =
            work->mode == MODE_LATENCY || repeats == 1; /* else only the last call leaves a trace */
        for (uint32_t w = 0; wanted && w < t->ways; w++)
            if (!reference_result(t->subject, work->expected + w * t->dst_len, t->dst_len,
                                  work->copy + w * text_len(t) + offset, t->src_len))
                return false;
        offset = next_offset(offset);
        if (work->mode == MODE_LATENCY)
            feed_back(t, work->copy, work->expected, offset);
    }
    return true;
}

static bool does_nothing(const struct work *work, const struct task *t, const uint8_t *got, size_t i)
{
    if (in_place(t))
        return memcmp(got, work->pool + work->begin[i].place, out_size(t)) == 0;
    return is_poison(got, out_size(t));
}

const char *work_check(struct work *work, const struct task *t, size_t repeats, size_t i)
{
    if (is_kem(t))
        return check_kem(work, t, repeats, i);
    if (!expect(work, t, repeats, i)) /* unverified, which is said elsewhere */
        return does_nothing(work, t, work->out[i], i) ? fault_idle : NULL;
    if (memcmp(work->out[i], work->expected, out_size(t)) == 0)
        return NULL;
    return does_nothing(work, t, work->out[i], i) ? fault_idle : fault_wrong;
}
