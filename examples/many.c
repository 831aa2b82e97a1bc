/* Many messages at once: the vector lanes of the CPU work on several side by side. */
#include <celer/sha3.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char *const words[] = {"", "a", "ab", "abc", "a message of another length"};
    enum { N = sizeof words / sizeof words[0] };
    struct celer_msg msgs[N];
    uint8_t digests[N][CELER_SHA3_256_LEN];

    for (int i = 0; i < N; i++) {
        msgs[i].data = words[i];
        msgs[i].len = strlen(words[i]);
    }
    celer_sha3_256_many(digests, msgs, N);
    for (int i = 0; i < N; i++) {
        for (size_t j = 0; j < sizeof digests[i]; j++)
            printf("%02x", digests[i][j]);
        printf("  \"%s\"\n", words[i]);
    }
}
