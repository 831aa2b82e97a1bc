/* verdict.c: ends of verifications: put together, printed, and read again. */
#include "chain.h"
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli.h"

static const char *const verdict_names[] = {"valid", "invalid", "backend-failure"}; /* chain_result.verdict */
static const char *const reason_names[] = {"seed", "segment", "final-record",
                                           "final"}; /* chain_result.reason */

static int compare_begin(const void *a, const void *b)
{
    const struct chain_result *const x = a, *const y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static void not_verified(uint64_t begin, uint64_t end)
{
    cli_error("segments %" PRIu64 ":%" PRIu64 " were not verified", begin, end);
}

void chain_found(struct chain_result *result, enum chain_verdict verdict, enum chain_reason reason,
                 uint64_t bad, uint64_t bad_index)
{
    if (result->verdict != CHAIN_VERDICT_VALID &&
        (result->bad_index < bad_index || (result->bad_index == bad_index && result->reason <= reason)))
        return;
    result->verdict = verdict;
    result->reason = reason;
    result->bad = bad;
    result->bad_index = bad_index;
}

/* Whether two say the same of the file that both are about. */
static bool same_file(const struct chain_result *a, const struct chain_result *b)
{
    return memcmp(a->digest, b->digest, 32) == 0 && memcmp(a->seed, b->seed, 32) == 0 &&
           memcmp(a->final, b->final, 32) == 0 && a->steps == b->steps && a->segments == b->segments &&
           a->complete == b->complete;
}

struct chain_result chain_merge(struct chain_result *results, size_t n, uint64_t begin, uint64_t end)
{
    uint64_t covered = begin;
    bool failed = false;    /* a process */
    bool explained = false; /* why there is no verdict */
    qsort(results, n, sizeof *results, compare_begin);
    struct chain_result sum = {.verdict = CHAIN_VERDICT_NONE};
    for (size_t i = 0; i < n; i++) {
        const struct chain_result *const one = &results[i];
        if (one->verdict == CHAIN_VERDICT_NONE) { /* after an error line */
            failed = explained = true;
            continue;
        }
        if (sum.segments == 0) { /* the first of them: the file */
            sum = *one;
            sum.verdict = CHAIN_VERDICT_VALID;
            sum.begin = begin;
            sum.end = end;
        }
        if (!same_file(one, &sum)) {
            cli_error("these are verdicts on different files");
            sum.verdict = CHAIN_VERDICT_NONE;
            return sum;
        }
        if (one->begin > covered) {
            not_verified(covered, one->begin);
            sum.gaps = explained = true;
        }
        sum.gaps = sum.gaps || one->gaps;
        covered = one->end > covered ? one->end : covered;
        if (one->verdict != CHAIN_VERDICT_VALID)
            chain_found(&sum, one->verdict, one->reason, one->bad, one->bad_index);
    }
    if (covered < end) {
        if (!explained)
            not_verified(covered, end);
        sum.gaps = explained = true;
    }
    sum.gaps = sum.gaps || failed;                          /* also one whose share was empty */
    if (sum.gaps && sum.verdict != CHAIN_VERDICT_INVALID) { /* which no other part could mend */
        if (!explained)
            cli_error("one of these verdicts has gaps itself");
        sum.verdict = CHAIN_VERDICT_NONE;
    }
    return sum;
}

static bool is_whole(const struct chain_result *result)
{
    return result->sample == 0 && result->begin == 0 && result->end == result->segments;
}

static void print_reason(const struct chain_result *result, const char *name)
{
    const char *const among = result->gaps || !is_whole(result) ? ", the lowest of those verified" : "";
    printf("%s: invalid: ", name);
    switch (result->reason) {
    case CHAIN_REASON_SEED:
        puts("its seed is not the one given");
        break;
    case CHAIN_REASON_FINAL:
        puts("its last value is not the one given");
        break;
    case CHAIN_REASON_FINAL_RECORD:
        printf("a final record at step %" PRIu64 " has another value than the chain has there\n",
               result->bad_index);
        break;
    default:
        printf("segment %" PRIu64 ", which ends at step %" PRIu64 "%s\n", result->bad, result->bad_index,
               among);
    }
}

static void print_text(const struct chain_result *result, const char *name)
{
    char seed[65], final[65];
    if (result->verdict == CHAIN_VERDICT_INVALID)
        print_reason(result, name);
    else if (result->verdict == CHAIN_VERDICT_BROKEN)
        printf("%s: no verdict: this machine computes segment %" PRIu64 ", which ends at step %" PRIu64
               ", in two ways that differ\n",
               name, result->bad, result->bad_index);
    else if (is_whole(result))
        printf("%s: valid: %" PRIu64 " steps in %" PRIu64 " segments\n", name, result->steps,
               result->segments);
    else if (result->sample == 0)
        printf("%s: valid as far as segments %" PRIu64 ":%" PRIu64 " of %" PRIu64 " go\n", name,
               result->begin, result->end, result->segments);
    else
        printf("%s: not a proof: %" PRIu64 " of %" PRIu64 " segments, with --sample-seed %" PRIu64
               ", are valid\n",
               name, result->sample, result->segments, result->sample_seed);
    printf("seed  %s\nfinal %s\n", chain_hex(seed, result->seed), chain_hex(final, result->final));
    if (!result->complete)
        printf("unfinished: the last run was interrupted, or is under way\n");
}

static json_t *integer(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *integer_if(bool known, uint64_t value)
{
    return known ? integer(value) : json_null();
}

static json_t *hash_text(const uint8_t hash[32])
{
    char hex[65];
    return json_string(chain_hex(hex, hash));
}

static void print_json(const struct chain_result *result)
{
    const bool bad = result->verdict != CHAIN_VERDICT_VALID, sampled = result->sample != 0;
    const bool segment = bad && result->reason == CHAIN_REASON_SEGMENT;
    json_t *const json = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:[o,o], s:b, s:b, s:o, s:o, s:b, s:o, s:o, s:o}", "type",
        "celer-chain-verdict", "verdict", json_string(verdict_names[result->verdict]), "digest",
        hash_text(result->digest), "seed", hash_text(result->seed), "final", hash_text(result->final),
        "steps", integer(result->steps), "segments", integer(result->segments), "range",
        integer(sampled ? 0 : result->begin), integer(sampled ? result->segments : result->end), "gaps",
        result->gaps, "complete", result->complete, "sample", integer_if(sampled, result->sample),
        "sample_seed", integer_if(sampled, result->sample_seed), "proof", is_whole(result) && !bad, "reason",
        bad ? json_string(reason_names[result->reason]) : json_null(), "bad_segment",
        integer_if(segment, result->bad), "bad_index", integer_if(bad, result->bad_index));
    if (json == NULL || json_dumpf(json, stdout, JSON_COMPACT) != 0)
        cli_error("out of memory");
    else
        putchar('\n');
    json_decref(json);
}

int chain_print_result(const struct chain_result *result, const char *name, bool json)
{
    if (result->verdict == CHAIN_VERDICT_NONE)
        return EXIT_TROUBLE;
    if (json)
        print_json(result);
    else
        print_text(result, name);
    return result->verdict == CHAIN_VERDICT_VALID     ? EXIT_GOOD
           : result->verdict == CHAIN_VERDICT_INVALID ? EXIT_NEGATIVE
                                                      : EXIT_TROUBLE;
}

/* Its place among n names; n when it is none of them. */
static unsigned find_name(const char *name, const char *const *names, unsigned n)
{
    unsigned i = 0;
    while (i < n && strcmp(name, names[i]) != 0)
        i++;
    return i;
}

static bool read_reason(struct chain_result *result, json_t *json)
{
    const char *reason;
    json_int_t bad = 0, bad_index;
    if (json_unpack(json, "{s:s, s:I}", "reason", &reason, "bad_index", &bad_index) != 0 || bad_index < 0)
        return false;
    result->reason = find_name(reason, reason_names, CHAIN_REASONS);
    if (result->reason == CHAIN_REASON_SEGMENT &&
        (json_unpack(json, "{s:I}", "bad_segment", &bad) != 0 || bad < 0))
        return false;
    result->bad = (uint64_t)bad;
    result->bad_index = (uint64_t)bad_index;
    return result->reason < CHAIN_REASONS;
}

/* NULL; or what is wrong. */
static const char *read_result(struct chain_result *result, json_t *json)
{
    const char *type, *verdict, *digest, *seed, *final;
    json_int_t steps, segments, begin, end;
    json_t *sample;
    int complete, gaps;
    if (json_unpack(json, "{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:[I,I], s:b, s:b, s:o}", "type", &type,
                    "verdict", &verdict, "digest", &digest, "seed", &seed, "final", &final, "steps", &steps,
                    "segments", &segments, "range", &begin, &end, "gaps", &gaps, "complete", &complete,
                    "sample", &sample) != 0 ||
        strcmp(type, "celer-chain-verdict") != 0 || !chain_unhex(result->digest, digest) ||
        !chain_unhex(result->seed, seed) || !chain_unhex(result->final, final) || begin < 0 || begin >= end ||
        end > segments)
        return "no verdict of celer chain verify -f json";
    if (!json_is_null(sample))
        return "a verdict on a sample, which is not a proof";
    const unsigned i = find_name(verdict, verdict_names, CHAIN_VERDICT_NONE);
    if (i == CHAIN_VERDICT_NONE)
        return "a verdict not known here";
    if (i != CHAIN_VERDICT_VALID && (!read_reason(result, json) || result->bad >= (uint64_t)segments))
        return "a verdict that does not say what is bad";
    result->verdict = i;
    result->steps = (uint64_t)steps;
    result->segments = (uint64_t)segments;
    result->begin = (uint64_t)begin;
    result->end = (uint64_t)end;
    result->complete = complete;
    result->gaps = gaps;
    return NULL;
}

struct result_list {
    struct chain_result *results;
    size_t count;
};

static bool list_add(struct result_list *list, json_t *json, const char *name)
{
    struct chain_result *const results = realloc(list->results, (list->count + 1) * sizeof *results);
    if (results == NULL) {
        cli_error("out of memory");
        return false;
    }
    list->results = results;
    results[list->count] = (struct chain_result){0};
    const char *const wrong = read_result(&results[list->count++], json);
    if (wrong != NULL)
        cli_error("%s: %s", name, wrong);
    return wrong == NULL;
}

/* Whether nothing but blanks is left. */
static bool at_end(FILE *from)
{
    int c;
    while ((c = getc(from)) == ' ' || (c >= '\t' && c <= '\r'))
        continue;
    ungetc(c, from);
    return c == EOF;
}

/* One verdict or several, one after the other. */
static bool list_read(struct result_list *list, const char *name)
{
    const size_t before = list->count;
    FILE *const from = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
    bool good = true;
    if (from == NULL) {
        cli_error("%s: %s", name, strerror(errno));
        return false;
    }
    while (good && (list->count == before || !at_end(from))) {
        json_t *const json = json_loadf(from, JSON_DISABLE_EOF_CHECK, NULL);
        good = list_add(list, json, name);
        json_decref(json);
    }
    if (good && ferror(from)) {
        cli_error("%s: %s", name, strerror(errno));
        good = false;
    }
    if (from != stdin)
        fclose(from);
    return good;
}

int chain_merge_verdicts(const struct chain_options *options)
{
    struct result_list list = {0};
    bool good = true;
    for (int i = 0; i < options->file_count && good; i++)
        good = list_read(&list, options->files[i]);
    int code = EXIT_TROUBLE;
    if (good) {
        const struct chain_result sum = chain_merge(list.results, list.count, 0, list.results[0].segments);
        code = chain_print_result(&sum, "merged", options->json);
    }
    free(list.results);
    return code;
}
