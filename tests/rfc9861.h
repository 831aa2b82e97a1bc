/* rfc9861.h: the test vectors of RFC 9861, TurboSHAKE and KangarooTwelve. */
#ifndef RFC9861_H
#define RFC9861_H
#include <stddef.h>
#include <stdint.h>

#define RFC9861_FILE  "k12/rfc9861.json"
#define RFC9861_CASES 51

struct rfc9861_case {
    size_t number;
    const char *function; /* "TurboSHAKE128" */
    uint8_t *msg, *custom;
    size_t msg_len, custom_len;
    uint8_t domain; /* 0: has none */
    size_t out_len;
    uint8_t *end; /* the last end_len bytes of output */
    size_t end_len;
};

/* Reads the file and calls visit(case, arg) for each; fails the test when there are not RFC9861_CASES. */
void rfc9861_each(void (*visit)(const struct rfc9861_case *c, void *arg), void *arg);

/* ptn(n bytes) of section 5: 00 01 .. FA again and again. For free(). */
uint8_t *rfc9861_pattern(size_t n);
#endif
