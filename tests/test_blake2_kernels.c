/* test_blake2_kernels.c: the compression functions of BLAKE2 on every row and width, against the scalar row, which the
   vectors anchor. */
#include "support.h"
#include "blake2/blake2b.h"
#include "blake2/blake2s.h"

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c)  JOIN_(a, b, c)
#define ROW(stem)      JOIN(blake2, LETTER, stem)
#define CELER(stem)    JOIN(celer_blake2, LETTER, stem)

#define LETTER   b
#define WORD     uint64_t
#define BLOCK    BLAKE2B_BLOCK
#define MAX_WAYS BLAKE2B_MAX_WAYS
#include "blake2_kernels.inc"
#undef LETTER
#undef WORD
#undef BLOCK
#undef MAX_WAYS

#define LETTER   s
#define WORD     uint32_t
#define BLOCK    BLAKE2S_BLOCK
#define MAX_WAYS BLAKE2S_MAX_WAYS
#include "blake2_kernels.inc"

int main(void)
{
    struct suite suite = {NULL, 0};
    blake2b_add(&suite);
    blake2s_add(&suite);
    return suite_run(&suite, "blake2 kernels") != 0;
}
