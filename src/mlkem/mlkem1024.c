/* mlkem1024.c: ML-KEM-1024. */
#define SET  1024
#define K    4
#define ETA1 2
#define DU   11
#define DV   5
#include "mlkem/mlkem.inc"
