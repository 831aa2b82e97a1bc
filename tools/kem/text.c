/* text.c: hexadecimal and PEM. Most of what passes here is secret: digits come from arithmetic, not from tables, and only
   whether a text is well-formed decides anything. */
#include "kem.h"
#include <stdio.h>
#include <string.h>

/* All ones where first <= c <= last, else 0; of numbers below 2^31. */
static unsigned within(unsigned c, unsigned first, unsigned last)
{
    return 0u - (((first - 1 - c) & (c - last - 1)) >> 31);
}

static char hex_digit(unsigned v)
{
    return (char)((within(v, 0, 9) & ('0' + v)) | (within(v, 10, 15) & ('a' - 10 + v)));
}

static char base64_digit(unsigned v)
{
    return (char)((within(v, 0, 25) & ('A' + v)) | (within(v, 26, 51) & ('a' - 26 + v)) |
                  (within(v, 52, 61) & (v - 52 + '0')) | (within(v, 62, 62) & '+') |
                  (within(v, 63, 63) & '/'));
}

/* What a digit stands for and 1; 0 when it is none. */
static unsigned hex_value(unsigned c)
{
    return (within(c, '0', '9') & (c - '0' + 1)) | (within(c, 'A', 'F') & (c - 'A' + 11)) |
           (within(c, 'a', 'f') & (c - 'a' + 11));
}

static unsigned base64_value(unsigned c)
{
    return (within(c, 'A', 'Z') & (c - 'A' + 1)) | (within(c, 'a', 'z') & (c - 'a' + 27)) |
           (within(c, '0', '9') & (c - '0' + 53)) | (within(c, '+', '+') & 63) | (within(c, '/', '/') & 64);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t kem_hex_encode(char *text, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        text[2 * i] = hex_digit(bytes[i] >> 4);
        text[2 * i + 1] = hex_digit(bytes[i] & 15u);
    }
    text[2 * n] = '\n';
    return 2 * n + 1;
}

bool kem_hex_decode(uint8_t *bytes, size_t *bytes_len, const char *text, size_t n)
{
    size_t digits = 0;
    unsigned high = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_blank(text[i]))
            continue;
        const unsigned value = hex_value((unsigned char)text[i]);
        if (value == 0)
            return false;
        if (digits++ % 2 == 0)
            high = value - 1;
        else
            bytes[digits / 2 - 1] = (uint8_t)(high << 4 | (value - 1));
    }
    if (digits == 0 || digits % 2 != 0)
        return false;
    *bytes_len = digits / 2;
    return true;
}

size_t kem_pem_encode(char *text, const char *label, const uint8_t *bytes, size_t n)
{
    char *at = text + sprintf(text, "-----BEGIN %s-----\n", label);
    for (size_t i = 0, digits = 0; i < n; i += 3) {
        const size_t given = n - i < 3 ? n - i : 3;
        uint32_t group = 0;
        for (size_t j = 0; j < 3; j++)
            group = group << 8 | (j < given ? bytes[i + j] : 0u);
        for (size_t j = 0; j < 4; j++, digits++)
            *at++ = j <= given ? base64_digit(group >> (18 - 6 * j) & 63) : '=';
        if (digits % 64 == 0 || i + 3 >= n)
            *at++ = '\n';
    }
    at += sprintf(at, "-----END %s-----\n", label);
    return (size_t)(at - text);
}

/* Four digits at a time, the last ones with '=' in the place of what is not there, and zeros in the bits left over. */
static bool base64_decode(uint8_t *bytes, size_t *bytes_len, const char *text, size_t n)
{
    size_t digits = 0, padding = 0, done = 0;
    uint32_t group = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_blank(text[i]))
            continue;
        const unsigned value = base64_value((unsigned char)text[i]);
        if (text[i] == '=' && digits % 4 >= 2)
            padding++;
        else if (value == 0 || padding > 0)
            return false;
        group = group << 6 | (value - (value > 0));
        if (++digits % 4 != 0)
            continue;
        for (size_t j = 0; j < 3 - padding; j++)
            bytes[done++] = (uint8_t)(group >> (16 - 8 * j));
        if (group & ((UINT32_C(1) << (8 * padding)) - 1))
            return false;
        group = 0;
    }
    *bytes_len = done;
    return done > 0 && digits % 4 == 0;
}

/* The first line of the text that begins so; NULL when there is none. */
static const char *find_line(const char *text, size_t n, const char *begin)
{
    const size_t length = strlen(begin);
    for (size_t i = 0; i + length <= n; i++)
        if ((i == 0 || text[i - 1] == '\n') && memcmp(text + i, begin, length) == 0)
            return text + i;
    return NULL;
}

const char *kem_pem_decode(uint8_t *bytes, size_t *bytes_len, char label[32], const char *text, size_t n)
{
    static const char begin[] = "-----BEGIN ";
    const char *const all_end = text + n, *at = find_line(text, n, begin);
    char ending[64];
    size_t length = 0;
    label[0] = 0;
    if (at == NULL)
        return "no PEM block";
    at += sizeof begin - 1;
    while (at + length < all_end && length < 31 && at[length] != '-' && (unsigned char)at[length] >= ' ')
        length++;
    memcpy(label, at, length);
    label[length] = 0;
    at += length;
    if (all_end - at < 5 || memcmp(at, "-----", 5) != 0)
        return "the PEM header is malformed";
    at += 5;
    const int ending_length = snprintf(ending, sizeof ending, "-----END %s-----", label);
    const char *const end = find_line(at, (size_t)(all_end - at), ending);
    if (end == NULL)
        return "the PEM block has no end";
    for (const char *rest = end + ending_length; rest < all_end; rest++)
        if (!is_blank(*rest))
            return "something follows the PEM block";
    if (!base64_decode(bytes, bytes_len, at, (size_t)(end - at)))
        return "the PEM block is not base64";
    return NULL;
}
