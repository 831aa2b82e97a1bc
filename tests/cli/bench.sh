#!/bin/sh
# bench.sh: `celer bench` as its users meet it: shapes, words, exit codes; never a figure. Argument: the celer command;
# see lib.sh.
# shellcheck disable=SC2154,SC2034 # lib.sh sets log and celer_path, and reads code and last
manual=$(cd "$(dirname "$0")/../../docs/man" && pwd)/celer-bench.1
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Figures become #: the shape stays.
shape() {
    sed 's/,[0-9][0-9]*\.[0-9]$/,#/; :again; s/,[0-9][0-9]*\.[0-9],/,#,/; t again' "$log/out"
}

expect_shape() {
    shape >"$log/shape"
    printf '%s\n' "$2" >"$log/expected"
    if cmp -s "$log/expected" "$log/shape"; then
        pass
    else
        fail_run "$1" "expected shape: $(cat "$log/expected")"
    fi
}

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

head='function,dst_len,64,256,1024,4096,16384'
six="sha3_224,28,#,#,#,#,#
sha3_256,32,#,#,#,#,#
sha3_384,48,#,#,#,#,#
sha3_512,64,#,#,#,#,#
shake128,32,#,#,#,#,#
shake256,32,#,#,#,#,#"

# --- The table ---

run bench 2
expect 'the default' 0
expect_shape 'the default' "$head
$six"
cp "$log/err" info
check 'info: counter' grep -q \
    '^info: cpucycles: version=[0-9][0-9.]* implementation=[a-z0-9-][a-z0-9-]* persecond=[1-9][0-9]*$' info
check 'info: what' grep -q \
    '^info: backend=[a-z0-9,]* num_trials=2 src_lens=64,256,1024,4096,16384 dst_lens=32$' info
check 'info: machine' grep -q '^info: cpu=".*" compiler=".*" flags=".*" load=[-0-9.]* ghz=[0-9.]*' info
check 'three lines of info, in this order, first' [ "$(sed -n '1,3s/=.*//p' info | tr '\n' ' ')" = \
    'info: cpucycles: version info: backend info: cpu ' ]
check 'all else is a warning' [ "$(sed 1,3d info | grep -cv '^warning: ')" -eq 0 ]
if ! grep -q 'implementation=amd64-pmc\|implementation=default-perfevent' info; then
    check 'a warning says why there is no counter of cycles' grep -q '^warning: no counter of core cycles: ' info
fi

run bench sha3 2
expect_shape 'sha3' "$head
$six"
run bench sha3 sha256 2
expect_shape 'SHA-256 is a line of the same table' "$head
$six
sha256,32,#,#,#,#,#"
run bench SHA3_256 sha256 2 --src-lens 1,1Ki
expect 'spellings, lengths' 0
expect_shape 'spellings, lengths' 'function,dst_len,1,1024
sha3_256,32,#,#
sha256,32,#,#'
run bench shake128 --dst-lens 32,64 --src-lens 64 2
expect_shape 'output lengths, a line for each' 'function,dst_len,64
shake128,32,#
shake128,64,#'
run bench many sha3-256 --ways 1,8 --src-lens 64 2
expect_shape 'batches' 'function,dst_len,64
sha3_256_many1,32,#
sha3_256_many8,32,#'
for unit in cpb cycles ns MB MiB; do
    run bench sha256 -m $unit --src-lens 64 2
    expect "unit $unit" 0
    expect_shape "unit $unit" 'function,dst_len,64
sha256,32,#'
done
run bench sha256 --mode latency --src-lens 64 2
expect 'latency' 0
expect_shape 'latency' 'function,dst_len,64
sha256,32,#'

# --- Backends ---

run bench sha256 sha3-256 -b scalar --src-lens 64 2
expect_shape 'one backend by name' 'function,dst_len,64
sha256,32,#
sha3_256,32,#'
check 'its name' grep -q '^info: backend=scalar ' "$log/err"
run bench sha256 sha3-256 --backend=scalar,auto --src-lens 64 2
compiler=$(sed -n '2s/^celer-scalar-\([a-z0-9]*\),.*/\1/p' "$log/out")
expect_shape 'several subjects' "subject,function,dst_len,64
celer-scalar-$compiler,sha256,32,#
celer-scalar-$compiler,sha3_256,32,#
celer-auto-$compiler,sha256,32,#
celer-auto-$compiler,sha3_256,32,#"
# Each backend that exists here; a function that lacks it has an empty field, and a note says so.
for backend in $(celer bench --list | sed -n 's/^backends of [^:]*: //p' | tr ' ' '\n' | grep -v 'not here' | sort -u); do
    run bench sha256 sha3-256 -b "$backend" --src-lens 64 2
    expect "backend $backend" 0
    for row in sha256 sha3_256; do
        if grep -q "^celer bench: note: backend '$backend' does not exist for:.* $row\\>" "$log/err"; then
            check "$row has no figure for $backend" grep -q "^$row,32,\$" "$log/out"
        else
            check "$row has a figure for $backend" grep -q "^$row,32,[0-9.]*\$" "$log/out"
        fi
    done
done
run bench permutation -b scalar,auto 2
expect 'permutations' 0
check 'permutations: the head' grep -q "^permutation,ways,celer-scalar-$compiler,celer-auto-$compiler\$" "$log/out"
check 'permutations: four lines' [ "$(sed 1d "$log/out" | cut -d, -f1,2 | tr '\n' ' ')" = \
    'keccak_f1600,1 keccak_f1600,2 keccak_f1600,4 keccak_f1600,8 ' ]
check 'permutations: what celer chooses has a figure for each' \
    [ "$(sed 1d "$log/out" | grep -c ',[0-9][0-9]*\.[0-9]$')" -eq 4 ]

# --- Other formats ---

run bench sha256 -f long --src-lens 64,65 2
expect 'long' 0
check 'long: the head' [ "$(head -n 1 "$log/out")" = "library,version,backend,compiler,flags_cc,kind,function,ways,mode,\
dst_len,src_len,unit,median,min,p10,q1,q3,mad,ci_lo,ci_hi,n,rejected,canary_ratio,ghz,flags" ]
check 'long: a line for each length' [ "$(wc -l <"$log/out")" -eq 3 ]
check 'long: a few samples are flagged' [ "$(grep -c ',[a-z;]*few[a-z;]*$' "$log/out")" -eq 2 ]
run bench sha256 -f json --src-lens 64 2
expect 'json' 0
check 'json: begins and ends as an object' [ "$(sed -n '1p;$p' "$log/out" | tr -d '\n')" = '{}' ]
if command -v python3 >/dev/null 2>&1; then
    check 'json: another program reads it' python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["format"] == "celer-bench" and r["results"][0]["cycles"]["median"] > 0' "$log/out"
else
    skip 'json: another program reads it' 'python3 is not installed'
fi

# The same seed puts the same questions; that the answers agree is checked in every run.
run bench sha256 --seed 5 --src-lens 64 2
expect '--seed' 0
check 'the seed is said' grep -q '^info: .* seed=5$' "$log/err"

run bench --list
expect '--list' 0
for word in selections units modes formats; do
    check "--list: $word" grep -q "^$word: [a-z]" "$log/out"
done
run bench --help
expect '--help' 0
expect_silence '--help' err
sed -n 's/^  -\{0,1\}[a-zA-Z]\{0,1\},\{0,1\} *--\([a-z-]*\).*/\1/p' "$log/out" >options
check 'the summary has options' [ "$(wc -l <options)" -gt 10 ]
while read -r option; do
    check "the manual page knows --$option" grep -q "Fl Fl $option\\>" "$manual"
done <options
run bench --version
expect '--version' 0
check '--version' grep -q '^celer [0-9]' "$log/out"

# --- Mistakes ---

refused 'one trial' "TRIALS: '1' is not a number from 2 " sha3 1
refused 'no trials' "TRIALS: '0' " 0
refused 'too many trials' "TRIALS: '99999999999999999999' " 99999999999999999999
refused 'a number that is none' "TRIALS: '12x' " 12x
refused 'an unknown selection' "^celer bench: unknown selection 'md5'; there are: sha3 .* sha256" md5
refused 'an unknown backend' "^celer bench: unknown backend 'mmx'; there are: .*scalar" sha3 -b scalar,mmx
refused 'an unknown unit' "^celer bench: unknown unit 'furlong'; there are: cpb cycles ns MB MiB$" -m furlong
refused 'an unknown format' "^celer bench: unknown format 'xml'; there are: csv long json$" -f xml
refused 'an unknown mode' "^celer bench: unknown mode 'fast'; there are: throughput latency$" --mode fast
refused 'a length of 0' "^celer bench: --src-lens: '0' is not a number from 1 to " --src-lens 64,0
refused 'an output length that is none' "^celer bench: --dst-lens: 'x' is not a number from 1 to " --dst-lens x
refused 'output lengths for nothing' '^celer bench: --dst-lens is for ' sha256 --dst-lens 64
refused 'ways for nothing' '^celer bench: --ways is for ' sha256 --ways 8
refused 'a permutation of 3 states' '^celer bench: no permutation of 3 states; there are: 1 2 4 8$' permutation --ways 3
refused 'an unknown option' 'celer bench --help tells more' --fast
if [ "$(uname)" = Linux ]; then
    refused 'a CPU that is not there' '^celer bench: --cpu 9999: .*; there are: [0-9]' --cpu 9999
fi

# --- The end ---

celer bench sha3 2 2>/dev/null | head -n 1 >"$log/out"
check 'a reader that leaves' [ "$(cat "$log/out")" = "$head" ]
if [ -w /dev/full ]; then
    celer bench sha256 2 >/dev/full 2>"$log/err"
    code=$? last='celer bench sha256 2 >/dev/full'
    expect 'a full disk' 2
    expect_err 'a full disk' '^celer bench: standard output: '
fi

# An interrupt ends the sampling, prints what there is, and is passed on.
"$celer_path" bench sha256 --src-lens 64 10000000 >"$log/out" 2>"$log/err" &
pid=$!
i=0
while ! grep -q '^info: cpu=' "$log/err" && [ $i -lt 100 ]; do
    sleep 0.1
    i=$((i + 1))
done
sleep 1
kill -TERM $pid
wait $pid 2>/dev/null
code=$? last='celer bench sha256 10000000, terminated'
expect 'terminated' 143
expect_shape 'terminated: what there is' 'function,dst_len,64
sha256,32,#'
expect_err 'terminated: said' '^warning: interrupted'

finish
