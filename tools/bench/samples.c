/* samples.c: see samples.h. */
#include "samples.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PACKED 9 /* bytes of a sample: 5 for 32 bits of a step */

static bool append(json_t *samples, uint32_t round, float cycles)
{
    return json_array_append_new(json_object_get(samples, "rounds"), json_integer((json_int_t)round)) == 0 &&
           json_array_append_new(json_object_get(samples, "cycles"), json_real((double)cycles)) == 0;
}

json_t *samples_of(const struct cell *cell, const struct measure *m)
{
    json_t *const samples = json_pack("{s:[], s:[]}", "rounds", "cycles");
    bool ok = samples != NULL;
    for (size_t i = 0; ok && i < cell->count; i++) {
        const struct sample *const s = &cell->samples[i];
        if (sample_judge(s, m->clock, m->canary_floor) != SAMPLE_GOOD)
            continue;
        const double chain = ((double)s->chain[0] + (double)s->chain[1]) / 2;
        ok = append(samples, s->round,
                    (float)(clock_cycles(m->clock, s->span, chain) / (double)cell->repeats));
    }
    if (ok)
        return samples;
    json_decref(samples);
    return NULL;
}

bool samples_check(const json_t *samples)
{
    const json_t *const rounds = json_object_get(samples, "rounds"), *const cycles =
                                                                         json_object_get(samples, "cycles");
    json_int_t before = 0;
    if (json_array_size(rounds) != json_array_size(cycles))
        return false;
    for (size_t i = 0; i < json_array_size(rounds); i++) {
        const json_t *const round = json_array_get(rounds, i), *const value = json_array_get(cycles, i);
        if (!json_is_integer(round) || json_integer_value(round) < before ||
            json_integer_value(round) > (json_int_t)UINT32_MAX || !json_is_number(value) ||
            fabs(json_number_value(value)) > (double)FLT_MAX)
            return false;
        before = json_integer_value(round);
    }
    return true;
}

uint8_t *samples_pack(const json_t *samples, size_t *size)
{
    const json_t *const rounds = json_object_get(samples, "rounds"), *const cycles =
                                                                         json_object_get(samples, "cycles");
    const size_t n = json_array_size(rounds);
    uint8_t *const bytes = malloc(MAX_PACKED * n + 1), *to = bytes;
    uint32_t before = 0;
    for (size_t i = 0; bytes != NULL && i < n; i++) {
        const uint32_t round = (uint32_t)json_integer_value(json_array_get(rounds, i));
        const float value = (float)json_number_value(json_array_get(cycles, i));
        uint32_t step = round - before, word;
        before = round;
        for (; step > 127; step >>= 7)
            *to++ = (uint8_t)(step | 128);
        *to++ = (uint8_t)step;
        memcpy(&word, &value, sizeof word);
        for (unsigned shift = 0; shift < 32; shift += 8)
            *to++ = (uint8_t)(word >> shift);
    }
    *size = bytes != NULL ? (size_t)(to - bytes) : 0;
    return bytes;
}

json_t *samples_unpack(const uint8_t *bytes, size_t size)
{
    json_t *const samples = json_pack("{s:[], s:[]}", "rounds", "cycles");
    uint32_t round = 0;
    bool ok = samples != NULL;
    for (size_t at = 0; ok && at < size;) {
        uint64_t step = 0;
        uint32_t word = 0;
        float cycles;
        unsigned shift = 0;
        for (; shift < 28 && at < size && bytes[at] > 127; shift += 7)
            step |= (uint64_t)(bytes[at++] & 127) << shift;
        if (size - at < 5 || (step |= (uint64_t)bytes[at++] << shift) > UINT32_MAX - round) {
            ok = false;
            break;
        }
        round += (uint32_t)step;
        for (shift = 0; shift < 32; shift += 8)
            word |= (uint32_t)bytes[at++] << shift;
        memcpy(&cycles, &word, sizeof cycles);
        ok = isfinite(cycles) && append(samples, round, cycles);
    }
    if (ok)
        return samples;
    json_decref(samples);
    return NULL;
}
