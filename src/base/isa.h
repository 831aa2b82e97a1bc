/* isa.h: which architecture this is, and the instruction-set regions round a backend.
   First include of every file that includes an intrinsics header.

   A backend raises the instruction set for its own functions only, in the source:

       #include "base/isa.h"
       #if CELER_X86
       CELER_TARGET_BEGIN("avx2")
       #include <immintrin.h>
       ... static functions, one celer_ kernel ...
       CELER_TARGET_END
       #endif

   so that every build is "compile every .c file" and no build flag selects or breaks a backend. Regions only
   add: where the command line already exceeds a row, the row may be compiled to more than its name says, which
   is why celer is built without -march and the tests look into the object files. */
#ifndef CELER_ISA_H
#define CELER_ISA_H

#if defined(__x86_64__) && !defined(__ILP32__) && defined(__GNUC__) && !defined(CELER_SCALAR_ONLY)
#  define CELER_X86 1
#else
#  define CELER_X86 0
#endif

#if defined(__aarch64__) && defined(__AARCH64EL__) && defined(__GNUC__) && !defined(CELER_SCALAR_ONLY)
#  define CELER_ARM 1
#  if defined(__clang__) && __clang_major__ < 17 /* whose arm_neon.h hides the intrinsics without these */
#    if !defined(__ARM_FEATURE_SHA2)
#      define __ARM_FEATURE_SHA2 1
#    endif
#    if !defined(__ARM_FEATURE_SHA3)
#      define __ARM_FEATURE_SHA3 1
#    endif
#    if !defined(__ARM_FEATURE_SHA512)
#      define __ARM_FEATURE_SHA512 1
#    endif
#  endif
#else
#  define CELER_ARM 0
#endif

#define CELER_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#  define CELER_TARGET_BEGIN(isa) \
    CELER_PRAGMA(clang attribute push(__attribute__((target(isa))), apply_to = function))
#  define CELER_TARGET_END CELER_PRAGMA(clang attribute pop)
#else
#  define CELER_TARGET_BEGIN(isa) CELER_PRAGMA(GCC push_options) CELER_PRAGMA(GCC target(isa))
#  define CELER_TARGET_END        CELER_PRAGMA(GCC pop_options)
#endif
#endif
