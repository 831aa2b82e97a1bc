/* scale.c: see scale.h. */
#include "scale.h"
#include <math.h>

/* 10^n, exactly rounded: pow may differ in the last digit from one C library to another. */
static double power_of_ten(int n)
{
    double p = 1;
    for (int i = n < 0 ? -n : n; i > 0; i--)
        p *= 10;
    return n < 0 ? 1 / p : p;
}

/* The exponent n of 10^n <= value < 10^(n+1). */
static int decade_of(double value)
{
    int n = (int)floor(log10(value));
    if (power_of_ten(n + 1) <= value)
        n++;
    if (power_of_ten(n) > value)
        n--;
    return n;
}

struct scale scale_linear(double low, double high, size_t wanted, double from, double to)
{
    static const double factors[] = {1, 2, 5, 10};
    struct scale s = {.from = from, .to = to};
    if (!(high - low > 1e-9 * fmax(fabs(low), fabs(high)))) /* one value alone */
        high = low + (low != 0 ? fabs(low) / 10 : 1);
    if (!(high - low < 1e20 && high - low > 1e-20)) { /* nonsense, and no numbers to draw with */
        low = 0;
        high = 1;
    }
    if (wanted < 2)
        wanted = 2;
    const double rough = (high - low) / (double)wanted;
    const int n = decade_of(rough);
    double step = power_of_ten(n + 1);
    s.decimals = n + 1 < 0 ? -n - 1 : 0;
    for (int i = 0; i < 4; i++)
        if (factors[i] * power_of_ten(n) >= rough * 0.999999) {
            step = factors[i] * power_of_ten(n);
            s.decimals = i < 3 ? (n < 0 ? -n : 0) : s.decimals;
            break;
        }
    const double first = floor(low / step + 1e-9), last = ceil(high / step - 1e-9);
    for (double k = first; k <= last && s.tick_count < SCALE_MAX_TICKS; k++)
        s.ticks[s.tick_count++] = k * step;
    s.low = s.ticks[0];
    s.high = s.ticks[s.tick_count - 1];
    if (s.decimals > 6)
        s.decimals = 6;
    return s;
}

struct scale scale_log(double low, double high, size_t wanted, double from, double to)
{
    static const double factors[] = {1, 2, 5};
    struct scale s = {.log = true, .from = from, .to = to};
    low = low > 1e-9 ? fmin(low, 1e20) : 1e-9; /* of NaN too */
    high = high > low ? fmin(high, 1e24) : low * 10;
    /* All of 1, 2, 5 where they fit, else powers of ten, else every other one ... */
    int first = decade_of(low), last = decade_of(high) + 1, every = 1;
    const bool thin = (size_t)(last - first) * 3 > wanted + 2;
    while (thin && (last - first + every - 1) / every + 1 > SCALE_MAX_TICKS)
        every++;
    double ticks[3 * 64];
    size_t n = 0;
    for (int d = first; d <= last + every - 1 && n < 3 * 60; d += thin ? every : 1)
        for (int i = 0; i < (thin ? 1 : 3); i++)
            ticks[n++] = factors[i] * power_of_ten(d);
    size_t begin = 0, end = n - 1;
    while (begin + 1 < n && ticks[begin + 1] <= low * 1.000001)
        begin++;
    while (end > begin + 1 && ticks[end - 1] >= high * 0.999999)
        end--;
    for (size_t i = begin; i <= end && s.tick_count < SCALE_MAX_TICKS; i++)
        s.ticks[s.tick_count++] = ticks[i];
    s.low = s.ticks[0];
    s.high = s.ticks[s.tick_count - 1];
    const int smallest = decade_of(s.low * 1.000001);
    s.decimals = smallest < -6 ? 6 : smallest < 0 ? -smallest : 0;
    return s;
}

double scale_place(const struct scale *s, double value)
{
    double part;
    if (s->log)
        part = value > 0 ? log2(value / s->low) / log2(s->high / s->low) : 0;
    else
        part = (value - s->low) / (s->high - s->low);
    part = part > 0 ? (part < 1 ? part : 1) : 0; /* NaN too */
    return s->from + part * (s->to - s->from);
}
