/* facts.c: see facts.h. */
#include "facts.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#  include <cpuid.h>
#  define FACTS_X86 1
#else
#  define FACTS_X86 0
#endif
#if defined(__aarch64__) && defined(__linux__)
#  include <sys/auxv.h>
#  define FACTS_ARM 1
#else
#  define FACTS_ARM 0
#endif
#if defined(__APPLE__)
#  include <sys/sysctl.h>
#endif

#define SYS_CPU   "/sys/devices/system/cpu/"
#define LINE_SIZE 4096

/* --- Small files of the kernel --- */

static void say(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, size, format, args);
    va_end(args);
}

/* The first line of a file without its end; false, and errno, when there is none. */
static bool file_line(const char *path, char *text, size_t size)
{
    FILE *from = fopen(path, "r");
    if (from == NULL)
        return false;
    errno = 0;
    const bool got = fgets(text, (int)size, from) != NULL;
    const int error = errno != 0 ? errno : ENODATA;
    fclose(from);
    errno = error;
    if (got)
        text[strcspn(text, "\n")] = 0;
    return got;
}

static void say_unreadable(char *text, size_t size, const char *path)
{
    say(text, size, "unknown (%s: %s)", path, strerror(errno));
}

#if !FACTS_ARM
/* The value of the first of `keys` (ended by NULL) that /proc/cpuinfo has, as in "key : value". */
static bool cpuinfo(const char *const *keys, char *text, size_t size)
{
    static char line[LINE_SIZE];
    bool found = false;
    for (; *keys != NULL && !found; keys++) {
        FILE *from = fopen("/proc/cpuinfo", "r");
        if (from == NULL)
            return false;
        const size_t len = strlen(*keys);
        while (!found && fgets(line, sizeof line, from) != NULL) {
            const char *value = line + len;
            if (strncmp(line, *keys, len) != 0 || (value += strspn(value, " \t"), *value != ':'))
                continue;
            value += 1 + strspn(value + 1, " \t");
            say(text, size, "%.*s", (int)strcspn(value, "\n"), value);
            found = *text != 0;
        }
        fclose(from);
    }
    if (!found)
        errno = ENODATA;
    return found;
}
#endif

#if !FACTS_X86
/* Under user-mode emulation the file is that of the host. */
static bool cpuinfo_is_foreign(void)
{
    char line[256];
    FILE *from = fopen("/proc/cpuinfo", "r");
    bool foreign = false;
    while (from != NULL && !foreign && fgets(line, sizeof line, from) != NULL)
        foreign = strncmp(line, "cpuid level", 11) == 0; /* in that of an x86 only */
    if (from != NULL)
        fclose(from);
    return foreign;
}
#endif

#if !FACTS_X86 && !FACTS_ARM
static void say_from_cpuinfo(char *text, size_t size, const char *const *keys)
{
    if (cpuinfo_is_foreign())
        say(text, size, "unknown (/proc/cpuinfo is that of an x86 host)");
    else if (!cpuinfo(keys, text, size))
        say_unreadable(text, size, "/proc/cpuinfo");
}
#endif

/* --- x86: cpuid --- */

#if FACTS_X86
struct cpuid {
    uint32_t a, b, c, d;
};

static struct cpuid cpuid(uint32_t leaf)
{
    struct cpuid id = {0};
    __cpuid(leaf, id.a, id.b, id.c, id.d);
    return id;
}

static bool in_guest(void)
{
    return cpuid(1).c >> 31 & 1;
}
#endif

/* --- Arm: the main identification register --- */

#if FACTS_ARM
static const struct {
    unsigned implementer, part;
    const char *name;
} arm_cores[] = {
    {0x00, 0x051, "QEMU max"},
    {0x41, 0xd03, "Arm Cortex-A53"},
    {0x41, 0xd04, "Arm Cortex-A35"},
    {0x41, 0xd05, "Arm Cortex-A55"},
    {0x41, 0xd07, "Arm Cortex-A57"},
    {0x41, 0xd08, "Arm Cortex-A72"},
    {0x41, 0xd09, "Arm Cortex-A73"},
    {0x41, 0xd0a, "Arm Cortex-A75"},
    {0x41, 0xd0b, "Arm Cortex-A76"},
    {0x41, 0xd0c, "Arm Neoverse-N1"},
    {0x41, 0xd0d, "Arm Cortex-A77"},
    {0x41, 0xd40, "Arm Neoverse-V1"},
    {0x41, 0xd41, "Arm Cortex-A78"},
    {0x41, 0xd44, "Arm Cortex-X1"},
    {0x41, 0xd46, "Arm Cortex-A510"},
    {0x41, 0xd47, "Arm Cortex-A710"},
    {0x41, 0xd48, "Arm Cortex-X2"},
    {0x41, 0xd49, "Arm Neoverse-N2"},
    {0x41, 0xd4d, "Arm Cortex-A715"},
    {0x41, 0xd4e, "Arm Cortex-X3"},
    {0x41, 0xd4f, "Arm Neoverse-V2"},
    {0x41, 0xd80, "Arm Cortex-A520"},
    {0x41, 0xd81, "Arm Cortex-A720"},
    {0x41, 0xd82, "Arm Cortex-X4"},
    {0x41, 0xd84, "Arm Neoverse-V3"},
    {0x41, 0xd85, "Arm Cortex-X925"},
    {0x41, 0xd8e, "Arm Neoverse-N3"},
    {0x43, 0x0af, "Cavium ThunderX2"},
    {0x46, 0x001, "Fujitsu A64FX"},
    {0x48, 0xd01, "HiSilicon TSV110"},
    {0x61, 0x022, "Apple M1 (efficiency)"},
    {0x61, 0x023, "Apple M1"},
    {0x61, 0x032, "Apple M2 (efficiency)"},
    {0x61, 0x033, "Apple M2"},
    {0xc0, 0xac3, "Ampere-1"},
    {0xc0, 0xac4, "Ampere-1a"},
    {0, 0, NULL},
};

static bool arm_midr(uint64_t *midr)
{
    if (!(getauxval(AT_HWCAP) >> 11 & 1)) /* HWCAP_CPUID: the kernel answers for the register */
        return false;
    __asm__("mrs %0, MIDR_EL1" : "=r"(*midr));
    return true;
}
#endif

/* --- The facts --- */

void fact_system(char *text, size_t size)
{
    struct utsname u;
    if (uname(&u) != 0)
        say(text, size, "unknown (uname: %s)", strerror(errno));
    else
        say(text, size, "%s %s %s", u.sysname, u.release, u.machine);
}

void fact_cpu(char *text, size_t size)
{
#if FACTS_X86
    if (cpuid(0x80000000).a >= 0x80000004) {
        char brand[49] = "";
        for (uint32_t i = 0; i < 3; i++) {
            const struct cpuid id = cpuid(0x80000002 + i);
            memcpy(brand + 16 * i, &id, 16);
        }
        size_t n = strlen(brand);
        while (n > 0 && brand[n - 1] == ' ')
            brand[--n] = 0;
        const char *start = brand + strspn(brand, " ");
        if (*start != 0) {
            say(text, size, "%s", start);
            return;
        }
    }
#elif FACTS_ARM
    uint64_t midr;
    if (arm_midr(&midr))
        for (size_t i = 0; arm_cores[i].name != NULL; i++)
            if (arm_cores[i].implementer == (midr >> 24 & 0xff) && arm_cores[i].part == (midr >> 4 & 0xfff)) {
                say(text, size, "%s", arm_cores[i].name);
                return;
            }
#elif defined(__APPLE__)
    size_t len = size;
    if (sysctlbyname("machdep.cpu.brand_string", text, &len, NULL, 0) == 0)
        return;
#endif
#if FACTS_X86
    say(text, size, "unknown (cpuid gives no brand)");
#elif FACTS_ARM
    say(text, size, "unknown (a core without a name here; see id)");
#else
    static const char *const keys[] = {"model name", "Model Name",  "cpu model", "cpu",
                                       "uarch",      "processor 0", NULL};
    say_from_cpuinfo(text, size, keys);
#endif
}

void fact_cpu_id(char *text, size_t size)
{
#if FACTS_X86
    const struct cpuid zero = cpuid(0), one = cpuid(1);
    char vendor[13] = "";
    memcpy(vendor, &zero.b, 4);
    memcpy(vendor + 4, &zero.d, 4);
    memcpy(vendor + 8, &zero.c, 4);
    const unsigned base = one.a >> 8 & 15;
    const unsigned family = base == 15 ? base + (one.a >> 20 & 255) : base;
    const unsigned model = (one.a >> 4 & 15) | (base == 15 || base == 6 ? (one.a >> 16 & 15) << 4 : 0);
    say(text, size, "%s family %u model %u stepping %u", vendor, family, model, (unsigned)(one.a & 15));
#elif FACTS_ARM
    uint64_t midr;
    if (arm_midr(&midr))
        say(text, size, "implementer 0x%02x variant 0x%x part 0x%03x revision %u",
            (unsigned)(midr >> 24 & 0xff), (unsigned)(midr >> 20 & 15), (unsigned)(midr >> 4 & 0xfff),
            (unsigned)(midr & 15));
    else
        say(text, size, "unknown (this system keeps MIDR_EL1 from programs)");
#else
    static const char *const keys[] = {"vendor_id", "isa", "revision", "CPU Family", NULL};
    say_from_cpuinfo(text, size, keys);
#endif
}

void fact_microcode(char *text, size_t size)
{
#if FACTS_X86
    static const char *const keys[] = {"microcode", NULL};
    if (!cpuinfo(keys, text, size))
        say_unreadable(text, size, "/proc/cpuinfo");
#else
    say(text, size, "unknown (this architecture does not tell programs)");
#endif
}

void fact_hypervisor(char *text, size_t size)
{
#if FACTS_X86
    static const char *const names[][2] = {
        {"KVMKVMKVM", "KVM"},           {"Microsoft Hv", "Hyper-V"},  {"VMwareVMware", "VMware"},
        {"XenVMMXenVMM", "Xen"},        {"TCGTCGTCGTCG", "QEMU TCG"}, {"bhyve bhyve ", "bhyve"},
        {"VBoxVBoxVBox", "VirtualBox"},
    };
    if (!in_guest()) {
        say(text, size, "none");
        return;
    }
    const struct cpuid id = cpuid(0x40000000);
    char signature[13] = "";
    memcpy(signature, &id.b, 4);
    memcpy(signature + 4, &id.c, 4);
    memcpy(signature + 8, &id.d, 4);
    const char *name = signature;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(signature, names[i][0]) == 0)
            name = names[i][1];
    say(text, size, "%s", *name != 0 ? name : "yes, without a name");
#else
    if (cpuinfo_is_foreign()) {
        say(text, size, "user-mode emulation on x86");
        return;
    }
    static const char *const paths[] = {"/sys/hypervisor/type", "/proc/device-tree/hypervisor/compatible"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (file_line(paths[i], text, size))
            return;
    say(text, size, "unknown (this architecture does not tell programs)");
#endif
}

void fact_cpus(char *text, size_t size)
{
    char line[256];
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    int n = snprintf(text, size, "%ld online", online);
    const size_t used = n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
    const char *path = SYS_CPU "cpu0/topology/thread_siblings_list";
    if (!file_line(path, line, sizeof line)) {
        say(text + used, size - used, ", threads per core unknown (%s: %s)", path, strerror(errno));
        return;
    }
    const bool alone = strpbrk(line, ",-") == NULL;
    say(text + used, size - used, ", SMT %s%s%s", alone ? "off" : "on: CPU 0 shares its core as ",
        alone ? "" : line,
#if FACTS_X86
        in_guest() ? " (as this guest sees it; the host may share cores)" : "");
#else
        "");
#endif
}

void fact_caches(char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < 16; i++) {
        char path[128], level[16], type[32], bytes[32], shared[256];
        snprintf(path, sizeof path, SYS_CPU "cpu0/cache/index%d/level", i);
        if (!file_line(path, level, sizeof level))
            break;
        snprintf(path, sizeof path, SYS_CPU "cpu0/cache/index%d/type", i);
        if (!file_line(path, type, sizeof type))
            break;
        snprintf(path, sizeof path, SYS_CPU "cpu0/cache/index%d/size", i);
        if (!file_line(path, bytes, sizeof bytes))
            snprintf(bytes, sizeof bytes, "of unknown size");
        snprintf(path, sizeof path, SYS_CPU "cpu0/cache/index%d/shared_cpu_list", i);
        if (!file_line(path, shared, sizeof shared))
            *shared = 0;
        const size_t len = strlen(bytes);
        const bool kib = len > 0 && bytes[len - 1] == 'K';
        const int n =
            snprintf(text + used, size - used, "%sL%s%s %.*s%s%s%s%s", used > 0 ? ", " : "", level,
                     *type == 'D'   ? "d"
                     : *type == 'I' ? "i"
                                    : "",
                     (int)(kib ? len - 1 : len), bytes, kib ? " KiB" : "",
                     strpbrk(shared, ",-") != NULL ? " (CPUs " : "",
                     strpbrk(shared, ",-") != NULL ? shared : "", strpbrk(shared, ",-") != NULL ? ")" : "");
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
    }
    if (used == 0)
        say_unreadable(text, size, SYS_CPU "cpu0/cache");
}

void fact_governor(char *text, size_t size)
{
    const char *path = SYS_CPU "cpu0/cpufreq/scaling_governor";
    if (!file_line(path, text, size))
        say_unreadable(text, size, path);
}

void fact_turbo(char *text, size_t size)
{
    char line[16];
    if (file_line(SYS_CPU "intel_pstate/no_turbo", line, sizeof line))
        say(text, size, "%s", strcmp(line, "0") == 0 ? "on" : "off");
    else if (file_line(SYS_CPU "cpufreq/boost", line, sizeof line))
        say(text, size, "%s", strcmp(line, "0") == 0 ? "off" : "on");
    else
        say_unreadable(text, size, SYS_CPU "cpufreq/boost");
}

void fact_compiler(char *text, size_t size)
{
#ifdef __clang__
    const char *name = ""; /* its version begins with its name */
#else
    const char *name = "gcc ";
#endif
    const char *flags = CELER_BUILD_FLAGS;
    flags += strspn(flags, " ");
    say(text, size, "%s%s, flags: %s", name, __VERSION__, *flags != 0 ? flags : "none");
}
