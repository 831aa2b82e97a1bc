#!/bin/sh
# sum.sh: `celer sum` as its users meet it. Argument: the celer command; see lib.sh.
# shellcheck disable=SC1003,SC2154 # a lone backslash is a name here; lib.sh sets log
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

abc=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad # SHA-256 of "abc", FIPS 180-4
abc224=23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7
abc3=3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532 # SHA3-256 of "abc", FIPS 202
abc128=5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8 # SHAKE128 of "abc"
abc512256=53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23 # SHA-512/256 of "abc", FIPS 180-4
empty=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
lf='
'
cr=$(printf '\r')
printf abc >f
: >e

# --- Hashing ---

run sum f
expect 'a file' 0
expect_out 'a file' "$abc  f"
expect_silence 'a file' err
run sum f e ./f
expect_out 'several files' "$abc  f$lf$empty  e$lf$abc  ./f"
run sum <f
expect_out 'standard input' "$abc  -"
run sum e - <f
expect_out 'standard input among files' "$empty  e$lf$abc  -"
run sum -a sha3-256 f
expect_out 'an algorithm' "$abc3  f"
run sum f --algorithm=SHA3_256
expect_out 'an algorithm, spelled otherwise, after the file' "$abc3  f"
run sum -a sha224 --tag f
expect_out 'a tag' "SHA224 (f) = $abc224"
run sum -a sha3-256 --tag f
expect_out 'a tag with a hyphen' "SHA3-256 (f) = $abc3"
run sum -a shake128 --tag f
expect_out 'a tag of an XOF' "SHAKE128 (f) = $abc128"
run sum -a shake128 -l 40 f
expect_out 'a short output' '5881092dd8  f'
run sum -a shake128 -l 40 --tag f
expect_out 'a tag with the length' 'SHAKE128-40 (f) = 5881092dd8'
run sum -a shake128 -l 8388608 e
expect 'the longest output' 0
check 'the end of the longest output' grep -q \
    '19aa83816a7bbf5c785f3016abe80bff962602708602164bb619356e423851e4  e$' "$log/out"

run sum -a blake2b --tag f
expect 'a tag with a small letter' 0
check 'a tag as b2sum writes it' grep -q '^BLAKE2b (f) = ba80a53f981c4d0d' "$log/out"
run sum -a blake2b -l 256 --tag f
expect_out 'a short BLAKE2b' \
    'BLAKE2b-256 (f) = bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319'
cp "$log/out" blake2.list
run sum -c blake2.list
expect_out 'a short BLAKE2b, checked' 'f: OK'
run sum -a BLAKE2b_256 --tag f
check 'a name with the length' cmp -s blake2.list "$log/out"
run sum -a shake128-40 f
expect_out 'an XOF whose name has the length' '5881092dd8  f'

# The file is longer than a read: whole, and in pieces that a pipe delivers.
i=0
while [ $i -lt 70000 ]; do
    printf '%08d' $i
    i=$((i + 1))
done >long
run sum -b scalar long
cp "$log/out" one
head -n 1 one | cut -d ' ' -f 1 >digest
run sum long
check 'all backends agree on a long file' cmp -s one "$log/out"
{ dd if=long bs=7777 count=20 && sleep 0.2 && dd if=long bs=7777 skip=20; } 2>/dev/null |
    celer sum | cut -d ' ' -f 1 >piped
check 'a pipe in pieces' cmp -s digest piped

# --- Names ---

random_name() { # 200 bytes of any value but 0 and /
    tr -d '\000/' </dev/urandom | head -c 200
    echo .
}
i=0
set -- 'a\b' "a${lf}b" "a${cr}b" "a$cr" "$lf" '\' '\\n' 'a b' ' a' 'a ' '*a' '  ' '#a' 'a) = b' '(' "$abc" \
    "${abc}${abc}" "$abc  f" "SHA256 (f) = $abc" "$(printf '\303\244\377\033[31m\t')" '0123456789abcdef0123456789abcdef'
while [ $i -lt 8 ]; do
    name=$(random_name)
    set -- "$@" "${name%.}"
    i=$((i + 1))
done
for name in "$@"; do # a digest of its own for each
    printf '%s' "$name" >"./$name"
done
for form in '' --tag; do
    for name in "$@"; do
        shown=$(printf '%s' "$name" | od -An -tx1 | tr -d ' \n')
        celer sum $form -- "$name" >list
        celer sum -c list >"$log/out" 2>"$log/err"
        code=$? last="celer sum $form; celer sum -c, on the name (hex) $shown"
        expect 'a name survives' 0
        check "one line of output for the name $shown" [ "$(wc -l <"$log/out")" -eq 1 ]
        # The verdict escapes what the line escapes.
        if [ -n "$form" ]; then
            escaped=$(sed 's/^\(\\\)*SHA256 (/\1/; s/) = [0-9a-f]*$//' list)
        else
            escaped=$(sed 's/^\(\\\)*[0-9a-f]\{64\}  /\1/' list)
        fi
        expect_out "the name of the verdict, $shown" "$escaped: OK"
    done
done
celer sum -- "$@" >all.list
celer sum --tag -- "$@" >>all.list
run sum -c --strict all.list
expect 'all names in one mixed list' 0
check 'a verdict for each' [ "$(grep -c ': OK$' "$log/out")" -eq $((2 * $#)) ]
run sum 'a\b'
expect_out 'a name with a backslash' "\\$(printf 'a\\b' | celer sum | cut -d ' ' -f 1)  a\\\\b"
celer sum -z 'a\b' "a${lf}b" | tr '\000' '@' >zero
printf '%s  a\\b@%s  a\nb@' "$(printf 'a\\b' | celer sum | cut -d ' ' -f 1)" \
    "$(printf 'a\nb' | celer sum | cut -d ' ' -f 1)" >expected
check 'with -z lines end with NUL and names stay as they are' cmp -s zero expected

# GNU's own tool writes what we write, and reads it.
if command -v sha256sum >/dev/null 2>&1 && sha256sum --version 2>/dev/null | grep -q 'GNU coreutils'; then
    for form in '' --tag -z; do
        sha256sum $form -- "$@" f long >gnu 2>/dev/null
        celer sum $form -- "$@" f long >ours 2>/dev/null
        check "byte for byte what sha256sum $form writes" cmp -s gnu ours
    done
    celer sum -- "$@" f long >ours
    check 'sha256sum -c reads our list' sha256sum -c --strict --status ours
    celer sum --tag -- "$@" f long >ours
    check 'sha256sum -c reads our tags' sha256sum -c --strict --status ours
    sha256sum -b -- "$@" f long >gnu
    run sum -c --strict --quiet gnu
    expect 'we read the list of sha256sum -b' 0
    printf 'other' >'a b'
    grep -v '^\\' all.list >plain.list # which verdicts need an escape differs between versions of sha256sum
    celer sum -c plain.list >ours 2>/dev/null
    sha256sum -c plain.list >gnu 2>/dev/null
    check 'byte for byte the verdicts of sha256sum -c' cmp -s gnu ours
    check 'among them a FAILED' grep -q '^a b: FAILED$' ours
    printf 'a b' >'a b'
else
    skip 'comparison with sha256sum' 'GNU coreutils are not installed'
fi

if command -v openssl >/dev/null 2>&1; then
    for name in sha224 sha256 sha384 sha512 sha512-224 sha512-256 sha3-224 sha3-256 sha3-384 sha3-512 shake128 shake256 \
        blake2b512 blake2s256; do
        if openssl dgst -$name f long >openssl.list 2>/dev/null; then # newer ones want a length with SHAKE
            run sum -c --strict --quiet openssl.list
            expect "we read what openssl dgst -$name writes" 0
        fi
    done
else
    skip 'comparison with OpenSSL' 'there is no openssl here'
fi

if command -v b2sum >/dev/null 2>&1 && b2sum --version 2>/dev/null | grep -q 'GNU coreutils'; then
    for bits in 8 256 384 512; do
        for form in '' --tag; do
            b2sum -l $bits $form -- "$@" f long >gnu 2>/dev/null
            celer sum -a blake2b -l $bits $form -- "$@" f long >ours 2>/dev/null
            check "byte for byte what b2sum -l $bits $form writes" cmp -s gnu ours
            check "b2sum -c reads our list, -l $bits $form" b2sum -c --strict --status ours
            run sum -c --strict --quiet -a blake2b gnu
            expect "we read what b2sum -l $bits $form writes" 0
        done
        run sum -c --strict --quiet gnu
        expect "we read the tags of b2sum -l $bits" 0
    done
else
    skip 'comparison with b2sum' 'GNU coreutils are not installed'
fi

# --- Checking ---

printf '%s  f\n%s  e\n' $abc $empty >good
run sum -c good
expect 'a good list' 0
expect_out 'a good list' "f: OK${lf}e: OK"
expect_silence 'a good list' err
run sum --check - <good
expect_out 'a list on standard input' "f: OK${lf}e: OK"
run sum -c --quiet good
expect '--quiet' 0
expect_silence '--quiet' out
run sum -c good good
expect_out 'two lists' "f: OK${lf}e: OK${lf}f: OK${lf}e: OK"

printf '%s  f\n%s  e\n' $abc $abc >mixed
run sum -c mixed
expect 'one good, one bad' 1
expect_out 'one good, one bad' "f: OK${lf}e: FAILED"
expect_err 'the count is right' '^celer sum: mixed: 1 digest does not match$'
run sum -c --quiet mixed
expect_out '--quiet shows failures' 'e: FAILED'
run sum -c --status mixed
expect '--status of a bad list' 1
expect_silence '--status of a bad list' out
expect_silence '--status of a bad list' err
run sum -c --status good
expect '--status of a good list' 0
expect_silence '--status of a good list' out
printf '%s  f\n%s  e\n%s  f\n' $empty $abc $empty >bad
run sum -c bad
expect_err 'the plural' '^celer sum: bad: 3 digests do not match$'
run sum -c good mixed
expect 'the worst list decides' 1
run sum -c mixed good
expect 'the worst list decides, in either order' 1

i=1
while [ $i -le 64 ]; do # every digit counts
    digit=$(printf %s $abc | cut -c $i | tr 0123456789abcdef 123456789abcdef0)
    printf '%s  f\n' "$(printf %s $abc | sed "s/./$digit/$i")"
    i=$((i + 1))
done >digits
run sum -c digits
check 'each digit alone makes it FAILED' [ "$(grep -c '^f: FAILED$' "$log/out")" -eq 64 ]

# Files that are not there.
printf '%s  f\n%s  gone\n' $abc $abc >gone.list
run sum -c gone.list
expect 'a missing file' 1
expect_out 'a missing file' "f: OK${lf}gone: FAILED open or read"
expect_err 'a missing file' '^celer sum: gone: No such file or directory$'
expect_err 'a missing file' '^celer sum: gone.list: 1 listed file could not be read$'
run sum -c --ignore-missing gone.list
expect '--ignore-missing' 0
expect_out '--ignore-missing' 'f: OK'
printf '%s  gone\n%s  lost\n' $abc $abc >all-gone
run sum -c --ignore-missing all-gone
expect '--ignore-missing with nothing there' 1
expect_err '--ignore-missing with nothing there' 'no file was verified$'
run sum -c --ignore-missing --status all-gone
expect '--ignore-missing --status with nothing there' 1
printf '%s  .\n' $abc >directory
run sum -c --ignore-missing directory
expect 'a listed directory' 1
expect_out 'a listed directory' '.: FAILED open or read'

# Lines that are none.
printf NotAHash | celer sum -c --status 2>/dev/null
code=$? last='celer sum -c --status'
expect 'no line at all, --status' 1
run sum -c e
expect 'an empty list' 1
expect_err 'an empty list' '^celer sum: e: no properly formatted line$'
run sum -c f
expect 'no proper line' 1
printf 'junk\n%s  f\n' $abc >junk
run sum -c junk
expect 'a junk line' 0
expect_err 'a junk line is counted' '^celer sum: junk: 1 line is improperly formatted$'
run sum -c --strict junk
expect '--strict' 1
run sum -c -w junk
expect_err '--warn names the line' '^celer sum: junk: 1: improperly formatted line$'
printf '# a comment\n\n%s  f\n' $abc >comment
run sum -c --strict -w comment
expect 'comments and empty lines' 0
expect_silence 'comments and empty lines' err

improper() { # WHAT, LINE as a format of printf
    # shellcheck disable=SC2059
    printf "$2" >line
    run sum -c line
    expect "improper: $1" 1
    expect_err "improper: $1" 'no properly formatted line$'
    expect_silence "improper: $1" out
}
short=${abc%??}
improper 'a digest cut short' "$short  f\\n"
improper 'a digest of one byte' 'ba  f\n'
improper 'no digest' '  f\n'
improper 'an odd number of digits' "${abc%?}  f\\n"
improper 'a digest too long' "${abc}00  f\\n"
improper 'no name' "$abc \\n"
improper 'no gap' "${abc}f\\n"
improper 'no hexadecimal digit' "g${abc#?}  f\\n"
improper 'a tag with a digest cut short' "SHA256 (f) = $short\\n"
improper 'a tag with one byte' 'SHA256 (f) = ba\n'
improper 'a tag with a digest too long' "SHA256 (f) = ${abc}00\\n"
improper 'an XOF with a digest cut short' 'SHAKE128 (f) = 5881092dd8\n'
improper 'an XOF of no bits' 'SHAKE128-0 (f) = \n'
improper 'an XOF of 12 bits' 'SHAKE128-12 (f) = 588\n'
improper 'an XOF of more bits than the digest' 'SHAKE128-48 (f) = 5881092dd8\n'
improper 'an unknown tag' "MD5 (f) = 900150983cd24fb0d6963f7d28e17f72\\n"
improper 'a key of which nothing is known' "HMAC-SHA2-256(f)= $abc\\n"
improper 'the tag of an XOF with another length' "SHAKE-128(f)= $abc128\\n"
improper 'a tag without a name' "SHA256 () = $abc\\n"
improper 'a tag without =' "SHA256 (f) $abc\\n"
improper 'a tag with text behind' "SHA256 (f) = $abc f\\n"
improper 'a tag alone' 'SHA256 (\n'
improper 'a bad escape' "\\\\$abc  a\\\\x\\n"
improper 'an escape cut short' "\\\\$abc  a\\\\\\n"
improper 'a NUL' "$abc  f\\000g\\n"
printf '%s  -\n' $abc | celer sum -c >"$log/out" 2>"$log/err"
code=$? last='celer sum -c, of a list on standard input that names -'
expect 'a list on standard input names -' 1
expect_silence 'a list on standard input names -' out

# A line of 5 MB, between proper ones.
{
    printf '%s  f\n' $abc
    i=0
    while [ $i -lt 9 ]; do
        cat long
        i=$((i + 1))
    done
    printf '\n%s  e\n' $empty
} >wide
run sum -c wide
expect 'an endless line' 0
expect_out 'an endless line' "f: OK${lf}e: OK"
expect_err 'an endless line' '1 line is improperly formatted$'

proper() { # WHAT, LINE as a format of printf; f is OK
    # shellcheck disable=SC2059
    printf "$2" >line
    run sum -c --strict line
    expect "proper: $1" 0
    expect_out "proper: $1" 'f: OK'
    expect_silence "proper: $1" err
}
upper=$(printf %s $abc | tr a-f A-F)
proper 'upper-case digits' "$upper  f\\n"
proper "OpenSSL's name" "SHA2-256(f)= $abc\\n"
proper "OpenSSL's name with a stroke" "SHA2-512/256(f)= $abc512256\\n"
proper 'a name with a stroke' "SHA512/256 (f) = $abc512256\\n"
proper "OpenSSL's name of an XOF" "SHAKE-128(f)= $(printf %.32s $abc128)\\n"
proper 'upper-case digits, tagged' "SHA256 (f) = $upper\\n"
proper 'a lower-case tag' "sha256 (f) = $abc\\n"
proper 'CRLF' "$abc  f\\r\\n"
proper 'CRLF, tagged' "SHA256 (f) = $abc\\r\\n"
proper 'CRLF on an empty line' "\\r\\n$abc  f\\r\\n"
proper 'no final line feed' "$abc  f"
proper 'a byte order mark' "\\357\\273\\277$abc  f\\n"
proper 'a byte order mark and CRLF, tagged' "\\357\\273\\277SHA256 (f) = $abc\\r\\n"
proper 'binary' "$abc *f\\n"
proper 'one space' "$abc f\\n"
proper 'a tab' "$abc\\tf\\n"
proper 'blanks in front' " \\t $abc  f\\n"
proper 'a tag without blanks' "SHA256(f)= $abc\\n"
proper 'a tag with the length' "SHAKE128-40 (f) = 5881092dd8\\n"
proper 'a tag with a customary length' "SHAKE128 (f) = $abc128\\n"
proper 'SHA-224 by its length' "$abc224  f\\n"
printf ' f' >' f' # in a list with one space the name is " f", else "f"
printf '%s e\n%s  f\n' $empty "$(celer sum ' f' | cut -d ' ' -f 1)" >gap
run sum -c --strict gap
expect_out 'one space decides for the list' "e: OK$lf f: OK"
printf '%s  e\n%s f\n' $empty $abc >gap
run sum -c gap
expect_out 'two characters decide for the list' 'e: OK'
expect_err 'two characters decide for the list' '1 line is improperly formatted$'
printf '\377\376' >utf16
printf '%s  f\n' $abc | sed 's/./&@/g' | tr '@' '\000' >>utf16
run sum -c utf16
expect 'UTF-16' 1
expect_err 'UTF-16' 'no properly formatted line; it is text in UTF-16, not in UTF-8$'

# Which algorithm: the tag, else -a, else SHA-2 by the length.
printf '%s  f\n' $abc3 >sha3.list
run sum -c -a sha3-256 sha3.list
expect 'the algorithm from -a' 0
run sum -c sha3.list
expect 'SHA-2 without -a' 1
expect_out 'SHA-2 without -a' 'f: FAILED'
expect_err 'SHA-2 without -a' 'lines without a tag were taken for SHA-2; -a names another algorithm, such as -a blake2b '
printf '%s  f\n%s  f\n' $abc3 $abc >sha3.list
run sum -c sha3.list
expect 'SHA-2 as one line shows' 1
check 'SHA-2 as one line shows: no guess at others' [ "$(grep -c 'taken for SHA-2' "$log/err")" -eq 0 ]
celer sum -a sha3-384 f >sha3.list
run sum -c sha3.list
expect 'never SHA-3 by the length' 1
printf 'SHA3-256 (f) = %s\nSHA256 (f) = %s\n%s  f\n' $abc3 $abc $abc224 >tags
run sum -c -a sha224 --strict tags
expect_out 'tags go before -a' "f: OK${lf}f: OK${lf}f: OK"
run sum -c --strict -a sha224 good
expect '-a goes before the length' 1
printf '5881092dd8  f\n' >xof
run sum -c -a shake128 -l 40 xof
expect_out 'an XOF with its length' 'f: OK'
run sum -c -a shake128-40 xof
expect_out 'an XOF with its length in the name' 'f: OK'
run sum -c -a shake128 xof
expect 'an XOF whose digest has another length' 1
expect_silence 'an XOF whose digest has another length' out

# Where the length is hashed as well and left open, the digits show it.
for hash in blake2b blake2s blake2bp blake2sp blake2xb blake2xs; do
    for bits in 8 64 256; do
        celer sum -a $hash -l $bits f
    done >lengths
    run sum -c --strict --quiet -a $hash lengths
    expect "$hash of all lengths" 0
    expect_silence "$hash of all lengths" out
    run sum -c -a $hash-64 lengths
    expect_out "$hash of one length" 'f: OK'
    expect_err "$hash of one length" '2 lines are improperly formatted$'
    run sum -c -a $hash -l 64 lengths
    expect_out "$hash of one length, from -l" 'f: OK'
done
celer sum -a blake2b f | sed 's/^\(.\{64\}\)[0-9a-f]*/\1/' >short
run sum -c -a blake2b short
expect_out 'half of a digest of BLAKE2b' 'f: FAILED'
improper_as() { # WHAT, DIGITS, HASH
    printf '%s  f\n' "$2" >line
    run sum -c -a "$3" line
    expect "improper: $1" 1
    expect_silence "improper: $1" out
}
improper_as 'a BLAKE2b that is too long' ${abc}${abc}00 blake2b
improper_as 'a BLAKE2s that is too long' ${abc}00 blake2s
improper_as 'a BLAKE2b of an odd number of digits' ${abc}0 blake2b
improper_as 'a BLAKE2b of no digits' '' blake2b

# --- Trouble ---

run sum gone f . e
expect 'two that cannot be read' 2
expect_out 'the others are done' "$abc  f$lf$empty  e"
expect_err 'a missing file' '^celer sum: gone: No such file or directory$'
expect_err 'a directory' '^celer sum: \.: Is a directory$'
run sum "x$lf-y$(printf '\033')"
expect 'a missing file with a nasty name' 2
check 'one line of error for it' [ "$(wc -l <"$log/err")" -eq 1 ]
expect_err 'one line of error for it' '^celer sum: x\\n-y\\033: No such file'
if [ -e /proc/self/mem ]; then
    run sum /proc/self/mem f
    expect 'a file that opens and cannot be read' 2
    expect_out 'a file that opens and cannot be read' "$abc  f"
    expect_err 'a file that opens and cannot be read' '^celer sum: /proc/self/mem: '
else
    skip 'a file that opens and cannot be read' 'no /proc/self/mem'
fi
run sum -c gone
expect 'a list that is not there' 2
expect_silence 'a list that is not there' out
run sum -c . good
expect 'a list that is a directory' 2
expect_out 'the other list is done' "f: OK${lf}e: OK"
if [ -c /dev/full ]; then
    for arguments in 'f' 'f e long' '-c good' '--help' '--version'; do
        # shellcheck disable=SC2086
        celer sum $arguments >/dev/full 2>"$log/err"
        code=$? last="celer sum $arguments >/dev/full"
        : >"$log/out"
        expect 'a full disk' 2
        expect_err 'a full disk' '^celer sum: standard output: No space left on device$'
    done
else
    skip 'a full disk' 'no /dev/full'
fi
celer sum f >&- 2>"$log/err"
code=$? last='celer sum f >&-'
expect 'no standard output' 2
set -- f
while [ $# -lt 2048 ]; do # more lines than a pipe holds
    set -- "$@" "$@"
done
{ celer sum "$@" 2>"$log/err"; } | head -n 1 >"$log/out"
code=0 last='celer sum f f f ... | head -n 1'
expect_out 'a closed pipe' "$abc  f"
expect_silence 'a closed pipe is no error' err
(
    trap '' PIPE
    celer sum "$@" 2>"$log/err"
    echo $? >"$log/code"
) | head -n 1 >"$log/out"
code=$(cat "$log/code")
last='celer sum f f f ... | head -n 1, SIGPIPE ignored'
expect 'a closed pipe, SIGPIPE ignored' 2
expect_silence 'a closed pipe is no error, SIGPIPE ignored' err

usage() { # WHAT, PATTERN of standard error, ARGUMENT...
    what=$1 pattern=$2
    shift 2
    run sum "$@"
    expect "$what" 2
    expect_silence "$what" out
    expect_err "$what" "$pattern"
    check "$what: one line" [ "$(wc -l <"$log/err")" -eq 1 ]
}
usage 'an unknown algorithm' "^celer sum: unknown algorithm 'md6'; there are: .*sha256 .*sha3-256 .*shake256" -a md6 f
usage 'an unknown algorithm with -c' "unknown algorithm 'md6'; there are: " -c -a md6 good
usage 'an empty algorithm' "unknown algorithm ''; there are: " -a '' f
usage 'an unknown backend' "^celer sum: unknown backend 'mmx'; there are: .*scalar" -b mmx f
usage 'a length for a fixed output' 'has 256 bits, always; --length is for: shake128 shake256' -l 128 f
usage 'a length that is no number' "length 'x': shake128 takes a multiple of 8 bits, 8 to " -a shake128 -l x f
usage 'a length of 0' "length '0': " -a shake128 -l 0 f
usage 'a length that is no multiple of 8' "length '12': " -a shake128 -l 12 f
usage 'a length beyond the longest' "length '8388616': " -a shake128 -l 8388616 f
usage 'a length that wraps' "length '18446744073709551624': " -a shake128 -l 18446744073709551624 f
usage 'a BLAKE2b that is too long' "length '520': blake2b takes .* 8 to 512 " -a blake2b -l 520 f
usage 'a BLAKE2b whose name is too long' "length '520': blake2b takes .* 8 to 512 " -a blake2b-520 f
usage 'a name with two lengths' "^celer sum: unknown algorithm 'blake2b-512-256'" -a blake2b-512-256 f
usage 'a length beside that of the name' "^celer sum: 'blake2b-384' says the length already; --length is for blake2b " \
    -a blake2b-384 -l 256 f
usage 'a length without an algorithm' '^celer sum: --length needs --algorithm' -c -l 40 xof
usage 'an unknown option' "^celer sum: unknown option '-X'" -zX f
usage 'an unknown long option' "unknown or ambiguous option '--sha'" --sha f
usage 'an ambiguous option' "unknown or ambiguous option '--st'" -c --st good
usage 'a missing argument' "option '-a' needs an argument" -a
usage 'a missing argument of a long option' "option '--backend' needs an argument" --backend
usage 'an undue argument' "option '--tag=x': takes no argument" --tag=x f
usage '--tag with -c' '--tag has no meaning with --check' -c --tag good
usage '-z with -c' '--zero has no meaning with --check' -c -z good
for option in --ignore-missing --quiet --status --strict --warn; do
    usage "$option without -c" "$option has a meaning with --check only" $option f
done

# Backends: every one this CPU has gives the same digest; one it lacks, or the hash lacks, is refused.
for hash in sha256 sha3-256; do
    run sum -a $hash f
    cp "$log/out" expected
    run sum -a $hash -b nonsense f
    backends=$(sed -n 's/.*there are://p' "$log/err")
    ran=0
    for backend in $backends; do
        run sum -a $hash -b "$backend" f
        if [ "$code" -eq 0 ]; then
            check "$hash on $backend" cmp -s expected "$log/out"
            ran=$((ran + 1))
        else
            expect "$hash on $backend" 2
            expect_silence "$hash on $backend" out
            expect_err "$hash on $backend" \
                "$hash has no backend '$backend'; there are: .*scalar\\|cannot run here: this CPU or system lacks "
            if grep -q 'cannot run here' "$log/err"; then
                skip "$hash on $backend" 'this CPU lacks it'
            fi
        fi
    done
    check "$hash ran somewhere" [ $ran -ge 1 ]
done

# --- Help ---

run sum --help
expect 'help' 0
expect_silence 'help' err
check 'help names the options' grep -q -- '--ignore-missing' "$log/out"
check 'help lists the hashes' grep -q 'sha3-256' "$log/out"
run sum --version
expect 'version' 0
check 'version' grep -q '^celer [0-9]' "$log/out"
finish
