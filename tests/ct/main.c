/* main.c: every operation of ML-KEM on secrets, on every row that this machine, or the tool's, has. The tool says what it
   finds; this program exits with 1 when a result is wrong, or a secret had been lost on its way, so that nothing was
   looked at, and with 77 when there is no row to look at. It ends with a line that names the rows: tests/ct/run shows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "celer/mlkem.h"
#include "celer/random.h"
#include "mlkem/poly.h"
#include "mlkem/sponges.h"
#include "secret.h"

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c)  JOIN_(a, b, c)

enum { MANY = 3 };

static const char *row_name = "";

static void expect(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "ct: %s: wrong: %s\n", row_name, what);
        exit(1);
    }
}

/* Bytes that a test may know, and nobody else. */
static void secret_bytes(void *p, size_t n)
{
    static uint64_t state = 1;
    unsigned char *c = p;
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005 + 1442695040888963407;
        c[i] = (unsigned char)(state >> 56);
    }
    make_secret(p, n);
}

/* In the place of the library's, by the linker's --wrap. */
int __wrap_celer_random(void *out, size_t n);
int __wrap_celer_random(void *out, size_t n)
{
    secret_bytes(out, n);
    return CELER_OK;
}

/* PLANTED is a fault in the library, as it were: each kind has to be found. */
#ifdef PLANTED
enum { BRANCH = 1, ADDRESS };
static volatile unsigned planted;

static void plant(unsigned secret)
{
    static const unsigned table[256] = {1};
    if (PLANTED == BRANCH && (secret & 1) != 0)
        planted++;
    if (PLANTED == ADDRESS)
        planted = table[secret];
}
#endif

/* All that is hashed passes here. rho is known by what is done with it; before that it has come from a secret seed. */
void __real_celer_sponges_add_(struct sponges *s, struct sponge_task *task);
void __wrap_celer_sponges_add_(struct sponges *s, struct sponge_task *task);
void __wrap_celer_sponges_add_(struct sponges *s, struct sponge_task *task)
{
    if (task->sample != NULL)
        make_public(task->head, 32);
#ifdef PLANTED
    else if (is_secret(task->head, 32))
        plant(task->head[0]);
#endif
    __real_celer_sponges_add_(s, task);
}

#ifdef UNDER_MSAN
/* MemorySanitizer takes for used what an asm statement reads, and Keccak's kernels are full of those. So they are compiled
   without it, and what they do to secrets is done here: of a state that has one, all is secret. */
static const struct keccak_backend *kernels[KECCAK_MAX_WAYS + 1];

/* State w of `ways`: to be made secret if it has a secret bit, or is told to be. */
static void spread_secret(uint64_t *s, unsigned ways, unsigned w, int is_known)
{
    for (unsigned i = 0; i < 25 && !is_known; i++)
        is_known = has_secret(&s[i * ways + w], sizeof *s);
    for (unsigned i = 0; i < 25 && is_known; i++)
        make_secret(&s[i * ways + w], sizeof *s);
}

#  define FOLLOWED(ways)                                                                            \
    static void permute_x##ways(uint64_t *s, unsigned rounds)                                       \
    {                                                                                               \
      kernels[ways]->permute(s, rounds);                                                            \
      for (unsigned w = 0; w < ways; w++)                                                           \
        spread_secret(s, ways, w, 0);                                                               \
    }                                                                                               \
    static void absorb_x##ways(uint64_t *s, unsigned rounds, size_t rate, const uint8_t *const *in, \
                               size_t n)                                                            \
    {                                                                                               \
      kernels[ways]->absorb(s, rounds, rate, in, n);                                                \
      for (unsigned w = 0; w < ways; w++)                                                           \
        spread_secret(s, ways, w, has_secret(in[w], rate *n));                                      \
    }                                                                                               \
    static const struct keccak_backend *follow_x##ways(void)                                        \
    {                                                                                               \
      static struct keccak_backend followed;                                                        \
      followed.row = kernels[ways]->row;                                                            \
      followed.permute = permute_x##ways;                                                           \
      followed.absorb = absorb_x##ways;                                                             \
      return &followed;                                                                             \
    }
FOLLOWED(1)
FOLLOWED(2)
FOLLOWED(4)
FOLLOWED(8)

const struct keccak_backend *__real_celer_keccak_(unsigned ways);
const struct keccak_backend *__wrap_celer_keccak_(unsigned ways);
const struct keccak_backend *__wrap_celer_keccak_(unsigned ways)
{
    kernels[ways] = __real_celer_keccak_(ways);
    if (kernels[ways] == NULL)
        return NULL;
    return ways == 1 ? follow_x1() : ways == 2 ? follow_x2() : ways == 4 ? follow_x4() : follow_x8();
}
#endif

#define SET 512
#include "operations.inc"
#define SET 768
#include "operations.inc"
#define SET 1024
#include "operations.inc"

/* MemorySanitizer loses sight of what many instructions of AVX2 move; those that valgrind cannot run it is helped with. */
static int is_followed(const struct celer_backend *row)
{
#ifdef UNDER_MSAN
    return (row->needs & CELER_CPU_AVX512F) != 0;
#else
    (void)row;
    return 1;
#endif
}

int main(void)
{
    celer_cpu_mask(0);
    if (!secrets_are_followed()) {
        fprintf(stderr, "ct: nobody follows the secrets: run by tests/ct/run\n");
        return 1;
    }
    const struct celer_backend *row;
    char rows[100] = "";
    for (size_t i = 0; (row = celer_kernel_row(&celer_poly_kernel_, i)) != NULL; i++) {
        if ((row->needs & ~celer_cpu_detected()) != 0 || !is_followed(row))
            continue;
        celer_cpu_mask(row->needs);
        row_name = row->name;
        expect(celer_kernel_choice(&celer_poly_kernel_, 1) == row, "the row");
        ct512_operate();
        ct768_operate();
        ct1024_operate();
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows), " %s", row->name);
    }
    printf("rows:%s\n", rows);
    return rows[0] != '\0' ? 0 : 77;
}
