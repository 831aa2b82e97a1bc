/* upper_halves.h: whether code clears the upper halves of the vector registers, which no result shows. To be included by
   one file of a program. */
#ifndef UPPER_HALVES_H
#define UPPER_HALVES_H
#include "support.h"
#include "cpu/cpu.h"

#if CELER_X86
/* Fills the vector registers with ones, calls call(a, b, c, d), of which each is a pointer or an integer and the last ones
   may be more than it takes, and returns 1 when it left bits 128 to 255 of all registers zero. Needs AVX. */
int upper_halves_cleared(void (*call)(void), uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d);

#  define EACH_REGISTER(M) \
    M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)
#  define DIRTY(i) "    vcmptrueps %ymm" #  i ", %ymm" #  i ", %ymm" #  i "\n"
#  define STORE_UPPER(i) \
    "    vextractf128 $1, %ymm" #i ", -16(%rsp)\n    or -16(%rsp), %rax\n    or -8(%rsp), %rax\n"
__asm__(".text\n"
        ".globl upper_halves_cleared\n"
        ".type upper_halves_cleared, @function\n"
        "upper_halves_cleared:\n"
        "    sub $8, %rsp\n"
        "    mov %rdi, %rax\n"
        "    mov %rsi, %rdi\n"
        "    mov %rdx, %rsi\n"
        "    mov %rcx, %rdx\n"
        "    mov %r8, %rcx\n" EACH_REGISTER(
            DIRTY) "    call *%rax\n"
                   "    xor %eax, %eax\n" EACH_REGISTER(
                       STORE_UPPER) "    vzeroupper\n"
                                    "    cmp $1, %rax\n"
                                    "    sbb %eax, %eax\n" /* -1 when all were zero */
                                    "    neg %eax\n"
                                    "    add $8, %rsp\n"
                                    "    ret\n"
                                    ".size upper_halves_cleared, . - upper_halves_cleared\n");

static void leave_halves(void) {}

/* Marks the test skipped without AVX, and looks at the check itself. */
static void upper_halves_enter(void)
{
    if (!(celer_cpu_detected() & CELER_CPU_AVX))
        skip();
    assert_false(upper_halves_cleared(leave_halves, 0, 0, 0, 0));
}
#endif
#endif
