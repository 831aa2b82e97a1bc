/* record.c: the bytes of a chain's file. The layout is in celer/chain.h. */
#include "celer/chain.h"
#include "base/bytes.h"

enum { FORMAT_VERSION = 1, FORMAT_SHA256 = 1 };

/* Bit by bit: there are as many of them as steps in a chain to pay for it. */
static uint32_t crc32c(const uint8_t *p, size_t n)
{
    uint32_t crc = UINT32_MAX;
    for (; n > 0; n--) {
        crc ^= *p++;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
    }
    return ~crc;
}

/* The last four bytes of n. */
static void crc_store(uint8_t *p, size_t n)
{
    store32_le(p + n - 4, crc32c(p, n - 4));
}

static int crc_is_right(const uint8_t *p, size_t n)
{
    return load32_le(p + n - 4) == crc32c(p, n - 4);
}

void celer_chain_header_encode(uint8_t out[CELER_AT_LEAST(512)], const struct celer_chain_header *header)
{
    const uint32_t context_len =
        header->context_len < CELER_CHAIN_CONTEXT_MAX ? header->context_len : CELER_CHAIN_CONTEXT_MAX;
    memset(out, 0, CELER_CHAIN_HEADER_LEN);
    memcpy(out, CELER_CHAIN_MAGIC, 8);
    store32_le(out + 8, FORMAT_VERSION | FORMAT_SHA256 << 16);
    memcpy(out + 16, header->seed, 32);
    store64_le(out + 48, header->segment);
    store32_le(out + 56, context_len);
    memcpy(out + 60, header->context, context_len);
    crc_store(out, CELER_CHAIN_HEADER_LEN);
}

int celer_chain_header_decode(struct celer_chain_header *out, const uint8_t in[CELER_AT_LEAST(512)])
{
    memset(out, 0, sizeof *out);
    if (memcmp(in, CELER_CHAIN_MAGIC, 8) != 0 || !crc_is_right(in, CELER_CHAIN_HEADER_LEN))
        return CELER_EINVAL;
    out->version = load32_le(in + 8) & 0xffff;
    out->algorithm = load32_le(in + 8) >> 16;
    out->flags = load32_le(in + 12);
    out->segment = load64_le(in + 48);
    out->context_len = load32_le(in + 56);
    if (out->version != FORMAT_VERSION || out->algorithm != FORMAT_SHA256 || out->flags != 0 ||
        out->segment == 0 || out->segment > CELER_CHAIN_INDEX_MAX ||
        out->context_len > CELER_CHAIN_CONTEXT_MAX)
        return CELER_EINVAL;
    for (size_t i = 60 + out->context_len; i < 60 + CELER_CHAIN_CONTEXT_MAX; i++)
        if (in[i] != 0)
            return CELER_EINVAL;
    memcpy(out->seed, in + 16, 32);
    memcpy(out->context, in + 60, out->context_len);
    return CELER_OK;
}

void celer_chain_record_encode(uint8_t out[CELER_AT_LEAST(48)], const struct celer_chain_record *record)
{
    store64_le(out, record->index);
    store32_le(out + 8, record->type);
    memcpy(out + 12, record->hash, 32);
    crc_store(out, CELER_CHAIN_RECORD_LEN);
}

int celer_chain_record_decode(struct celer_chain_record *out, const uint8_t in[CELER_AT_LEAST(48)])
{
    memset(out, 0, sizeof *out);
    if (!crc_is_right(in, CELER_CHAIN_RECORD_LEN))
        return CELER_EINVAL;
    out->index = load64_le(in);
    out->type = load32_le(in + 8);
    memcpy(out->hash, in + 12, 32);
    return CELER_OK;
}
