/* test_chain_record.c: the bytes of a chain's file, against the layout in celer/chain.h and a CRC computed another way. */
#include "support.h"

enum { HEADER = CELER_CHAIN_HEADER_LEN, RECORD = CELER_CHAIN_RECORD_LEN };

/* CRC32C as RFC 3720 describes it: bits of each byte from the lowest on, divided by the polynomial from its highest
   coefficient on, complemented before and after, and read backwards. */
static uint32_t crc_by_division(const uint8_t *p, size_t n)
{
    uint32_t rest = UINT32_MAX, crc = 0;
    for (size_t i = 0; i < 8 * n; i++) {
        const uint32_t in = p[i / 8] >> i % 8 & 1, out = rest >> 31;
        rest = rest << 1 ^ ((in ^ out) != 0 ? UINT32_C(0x1edc6f41) : 0);
    }
    for (unsigned i = 0; i < 32; i++)
        crc |= (~rest >> i & 1) << (31 - i);
    return crc;
}

static uint64_t number_at(const uint8_t *p, size_t n)
{
    uint64_t v = 0;
    while (n-- > 0)
        v = v << 8 | p[n];
    return v;
}

static void put_number(uint8_t *p, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static void mend_crc(uint8_t *p, size_t n)
{
    put_number(p + n - 4, crc_by_division(p, n - 4), 4);
}

/* RFC 3720 appendix B.4: 32 bytes of 0x00, of 0xff, and 0x00 to 0x1f. */
static void test_crc_of_the_standard(void **state)
{
    (void)state;
    uint8_t bytes[32] = {0};
    assert_int_equal(crc_by_division(bytes, 32), 0x8a9136aa);
    memset(bytes, 0xff, 32);
    assert_int_equal(crc_by_division(bytes, 32), 0x62a8ab43);
    for (size_t i = 0; i < 32; i++)
        bytes[i] = (uint8_t)i;
    assert_int_equal(crc_by_division(bytes, 32), 0x46dd794e);
}

static struct celer_chain_header random_header(struct rng *rng)
{
    struct celer_chain_header header = {.version = 1, .algorithm = 1};
    rng_fill(rng, header.seed, 32);
    header.segment = rng_next(rng) >> 1 | 1;
    header.context_len = (uint32_t)rng_below(rng, CELER_CHAIN_CONTEXT_MAX + 1);
    rng_fill(rng, header.context, header.context_len);
    return header;
}

static void test_header(void **state)
{
    (void)state;
    struct rng rng = {1};
    for (size_t round = 0; round < 20; round++) {
        const struct celer_chain_header header = random_header(&rng);
        struct celer_chain_header back;
        uint8_t bytes[HEADER];
        celer_chain_header_encode(bytes, &header);
        check_bytes(bytes,
                    "\x89"
                    "CHAIN\r\n",
                    8, "magic");
        assert_int_equal(number_at(bytes + 8, 2), 1);
        assert_int_equal(number_at(bytes + 10, 2), 1);
        assert_int_equal(number_at(bytes + 12, 4), 0);
        check_bytes(bytes + 16, header.seed, 32, "seed");
        assert_true(number_at(bytes + 48, 8) == header.segment);
        assert_int_equal(number_at(bytes + 56, 4), header.context_len);
        check_bytes(bytes + 60, header.context, CELER_CHAIN_CONTEXT_MAX, "context");
        assert_int_equal(number_at(bytes + 508, 4), crc_by_division(bytes, 508));
        assert_int_equal(celer_chain_header_decode(&back, bytes), CELER_OK);
        assert_memory_equal(&back, &header, sizeof header);
    }
}

/* Wrong: a bit that the CRC does not cover. */
static void test_flipped_bits(void **state)
{
    (void)state;
    struct rng rng = {2};
    const struct celer_chain_header header = random_header(&rng);
    struct celer_chain_header header_back;
    struct celer_chain_record record = {.index = rng_next(&rng), .type = CELER_CHAIN_MIX}, record_back;
    uint8_t bytes[HEADER];
    rng_fill(&rng, record.hash, 32);
    celer_chain_header_encode(bytes, &header);
    for (size_t i = 0; i < 8 * HEADER; i++) {
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
        check(celer_chain_header_decode(&header_back, bytes) == CELER_EINVAL, "header, bit %zu", i);
        assert_true(all_zero(&header_back, sizeof header_back));
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    celer_chain_record_encode(bytes, &record);
    for (size_t i = 0; i < 8 * RECORD; i++) {
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
        check(celer_chain_record_decode(&record_back, bytes) == CELER_EINVAL, "record, bit %zu", i);
        assert_true(all_zero(&record_back, sizeof record_back));
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    assert_int_equal(celer_chain_record_decode(&record_back, bytes), CELER_OK);
}

/* What a later version may write is refused, and says what it is; so are lengths that cannot be. */
static void test_strange_header(void **state)
{
    (void)state;
    struct rng rng = {3};
    static const struct {
        size_t at, size;
        uint64_t value;
    } strange[] = {{8, 2, 2},  {8, 2, 0},    {10, 2, 2},          {12, 4, 1},
                   {48, 8, 0}, {56, 4, 449}, {56, 4, UINT32_MAX}, {48, 8, CELER_CHAIN_INDEX_MAX + 1}};
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        const struct celer_chain_header header = random_header(&rng);
        struct celer_chain_header back;
        uint8_t bytes[HEADER];
        celer_chain_header_encode(bytes, &header);
        put_number(bytes + strange[i].at, strange[i].value, strange[i].size);
        mend_crc(bytes, HEADER);
        check(celer_chain_header_decode(&back, bytes) == CELER_EINVAL, "case %zu", i);
        assert_int_equal(back.version, number_at(bytes + 8, 2));
        assert_int_equal(back.algorithm, number_at(bytes + 10, 2));
        assert_int_equal(back.flags, number_at(bytes + 12, 4));
        assert_true(back.segment == number_at(bytes + 48, 8));
        assert_int_equal(back.context_len, number_at(bytes + 56, 4));
        assert_true(all_zero(back.seed, 32) && all_zero(back.context, sizeof back.context));
    }
}

/* Wrong: a file that has two forms, of which one hides something. */
static void test_behind_context(void **state)
{
    (void)state;
    for (size_t len = 0; len < CELER_CHAIN_CONTEXT_MAX; len += 149)
        for (size_t at = len; at < CELER_CHAIN_CONTEXT_MAX; at++) {
            const struct celer_chain_header header = {.segment = 1, .context_len = (uint32_t)len};
            struct celer_chain_header back;
            uint8_t bytes[HEADER];
            celer_chain_header_encode(bytes, &header);
            bytes[60 + at] = 1;
            mend_crc(bytes, HEADER);
            check(celer_chain_header_decode(&back, bytes) == CELER_EINVAL, "byte %zu of %zu", at, len);
        }
}

static void test_long_context(void **state)
{
    (void)state;
    struct celer_chain_header header = {.segment = 1, .context_len = UINT32_MAX}, back;
    uint8_t bytes[HEADER];
    memset(header.context, 'x', CELER_CHAIN_CONTEXT_MAX);
    celer_chain_header_encode(bytes, &header);
    assert_int_equal(celer_chain_header_decode(&back, bytes), CELER_OK);
    assert_int_equal(back.context_len, CELER_CHAIN_CONTEXT_MAX);
    assert_string_equal(back.context, header.context);
}

static void test_record(void **state)
{
    (void)state;
    struct rng rng = {4};
    for (size_t round = 0; round < 100; round++) {
        struct celer_chain_record record = {.index = rng_next(&rng), .type = (uint32_t)rng_next(&rng)}, back;
        uint8_t bytes[RECORD];
        rng_fill(&rng, record.hash, 32);
        celer_chain_record_encode(bytes, &record);
        assert_true(number_at(bytes, 8) == record.index);
        assert_true(number_at(bytes + 8, 4) == record.type);
        check_bytes(bytes + 12, record.hash, 32, "hash");
        assert_int_equal(number_at(bytes + 44, 4), crc_by_division(bytes, 44));
        assert_int_equal(celer_chain_record_decode(&back, bytes), CELER_OK);
        assert_true(back.index == record.index && back.type == record.type);
        check_bytes(back.hash, record.hash, 32, "hash, read back");
    }
}

/* Zeros are what file systems leave where data were lost. */
static void test_zeros(void **state)
{
    (void)state;
    const uint8_t zeros[HEADER] = {0};
    struct celer_chain_header header;
    struct celer_chain_record record;
    assert_int_equal(celer_chain_header_decode(&header, zeros), CELER_EINVAL);
    assert_int_equal(celer_chain_record_decode(&record, zeros), CELER_EINVAL);
}

static void test_mix(void **state)
{
    (void)state;
    struct rng rng = {5};
    uint8_t both[64], mixed[32], want[32];
    for (size_t round = 0; round < 20; round++) {
        rng_fill(&rng, both, 64);
        memcpy(mixed, both, 32);
        celer_sha256(want, both, 64);
        celer_chain_mix(mixed, both + 32);
        check_bytes(mixed, want, 32, "SHA-256(hash || payload)");
    }
    memcpy(mixed, both, 32); /* the payload may be the hash itself */
    memcpy(both + 32, both, 32);
    celer_sha256(want, both, 64);
    celer_chain_mix(mixed, mixed);
    check_bytes(mixed, want, 32, "SHA-256(hash || hash)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc_of_the_standard),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_flipped_bits),
        cmocka_unit_test(test_strange_header),
        cmocka_unit_test(test_behind_context),
        cmocka_unit_test(test_long_context),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_mix),
    };
    return cmocka_run_group_tests_name("chain/record", tests, NULL, NULL);
}
