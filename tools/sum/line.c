/* line.c: the text of a line, written and read. */
#include "sum.h"
#include <string.h>
#include "cli.h"

#define NAME_SIZE 64

bool sum_set_bits(struct sum_algorithm *algorithm, uint64_t bits)
{
    algorithm->out_len = (size_t)(bits / 8);
    return bits % 8 == 0 && bits / 8 >= 1 && bits / 8 >= algorithm->hash->out_min &&
           bits / 8 <= SUM_MAX_OUT && algorithm->out_len <= algorithm->hash->out_max;
}

bool sum_find(struct sum_algorithm *algorithm, const char *name)
{
    char stem[NAME_SIZE];
    uint64_t bits;
    const size_t len = strlen(name);
    size_t digits = len; /* where those at the end begin */
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
        digits--;
    if (digits > 0 && digits < len && digits <= sizeof stem && strchr("-_", name[digits - 1]) != NULL) {
        snprintf(stem, sizeof stem, "%.*s", (int)digits - 1, name);
        algorithm->hash = celer_hash_find(stem);
        if (algorithm->hash != NULL && strlen(algorithm->hash->name) == strlen(stem) &&
            algorithm->hash->out_min != algorithm->hash->out_max)
            return cli_number(name + digits, UINT64_MAX, &bits) && sum_set_bits(algorithm, bits);
    }
    algorithm->hash = celer_hash_find(name);
    if (algorithm->hash == NULL)
        return false;
    algorithm->out_len = algorithm->hash->out_min == algorithm->hash->out_max ? algorithm->hash->out_len : 0;
    return true;
}

/* --- Written --- */

static bool needs_escape(const char *name)
{
    return strpbrk(name, "\\\n\r") != NULL;
}

static void write_escaped(FILE *to, const char *name)
{
    for (; *name != 0; name++)
        if (*name == '\\')
            fputs("\\\\", to);
        else if (*name == '\n')
            fputs("\\n", to);
        else if (*name == '\r')
            fputs("\\r", to);
        else
            putc(*name, to);
}

void sum_write_name(FILE *to, const char *name)
{
    if (needs_escape(name))
        putc('\\', to);
    write_escaped(to, name);
}

/* SHA256, SHA3-256, SHAKE128, BLAKE2b: upper case as far as the first digit; then the bits of a length that is not the
   customary one, SHAKE128-512. */
static void write_tag(FILE *to, const struct sum_algorithm *algorithm)
{
    const char *p = algorithm->hash->name;
    for (; *p != 0 && !(*p >= '0' && *p <= '9'); p++)
        putc(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p, to);
    fputs(p, to);
    if (algorithm->out_len != algorithm->hash->out_len)
        fprintf(to, "-%zu", 8 * algorithm->out_len);
}

static void write_hex(FILE *to, const uint8_t *out, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        putc(digits[out[i] >> 4], to);
        putc(digits[out[i] & 15], to);
    }
}

void sum_write_line(FILE *to, const struct sum_options *options, const uint8_t *out, const char *name)
{
    const bool escape =
        !options->zero && needs_escape(name); /* where NUL ends the line no name is ambiguous */
    if (escape)
        putc('\\', to);
    if (options->tag) {
        write_tag(to, &options->algorithm);
        fputs(" (", to);
    } else {
        write_hex(to, out, options->algorithm.out_len);
        fputs("  ", to);
    }
    if (escape)
        write_escaped(to, name);
    else
        fputs(name, to);
    if (options->tag) {
        fputs(") = ", to);
        write_hex(to, out, options->algorithm.out_len);
    }
    putc(options->zero ? 0 : '\n', to);
}

/* --- Read --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static size_t hex_span(const char *text)
{
    size_t n = 0;
    while (hex_value(text[n]) >= 0)
        n++;
    return n;
}

/* Resolves the escapes of a name in place; false when a backslash is followed by anything else than \, n or r. */
static bool unescape(char *name)
{
    char *to = name;
    while (*name != 0) {
        char c = *name++;
        if (c == '\\') {
            c = *name++;
            if (c == 'n')
                c = '\n';
            else if (c == 'r')
                c = '\r';
            else if (c != '\\')
                return false;
        }
        *to++ = c;
    }
    *to = 0;
    return true;
}

/* Our name for what a tag calls SHA512/256, or OpenSSL SHA2-256, SHA2-512/256 and SHAKE-128, which has 128 bits where
   none other are asked for. False when it is too long for a tag. */
static bool translate_tag(char name[NAME_SIZE], const char *tag)
{
    int n;
    if (strncmp(tag, "SHA2-", 5) == 0)
        n = snprintf(name, NAME_SIZE, "SHA%s", tag + 5);
    else if (strncmp(tag, "SHAKE-", 6) == 0)
        n = snprintf(name, NAME_SIZE, "SHAKE%s-%s", tag + 6, tag + 6);
    else
        n = snprintf(name, NAME_SIZE, "%s", tag);
    char *const slash = strchr(name, '/');
    if (slash != NULL)
        *slash = '-';
    return n >= 0 && n < NAME_SIZE;
}

/* "SHA3-256", "SHAKE128", "SHAKE128-512". The length comes from the tag alone, never from the digest beside it: whoever
   shortens a digest must not get an easier one to match. */
static bool read_tag(const char *tag, struct sum_algorithm *algorithm)
{
    char name[NAME_SIZE];
    if (!translate_tag(name, tag) || !sum_find(algorithm, name))
        return false;
    if (algorithm->out_len == 0)
        algorithm->out_len = algorithm->hash->out_len;
    return true;
}

/* TAG (NAME) = DIGEST; the blanks are optional. The last ')' ends the name: a digest has none. Returns 1, 0 (has a
   known tag, yet is improper), or -1 (no line of this kind). */
static int read_tagged(char *line, struct sum_line *result)
{
    char *open = strchr(line, '('), *close = strrchr(line, ')');
    if (open == NULL || open == line)
        return -1;
    char *end = is_blank(open[-1]) ? open - 1 : open;
    const char kept = *end;
    *end = 0;
    const bool known = read_tag(line, &result->algorithm);
    *end = kept;
    if (!known)
        return -1;
    if (close == NULL || close <= open + 1)
        return 0;
    const char *p = close + 1;
    while (is_blank(*p))
        p++;
    if (*p++ != '=')
        return 0;
    while (is_blank(*p))
        p++;
    const size_t digits = 2 * result->algorithm.out_len;
    if (hex_span(p) != digits || p[digits] != 0)
        return 0;
    *close = 0;
    result->guessed = false;
    result->digest = p;
    result->name = open + 1;
    return 1;
}

/* Only SHA-2: every length it has is also one of SHA-3, and without a word to the contrary the older one is meant. */
static bool sha2_of_length(size_t out_len, struct sum_algorithm *algorithm)
{
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++)
        if (strcmp(hash->family, "sha2") == 0 && hash->out_len == out_len) {
            *algorithm = (struct sum_algorithm){hash, out_len};
            return true;
        }
    return false;
}

/* DIGEST  NAME, DIGEST *NAME or DIGEST NAME. */
static bool read_untagged(char *line, const struct sum_algorithm *untagged, enum sum_gap *gap,
                          struct sum_line *result)
{
    const size_t digits = hex_span(line);
    char *name = line + digits;
    if (digits % 2 != 0 || !is_blank(*name++) || *name == 0)
        return false;
    result->algorithm = *untagged;
    result->guessed = untagged->hash == NULL;
    if (untagged->hash == NULL   ? !sha2_of_length(digits / 2, &result->algorithm)
        : untagged->out_len == 0 ? !sum_set_bits(&result->algorithm, 4 * (uint64_t)digits)
                                 : digits != 2 * untagged->out_len)
        return false;
    const bool second = (*name == ' ' || *name == '*') && name[1] != 0;
    if (*gap == SUM_GAP_UNKNOWN)
        *gap = second ? SUM_GAP_TWO : SUM_GAP_ONE;
    if (*gap == SUM_GAP_TWO) {
        if (!second)
            return false;
        name++;
    }
    result->digest = line;
    result->name = name;
    return true;
}

bool sum_read_line(char *line, size_t len, const struct sum_algorithm *untagged, enum sum_gap *gap,
                   struct sum_line *result)
{
    if (memchr(line, 0, len) != NULL) /* no name holds one; a list in UTF-16 is full of them */
        return false;
    while (is_blank(*line))
        line++;
    const bool escaped = *line == '\\';
    line += escaped;
    const int tagged = read_tagged(line, result);
    if (tagged == 0 || (tagged < 0 && !read_untagged(line, untagged, gap, result)))
        return false;
    return !escaped || unescape(result->name);
}

bool sum_line_equals(const struct sum_line *line, const uint8_t *out)
{
    unsigned differences = 0;
    for (size_t i = 0; i < line->algorithm.out_len; i++) {
        const int high = hex_value(line->digest[2 * i]), low = hex_value(line->digest[2 * i + 1]);
        differences |= ((unsigned)high << 4 | (unsigned)low) ^ out[i];
    }
    return differences == 0;
}
