#!/bin/sh
# headers.sh INCLUDE_DIR STANDARD COMPILER [OPTION]...: every public header compiles alone, and twice, without a warning.
# STANDARD: c11, c++17, ... Exit code 77: skipped, no such compiler.
set -u
include=$1 standard=$2
shift 2
[ -n "${1-}" ] || { echo "skipped: no compiler for $standard"; exit 77; }
case $standard in
c++*) language=c++ options= ;; # no -Wshadow: a function named as its struct is plain C, as stat() is
*) language=c options="-Wshadow -Wstrict-prototypes -Wmissing-prototypes" ;;
esac
failed=0 count=0
for header in "$include"/celer/*.h; do
    name=celer/$(basename "$header")
    count=$((count + 1))
    # shellcheck disable=SC2086 # options is a list
    printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$name" "$name" |
        "$@" -x $language -std="$standard" -Wall -Wextra -Wpedantic -Wconversion -Wundef -Werror $options \
            -I "$include" -fsyntax-only - || { echo "$name does not compile alone as $standard"; failed=1; }
done
[ "$count" -gt 0 ] || { echo "no headers in $include/celer"; exit 1; }
echo "$count headers, $standard"
exit $failed
