/* test_cpu.c: detection as a pure function of what machines answer, the mask, the choice of rows. */
#include "support.h"
#include "cpu/cpu.h"
#include "cpu/detect.h"

/* ---- detection on x86-64 ---- */

/* Leaf 1 ecx. */
#define SSSE3   (UINT32_C(1) << 9)
#define SSE41   (UINT32_C(1) << 19)
#define OSXSAVE (UINT32_C(1) << 27)
#define AVX     (UINT32_C(1) << 28)
/* Leaf 7 ebx. */
#define BMI1     (UINT32_C(1) << 3)
#define AVX2     (UINT32_C(1) << 5)
#define BMI2     (UINT32_C(1) << 8)
#define AVX512F  (UINT32_C(1) << 16)
#define SHA      (UINT32_C(1) << 29)
#define AVX512BW (UINT32_C(1) << 30)
#define AVX512VL (UINT32_C(1) << 31)
/* Leaf 7 ecx. */
#define VBMI  (UINT32_C(1) << 1)
#define VBMI2 (UINT32_C(1) << 6 | VBMI)

#define ALL1  (SSSE3 | SSE41 | OSXSAVE | AVX)
#define ALL7  (BMI1 | AVX2 | BMI2 | AVX512F | SHA | AVX512BW | AVX512VL)
#define EVERY (UINT32_C(0xffffffff))

/* What detection may find. */
#define F_SSE    (CELER_CPU_SSE41 | CELER_CPU_FAST_SIMD_X1)
#define F_AVX    (F_SSE | CELER_CPU_AVX)
#define F_AVX2   (F_AVX | CELER_CPU_AVX2)
#define F_BMI2   CELER_CPU_BMI2
#define F_SHA    CELER_CPU_SHANI
#define F_512    (F_AVX2 | CELER_CPU_AVX512F | CELER_CPU_AVX512VL | CELER_CPU_AVX512BW)
#define F_512ALL (F_512 | CELER_CPU_AVX512VBMI2)
#define ZEN5(f)  (((f) | F_BMI2 | F_SHA) & ~CELER_CPU_FAST_SIMD_X1)
#define F_ZEN5   ZEN5(F_512ALL | CELER_CPU_FAST_HYBRID | CELER_CPU_FAST_X8)

static const struct {
    const char *machine;
    struct cpu_x86_id id; /* max_leaf, leaf1_eax, leaf1_ecx, leaf7_ebx, leaf7_ecx, vendor, xcr0 */
    uint32_t features;
} x86_machines[] = {
    {"nothing at all", {0, 0, 0, 0, 0, 0, 0}, 0},
    {"everything", {7, 0, ALL1, ALL7, VBMI2, 0, 0xe7}, F_512ALL | F_BMI2 | F_SHA},
    {"every bit of every word",
     {EVERY, EVERY, EVERY, EVERY, EVERY, EVERY, UINT64_MAX},
     F_512ALL | F_BMI2 | F_SHA},

    /* The system does not save the registers: the first AVX instruction would be SIGILL. */
    {"OSXSAVE = 0", {7, 0, ALL1 & ~OSXSAVE, ALL7, VBMI2, 0, 0}, F_SSE | F_BMI2 | F_SHA},
    {"OSXSAVE = 0, and a number where XCR0 would be",
     {7, 0, ALL1 & ~OSXSAVE, ALL7, VBMI2, 0, 0xe7},
     F_SSE | F_BMI2 | F_SHA},
    {"XCR0 = 0", {7, 0, ALL1, ALL7, VBMI2, 0, 0}, F_SSE | F_BMI2 | F_SHA},
    {"XCR0 = 3: xmm only", {7, 0, ALL1, ALL7, VBMI2, 0, 3}, F_SSE | F_BMI2 | F_SHA},
    {"XCR0 = 5: ymm without xmm", {7, 0, ALL1, ALL7, VBMI2, 0, 5}, F_SSE | F_BMI2 | F_SHA},
    {"XCR0 = 7: AVX-512 that is not saved", {7, 0, ALL1, ALL7, VBMI2, 0, 7}, F_AVX2 | F_BMI2 | F_SHA},
    {"XCR0 = 0x67: no zmm16-31", {7, 0, ALL1, ALL7, VBMI2, 0, 0x67}, F_AVX2 | F_BMI2 | F_SHA},
    {"XCR0 = 0xa7: no upper halves of zmm0-15", {7, 0, ALL1, ALL7, VBMI2, 0, 0xa7}, F_AVX2 | F_BMI2 | F_SHA},
    {"XCR0 = 0xc7: no mask registers", {7, 0, ALL1, ALL7, VBMI2, 0, 0xc7}, F_AVX2 | F_BMI2 | F_SHA},
    {"XCR0 = 0xe5: zmm without xmm", {7, 0, ALL1, ALL7, VBMI2, 0, 0xe5}, F_SSE | F_BMI2 | F_SHA},

    /* Bits that rest on others. */
    {"leaf 7 does not exist", {6, 0, ALL1, ALL7, VBMI2, 0, 0xe7}, F_AVX},
    {"SHA without AVX", {7, 0, SSSE3 | SSE41, SHA, 0, 0, 0}, F_SSE | F_SHA},
    {"SHA without SSE4.1", {7, 0, SSSE3, SHA, 0, 0, 0}, 0},
    {"SSE4.1 without SSSE3", {7, 0, SSE41, SHA, 0, 0, 0}, 0},
    {"BMI1 without BMI2", {7, 0, SSSE3 | SSE41, BMI1, 0, 0, 0}, F_SSE},
    {"BMI2 without BMI1", {7, 0, SSSE3 | SSE41, BMI2, 0, 0, 0}, F_SSE},
    {"AVX2 without AVX", {7, 0, ALL1 & ~AVX, AVX2, 0, 0, 7}, F_SSE},
    {"AVX-512 without AVX2", {7, 0, ALL1, ALL7 & ~AVX2, VBMI2, 0, 0xe7}, F_AVX | F_BMI2 | F_SHA},
    {"VL, BW and VBMI2 without F", {7, 0, ALL1, ALL7 & ~AVX512F, VBMI2, 0, 0xe7}, F_AVX2 | F_BMI2 | F_SHA},
    {"F alone", {7, 0, ALL1, AVX2 | AVX512F, 0, 0, 0xe7}, F_AVX2 | CELER_CPU_AVX512F},
    {"F and VL",
     {7, 0, ALL1, AVX2 | AVX512F | AVX512VL, 0, 0, 0xe7},
     F_AVX2 | CELER_CPU_AVX512F | CELER_CPU_AVX512VL},
    {"F and BW",
     {7, 0, ALL1, AVX2 | AVX512F | AVX512BW, 0, 0, 0xe7},
     F_AVX2 | CELER_CPU_AVX512F | CELER_CPU_AVX512BW},
    {"F and VBMI2",
     {7, 0, ALL1, AVX2 | AVX512F, VBMI2, 0, 0xe7},
     F_AVX2 | CELER_CPU_AVX512F | CELER_CPU_AVX512VBMI2},
    {"VBMI without VBMI2", {7, 0, ALL1, ALL7, VBMI, 0, 0xe7}, F_512 | F_BMI2 | F_SHA},
    {"VBMI2 without VBMI", {7, 0, ALL1, ALL7, VBMI2 & ~VBMI, 0, 0xe7}, F_512 | F_BMI2 | F_SHA},

    /* Words as processors of these kinds report them. */
    {"Core 2 (Penryn)", {10, 0x10676, 0x0008e3fd, 0, 0, 0x756e6547, 0}, F_SSE},
    {"Sandy Bridge", {13, 0x206a7, 0x1fbae3ff, 0, 0, 0x756e6547, 7}, F_AVX},
    {"Haswell", {13, 0x306c3, 0x7ffafbff, 0x000027ab, 0, 0x756e6547, 7}, F_AVX2 | F_BMI2},
    {"Goldmont: SHA, no AVX", {21, 0x506c9, 0x4ff8ebbf, 0x2294e283, 0, 0x756e6547, 3}, F_SSE | F_SHA},
    {"Cascade Lake", {22, 0x50656, 0x7ffefbff, 0xd39ffffb, 0x00000808, 0x756e6547, 0xe7}, F_512 | F_BMI2},
    {"Ice Lake",
     {27, 0x706e5, 0x7ffafbbf, 0xf2bf27ef, 0x40405f4e, 0x756e6547, 0xe7},
     F_512ALL | F_BMI2 | F_SHA},
    {"Alder Lake", {32, 0x90672, 0x7ffafbff, 0x239ca7eb, 0x98c027ac, 0x756e6547, 7}, F_AVX2 | F_BMI2 | F_SHA},
    {"Zen", {13, 0x800f11, 0x7ed8320b, 0x209c01a9, 0, 0x68747541, 7}, F_AVX2 | F_BMI2 | F_SHA},
    {"Zen 2", {16, 0x870f10, 0x7ed8320b, 0x219c91a9, 0x00400004, 0x68747541, 7}, F_AVX2 | F_BMI2 | F_SHA},
    {"Zen 4",
     {16, 0xa60f12, 0x7ef8320b, 0xf1bf97a9, 0x00405fce, 0x68747541, 0xe7},
     F_512ALL | F_BMI2 | F_SHA},
    {"Zen 4 under a system without AVX-512",
     {16, 0xa60f12, 0x7ef8320b, 0xf1bf97a9, 0x00405fce, 0x68747541, 7},
     F_AVX2 | F_BMI2 | F_SHA},
    {"Zen 5 (Turin, in a virtual machine)",
     {28, 0xb00f21, 0xfffa3203, 0xf1bf07ab, 0x00405fc6, 0x68747541, 0xe7},
     F_ZEN5},
    {"Zen 5 (Granite Ridge)", {16, 0xb40f40, 0x7ef8320b, 0xf1bf97a9, 0x00405fde, 0x68747541, 0xe7}, F_ZEN5},

    /* Preferences: the core, and that it can. */
    {"Zen 5 under a system without AVX-512",
     {16, 0xb40f40, 0x7ef8320b, 0xf1bf97a9, 0x00405fde, 0x68747541, 7},
     ZEN5(F_AVX2)},
    {"Zen 5's number from another vendor",
     {16, 0xb40f40, 0x7ef8320b, 0xf1bf97a9, 0x00405fde, 0x756e6547, 0xe7},
     F_512ALL | F_BMI2 | F_SHA},
    {"AMD family 0x19 model 0xa0",
     {16, 0xaa0f00, 0x7ef8320b, 0xf1bf97a9, 0x00405fce, 0x68747541, 0xe7},
     F_512ALL | F_BMI2 | F_SHA},
    {"an extended family that does not count",
     {16, 0xb40a40, 0x7ef8320b, 0xf1bf97a9, 0x00405fde, 0x68747541, 0xe7},
     F_512ALL | F_BMI2 | F_SHA},
};

static void test_x86(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof x86_machines / sizeof x86_machines[0]; i++) {
        const uint32_t f = celer_cpu_detect_x86_(&x86_machines[i].id);
        check(f == x86_machines[i].features, "%s: %08x, expected %08x", x86_machines[i].machine, (unsigned)f,
              (unsigned)x86_machines[i].features);
    }
}

/* ---- detection on AArch64 ---- */

#define F_NEON  (CELER_CPU_NEON)
#define F_SHA2  (F_NEON | CELER_CPU_ARMSHA2)
#define F_ALL   (F_SHA2 | CELER_CPU_ARMSHA3 | CELER_CPU_ARMSHA512)
#define FAST    CELER_CPU_FAST_NEON /* any core that nothing else is known of */
#define F_APPLE (F_ALL | CELER_CPU_FAST_SHA3)

static const struct {
    const char *machine;
    struct cpu_arm_id id; /* hwcap, midr */
    uint32_t features;
} arm_machines[] = {
    {"nothing at all", {0, 0}, 0},
    {"every bit", {UINT64_MAX, UINT64_MAX}, F_ALL | FAST},
    {"ASIMD only (Cortex-A72 of the Raspberry Pi 4)", {0x83, 0x410fd083}, F_NEON | FAST},
    {"SHA1 is not SHA2", {UINT64_C(1) << 1 | UINT64_C(1) << 5, 0}, F_NEON | FAST},
    {"SHA512 is not SHA3", {UINT64_C(1) << 1 | UINT64_C(1) << 21, 0}, F_NEON | CELER_CPU_ARMSHA512 | FAST},
    {"SHA3 without SHA2", {UINT64_C(1) << 1 | UINT64_C(1) << 17, 0}, F_NEON | CELER_CPU_ARMSHA3 | FAST},
    {"all of them without ASIMD", {UINT64_C(1) << 6 | UINT64_C(1) << 17 | UINT64_C(1) << 21, 0}, 0},
    {"all of them without ASIMD, Apple",
     {UINT64_C(1) << 6 | UINT64_C(1) << 17 | UINT64_C(1) << 21, 0x610f0220},
     0},
    /* Words of qemu's models. */
    {"cortex-a53", {0x8fb, 0x410fd034}, F_SHA2},
    {"cortex-a72", {0x8fb, 0x410fd083}, F_SHA2 | FAST},
    {"neoverse-n1", {0x119ffb, 0x414fd0c1}, F_SHA2 | FAST},
    {"a64fx", {0x415ffb, 0x461f0010}, F_SHA2 | FAST},
    {"max", {0xecfffffb, 0x000f0510}, F_ALL | FAST},

    /* Preferences: who made the core, which core it is, and that it can. Variant and revision do not count. */
    {"Apple, without SHA3", {0x2ffb, 0x611f0120}, F_SHA2 | FAST},
    {"Apple M1", {0x222ffb, 0x611f0221}, F_APPLE},
    {"an Apple core, no more being known", {0x220042, 0x61000000}, F_APPLE},
    {"the part number of Apple's M1 from another maker", {0x222ffb, 0x511f0220}, F_ALL | FAST},
    {"Neoverse V1: SHA3 that is slow", {0x7bbfffff, 0x411fd401}, F_ALL | FAST},
    {"Neoverse V2: SHA3 that is slow", {0x7bbfffff, 0x410fd4f1}, F_ALL | FAST},
    {"Cortex-A76", {0x119ffb, 0x414fd0b1}, F_SHA2 | FAST},
    {"Cortex-A53, another revision", {0x8fb, 0x411fd03f}, F_SHA2},
    {"Cortex-A35", {0x8fb, 0x411fd040}, F_SHA2},
    {"Cortex-A55", {0x119ffb, 0x412fd050}, F_SHA2},
    {"Cortex-A510: SHA3, in order", {0x7bbfffff, 0x411fd461}, F_ALL},
    {"Cortex-A520: SHA3, in order", {0x7bbfffff, 0x410fd801}, F_ALL},
    {"the part number of Cortex-A53 from another maker", {0x8fb, 0x510fd034}, F_SHA2 | FAST},
};

static void test_arm(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof arm_machines / sizeof arm_machines[0]; i++) {
        const uint32_t f = celer_cpu_detect_arm_(&arm_machines[i].id);
        check(f == arm_machines[i].features, "%s: %08x, expected %08x", arm_machines[i].machine, (unsigned)f,
              (unsigned)arm_machines[i].features);
    }
}

/* ---- names ---- */

static void test_bit_names(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 32; i++)
        for (unsigned j = 0; j < i; j++) {
            const char *a = celer_cpu_bit_name(i), *b = celer_cpu_bit_name(j);
            check(a == NULL || b == NULL || strcmp(a, b) != 0, "bits %u and %u are both %s", i, j, a);
        }
    assert_null(celer_cpu_bit_name(32));
    assert_null(celer_cpu_bit_name(UINT32_MAX));
    /* What was found here has a name. */
    for (unsigned i = 0; i < 32; i++)
        check(!(celer_cpu_detected() >> i & 1) || celer_cpu_bit_name(i) != NULL, "bit %u has no name", i);
}

/* ---- the tables ---- */

/* Every row can run somewhere: no earlier row of the same width is usable wherever it is. Its bits have
   names, its name is not taken twice, and there is always something to run. */
static void visit_rows(const struct celer_kernel *kernel, void *arg)
{
    const struct celer_backend *row, *earlier;
    size_t r, always = 0;
    for (r = 0; (row = celer_kernel_row(kernel, r)) != NULL; r++) {
        for (unsigned bit = 0; bit < 32; bit++)
            check(!(row->needs >> bit & 1) || celer_cpu_bit_name(bit) != NULL,
                  "%s/%s needs bit %u without a name", kernel->name, row->name, bit);
        for (size_t e = 0; e < r; e++) {
            earlier = celer_kernel_row(kernel, e);
            check(earlier->ways != row->ways || (earlier->needs & ~row->needs) != 0,
                  "%s x%u: %s is never used, %s comes before it", kernel->name, (unsigned)row->ways,
                  row->name, earlier->name);
            check(earlier->ways != row->ways || strcmp(earlier->name, row->name) != 0,
                  "%s x%u: two rows are named %s", kernel->name, (unsigned)row->ways, row->name);
        }
        always += row->ways == 1 && row->needs == 0;
    }
    check(r == kernel->count && r < 254, "%s has %zu rows", kernel->name, r);
    check(always == 1, "%s has %zu rows of width 1 that need nothing", kernel->name, always);
    assert_null(celer_kernel_row(kernel, SIZE_MAX));
    ++*(size_t *)arg;
}

static void test_tables(void **state)
{
    (void)state;
    size_t kernels = 0;
    each_kernel(visit_rows, &kernels);
    assert_int_equal(kernels, 5); /* sha256, sha512, keccak, blake2b, blake2s */
}

/* With the mask at a row's needs that row is the one chosen; with AUTO, the first usable one. */
static void visit_masks(const struct celer_kernel *kernel, void *arg)
{
    (void)arg;
    const struct celer_backend *row, *first;
    const uint32_t here = celer_cpu_detected();
    for (size_t r = 0; (row = celer_kernel_row(kernel, r)) != NULL; r++) {
        celer_cpu_mask(row->needs);
        if ((row->needs & ~CELER_CPU_FAST_ALL & ~here) == 0)
            check(celer_kernel_choice(kernel, row->ways) == row, "%s x%u: %s cannot be reached", kernel->name,
                  (unsigned)row->ways, row->name);
        else
            check(celer_kernel_choice(kernel, row->ways) != row, "%s x%u: %s chosen, and cannot run",
                  kernel->name, (unsigned)row->ways, row->name);
        celer_cpu_mask(CELER_CPU_AUTO);
        size_t f = 0;
        while ((first = celer_kernel_row(kernel, f)) != NULL &&
               (first->ways != row->ways || (first->needs & ~here) != 0))
            f++;
        check(celer_kernel_choice(kernel, row->ways) == first, "%s x%u: not the first usable row",
              kernel->name, (unsigned)row->ways);
    }
    celer_cpu_mask(0);
    assert_string_equal(celer_kernel_choice(kernel, 1)->name, "scalar");
    assert_null(celer_kernel_choice(kernel, 3));
}

static void test_masks(void **state)
{
    (void)state;
    each_kernel(visit_masks, NULL);
}

#if CELER_X86 || CELER_ARM
/* ---- the mask and the choice, on a table whose needs are preferences: those a mask can grant anywhere ----
   */

#  define PREFER_A (UINT32_C(1) << 29)
#  define PREFER_B (UINT32_C(1) << 30)

static const struct fake {
    struct celer_backend row;
    int padding; /* rows are longer than their head */
} fakes[] = {
    {{"ab", PREFER_A | PREFER_B, 1}, 0},
    {{"a", PREFER_A, 1}, 0},
    {{"b", PREFER_B, 1}, 0},
    {{"none", 0, 1}, 0},
    {{"wide-a", PREFER_A, 4}, 0},
};
static const struct celer_kernel fake_kernel = {"fake", fakes, sizeof fakes[0],
                                                sizeof fakes / sizeof fakes[0]};

static void test_mask(void **state)
{
    (void)state;
    const uint32_t here = celer_cpu_detected();
    assert_int_equal(celer_cpu_mask(CELER_CPU_AUTO), CELER_CPU_AUTO);
    assert_int_equal(celer_cpu_features_(), here);
    assert_int_equal(celer_cpu_mask(0), CELER_CPU_AUTO);
    assert_int_equal(celer_cpu_features_(), 0);
    assert_int_equal(celer_cpu_mask(here), 0);
    assert_int_equal(celer_cpu_features_(), here);
    /* A mask grants no ability that is not there, but any preference. */
    assert_int_equal(celer_cpu_mask(0x7fffffff), here);
    assert_int_equal(celer_cpu_features_(), (here & ~CELER_CPU_FAST_ALL) | CELER_CPU_FAST_ALL);
    assert_int_equal(celer_cpu_mask(PREFER_A), 0x7fffffff);
    assert_int_equal(celer_cpu_features_(), PREFER_A);
    for (unsigned bit = 0; bit < 16; bit++) {
        celer_cpu_mask(UINT32_C(1) << bit);
        assert_int_equal(celer_cpu_features_(), here & UINT32_C(1) << bit);
    }
    celer_cpu_mask(CELER_CPU_AUTO);
    assert_int_equal(celer_cpu_features_(), here);
    assert_int_equal(celer_cpu_detected(), here);
}

/* Wrong: a cached choice survives a change of the mask; the answer "no row" is not remembered as such. */
static void test_choice(void **state)
{
    (void)state;
    static struct cpu_choice narrow, wide, odd;
    static const struct {
        uint32_t mask;
        int row, wide; /* -1: none */
    } steps[] = {
        {PREFER_A | PREFER_B, 0, 4},
        {PREFER_A, 1, 4},
        {PREFER_B, 2, -1},
        {0, 3, -1},
        {PREFER_A, 1, 4},
        {0, 3, -1},
        {PREFER_A, 1, 4},
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        celer_cpu_mask(steps[i].mask);
        for (int again = 0; again < 3; again++) { /* the first call chooses, others find the choice */
            const void *want = steps[i].wide < 0 ? NULL : &fakes[steps[i].wide];
            assert_ptr_equal(cpu_choose(&narrow, &fake_kernel, 1), &fakes[steps[i].row]);
            assert_ptr_equal(cpu_choose(&wide, &fake_kernel, 4), want);
            assert_null(cpu_choose(&odd, &fake_kernel, 3));
        }
    }
}

/* The generation goes round without touching 0, which is what a choice not yet made has. */
static void test_generations(void **state)
{
    (void)state;
    static struct cpu_choice choice, fresh;
    atomic_store(&celer_cpu_generation_, 0xfffffe);
    celer_cpu_mask(PREFER_A);
    assert_int_equal(atomic_load(&celer_cpu_generation_), 0xffffff);
    assert_ptr_equal(cpu_choose(&choice, &fake_kernel, 1), &fakes[1]);
    celer_cpu_mask(PREFER_B);
    assert_int_equal(atomic_load(&celer_cpu_generation_), 1);
    assert_ptr_equal(cpu_choose(&choice, &fake_kernel, 1), &fakes[2]);
    assert_ptr_equal(cpu_choose(&fresh, &fake_kernel, 1), &fakes[2]);
    celer_cpu_mask(0);
    assert_ptr_equal(cpu_choose(&choice, &fake_kernel, 1), &fakes[3]);
}
#else
/* One row for each width: the mask has nothing to restrict, and says so. */
static void test_mask(void **state)
{
    (void)state;
    assert_int_equal(celer_cpu_detected(), 0);
    assert_int_equal(celer_cpu_mask(0), CELER_CPU_AUTO);
    assert_int_equal(celer_cpu_mask(CELER_CPU_AUTO), CELER_CPU_AUTO);
    assert_int_equal(celer_cpu_features_(), 0);
}
#endif

int main(void)
{
    struct suite suite = {NULL, 0};
    suite_add(&suite, test_x86, NULL, "cpu: detection on x86-64");
    suite_add(&suite, test_arm, NULL, "cpu: detection on AArch64");
    suite_add(&suite, test_bit_names, NULL, "cpu: names of bits");
    suite_add(&suite, test_tables, NULL, "cpu: every row has its use");
    suite_add(&suite, test_masks, NULL, "cpu: every row can be reached");
    suite_add(&suite, test_mask, NULL, "cpu: the mask");
#if CELER_X86 || CELER_ARM
    suite_add(&suite, test_choice, NULL, "cpu: the choice");
    suite_add(&suite, test_generations, NULL, "cpu: generations");
#endif
    return suite_run(&suite, "cpu") != 0;
}
