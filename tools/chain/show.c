/* show.c: `celer chain info` and `export`. */
#include "chain.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli.h"

/* Of UTF-8: U+0000 to U+001F, and U+007F to U+009F. */
static bool is_control(const char *text)
{
    const unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1];
    return first < ' ' || first == 127 || (first == 0xc2 && second >= 0x80 && second < 0xa0);
}

bool chain_label_is_good(const char *label)
{
    json_t *const text = json_string(label); /* NULL where it is no UTF-8 */
    bool good = text != NULL && *label != 0 && strlen(label) <= CHAIN_LABEL_MAX;
    json_decref(text);
    for (; *label != 0; label++)
        good = good && !is_control(label);
    return good;
}

/* Text from a file, which may hold anything: what could disturb a line or a terminal becomes '?'. */
static void clean(char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_control(text + i)) {
            if ((unsigned char)text[i] >= 128) /* the first of two bytes */
                text[i++] = '?';
            text[i] = '?';
        }
    json_t *const valid = json_string(text);
    for (size_t i = 0; valid == NULL && i < n; i++)
        if ((unsigned char)text[i] >= 128)
            text[i] = '?';
    json_decref(valid);
}

/* The context as a line of text. */
static const char *context_of(struct chain_file *file)
{
    clean(file->header.context, file->header.context_len);
    return file->header.context;
}

int chain_info(const struct chain_options *options)
{
    struct chain_file file;
    char hex[65];
    if (chain_open(&file, options->files[0], CHAIN_READ) != 0)
        return EXIT_TROUBLE;
    printf("seed      %s\n", chain_hex(hex, file.header.seed));
    if (file.header.context_len > 0)
        printf("context   %s\n", context_of(&file));
    printf("algorithm sha256\nsegment   %" PRIu64 "\n", file.header.segment);
    printf("steps     %" PRIu64 "\nsegments  %" PRIu64 "\nmix-ins   %" PRIu64 "\nruns      %" PRIu64 "\n",
           file.steps, file.segments, file.mixes, file.runs);
    printf("value     %s\n", chain_hex(hex, file.value));
    printf("digest    %s\n", chain_hex(hex, file.digest));
    if (file.torn > 0)
        printf("state     torn, %" PRIu64 " bytes\n", file.torn);
    else if (file.goal > file.steps)
        printf("state     unfinished, on the way to step %" PRIu64 "\n", file.goal);
    else
        printf("state     %s\n", file.records == 0 ? "new" : file.complete ? "finished" : "unfinished");
    chain_close(&file);
    return EXIT_GOOD;
}

/* `text` between quotation marks; in CSV these are doubled, in JSON escaped. */
static void print_quoted(const char *text, bool json)
{
    putchar('"');
    for (; *text != 0; text++) {
        if (*text == '"' || (json && *text == '\\'))
            putchar(json ? '\\' : '"');
        putchar(*text);
    }
    putchar('"');
}

/* Ends the line before, and begins one: of a record, or of the seed. label: NULL, or of a mix-in. */
static void print_line(bool json, uint64_t index, const char *type, const uint8_t hash[32], const char *label)
{
    char hex[65];
    chain_hex(hex, hash);
    if (json)
        printf("%s\n  {\"index\": %" PRIu64 ", \"type\": \"%s\", \"hash\": \"%s\"",
               strcmp(type, "seed") == 0 ? "" : ",", index, type, hex);
    else
        printf("\n%" PRIu64 ",%s,%s,", index, type, hex);
    if (label != NULL) {
        printf("%s", json ? ", \"untrusted_label\": " : "");
        print_quoted(label, json);
    }
    if (json)
        putchar('}');
}

static bool print_records(const struct chain_file *file, bool json)
{
    struct celer_chain_record record;
    char label[CHAIN_LABEL_MAX + 1] = "";
    size_t length = 0;
    for (uint64_t r = 0; r < file->records; r++) {
        if (!chain_read(file, r, &record))
            return false;
        if (record.type == CELER_CHAIN_LABEL) {
            memcpy(label + length, record.hash, 32);
            length += 32;
            continue;
        }
        label[length] = 0;
        clean(label, strlen(label));
        print_line(json, record.index, chain_type_name(record.type), record.hash, length > 0 ? label : NULL);
        length = 0;
        if (ferror(stdout)) /* said at the end */
            break;
    }
    return true;
}

int chain_export(const struct chain_options *options)
{
    struct chain_file file;
    if (chain_open(&file, options->files[0], CHAIN_READ) != 0)
        return EXIT_TROUBLE;
    if (options->json) {
        printf("{\"type\": \"celer-chain\", \"algorithm\": \"sha256\", \"segment\": %" PRIu64
               ", \"context\": ",
               file.header.segment);
        print_quoted(context_of(&file), true);
        printf(", \"records\": [");
    } else {
        printf(CHAIN_CSV_HEAD);
    }
    print_line(options->json, 0, "seed", file.header.seed, NULL);
    const bool good = print_records(&file, options->json);
    puts(options->json ? "\n]}" : "");
    if (good && file.torn > 0)
        cli_error("%s: left out %" PRIu64 " bytes of a torn record at its end", file.name, file.torn);
    const int code = good && file.torn == 0 ? EXIT_GOOD : EXIT_TROUBLE;
    chain_close(&file);
    return code;
}
