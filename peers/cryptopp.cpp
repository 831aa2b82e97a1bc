/* cryptopp.cpp: Crypto++: an object for all messages; it restarts itself. */
#include <cryptopp/blake2.h>
#include <cryptopp/sha.h>
#include <cryptopp/sha3.h>
#include <cryptopp/shake.h>
#include <cstring>
#include <string>
#include "celer/provider.h"

namespace
{

template <class Hash> int open_object(const celer_subject *, void **state, const char **why) noexcept
{
    try {
        *state = new Hash;
        return 0;
    } catch (...) {
        *why = "Crypto++ cannot make one";
        return -1;
    }
}

template <class Hash> void close_object(const celer_subject *, void *state)
{
    delete static_cast<Hash *>(state);
}

template <class Hash>
void hash(const celer_subject *, void *state, uint8_t *out, const void *in, size_t in_len)
{
    static_cast<Hash *>(state)->CalculateDigest(out, static_cast<const uint8_t *>(in), in_len);
}

template <class Hash>
void xof(const celer_subject *, void *state, uint8_t *out, size_t out_len, const void *in, size_t in_len)
{
    static_cast<Hash *>(state)->CalculateTruncatedDigest(out, out_len, static_cast<const uint8_t *>(in),
                                                         in_len);
}

celer_subject subjects[16];
size_t count;

template <class Hash> celer_subject *add(uint32_t kind, const char *function, size_t out_len)
{
    static const std::string backend = Hash().AlgorithmProvider();
    celer_subject *s = &subjects[count++];
    s->kind = kind;
    s->flags = CELER_SUBJECT_DEFAULT;
    s->ways = 1;
    s->function = function;
    s->backend = backend.c_str();
    s->notes = "reused object";
    s->out_len = out_len;
    s->open = open_object<Hash>;
    s->close = close_object<Hash>;
    return s;
}

template <class Hash> void add_hash(const char *function)
{
    add<Hash>(CELER_KIND_HASH, function, Hash::DIGESTSIZE)->run.hash = hash<Hash>;
}

template <class Hash> void add_xof(const char *function, size_t out_len)
{
    add<Hash>(CELER_KIND_XOF, function, out_len)->run.xof = xof<Hash>;
}

/* 870 is 8.7.0. */
std::string version_text()
{
    const int v = CryptoPP::LibraryVersion();
    return std::to_string(v / 100) + "." + std::to_string(v / 10 % 10) + "." + std::to_string(v % 10);
}

} // namespace

extern "C" const celer_provider *celer_provider_1(const char **why)
try {
    static const std::string version = version_text();
    static celer_provider provider = {
        CELER_PROVIDER_ABI, sizeof(celer_subject), "cryptopp", "", "", "", subjects, 0};
    if (count == 0) {
        add_hash<CryptoPP::SHA224>("sha224");
        add_hash<CryptoPP::SHA256>("sha256");
        add_hash<CryptoPP::SHA384>("sha384");
        add_hash<CryptoPP::SHA512>("sha512");
        add_hash<CryptoPP::SHA3_224>("sha3-224");
        add_hash<CryptoPP::SHA3_256>("sha3-256");
        add_hash<CryptoPP::SHA3_384>("sha3-384");
        add_hash<CryptoPP::SHA3_512>("sha3-512");
        add_xof<CryptoPP::SHAKE128>("shake128", 32);
        add_xof<CryptoPP::SHAKE256>("shake256", 64);
        add_hash<CryptoPP::BLAKE2b>("blake2b");
        add_hash<CryptoPP::BLAKE2s>("blake2s");
    }
    provider.version = version.c_str();
    provider.subject_count = count;
    return &provider;
} catch (...) {
    *why = "Crypto++ fails to start";
    return nullptr;
}
