/* test_abi.c: kernels leave alone the registers that belong to their caller. Compilers see to that for C;
   code in assembly, or with asm statements whose clobbers are incomplete, has got it wrong, and only some
   callers notice. */
#include "support.h"
#include "blake2/blake2b.h"
#include "blake2/blake2s.h"
#include "sha2/sha256.h"
#include "sha2/sha512.h"
#include "sha2/sha256_chain.h"
#include "sha3/keccak.h"

#if (defined(__x86_64__) && !defined(__ILP32__)) || defined(__aarch64__)

/* abi_call puts `before` into the callee-saved registers, calls function(args...), and stores what is in them
   then to `after`. The offsets are known to the assembly below. */
#  if defined(__x86_64__)
enum { REGISTERS = 6 }; /* rbx rbp r12-r15 */
#  else
enum { REGISTERS = 18 }; /* x19-x28 d8-d15 */
#  endif
struct abi_frame {
    void (*function)(void);
    uintptr_t args[5];
    uint64_t before[REGISTERS], after[REGISTERS];
};
void abi_call(struct abi_frame *frame);

#  if defined(__x86_64__)
__asm__(".text\n"
        ".globl abi_call\n"
        ".type abi_call, @function\n"
        "abi_call:\n"
        "    push %rbx\n"
        "    push %rbp\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    push %rdi\n" /* seven words and the return address: the stack is aligned to 16 bytes */
        "    mov %rdi, %rax\n"
        "    mov 8(%rax), %rdi\n"
        "    mov 16(%rax), %rsi\n"
        "    mov 24(%rax), %rdx\n"
        "    mov 32(%rax), %rcx\n"
        "    mov 40(%rax), %r8\n"
        "    mov 48(%rax), %rbx\n"
        "    mov 56(%rax), %rbp\n"
        "    mov 64(%rax), %r12\n"
        "    mov 72(%rax), %r13\n"
        "    mov 80(%rax), %r14\n"
        "    mov 88(%rax), %r15\n"
        "    call *(%rax)\n"
        "    pop %rax\n"
        "    mov %rbx, 96(%rax)\n"
        "    mov %rbp, 104(%rax)\n"
        "    mov %r12, 112(%rax)\n"
        "    mov %r13, 120(%rax)\n"
        "    mov %r14, 128(%rax)\n"
        "    mov %r15, 136(%rax)\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbp\n"
        "    pop %rbx\n"
        "    ret\n"
        ".size abi_call, . - abi_call\n");
#  else
__asm__(".text\n"
        ".globl abi_call\n"
        ".type abi_call, %function\n"
        "abi_call:\n"
        "    stp x29, x30, [sp, #-176]!\n"
        "    mov x29, sp\n"
        "    stp x19, x20, [sp, #16]\n"
        "    stp x21, x22, [sp, #32]\n"
        "    stp x23, x24, [sp, #48]\n"
        "    stp x25, x26, [sp, #64]\n"
        "    stp x27, x28, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    str x0, [sp, #160]\n"
        "    mov x9, x0\n"
        "    ldr x10, [x9]\n"
        "    ldp x0, x1, [x9, #8]\n"
        "    ldp x2, x3, [x9, #24]\n"
        "    ldr x4, [x9, #40]\n"
        "    ldp x19, x20, [x9, #48]\n"
        "    ldp x21, x22, [x9, #64]\n"
        "    ldp x23, x24, [x9, #80]\n"
        "    ldp x25, x26, [x9, #96]\n"
        "    ldp x27, x28, [x9, #112]\n"
        "    ldp d8, d9, [x9, #128]\n"
        "    ldp d10, d11, [x9, #144]\n"
        "    ldp d12, d13, [x9, #160]\n"
        "    ldp d14, d15, [x9, #176]\n"
        "    blr x10\n"
        "    ldr x9, [sp, #160]\n"
        "    stp x19, x20, [x9, #192]\n"
        "    stp x21, x22, [x9, #208]\n"
        "    stp x23, x24, [x9, #224]\n"
        "    stp x25, x26, [x9, #240]\n"
        "    stp x27, x28, [x9, #256]\n"
        "    stp d8, d9, [x9, #272]\n"
        "    stp d10, d11, [x9, #288]\n"
        "    stp d12, d13, [x9, #304]\n"
        "    stp d14, d15, [x9, #320]\n"
        "    ldp x19, x20, [sp, #16]\n"
        "    ldp x21, x22, [sp, #32]\n"
        "    ldp x23, x24, [sp, #48]\n"
        "    ldp x25, x26, [sp, #64]\n"
        "    ldp x27, x28, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    ldp x29, x30, [sp], #176\n"
        "    ret\n"
        ".size abi_call, . - abi_call\n");
#  endif

static int call_keeps_registers(void (*function)(void), const uintptr_t args[5], const char *what)
{
    struct rng rng = {12};
    struct abi_frame frame;
    int kept = 1;
    frame.function = function;
    memcpy(frame.args, args, sizeof frame.args);
    rng_fill(&rng, frame.before, sizeof frame.before);
    memset(frame.after, 0, sizeof frame.after);
    abi_call(&frame);
    for (size_t i = 0; i < REGISTERS; i++)
        if (frame.before[i] != frame.after[i]) {
            print_error("%s: callee-saved register %zu changed\n", what, i);
            kept = 0;
        }
    return kept;
}

/* The check itself: a function that breaks the rule is found. */
void abi_culprit(void);
#  if defined(__x86_64__)
__asm__(".text\n.globl abi_culprit\nabi_culprit:\n    xor %r14d, %r14d\n    ret\n");
#  else
__asm__(".text\n.globl abi_culprit\nabi_culprit:\n    fmov d11, xzr\n    ret\n");
#  endif

static void test_culprit(void **state)
{
    (void)state;
    static const uintptr_t args[5];
    assert_false(call_keeps_registers(abi_culprit, args, "planted"));
}

static uint64_t lanes[25 * KECCAK_MAX_WAYS];
static uint8_t input[4 * KECCAK_MAX_RATE];
static const uint8_t *inputs[16]; /* for the widest of all */

static void test_keccak(void **state)
{
    const struct keccak_backend *k = *state;
    if ((k->row.needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) != 0)
        skip();
    for (size_t w = 0; w < k->row.ways; w++)
        inputs[w] = input;
    const uintptr_t permute[5] = {(uintptr_t)lanes, 24};
    const uintptr_t absorb[5] = {(uintptr_t)lanes, 24, 136, (uintptr_t)inputs, 3};
    assert_true(call_keeps_registers((void (*)(void))k->permute, permute, "permute"));
    assert_true(call_keeps_registers((void (*)(void))k->absorb, absorb, "absorb"));
}

#  define TEST_SHA2(bits)                                                                                  \
    static void test_sha##bits(void **state)                                                               \
    {                                                                                                      \
      const struct sha##bits##_backend *k = *state;                                                        \
      if ((k->row.needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) != 0)                               \
        skip();                                                                                            \
      for (size_t w = 0; w < k->row.ways; w++)                                                             \
        inputs[w] = input;                                                                                 \
      const uintptr_t blocks[5] = {(uintptr_t)lanes, (uintptr_t)input, 3};                                 \
      const uintptr_t finish[5] = {(uintptr_t)lanes, (uintptr_t)input, 250, 250};                          \
      const uintptr_t many[5] = {(uintptr_t)lanes, (uintptr_t)inputs, 3};                                  \
      assert_true(k->blocks == NULL || call_keeps_registers((void (*)(void))k->blocks, blocks, "blocks")); \
      assert_true(k->finish == NULL || call_keeps_registers((void (*)(void))k->finish, finish, "finish")); \
      assert_true(k->lanes == NULL || call_keeps_registers((void (*)(void))k->lanes, many, "lanes"));      \
    }
TEST_SHA2(256)
TEST_SHA2(512)

#  define TEST_BLAKE2(letter)                                                               \
    static void test_blake2##letter(void **state)                                           \
    {                                                                                       \
      const struct blake2##letter##_backend *k = *state;                                    \
      if ((k->row.needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) != 0)                \
        skip();                                                                             \
      for (size_t w = 0; w < k->row.ways; w++)                                              \
        inputs[w] = input;                                                                  \
      const uintptr_t compress[5] = {(uintptr_t)lanes, (uintptr_t)inputs, 128, 3};          \
      assert_true(call_keeps_registers((void (*)(void))k->compress, compress, "compress")); \
    }
TEST_BLAKE2(b)
TEST_BLAKE2(s)

static void test_sha256_chain(void **state)
{
    const struct sha256_chain_backend *k = *state;
    if ((k->row.needs & ~CELER_CPU_FAST_ALL & ~celer_cpu_detected()) != 0)
        skip();
    const uintptr_t chain[5] = {(uintptr_t)lanes, 3};
    assert_true(call_keeps_registers((void (*)(void))k->chain, chain, "chain"));
}

int main(void)
{
    struct suite suite = {NULL, 0};
    const struct celer_backend *row;
    suite_add(&suite, test_culprit, NULL, "abi: a planted culprit is found");
    for (size_t r = 0; (row = celer_kernel_row(&celer_keccak_kernel_, r)) != NULL; r++)
        suite_add(&suite, test_keccak, (void *)(uintptr_t)row, "keccak x%u/%s: registers",
                  (unsigned)row->ways, row->name);
    for (size_t r = 0; (row = celer_kernel_row(&celer_sha256_kernel_, r)) != NULL; r++)
        suite_add(&suite, test_sha256, (void *)(uintptr_t)row, "sha256 x%u/%s: registers",
                  (unsigned)row->ways, row->name);
    for (size_t r = 0; (row = celer_kernel_row(&celer_sha512_kernel_, r)) != NULL; r++)
        suite_add(&suite, test_sha512, (void *)(uintptr_t)row, "sha512 x%u/%s: registers",
                  (unsigned)row->ways, row->name);
    for (size_t r = 0; (row = celer_kernel_row(&celer_blake2b_kernel_, r)) != NULL; r++)
        suite_add(&suite, test_blake2b, (void *)(uintptr_t)row, "blake2b x%u/%s: registers",
                  (unsigned)row->ways, row->name);
    for (size_t r = 0; (row = celer_kernel_row(&celer_blake2s_kernel_, r)) != NULL; r++)
        suite_add(&suite, test_blake2s, (void *)(uintptr_t)row, "blake2s x%u/%s: registers",
                  (unsigned)row->ways, row->name);
    for (size_t r = 0; (row = celer_kernel_row(&celer_sha256_chain_kernel_, r)) != NULL; r++)
        suite_add(&suite, test_sha256_chain, (void *)(uintptr_t)row, "sha256-chain x%u/%s: registers",
                  (unsigned)row->ways, row->name);
    return suite_run(&suite, "abi") != 0;
}
#else
int main(void)
{
    fprintf(stderr, "skipped: the calling convention of this architecture is not known here\n");
    return 77;
}
#endif
