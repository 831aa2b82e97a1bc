#!/bin/sh
# peers.sh: celer bench beside other libraries and with plug-ins. Figures are not looked at, only where they stand.
# PLANTED: a folder of plug-ins with one thing wrong each (tests/plugins); BUILD: where peers/ and examples/ were built.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
: "${PLANTED:?}" "${BUILD:?}"

# refused WHAT PATTERN ARGUMENT...: exit 2, one line that matches, nothing on standard output.
refused() {
    what=$1 pattern=$2
    shift 2
    run bench "$@"
    expect "$what" 2
    expect_silence "$what" out
    expect_err "$what" "$pattern"
    check "$what: one line" [ "$(wc -l <"$log/err")" -eq 1 ]
}

# rows WORD...: the lines of the last table but its head, up to the figures, are these.
rows() {
    what=$1
    shift
    printf '%s\n' "$@" >"$log/expected"
    sed '1d; s/,[0-9.]*$//' "$log/out" >"$log/rows"
    check "$what: rows" cmp "$log/expected" "$log/rows"
}

one='--src-lens 64 2'

libraries='openssl libgcrypt cryptopp botan nettle libsodium libb2 mbedtls wolfssl liboqs xkcp libblake3 libblake2'

# function_of LIBRARY: one that it has.
function_of() {
    case $1 in
    libb2 | libblake2) echo blake2b ;;
    libblake3) echo blake3 ;;
    liboqs) echo ml-kem-768 ;;
    xkcp) echo sha3-256 ;;
    *) echo sha256 ;;
    esac
}

# has_figure LIBRARY FILE: a line of the long format for that function, with a figure, a frequency at its end.
# shellcheck disable=SC2317 # check calls it
has_figure() {
    grep -q "^$1,[0-9a-z.-]*,.*,$(function_of "$1" | tr - _)[a-z_]*,1,throughput,.*,[0-9][0-9.]*,[a-z;]*\$" "$2"
}

# --- Plug-ins that are none ---

refused 'another ABI' "^celer bench: $PLANTED/other_abi.so: it is made for number 0 of the interface, " \
    --plugin "$PLANTED/other_abi.so"
refused 'no symbol' "^celer bench: $PLANTED/no_symbol.so: it has no symbol celer_provider_1" \
    --plugin "$PLANTED/no_symbol.so"
refused 'an unknown symbol' "^celer bench: $PLANTED/unlinked.so: .*celer_test_function_that_is_nowhere" \
    --plugin "$PLANTED/unlinked.so"
refused 'subjects of another size' 'its subjects have [0-9]* bytes' --plugin "$PLANTED/size.so"
refused 'one that refuses' ': the moon is in the wrong quarter$' --plugin "$PLANTED/refuses.so"
refused 'a table with a hole' ': its subject 0, fnv1a, has nothing to run$' --plugin "$PLANTED/no_run.so"
refused 'no file' '^celer bench: no-such.so: .*No such file' --plugin no-such.so
echo 'not a shared object' >text.so
refused 'a text' '^celer bench: ./text.so: ' --plugin ./text.so
refused 'a good one and a bad one' '/refuses.so: ' --plugin "$PLANTED/good.so" --plugin "$PLANTED/refuses.so"
refused 'an unknown library' "^celer bench: unknown library 'libressl'; there are: openssl libgcrypt .* all$" \
    --with libressl
refused 'what nobody has' "^celer bench: unknown selection 'md5'; there are: sha3 .* fnv1a$" md5 \
    --plugin "$PLANTED/good.so"

refused 'nothing that can run here' "^celer bench: $PLANTED/unable.so: it needs a full moon$" --plugin "$PLANTED/unable.so"
refused 'a file without a name' "^celer bench: --plugin: '' is not the name of a file$" --plugin ''
refused 'nothing that runs' ': its subject 0, fnv1a, has nothing to run$' --plugin "$PLANTED/hollow.so"

# --- Plug-ins that crash ---

# crashed WHAT PATTERN ARGUMENT...: ended by SIGILL, after a last line that matches.
crashed() {
    what=$1 pattern=$2
    shift 2
    run bench "$@"
    expect "$what" 132
    expect_err "$what" "$pattern"
    check "$what: one line" [ "$(grep -c 'crashed' "$log/err")" -eq 1 ]
}

crashed 'when loaded' "^celer bench: $PLANTED/bad_load.so crashed (SIGILL)$" --plugin "$PLANTED/bad_load.so"
crashed 'when opened' '^celer bench: fnv1a of planted-1 crashed (SIGILL)$' fnv1a --plugin "$PLANTED/bad_open.so"
crashed 'when it runs' '^celer bench: fnv1a of planted-1 crashed (SIGILL)$' fnv1a --plugin "$PLANTED/bad_run.so"

# --- Plug-ins that lie ---

# shellcheck disable=SC2086 # $one is a list of words
{
    run bench sha256 --plugin "$PLANTED/wrong.so" $one
    expect 'a wrong digest' 1
    expect_err 'a wrong digest' '^celer bench: sha256 of planted-1, 64 bytes: its results are wrong$'
    run bench sha256 --plugin "$PLANTED/wrong.so" --src-lens 64,100 -f long 2
    expect_err 'a wrong digest at two lengths' '^celer bench: sha256 of planted-1, 64,100 bytes: its results are wrong$'
    check 'a wrong digest: one line' [ "$(grep -c 'planted-1' "$log/err")" -eq 1 ]
    check 'a wrong digest: flagged' [ "$(grep -c '^planted,.*,wrong$' "$log/out")" -eq 2 ]
    check 'a wrong digest: not a doubtful figure' [ "$(grep -c 'doubtful:.* wrong' "$log/err")" -eq 0 ]
    run bench sha256 --plugin "$PLANTED/wrong.so" $one
    check 'a wrong digest: no figure' grep -qx 'planted-1,sha256,32,' "$log/out"
    check 'a wrong digest: the others have theirs' grep -q '^celer-auto[a-z0-9-]*,sha256,32,[0-9]' "$log/out"
    run bench sha256-chain --plugin "$PLANTED/wrong.so" 2
    expect 'a wrong chain' 1
    expect_err 'a wrong chain' '^celer bench: sha256_chain of planted-1, 1000 iterations: its results are wrong$'
    run bench sha256 --plugin "$PLANTED/nothing.so" $one
    expect 'one that does nothing' 1
    expect_err 'one that does nothing' '^celer bench: sha256 of planted-1, 64 bytes: it does nothing$'
    check 'one that does nothing: no figure' grep -qx 'planted-1,sha256,32,' "$log/out"

    run bench sha256 --plugin "$PLANTED/nothing.so" -f long $one
    check 'one that does nothing: flagged' grep -q '^planted,.*,idle$' "$log/out"

    # --- And good ones ---

    run bench fnv1a --plugin "$PLANTED/good.so" $one
    expect 'a function of one alone' 0
    rows 'a function of one alone' 'fnv1a,32'
    expect_err 'a function of one alone' '^celer bench: note: unverified: nothing here but planted-1 has fnv1a$'
    run bench fnv1a --plugin "$PLANTED/good.so" -f long $one
    check 'a function of one alone is flagged' grep -q '^planted,1,.*;unverified$' "$log/out"
    run bench 'fnv
1a' --plugin "$PLANTED/lines.so" -f md $one
    check 'a name of two lines, md' grep -q '^| fnv 1a | 32 | [0-9.]* |$' "$log/out"
    run bench 'fnv
1a' --plugin "$PLANTED/lines.so" -f table $one
    check 'a name of two lines, table' grep -q '^fnv 1a  *32  *[0-9.]*$' "$log/out"
    cp "$PLANTED/good.so" twin.so
    run bench fnv1a --plugin "$PLANTED/good.so" --plugin twin.so $one
    expect 'two of the same name' 0
    rows 'two of the same name' 'planted-1,fnv1a,32' 'planted-1#2,fnv1a,32'
    check 'two of the same name verify each other' [ "$(grep -c unverified "$log/err")" -eq 0 ]
    run bench fnv1a --plugin "$PLANTED/good.so" --plugin twin.so -f long $one
    check 'and are not flagged' [ "$(grep -c unverified "$log/out")" -eq 0 ]
    run bench SHA3_256 --plugin "$BUILD/examples/provider.so" $one
    if [ -e "$BUILD/examples/provider.so" ]; then
        expect 'the example' 0
        own=$(sed -n '2s/,.*//p' "$log/out")
        rows 'the example' "$own,sha3_256,32" 'example-1.0,sha3_256,32'
        run bench sha3-256 --plugin "$BUILD/examples/provider.so" --mode latency $one
        expect 'the example, latency' 0
    else
        skip 'the example' 'examples are not built'
    fi

    # --- Libraries ---

    run bench --list --plugin "$PLANTED/good.so"
    expect '--list --plugin' 0
    check '--list --plugin' grep -qx 'library planted 1: fnv1a' "$log/out"
    run bench --list --plugin "$PLANTED/unable.so"
    expect '--list --plugin, of no use' 2
    expect_err '--list --plugin, of no use' ': it needs a full moon$'
    if "$BUILD/celer" --version >/dev/null 2>&1; then
        mkdir -p beside/peers
        cp "$BUILD/celer" beside
        cp "$PLANTED/good.so" beside/peers/planted.so
        beside/celer bench FNV1A >"$log/out" 2>"$log/err"
        code=$? last='beside/celer bench FNV1A'
        expect 'what a library beside has' 2
        expect_err 'what a library beside has' "^celer bench: unknown selection 'FNV1A'; try --with planted; there are:"
    else
        skip 'what a library beside has' 'the program is for another CPU'
    fi
    run bench --list
    expect '--list' 0
    functions=sha256
    for name in $libraries; do
        if [ -e "$BUILD/peers/$name.so" ]; then
            check "--list: $name" grep -q "^library $name [0-9a-z.-]*: [a-z0-9]" "$log/out"
            functions="$functions $(function_of "$name")"
        else
            check "--list: $name" grep -q "^library $name: not found when celer was built; " "$log/out"
        fi
    done

    # shellcheck disable=SC2086 # a list of words
    run bench $functions --with all -f long $one
    expect 'all libraries' 0
    cp "$log/out" all
    for name in $libraries; do
        if [ -e "$BUILD/peers/$name.so" ]; then
            check "all libraries: $name" has_figure "$name" all
            case $name in
            liboqs) run bench "$(function_of "$name")" --with "$name" -f long 2 ;; # has no hash for a length
            *) run bench "$(function_of "$name")" --with "$name" -f long $one ;;
            esac
            expect "$name" 0
            check "$name has a figure" has_figure "$name" "$log/out"
        else
            refused "$name, which is not here" "^celer bench: $name: not found when celer was built; " --with "$name"
            skip "$name" 'not found when celer was built'
        fi
    done
    # Who lacks ML-KEM says why, where another version or build has it.
    for name in openssl botan wolfssl libgcrypt; do
        if [ -e "$BUILD/peers/$name.so" ]; then
            run bench kem768 --with "$name" 2
            expect "ML-KEM of $name" 0
            check "ML-KEM of $name: it, or why not" grep -q "^set,function,.*$name-\|$name-[0-9.]* ([^)]*ML-KEM" \
                "$log/out" "$log/err"
        else
            skip "ML-KEM of $name" 'not found when celer was built'
        fi
    done
    if [ -e "$BUILD/peers/openssl.so" ] && [ -e "$BUILD/peers/nettle.so" ]; then
        run bench sha256 shake128 --with nettle,openssl $one
        expect 'two libraries' 0
        rows 'two libraries' "$own,sha256,32" "$own,shake128,32" "$(sed -n 's/^\(nettle-[0-9.]*\),.*/\1/p' "$log/out"),sha256,32" \
            "$(sed -n 's/^\(openssl-[0-9.]*\),sha256.*/\1/p' "$log/out"),sha256,32" \
            "$(sed -n 's/^\(openssl-[0-9.]*\),shake.*/\1/p' "$log/out"),shake128,32"
        expect_err 'two libraries' '^celer bench: note: nettle-[0-9.]* has no shake128$'
        run bench sha256 --with openssl -b scalar $one
        expect 'backends are those of celer' 0
        check 'backends are those of celer' grep -q '^openssl-[0-9.]*,sha256,32,[0-9]' "$log/out"
    fi
}

finish
