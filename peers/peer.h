/* peer.h: what the tables of all peers have in common. */
#ifndef PEER_H
#define PEER_H
#include "celer/provider.h"

/* What every subject has; what it runs stands beside it. */
#define PEER_SUBJECT(of_kind, name, length, note)                                                  \
  .kind = (of_kind), .flags = CELER_SUBJECT_DEFAULT, .ways = 1, .function = (name), .backend = "", \
  .notes = (note), .out_len = (length)

/* The provider whose table is called subjects, but for its version. Nobody knows what compiled the library. */
#define PEER_PROVIDER(name)                                                                   \
  .abi = CELER_PROVIDER_ABI, .subject_size = sizeof(struct celer_subject), .library = (name), \
  .compiler = "", .flags = "", .subjects = subjects, .subject_count = sizeof subjects / sizeof subjects[0]

#endif
