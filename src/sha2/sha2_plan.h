/* sha2_plan.h: with rows of which widths several messages are soonest done. */
#ifndef CELER_SHA2_PLAN_H
#define CELER_SHA2_PLAN_H
#include <stddef.h>
#include <stdint.h>

#define SHA2_PLAN_MAX 16

/* best[live], for live <= most <= SHA2_PLAN_MAX: the width of the row to go on with when so many messages of one length
   are left; 0 for none. A step of the row of width w costs cost[w], for w <= max_ways, whatever part of it is idle; 0:
   there is no such row. There is one of width 1. Of two ways to the same end, the one that begins wider. */
static inline void sha2_plan(unsigned char *best, size_t most, const uint32_t *cost, size_t max_ways)
{
    uint32_t total[SHA2_PLAN_MAX + 1] = {0};
    best[0] = 0;
    for (size_t live = 1; live <= most; live++) {
        total[live] = UINT32_MAX;
        for (size_t ways = max_ways; ways > 0; ways--) {
            const uint32_t sum = cost[ways] + total[live > ways ? live - ways : 0];
            if (cost[ways] != 0 && sum < total[live]) {
                total[live] = sum;
                best[live] = (unsigned char)ways;
            }
        }
    }
}
#endif
