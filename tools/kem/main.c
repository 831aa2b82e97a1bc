/* main.c: `celer kem`, its verbs and options. */
#include "kem.h"
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "cli.h"

static const char usage[] =
    "usage: celer kem VERB [OPTION]... [FILE]...\n"
    "\n"
    "ML-KEM (FIPS 203): a secret that two share, one of whom has published a key.\n"
    "\n"
    "  keygen -o NAME           make a key pair: NAME.pub to give away, NAME.key to keep\n"
    "  encaps PUB -o CT -k K    make a secret, K, and a ciphertext that tells it to the owner of PUB\n"
    "  decaps KEY CT -k K       the secret that CT tells the owner of KEY\n"
    "  check FILE...            say what keys there are, and whether they are valid\n"
    "  convert FILE -o NEW      write a key in another format or form\n"
    "  test                     try all sets on all backends of this machine\n"
    "\n"
    "  -p, --set NAME        512, 768 or 1024; keygen: (768), else: the one the key has to be of\n"
    "  -o, --output NAME     keygen, encaps, convert: where to write; '-' is standard output\n"
    "  -k, --secret FILE     encaps, decaps: where the secret goes, 32 bytes; '-' is standard output\n"
    "  -f, --format NAME     raw, hex or pem; of keys (pem), of ciphertexts and secrets (raw)\n"
    "      --seed-key        keygen, convert: the private key is its seed, 64 bytes (keygen's default)\n"
    "      --expanded        keygen, convert: the private key is the decapsulation key of FIPS 203\n"
    "      --both            keygen, convert: both, which pem alone can hold\n"
    "      --public          convert: the public key that belongs to a private one\n"
    "      --force           write over what is there, and secrets to a terminal\n"
    "      --coins HEX       keygen, encaps: in the place of randomness; for tests only\n"
    "  -n, --count N         test: round trips for each set and backend (100)\n"
    "  -b, --backend NAME    run on this instruction set (celer info lists them)\n"
    "  -h, --help            print this\n"
    "  -V, --version         print the version\n"
    "\n"
    "Exit status: 0 good; 1 a key or ciphertext is refused, or the test failed; 2 usage, input or output.\n";

/* What was given, as bits. A verb names those it knows. */
enum {
    KEM_GIVEN_SET = 1 << 0,
    KEM_GIVEN_OUTPUT = 1 << 1,
    KEM_GIVEN_SECRET = 1 << 2,
    KEM_GIVEN_FORMAT = 1 << 3,
    KEM_GIVEN_FORM = 1 << 4,
    KEM_GIVEN_PUBLIC = 1 << 5,
    KEM_GIVEN_FORCE = 1 << 6,
    KEM_GIVEN_COINS = 1 << 7,
    KEM_GIVEN_COUNT = 1 << 8,
    KEM_GIVEN_BACKEND = 1 << 9
};

/* For each bit the option as it is written. */
static const char *const option_names[] = {
    "--set",    "--output", "--secret", "--format", "--seed-key, --expanded and --both",
    "--public", "--force",  "--coins",  "--count",  "--backend"};

struct kem_options {
    uint32_t given;
    const struct celer_kem *kem; /* NULL: not given */
    const char *output, *secret, *backend, *coins;
    enum kem_format format;
    enum kem_form form;
    uint64_t rounds;
    char **files;
    int file_count;
};

static bool given(const struct kem_options *o, uint32_t bit)
{
    return (o->given & bit) != 0;
}

/* The bytes of --coins, or random ones. Returns 0; or EXIT_TROUBLE after an error line. */
static int draw(const struct kem_options *o, uint8_t *coins, size_t n)
{
    uint8_t bytes[256];
    size_t length;
    if (!given(o, KEM_GIVEN_COINS)) {
        if (celer_random(coins, n) == CELER_OK)
            return 0;
        cli_error("%s", celer_strerror(CELER_ERANDOM));
        return EXIT_TROUBLE;
    }
    const size_t digits = strlen(o->coins);
    if (digits != 2 * n || !kem_hex_decode(bytes, &length, o->coins, digits) || length != n)
        return cli_usage("--coins: %zu hexadecimal digits are needed here", 2 * n);
    memcpy(coins, bytes, n);
    return 0;
}

/* "both" is a form of PEM alone, and no seed comes from an expanded key. */
static int reject_form(const struct kem_options *o, const char *name, const struct kem_key *key)
{
    if (o->form == KEM_BOTH && o->format != KEM_PEM)
        return cli_usage("--both needs --format pem");
    if (key->form != KEM_EXPANDED || o->form == KEM_EXPANDED)
        return 0;
    cli_error("%.4096s: an expanded key does not tell its seed", name);
    return EXIT_TROUBLE;
}

static int kem_keygen(const struct kem_options *o)
{
    struct kem_key key = {.kem = given(o, KEM_GIVEN_SET) ? o->kem : celer_kem_find("ml-kem-768"),
                          .secret = true,
                          .form = KEM_SEED};
    char names[2][4096], public[KEM_TEXT_MAX], private[KEM_TEXT_MAX];
    const size_t length = strlen(o->output);
    if (length == 0 || o->output[length - 1] == '/' || strcmp(o->output, "-") == 0 ||
        length > sizeof names[0] - 5)
        return cli_usage("--output '%.64s': keygen writes two files, NAME.pub and NAME.key", o->output);
    int code = reject_form(o, o->output, &key);
    if (code == 0)
        code = draw(o, key.seed, sizeof key.seed);
    if (code != 0)
        return code;
    key.kem->keygen(key.ek, key.dk, key.seed);
    snprintf(names[0], sizeof names[0], "%s.pub", o->output);
    snprintf(names[1], sizeof names[1], "%s.key", o->output);
    const size_t private_len = kem_key_encode(private, &key, o->format, o->form);
    key.secret = false;
    const size_t public_len = kem_key_encode(public, &key, o->format, o->form);
    const struct kem_output outputs[] = {{names[0], public, public_len, false},
                                         {names[1], private, private_len, true}};
    code = kem_files_write(outputs, 2, given(o, KEM_GIVEN_FORCE));
    celer_wipe(&key, sizeof key);
    celer_wipe(private, sizeof private);
    return code;
}

/* A ciphertext or a secret in the format asked for. */
static struct kem_output plain_output(const struct kem_options *o, const char *name, const uint8_t *bytes,
                                      size_t n, bool secret, char *text)
{
    if (o->format == KEM_HEX)
        return (struct kem_output){name, text, kem_hex_encode(text, bytes, n), secret};
    return (struct kem_output){name, bytes, n, secret};
}

static int kem_encaps(const struct kem_options *o)
{
    struct kem_key key;
    uint8_t coins[CELER_MLKEM_COINS], ct[KEM_CT_MAX], ss[CELER_MLKEM_SS];
    char texts[2][2 * KEM_CT_MAX + 1];
    int code = kem_key_read(&key, o->files[0], o->kem, KEM_PUBLIC);
    if (code == 0)
        code = draw(o, coins, sizeof coins);
    if (code != 0)
        return code;
    if (key.kem->encaps(ct, ss, key.ek, coins) != CELER_OK) { /* was checked when it was read */
        cli_error("%.4096s: %s", o->files[0], celer_strerror(CELER_EKEY));
        return EXIT_NEGATIVE;
    }
    const struct kem_output outputs[] = {plain_output(o, o->output, ct, key.kem->ct_len, false, texts[0]),
                                         plain_output(o, o->secret, ss, sizeof ss, true, texts[1])};
    code = kem_files_write(outputs, 2, given(o, KEM_GIVEN_FORCE));
    celer_wipe(coins, sizeof coins);
    celer_wipe(ss, sizeof ss);
    celer_wipe(texts, sizeof texts);
    return code;
}

/* Raw, or in hexadecimal: twice as long and more. */
static int read_ciphertext(uint8_t *ct, const char *name, const struct celer_kem *kem)
{
    uint8_t bytes[KEM_FILE_MAX], decoded[KEM_FILE_MAX];
    size_t n;
    const int code = kem_file_read(name, bytes, sizeof bytes, &n);
    if (code != 0)
        return code;
    const uint8_t *from = bytes;
    if (n != kem->ct_len && kem_hex_decode(decoded, &n, (const char *)bytes, n))
        from = decoded;
    if (n == kem->ct_len) {
        memcpy(ct, from, n);
        return 0;
    }
    cli_error("%.4096s: not a valid %s ciphertext (%zu bytes)", name, kem_title(kem), n);
    return EXIT_NEGATIVE;
}

static int kem_decaps(const struct kem_options *o)
{
    struct kem_key key;
    uint8_t ct[KEM_CT_MAX], ss[CELER_MLKEM_SS];
    char text[2 * CELER_MLKEM_SS + 1];
    if (strcmp(o->files[0], "-") == 0 && strcmp(o->files[1], "-") == 0)
        return cli_usage("one of KEY and CT can come from standard input");
    int code = kem_key_read(&key, o->files[0], o->kem, KEM_PRIVATE);
    if (code != 0)
        return code;
    code = read_ciphertext(ct, o->files[1], key.kem);
    if (code == 0 && key.kem->decaps(ss, ct, key.dk) != CELER_OK) { /* was checked when it was read */
        cli_error("%.4096s: %s", o->files[0], celer_strerror(CELER_EKEY));
        code = EXIT_NEGATIVE;
    }
    if (code == 0) {
        const struct kem_output output = plain_output(o, o->secret, ss, sizeof ss, true, text);
        code = kem_files_write(&output, 1, given(o, KEM_GIVEN_FORCE));
    }
    celer_wipe(&key, sizeof key);
    celer_wipe(ss, sizeof ss);
    celer_wipe(text, sizeof text);
    return code;
}

static const char *const format_names[] = {"raw", "hex", "pem"};

static int check_file(const struct kem_options *o, const char *name)
{
    static const char *const form_names[] = {"seed", "expanded", "seed and expanded"};
    struct kem_key key;
    const int code = kem_key_read(&key, name, o->kem, KEM_ANY);
    if (code != 0)
        return code;
    const char *const wrong = key.secret ? kem_key_try(&key) : NULL;
    if (wrong != NULL) {
        cli_error("%.4096s: not a valid %s decapsulation key (%s)", name, kem_title(key.kem), wrong);
    } else {
        cli_print_safely(stdout, name);
        printf(": %s ", kem_title(key.kem));
        if (key.secret)
            printf("decapsulation key, %s, %s\n", form_names[key.form], format_names[key.format]);
        else
            printf("encapsulation key, %s\n", format_names[key.format]);
    }
    celer_wipe(&key, sizeof key);
    return wrong == NULL ? EXIT_GOOD : EXIT_NEGATIVE;
}

static int kem_check(const struct kem_options *o)
{
    int code = EXIT_GOOD;
    for (int i = 0; i < o->file_count; i++) {
        const int one = check_file(o, o->files[i]);
        code = one > code ? one : code;
    }
    return code;
}

static int kem_convert(const struct kem_options *o)
{
    struct kem_key key;
    struct kem_options as = *o;
    char text[KEM_TEXT_MAX];
    int code = kem_key_read(&key, o->files[0], o->kem, KEM_ANY);
    if (code != 0)
        return code;
    if (key.secret && !given(o, KEM_GIVEN_FORM))
        as.form = key.form == KEM_EXPANDED || o->format == KEM_PEM ? key.form : KEM_SEED;
    if (given(o, KEM_GIVEN_PUBLIC))
        key.secret = false;
    else if (key.secret)
        code = reject_form(&as, o->files[0], &key);
    else if (given(o, KEM_GIVEN_FORM))
        code = cli_usage("%.256s: a public key has one form only", o->files[0]);
    if (code == 0) {
        const size_t n = kem_key_encode(text, &key, as.format, as.form);
        const struct kem_output output = {o->output, text, n, key.secret};
        code = kem_files_write(&output, 1, given(o, KEM_GIVEN_FORCE));
    }
    celer_wipe(&key, sizeof key);
    celer_wipe(text, sizeof text);
    return code;
}

static int kem_self_test(const struct kem_options *o)
{
    return kem_test(o->kem, !given(o, KEM_GIVEN_BACKEND), o->rounds);
}

#define WRITES (KEM_GIVEN_OUTPUT | KEM_GIVEN_FORMAT | KEM_GIVEN_FORCE)
#define ALWAYS (KEM_GIVEN_SET | KEM_GIVEN_BACKEND)

static const struct verb {
    const char *name;
    int (*run)(const struct kem_options *options);
    uint32_t takes, needs;
    int files_min, files_max;
    const char *files;
    enum kem_format format;
} verbs[] = {
    {"keygen", kem_keygen, WRITES | KEM_GIVEN_FORM | KEM_GIVEN_COINS, KEM_GIVEN_OUTPUT, 0, 0, "no FILE",
     KEM_PEM},
    {"encaps", kem_encaps, WRITES | KEM_GIVEN_SECRET | KEM_GIVEN_COINS, KEM_GIVEN_OUTPUT | KEM_GIVEN_SECRET,
     1, 1, "PUB, an encapsulation key", KEM_RAW},
    {"decaps", kem_decaps, KEM_GIVEN_SECRET | KEM_GIVEN_FORMAT | KEM_GIVEN_FORCE, KEM_GIVEN_SECRET, 2, 2,
     "KEY and CT, a decapsulation key and a ciphertext", KEM_RAW},
    {"check", kem_check, 0, 0, 1, 1 << 20, "FILE", KEM_PEM},
    {"convert", kem_convert, WRITES | KEM_GIVEN_FORM | KEM_GIVEN_PUBLIC, KEM_GIVEN_OUTPUT, 1, 1, "FILE",
     KEM_PEM},
    {"test", kem_self_test, KEM_GIVEN_COUNT, 0, 0, 0, "no FILE", KEM_PEM},
};
#define VERBS (sizeof verbs / sizeof verbs[0])

enum { OPTION_SEED_KEY = 256, OPTION_EXPANDED, OPTION_BOTH, OPTION_PUBLIC, OPTION_FORCE, OPTION_COINS };

static const struct option long_options[] = {
    {"backend", required_argument, NULL, 'b'},
    {"both", no_argument, NULL, OPTION_BOTH},
    {"coins", required_argument, NULL, OPTION_COINS},
    {"count", required_argument, NULL, 'n'},
    {"expanded", no_argument, NULL, OPTION_EXPANDED},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"format", required_argument, NULL, 'f'},
    {"help", no_argument, NULL, 'h'},
    {"output", required_argument, NULL, 'o'},
    {"public", no_argument, NULL, OPTION_PUBLIC},
    {"secret", required_argument, NULL, 'k'},
    {"seed-key", no_argument, NULL, OPTION_SEED_KEY},
    {"set", required_argument, NULL, 'p'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static int take_set(const char *name, const struct celer_kem **kem)
{
    char full[32], known[128] = "";
    snprintf(full, sizeof full, "ml-kem-%.16s", name);
    *kem = celer_kem_find(full);
    if (*kem == NULL)
        *kem = celer_kem_find(name);
    if (*kem != NULL)
        return 0;
    const struct celer_kem *row;
    for (size_t i = 0; (row = celer_kem_at(i)) != NULL; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", strrchr(row->name, '-') + 1);
    return cli_usage("unknown parameter set '%.64s'; there are:%s", name, known);
}

static int take_form(struct kem_options *o, enum kem_form form)
{
    if (given(o, KEM_GIVEN_FORM) && o->form != form)
        return cli_usage("one of --seed-key, --expanded and --both");
    o->given |= KEM_GIVEN_FORM;
    o->form = form;
    return 0;
}

/* Only the row of that name shall run. */
static int take_backend(const char *name)
{
    const struct celer_kernel *const kernel = celer_kem_at(0)->kernel;
    const struct celer_backend *row;
    char known[256] = "";
    for (size_t i = 0; (row = celer_kernel_row(kernel, i)) != NULL; i++) {
        if (strcmp(row->name, name) == 0)
            return kem_use_row(row) ? 0 : EXIT_TROUBLE;
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", row->name);
    }
    uint32_t mask;
    if (cli_backend(name, &mask) == 0)
        cli_error("ML-KEM has no backend '%s'; there are:%s", name, known);
    return EXIT_TROUBLE;
}

/* Returns 0; or EXIT_TROUBLE after an error line. */
static int take_option(int c, struct kem_options *o)
{
    int word;
    switch (c) {
    case 'p':
        o->given |= KEM_GIVEN_SET;
        return take_set(optarg, &o->kem);
    case 'o':
        o->given |= KEM_GIVEN_OUTPUT;
        o->output = optarg;
        return 0;
    case 'k':
        o->given |= KEM_GIVEN_SECRET;
        o->secret = optarg;
        return 0;
    case 'f':
        o->given |= KEM_GIVEN_FORMAT;
        word = cli_word("format", optarg, format_names, 3);
        o->format = (enum kem_format)word;
        return word >= 0 ? 0 : EXIT_TROUBLE;
    case OPTION_SEED_KEY:
        return take_form(o, KEM_SEED);
    case OPTION_EXPANDED:
        return take_form(o, KEM_EXPANDED);
    case OPTION_BOTH:
        return take_form(o, KEM_BOTH);
    case OPTION_PUBLIC:
        o->given |= KEM_GIVEN_PUBLIC;
        return 0;
    case OPTION_FORCE:
        o->given |= KEM_GIVEN_FORCE;
        return 0;
    case OPTION_COINS:
        o->given |= KEM_GIVEN_COINS;
        o->coins = optarg;
        return 0;
    case 'n':
        o->given |= KEM_GIVEN_COUNT;
        if (cli_number(optarg, UINT32_MAX, &o->rounds) && o->rounds > 0)
            return 0;
        return cli_usage("--count '%.64s': a number from 1 to %lu", optarg, (unsigned long)UINT32_MAX);
    case 'b':
        o->given |= KEM_GIVEN_BACKEND;
        return take_backend(optarg);
    default:
        return EXIT_TROUBLE;
    }
}

static const char *first_option(uint32_t bits)
{
    size_t i = 0;
    while (!(bits >> i & 1))
        i++;
    return option_names[i];
}

static int reject(const struct verb *verb, const struct kem_options *o)
{
    if (o->given & ~(verb->takes | ALWAYS))
        return cli_usage("%s: not with %s", first_option(o->given & ~(verb->takes | ALWAYS)), verb->name);
    if (verb->needs & ~o->given)
        return cli_usage("%s needs %s", verb->name, first_option(verb->needs & ~o->given));
    if (o->file_count < verb->files_min || o->file_count > verb->files_max)
        return cli_usage("%s takes %s", verb->name, verb->files);
    if (given(o, KEM_GIVEN_FORM) && given(o, KEM_GIVEN_PUBLIC))
        return cli_usage("--public: a public key has one form only");
    if (verb->format == KEM_RAW && o->format == KEM_PEM)
        return cli_usage("--format pem: ciphertexts and secrets have no such format");
    return 0;
}

static const struct verb *find_verb(const char *name)
{
    char known[256] = "";
    for (size_t i = 0; i < VERBS; i++) {
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", verbs[i].name);
    }
    cli_error("unknown verb '%s'; there are:%s", name, known);
    return NULL;
}

int cmd_kem(int argc, char **argv)
{
    struct kem_options options = {.form = KEM_SEED, .rounds = 100};
    const struct verb *verb = NULL;
    int c;
    signal(SIGXFSZ,
           SIG_IGN); /* a limit of a file's size, and a reader who went away, are errors like others */
    signal(SIGPIPE, SIG_IGN);
    if (argc >= 2 && argv[1][0] != '-') {
        argc--, argv++;
        verb = find_verb(argv[0]);
        if (verb == NULL)
            return EXIT_TROUBLE;
        options.format = verb->format;
    }
    while ((c = cli_option(argc, argv, ":b:f:hk:n:o:p:V", long_options)) != -1) {
        if (c == 'h')
            fputs(usage, stdout);
        else if (c == 'V')
            printf("celer %s\n", celer_version());
        if (c == 'h' || c == 'V')
            return cli_finish(EXIT_GOOD);
        if (c != '?' && verb == NULL)
            return cli_usage("a verb comes before the options");
        if (take_option(c, &options) != 0)
            return EXIT_TROUBLE;
    }
    if (verb == NULL)
        return cli_usage("which verb?");
    options.files = argv + optind;
    options.file_count = argc - optind;
    if (reject(verb, &options) != 0)
        return EXIT_TROUBLE;
    return cli_finish(verb->run(&options));
}
