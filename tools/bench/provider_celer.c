/* provider_celer.c: celer's own code as a provider. Loops over the list of hashes, that of KEMs, the widths of the
   permutation and those of the hash chain, each over the rows of the kernel below; so a new hash or backend is measured
   without a word here. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "celer/celer.h"
#include "providers.h"

#define TEXT(x)         #x
#define DOTTED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)
#if defined(__clang__)
#  define COMPILER "clang " DOTTED(__clang_major__, __clang_minor__, __clang_patchlevel__)
#elif defined(__GNUC__)
#  define COMPILER "gcc " DOTTED(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#else
#  define COMPILER ""
#endif

/* What a subject of ours runs: behind its arg. */
struct own {
    const struct celer_hash *hash;
    const struct one_shot *one_shot; /* NULL: through the functions of hash.h */
    const struct celer_kem *kem;
    void (*permute)(uint64_t *states);
    void (*chain)(uint8_t (*hash)[32], uint64_t n);
    uint32_t mask;
};

static void own_enter(const struct celer_subject *self, void *state)
{
    const struct own *own = self->arg;
    (void)state;
    celer_cpu_mask(own->mask);
}

static void own_close(const struct celer_subject *self, void *state)
{
    (void)self, (void)state;
    celer_cpu_mask(CELER_CPU_AUTO);
}

/* --- Functions with a type of their own, which is what programs call that know their hash --- */

struct one_shot {
    const char *name;
    void (*hash)(uint8_t *out, const void *in, size_t in_len);
    void (*xof)(uint8_t *out, size_t out_len, const void *in, size_t in_len);
};

#define PLAIN_TURBOSHAKE(id)                                                  \
  static void id(uint8_t *out, size_t out_len, const void *in, size_t in_len) \
  {                                                                           \
    if (celer_##id(out, out_len, in, in_len, CELER_TURBOSHAKE_DOMAIN) != 0)   \
      return; /* writes nothing, which is reported */                         \
  }
#define PLAIN_KT(id)                                                          \
  static void id(uint8_t *out, size_t out_len, const void *in, size_t in_len) \
  {                                                                           \
    celer_##id(out, out_len, in, in_len, NULL, 0);                            \
  }
#define PLAIN_BLAKE2(id, len)                                 \
  static void id(uint8_t *out, const void *in, size_t in_len) \
  {                                                           \
    if (celer_##id(out, len, in, in_len, NULL, 0) != 0)       \
      return; /* writes nothing, which is reported */         \
  }
PLAIN_TURBOSHAKE(turboshake128)
PLAIN_TURBOSHAKE(turboshake256)
PLAIN_KT(kt128)
PLAIN_KT(kt256)
PLAIN_BLAKE2(blake2b, CELER_BLAKE2B_LEN)
PLAIN_BLAKE2(blake2s, CELER_BLAKE2S_LEN)
PLAIN_BLAKE2(blake2bp, CELER_BLAKE2BP_LEN)
PLAIN_BLAKE2(blake2sp, CELER_BLAKE2SP_LEN)

static const struct one_shot one_shots[] = {
    {"sha224", celer_sha224, NULL},
    {"sha256", celer_sha256, NULL},
    {"sha384", celer_sha384, NULL},
    {"sha512", celer_sha512, NULL},
    {"sha512-224", celer_sha512_224, NULL},
    {"sha512-256", celer_sha512_256, NULL},
    {"sha3-224", celer_sha3_224, NULL},
    {"sha3-256", celer_sha3_256, NULL},
    {"sha3-384", celer_sha3_384, NULL},
    {"sha3-512", celer_sha3_512, NULL},
    {"shake128", NULL, celer_shake128},
    {"shake256", NULL, celer_shake256},
    {"turboshake128", NULL, turboshake128},
    {"turboshake256", NULL, turboshake256},
    {"kt128", NULL, kt128},
    {"kt256", NULL, kt256},
    {"blake2b", blake2b, NULL},
    {"blake2s", blake2s, NULL},
    {"blake2bp", blake2bp, NULL},
    {"blake2sp", blake2sp, NULL},
};

static const struct one_shot *find_one_shot(const char *name)
{
    for (size_t i = 0; i < sizeof one_shots / sizeof one_shots[0]; i++)
        if (strcmp(one_shots[i].name, name) == 0)
            return &one_shots[i];
    return NULL;
}

static void run_typed_hash(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                           size_t in_len)
{
    const struct own *own = self->arg;
    (void)state;
    own->one_shot->hash(out, in, in_len);
}

static void run_typed_xof(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len,
                          const void *in, size_t in_len)
{
    const struct own *own = self->arg;
    (void)state;
    own->one_shot->xof(out, out_len, in, in_len);
}

/* --- Any hash of the list --- */

static void run_listed_xof(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len,
                           const void *in, size_t in_len)
{
    const struct own *own = self->arg;
    const struct celer_hash_opts opts = {.out_len = out_len};
    struct celer_hash_ctx ctx;
    (void)state;
    if (celer_hash_init(&ctx, own->hash, &opts) != 0)
        return; /* writes nothing, which is reported */
    celer_hash_update(&ctx, in, in_len);
    celer_hash_final(&ctx, out);
}

static void run_listed_hash(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                            size_t in_len)
{
    run_listed_xof(self, state, out, 0, in, in_len);
}

static void run_many(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len,
                     const struct celer_msg *msgs, size_t n)
{
    const struct own *own = self->arg;
    const struct celer_hash_opts opts = {.out_len = out_len};
    (void)state;
    if (celer_hash_many(own->hash, &opts, out, msgs, n) != 0)
        return;
}

static void run_permutation(const struct celer_subject *self, void *state, uint64_t *states, size_t times)
{
    const struct own *own = self->arg;
    (void)state;
    for (; times > 0; times--)
        own->permute(states);
}

static void chain_x1(uint8_t (*hash)[32], uint64_t n)
{
    celer_sha256_chain(*hash, n);
}

static void run_chain(const struct celer_subject *self, void *state, uint8_t (*hash)[32], uint64_t iterations)
{
    const struct own *own = self->arg;
    (void)state;
    own->chain(hash, iterations);
}

/* --- KEMs --- */

#define KEM_BATCH 8 /* as many as the vectors of a CPU have lanes */

static int run_keygen(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                      const uint8_t *seed64)
{
    const struct own *own = self->arg;
    (void)state;
    own->kem->keygen(ek, dk, seed64);
    return 0;
}

static int run_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                      const uint8_t *ek, const uint8_t *coins32)
{
    const struct own *own = self->arg;
    (void)state;
    return own->kem->encaps(ct, ss, ek, coins32);
}

static int run_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                      const uint8_t *dk)
{
    const struct own *own = self->arg;
    (void)state;
    return own->kem->decaps(ss, ct, dk);
}

static int run_keygen_many(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                           const uint8_t *seed64)
{
    const struct own *own = self->arg;
    (void)state;
    own->kem->keygen_many(ek, dk, seed64, self->ways);
    return 0;
}

static int run_encaps_many(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                           const uint8_t *ek, const uint8_t *coins32)
{
    const struct own *own = self->arg;
    (void)state;
    return own->kem->encaps_many(ct, ss, ek, coins32, self->ways);
}

static int run_decaps_many(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                           const uint8_t *dk)
{
    const struct own *own = self->arg;
    (void)state;
    return own->kem->decaps_many(ss, ct, dk, self->ways);
}

/* The state of a subject with opened keys: both, one behind the other. */
static void *opened_dk(const struct own *own, void *state)
{
    return (uint8_t *)state + own->kem->open_ek_size;
}

static int open_keys(const struct celer_subject *self, void *state, const uint8_t *ek, const uint8_t *dk)
{
    const struct own *own = self->arg;
    return own->kem->ek_open(state, ek) != 0 || own->kem->dk_open(opened_dk(own, state), dk) != 0;
}

static int run_opened_encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                             const uint8_t *ek, const uint8_t *coins32)
{
    const struct own *own = self->arg;
    (void)ek;
    own->kem->ek_encaps(ct, ss, state, coins32);
    return 0;
}

static int run_opened_decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                             const uint8_t *dk)
{
    const struct own *own = self->arg;
    (void)dk;
    own->kem->dk_decaps(ss, ct, opened_dk(own, state));
    return 0;
}

static int own_open(const struct celer_subject *self, void **state, const char **why)
{
    const struct own *own = self->arg;
    *why = "out of memory";
    *state = malloc(own->kem->open_ek_size + own->kem->open_dk_size);
    return *state != NULL ? 0 : -1;
}

static void own_close_keys(const struct celer_subject *self, void *state)
{
    free(state);
    own_close(self, NULL);
}

/* --- The table --- */

static struct celer_subject *own_subjects;
static size_t own_count;

static bool own_add(struct celer_subject subject, const struct own *like)
{
    struct celer_subject *grown = realloc(own_subjects, (own_count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    own_subjects = grown;
    struct own *own = malloc(sizeof *own);
    if (own == NULL)
        return false;
    *own = *like;
    subject.arg = own;
    subject.enter = own_enter;
    if (subject.close == NULL)
        subject.close = own_close;
    own_subjects[own_count++] = subject;
    return true;
}

/* What to allow so that the rows of that name run, and no more; false when this CPU lacks something. */
static bool row_mask(const struct celer_kernel *kernel, const char *name, uint32_t *mask)
{
    const struct celer_backend *row;
    *mask = 0;
    for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++)
        if (strcmp(row->name, name) == 0)
            *mask |= row->needs;
    return (*mask & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) == 0;
}

/* The row of the greatest width up to `most` that the mask in force leaves. */
static const struct celer_backend *widest_choice(const struct celer_kernel *kernel, uint32_t most)
{
    const struct celer_backend *row, *best = NULL;
    for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++)
        if (row->ways <= most && celer_kernel_choice(kernel, row->ways) == row &&
            (best == NULL || row->ways > best->ways))
            best = row;
    return best;
}

/* Adds one subject for what the library chooses, and one for each name of a row that this CPU can run. `exact`: rows
   of another width do not count as that backend. */
static bool own_add_rows(struct celer_subject subject, const struct celer_kernel *kernel, struct own own,
                         uint32_t ways, bool exact)
{
    const struct celer_backend *row = widest_choice(kernel, ways), *earlier;
    own.mask = CELER_CPU_AUTO;
    subject.flags = CELER_SUBJECT_DEFAULT;
    subject.backend = row != NULL ? row->name : "";
    if (!own_add(subject, &own))
        return false;
    subject.flags = 0;
    for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++) {
        size_t j = 0;
        while (earlier = celer_kernel_row(kernel, j), strcmp(earlier->name, row->name) != 0)
            j++;
        if (j < i || !row_mask(kernel, row->name, &own.mask))
            continue;
        celer_cpu_mask(own.mask);
        const struct celer_backend *runs =
            exact ? celer_kernel_choice(kernel, ways) : widest_choice(kernel, ways);
        celer_cpu_mask(CELER_CPU_AUTO);
        if (own.kem !=
            NULL) /* the row is that of its arithmetic: how the core likes its Keccak is another matter */
            own.mask |= celer_cpu_detected() & CELER_CPU_FAST_ALL;
        subject.backend = row->name;
        if (runs != NULL && strcmp(runs->name, row->name) == 0 && !own_add(subject, &own))
            return false;
    }
    return true;
}

static bool own_add_hash(const struct celer_hash *hash)
{
    const bool xof = hash->flags & CELER_HASH_XOF;
    const struct own own = {.hash = hash, .one_shot = find_one_shot(hash->name)};
    struct celer_subject subject = {.kind = CELER_KIND_HASH,
                                    .function = hash->name,
                                    .ways = 1,
                                    .out_len = hash->out_len,
                                    .notes = own.one_shot == NULL ? "through hash.h" : ""};
    subject.run.hash = own.one_shot != NULL ? run_typed_hash : run_listed_hash;
    if (!xof && !own_add_rows(subject, hash->kernel, own, 1, true))
        return false;
    subject.kind = CELER_KIND_XOF;
    subject.run.xof = own.one_shot != NULL ? run_typed_xof : run_listed_xof;
    if (hash_is_extendable(hash) && !own_add_rows(subject, hash->kernel, own, 1, true))
        return false;
    subject.kind = CELER_KIND_MANY;
    subject.ways = 0;
    subject.notes = "";
    subject.run.many = run_many;
    return own_add_rows(subject, hash->kernel, own, UINT32_MAX, false);
}

/* The public permutations have fixed widths and loop over a narrower row where there is none; that counts for what
   the library chooses, but not as a backend of the width. */
static bool own_add_permutations(const struct celer_kernel *kernel)
{
    static const struct {
        uint32_t ways;
        void (*permute)(uint64_t *s);
    } widths[] = {{1, celer_keccak_f1600_x1},
                  {2, celer_keccak_f1600_x2},
                  {4, celer_keccak_f1600_x4},
                  {8, celer_keccak_f1600_x8}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        const struct celer_subject subject = {.kind = CELER_KIND_PERMUTATION,
                                              .ways = widths[i].ways,
                                              .function = "keccak-f1600",
                                              .notes = "",
                                              .out_len = 200,
                                              .run.permutation = run_permutation};
        if (!own_add_rows(subject, kernel, (struct own){.permute = widths[i].permute}, widths[i].ways, true))
            return false;
    }
    return true;
}

/* As the permutations. */
static bool own_add_chains(void)
{
    static const struct {
        uint32_t ways;
        void (*chain)(uint8_t (*hash)[32], uint64_t n);
    } widths[] = {{1, chain_x1},
                  {2, celer_sha256_chain_x2},
                  {3, celer_sha256_chain_x3},
                  {4, celer_sha256_chain_x4},
                  {8, celer_sha256_chain_x8},
                  {16, celer_sha256_chain_x16}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        const struct celer_subject subject = {.kind = CELER_KIND_CHAIN,
                                              .ways = widths[i].ways,
                                              .function = "sha256-chain",
                                              .notes = "",
                                              .out_len = 32,
                                              .run.chain = run_chain};
        if (!own_add_rows(subject, celer_sha256_chain_kernel(), (struct own){.chain = widths[i].chain},
                          widths[i].ways, true))
            return false;
    }
    return true;
}

/* One at a time, in batches, and with opened keys. */
static bool own_add_kem(const struct celer_kem *kem)
{
    const struct own own = {.kem = kem};
    const struct celer_subject one = {.kind = CELER_KIND_KEM,
                                      .ways = 1,
                                      .function = kem->name,
                                      .notes = "checks on every call",
                                      .out_len = kem->ss_len,
                                      .run.kem = {.ek_len = kem->ek_len,
                                                  .dk_len = kem->dk_len,
                                                  .ct_len = kem->ct_len,
                                                  .keygen = run_keygen,
                                                  .encaps = run_encaps,
                                                  .decaps = run_decaps}};
    struct celer_subject many = one, opened = one;
    many.ways = KEM_BATCH;
    many.run.kem.keygen = run_keygen_many;
    many.run.kem.encaps = run_encaps_many;
    many.run.kem.decaps = run_decaps_many;
    opened.notes = "opened keys";
    opened.open = own_open;
    opened.close = own_close_keys;
    opened.run.kem.encaps = run_opened_encaps;
    opened.run.kem.decaps = run_opened_decaps;
    opened.run.kem.open_keys = open_keys;
    return own_add_rows(one, kem->kernel, own, 1, true) && own_add_rows(many, kem->kernel, own, 1, true) &&
           own_add_rows(opened, kem->kernel, own, 1, true);
}

const struct celer_provider *provider_celer(void)
{
    static struct celer_provider own = {
        .abi = CELER_PROVIDER_ABI,
        .subject_size = sizeof(struct celer_subject),
        .library = "celer",
        .compiler = COMPILER,
    };
    if (own.subjects != NULL)
        return &own;
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++)
        if (!own_add_hash(hash))
            return NULL;
    if ((hash = celer_hash_find("sha3-256")) != NULL && !own_add_permutations(hash->kernel))
        return NULL;
    if (!own_add_chains())
        return NULL;
    const struct celer_kem *kem;
    for (size_t i = 0; (kem = celer_kem_at(i)) != NULL; i++)
        if (!own_add_kem(kem))
            return NULL;
    own.version = celer_version();
    own.flags = &CELER_BUILD_FLAGS[strspn(CELER_BUILD_FLAGS, " ")];
    own.subject_count = own_count;
    own.subjects = own_subjects;
    return &own;
}
