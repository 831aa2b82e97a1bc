/* key.c: from the bytes of a file to a key that can be used, and back. */
#include "kem.h"
#include <stdio.h>
#include <string.h>
#include "cli.h"

const char *kem_title(const struct celer_kem *kem)
{
    static char title[32];
    size_t i = 0;
    for (const char *name = kem != NULL ? kem->name : "ml-kem"; name[i] != 0 && i < sizeof title - 1; i++)
        title[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
    title[i] = 0;
    return title;
}

/* The bytes alone: their number says which part of a key of which set they are. Only a seed fits all sets. */
static bool take_raw(struct kem_key *key, const uint8_t *bytes, size_t n, const struct celer_kem *kem)
{
    const struct celer_kem *row;
    if (n == CELER_MLKEM_SEED) {
        key->kem = kem;
        key->secret = true;
        key->form = KEM_SEED;
        memcpy(key->seed, bytes, n);
        return true;
    }
    for (size_t i = 0; (row = celer_kem_at(i)) != NULL; i++) {
        if (n != row->ek_len && n != row->dk_len)
            continue;
        key->kem = row;
        key->secret = n == row->dk_len;
        key->form = KEM_EXPANDED;
        key->has_ek = !key->secret;
        memcpy(key->secret ? key->dk : key->ek, bytes, n);
        return true;
    }
    return false;
}

static const char *take_block(struct kem_key *key, const uint8_t *bytes, size_t n, const char *label)
{
    key->secret = strcmp(label, "PRIVATE KEY") == 0;
    if (key->secret || strcmp(label, "PUBLIC KEY") == 0)
        return kem_der_decode(key, bytes, n);
    if (strcmp(label, "ENCRYPTED PRIVATE KEY") == 0)
        return "it is encrypted";
    return "a PEM block that is neither PUBLIC KEY nor PRIVATE KEY";
}

/* Text that is no PEM and no key in hexadecimal may still be a key: any bytes may be one. Hexadecimal comes before them,
   since with its line ends a public key may be as long as the bytes of a private one. */
const char *kem_key_decode(struct kem_key *key, uint8_t *bytes, size_t n, const struct celer_kem *kem)
{
    static char wrong_length[32];
    uint8_t from_hex[KEM_FILE_MAX / 2];
    char label[32];
    size_t decoded;
    memset(key, 0, sizeof *key);
    const char *wrong = kem_pem_decode(bytes, &decoded, label, (const char *)bytes, n);
    if (label[0] != 0) {
        key->format = KEM_PEM;
        return wrong != NULL ? wrong : take_block(key, bytes, decoded, label);
    }
    const bool hex = kem_hex_decode(from_hex, &decoded, (const char *)bytes, n);
    const bool taken = hex && take_raw(key, from_hex, decoded, kem);
    celer_wipe(from_hex, n / 2);
    key->format = taken ? KEM_HEX : KEM_RAW;
    if (taken || take_raw(key, bytes, n, kem))
        return key->kem != NULL ? NULL : "a seed fits all sets; name one with -p";
    snprintf(wrong_length, sizeof wrong_length, "%zu bytes", hex ? decoded : n);
    return wrong_length;
}

const char *kem_key_complete(struct kem_key *key)
{
    const struct celer_kem *const kem = key->kem;
    uint8_t ek[KEM_EK_MAX], dk[KEM_DK_MAX];
    const char *wrong = NULL;
    if (!key->secret)
        return kem->ek_check(key->ek) == CELER_OK ? NULL : "coefficient out of range";
    if (key->form == KEM_EXPANDED) { /* its ek stands before the hash of it and z, section 7.1 */
        memcpy(dk, key->dk, kem->dk_len);
        memcpy(ek, dk + kem->dk_len - 64 - kem->ek_len, kem->ek_len);
        if (kem->dk_check(dk) != CELER_OK)
            wrong = "its hash is not that of the encapsulation key inside";
    } else {
        kem->keygen(ek, dk, key->seed);
        if (key->form == KEM_BOTH && !celer_equal(dk, key->dk, kem->dk_len))
            wrong = "seed and expanded key do not belong together";
    }
    if (wrong == NULL && key->has_ek && memcmp(ek, key->ek, kem->ek_len) != 0)
        wrong = "the public key beside it is another's";
    memcpy(key->ek, ek, kem->ek_len);
    memcpy(key->dk, dk, kem->dk_len);
    celer_wipe(dk, sizeof dk);
    return wrong;
}

const char *kem_key_try(const struct kem_key *key)
{
    static const uint8_t coins[CELER_MLKEM_COINS];
    const struct celer_kem *const kem = key->kem;
    uint8_t ct[KEM_CT_MAX], sent[CELER_MLKEM_SS], received[CELER_MLKEM_SS];
    const char *wrong = NULL;
    if (kem->encaps(ct, sent, key->ek, coins) != CELER_OK)
        wrong = "coefficient out of range in the encapsulation key inside";
    else if (kem->decaps(received, ct, key->dk) != CELER_OK || !celer_equal(sent, received, sizeof sent))
        wrong = "its two halves do not belong together";
    celer_wipe(received, sizeof received);
    return wrong;
}

size_t kem_key_encode(char out[KEM_TEXT_MAX], const struct kem_key *key, enum kem_format format,
                      enum kem_form form)
{
    const struct celer_kem *const kem = key->kem;
    const uint8_t *const bytes = !key->secret ? key->ek : form == KEM_SEED ? key->seed : key->dk;
    const size_t n = !key->secret ? kem->ek_len : form == KEM_SEED ? sizeof key->seed : kem->dk_len;
    uint8_t der[KEM_DER_MAX];
    size_t length = n;
    switch (format) {
    case KEM_RAW:
        memcpy(out, bytes, n);
        break;
    case KEM_HEX:
        length = kem_hex_encode(out, bytes, n);
        break;
    case KEM_PEM:
        length = kem_der_encode(der, key, form);
        length = kem_pem_encode(out, key->secret ? "PRIVATE KEY" : "PUBLIC KEY", der, length);
        celer_wipe(der, sizeof der);
        break;
    }
    return length;
}

static const char *kind_name(enum kem_kind kind)
{
    return kind == KEM_PUBLIC ? "encapsulation key" : kind == KEM_PRIVATE ? "decapsulation key" : "key";
}

static int refuse(const char *name, const struct celer_kem *kem, enum kem_kind kind, const char *why)
{
    cli_error("%.4096s: not a valid %s %s (%s)", name, kem_title(kem), kind_name(kind), why);
    return EXIT_NEGATIVE;
}

int kem_key_read(struct kem_key *key, const char *name, const struct celer_kem *kem, enum kem_kind kind)
{
    uint8_t bytes[KEM_FILE_MAX];
    size_t n;
    int code = kem_file_read(name, bytes, sizeof bytes, &n);
    if (code != 0)
        return code;
    const char *wrong = kem_key_decode(key, bytes, n, kem);
    celer_wipe(bytes, sizeof bytes);
    const enum kem_kind found = key->secret ? KEM_PRIVATE : KEM_PUBLIC;
    if (wrong != NULL)
        code = refuse(name, key->kem != NULL ? key->kem : kem, key->kem != NULL ? found : kind, wrong);
    else if (kem != NULL && key->kem != kem) {
        char is[32];
        snprintf(is, sizeof is, "%s", kem_title(key->kem));
        cli_error("%.4096s: a key of %s, not of %s", name, is, kem_title(kem));
        code = EXIT_NEGATIVE;
    } else if (kind != KEM_ANY && kind != found) {
        cli_error("%.4096s: this is %s %s, not %s", name, found == KEM_PUBLIC ? "an" : "a", kind_name(found),
                  found == KEM_PUBLIC ? "a decapsulation key" : "an encapsulation key");
        code = EXIT_NEGATIVE;
    } else {
        wrong = kem_key_complete(key);
        if (wrong != NULL)
            code = refuse(name, key->kem, found, wrong);
    }
    if (code != 0)
        celer_wipe(key, sizeof *key);
    return code;
}
