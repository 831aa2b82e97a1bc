/* mlkem512.c: ML-KEM-512. */
#define SET  512
#define K    2
#define ETA1 3
#define DU   10
#define DV   4
#include "mlkem/mlkem.inc"
