/* mlkem768.c: ML-KEM-768. */
#define SET  768
#define K    3
#define ETA1 2
#define DU   10
#define DV   4
#include "mlkem/mlkem.inc"
