/* kangarootwelve.h: KT128 and KT256 are one tree, over the sponge of either rate. RFC 9861 section 3. */
#ifndef CELER_KANGAROOTWELVE_H
#define CELER_KANGAROOTWELVE_H
#include "celer/sha3.h"

/* rate: 168 KT128, 136 KT256. */
void celer_kt_init_(struct celer_kt *kt, unsigned rate);
void celer_kt_update_(struct celer_kt *kt, const uint8_t *in, size_t in_len);
/* Ends absorbing, with an empty customization string, if nothing did yet; gives out the next out_len bytes. */
void celer_kt_squeeze_(struct celer_kt *kt, uint8_t *out, size_t out_len);

/* The whole of it at once; out may overlap in. */
void celer_kt_(uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len, const void *custom,
               size_t custom_len, unsigned rate);

/* out + i * out_len = KT of msgs[i], without customization strings. */
void celer_kt_many_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n, unsigned rate);
#endif
