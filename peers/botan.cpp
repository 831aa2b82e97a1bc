/* botan.cpp: Botan 2: an object for all messages; it restarts itself. */
#include <botan/hash.h>
#include <botan/version.h>
#include <memory>
#include <string>
#include "celer/provider.h"

namespace
{

using Hash = std::unique_ptr<Botan::HashFunction>;

int open_object(const celer_subject *self, void **state, const char **why) noexcept
{
    *why = "this Botan was built without it";
    try {
        Hash hash = Botan::HashFunction::create(static_cast<const char *>(self->arg));
        *state = hash.release();
        return *state != nullptr ? 0 : -1;
    } catch (...) {
        return -1;
    }
}

void close_object(const celer_subject *, void *state)
{
    delete static_cast<Botan::HashFunction *>(state);
}

void hash(const celer_subject *, void *state, uint8_t *out, const void *in, size_t in_len)
{
    auto *h = static_cast<Botan::HashFunction *>(state);
    h->update(static_cast<const uint8_t *>(in), in_len);
    h->final(out);
}

/* The length of output is part of the name of an algorithm, so an object is good for one; a new length makes a new
   one, which happens before anything is timed. */
struct Xof {
    size_t out_len;
    Hash hash;
};

int open_xof(const celer_subject *self, void **state, const char **why) noexcept
{
    *why = "this Botan was built without it";
    try {
        const std::string name = static_cast<const char *>(self->arg);
        Hash hash = Botan::HashFunction::create(name + "(" + std::to_string(8 * self->out_len) + ")");
        if (hash == nullptr)
            return -1;
        *state = new Xof{self->out_len, std::move(hash)};
        return 0;
    } catch (...) {
        return -1;
    }
}

void close_xof(const celer_subject *, void *state)
{
    delete static_cast<Xof *>(state);
}

void xof(const celer_subject *self, void *state, uint8_t *out, size_t out_len, const void *in, size_t in_len)
{
    auto *x = static_cast<Xof *>(state);
    if (x->out_len != out_len) {
        const std::string name = static_cast<const char *>(self->arg);
        x->hash = Botan::HashFunction::create_or_throw(name + "(" + std::to_string(8 * out_len) + ")");
        x->out_len = out_len;
    }
    x->hash->update(static_cast<const uint8_t *>(in), in_len);
    x->hash->final(out);
}

int refuse_kem(const celer_subject *, void **, const char **why) noexcept
{
    *why = "ML-KEM needs Botan 3";
    return -1;
}

struct Row {
    uint32_t kind;
    const char *function, *algorithm;
    size_t out_len;
};

const Row rows[] = {
    {CELER_KIND_HASH, "sha224", "SHA-224", 28},         {CELER_KIND_HASH, "sha256", "SHA-256", 32},
    {CELER_KIND_HASH, "sha384", "SHA-384", 48},         {CELER_KIND_HASH, "sha512", "SHA-512", 64},
    {CELER_KIND_HASH, "sha512-256", "SHA-512-256", 32}, {CELER_KIND_HASH, "sha3-224", "SHA-3(224)", 28},
    {CELER_KIND_HASH, "sha3-256", "SHA-3(256)", 32},    {CELER_KIND_HASH, "sha3-384", "SHA-3(384)", 48},
    {CELER_KIND_HASH, "sha3-512", "SHA-3(512)", 64},    {CELER_KIND_XOF, "shake128", "SHAKE-128", 32},
    {CELER_KIND_XOF, "shake256", "SHAKE-256", 64},      {CELER_KIND_HASH, "blake2b", "BLAKE2b(512)", 64},
    {CELER_KIND_KEM, "ml-kem-512", nullptr, 32},        {CELER_KIND_KEM, "ml-kem-768", nullptr, 32},
    {CELER_KIND_KEM, "ml-kem-1024", nullptr, 32},
};
constexpr size_t row_count = sizeof rows / sizeof rows[0];

celer_subject subjects[row_count];
std::string backends[row_count];

void fill(size_t i)
{
    const Row &row = rows[i];
    celer_subject &s = subjects[i];
    s.kind = row.kind;
    s.flags = CELER_SUBJECT_DEFAULT;
    s.ways = 1;
    s.function = row.function;
    s.backend = s.notes = "";
    s.out_len = row.out_len;
    if (row.kind == CELER_KIND_KEM) {
        s.open = refuse_kem;
        return;
    }
    const bool is_xof = row.kind == CELER_KIND_XOF;
    const Hash made =
        Botan::HashFunction::create(is_xof ? std::string(row.algorithm) + "(256)" : row.algorithm);
    if (made != nullptr && made->provider() != "base")
        backends[i] = made->provider();
    s.backend = backends[i].c_str();
    s.notes = "reused object";
    s.arg = row.algorithm;
    if (is_xof) {
        s.open = open_xof;
        s.close = close_xof;
        s.run.xof = xof;
    } else {
        s.open = open_object;
        s.close = close_object;
        s.run.hash = hash;
    }
}

} // namespace

extern "C" const celer_provider *celer_provider_1(const char **why)
try {
    static const std::string version = Botan::short_version_string();
    static celer_provider provider = {
        CELER_PROVIDER_ABI, sizeof(celer_subject), "botan", "", "", "", subjects, row_count};
    for (size_t i = 0; i < row_count && subjects[i].kind == 0; i++)
        fill(i);
    provider.version = version.c_str();
    return &provider;
} catch (...) {
    *why = "Botan fails to start";
    return nullptr;
}
