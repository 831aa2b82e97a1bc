#!/bin/sh
# bench.sh: `celer bench` as its users meet it: shapes, words, exit codes; never a figure. Argument: the celer command;
# see lib.sh.
# shellcheck disable=SC2154,SC2034 # lib.sh sets log and celer_path, and reads code and last
manual=$(cd "$(dirname "$0")/../../docs/man" && pwd)/celer-bench.1
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

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
for unit in cpb cycles ns MB MiB MH; do
    run bench sha256 -m $unit --src-lens 64 2
    expect "unit $unit" 0
    expect_shape "unit $unit" 'function,dst_len,64
sha256,32,#'
done
run bench sha256 --src-lens 64,1000 2
check 'cpb has one decimal' grep -qx 'sha256,32,[0-9]*\.[0-9],[0-9]*\.[0-9]' "$log/out"
# Of a message of 1 MiB, millions a second are few.
run bench sha256 --src-lens 1Mi -m MH 2
check 'small figures have three digits' grep -qx 'sha256,32,0\.0*[1-9][0-9][0-9]' "$log/out"
run bench sha256 --src-lens 1Mi -m MH -f long 2
check 'long: small figures have four digits' grep -q ',MH,0\.0*[1-9][0-9][0-9][0-9],0\.' "$log/out"
run bench sha256 sha3-256 -m cpb,MiB --src-lens 64,100 2
expect 'several units' 0
expect_shape 'several units' 'function,dst_len,unit,64,100
sha256,32,cpb,#,#
sha256,32,MiB,#,#
sha3_256,32,cpb,#,#
sha3_256,32,MiB,#,#'
check 'several units are said' grep -q '^info: .* unit=cpb,MiB mode=throughput ' "$log/err"
run bench sha256 -m cpb,MiB -b scalar,auto --src-lens 64 2
expect_shape 'several units, several subjects' 'subject,function,dst_len,unit,64
celer-scalar,sha256,32,cpb,#
celer-scalar,sha256,32,MiB,#
celer-auto,sha256,32,cpb,#
celer-auto,sha256,32,MiB,#'
run bench permutation --ways 1,2 -m ns,MH 2
expect_shape 'several units of permutations' 'permutation,ways,unit,celer-auto
keccak_f1600,1,ns,#
keccak_f1600,1,MH,#
keccak_f1600,2,ns,#
keccak_f1600,2,MH,#'
run bench xof --src-lens 64 2
expect 'functions with output of any length' 0
check 'functions with output of any length' grep -q '^shake128,32,[0-9.]*$' "$log/out"
run bench sha256 --ways 1,8 --src-lens 64 2
expect_shape 'numbers of messages' 'function,dst_len,64
sha256_many1,32,#
sha256_many8,32,#'
run bench shake128 --ways 2,1 --pairs 42:672,294:336,1008:42,2772:1008,3318:504,4074:1008 2
expect 'pairs of lengths' 0
expect_shape 'pairs of lengths' 'function,dst_len,src_len,celer-auto
shake128_many2,42,672,#
shake128_many2,294,336,#
shake128_many2,1008,42,#
shake128_many2,2772,1008,#
shake128_many2,3318,504,#
shake128_many2,4074,1008,#
shake128_many1,42,672,#
shake128_many1,294,336,#
shake128_many1,1008,42,#
shake128_many1,2772,1008,#
shake128_many1,3318,504,#
shake128_many1,4074,1008,#'
check 'pairs of lengths are in cycles' grep -q '^info: .* unit=cycles ' "$log/err"
run bench shake128 shake256 --grid rate/4:2 -b auto,scalar 2
expect 'a grid of lengths' 0
expect_shape 'a grid of lengths' 'function,dst_len,src_len,celer-auto,celer-scalar
shake128,42,42,#,#
shake128,42,84,#,#
shake128,84,42,#,#
shake128,84,84,#,#
shake256,34,34,#,#
shake256,34,68,#,#
shake256,68,34,#,#
shake256,68,68,#,#'
run bench shake256 --grid rate 2
check 'a grid has eight lengths each way' [ "$(wc -l <"$log/out")" -eq 65 ]
run bench sha256 --src-lens 64 --time-budget 1 10000000
expect 'a budget of time' 0
expect_shape 'a budget of time' 'function,dst_len,64
sha256,32,#'
run bench sha256 --mode latency --src-lens 64 2
expect 'latency' 0
expect_shape 'latency' 'function,dst_len,64
sha256,32,#'

# --- Threads and CPUs ---

cpus=$(nproc 2>/dev/null || echo 1)
if [ "$cpus" -ge 2 ]; then
    run bench sha256 permutation --ways 1 --threads 2,1 --src-lens 64 2
    expect 'threads' 0
    expect_shape 'threads' 'function,dst_len,64
sha256_threads2,32,#
sha256,32,#

permutation,ways,celer-auto
keccak_f1600_threads2,1,#
keccak_f1600,1,#'
    check 'threads are said' grep -q '^info: .* threads=2,1 mode=' "$log/err"
    run bench sha256 --threads 2 --src-lens 64 -f long 2
    check 'threads: the name in long' grep -q ',hash,sha256_threads2,1,throughput,32,64,cpb,' "$log/out"
else
    skip 'threads' 'there is one CPU'
fi
run bench sha256 --threads 1 --src-lens 64 2
expect_shape 'one thread' 'function,dst_len,64
sha256,32,#'
refused 'more threads than CPUs' "^celer bench: --threads $((cpus + 1)): each has to have a CPU of its own, and there .* $cpus\$" \
    --threads $((cpus + 1))
refused 'no thread' "^celer bench: --threads: '0' is not a number from 1 to " --threads 0
if [ "$(uname)" = Linux ]; then
    run bench sha256 --cpu each-type --json each.json --src-lens 64 2
    expect 'a CPU of each type' 0
    types=$(grep -c "^celer bench: note: \(all CPUs are of one type; this is number\|CPU [0-9]* is of type\) " "$log/err")
    check 'a CPU of each type: which' [ "$types" -ge 1 ]
    check 'a CPU of each type: a table for each' [ "$(grep -c '^[a-z0-9@,-]*sha256,32,[0-9.]*$' "$log/out")" -eq "$types" ]
    check 'a CPU of each type: a document for each' [ "$(grep -c '"pinned_to_cpu": [0-9]' each.json)" -eq "$types" ]
fi

# --- Backends ---

run bench sha256 sha3-256 -b scalar --src-lens 64 2
expect_shape 'one backend by name' 'function,dst_len,64
sha256,32,#
sha3_256,32,#'
check 'its name' grep -q '^info: backend=scalar ' "$log/err"
run bench sha256 sha3-256 --backend=scalar,auto --src-lens 64 2
compiler=$(sed -n '2s/^celer-scalar-\([a-z0-9]*\),.*/\1/p' "$log/out")
expect_shape 'several subjects' 'subject,function,dst_len,64
celer-scalar,sha256,32,#
celer-scalar,sha3_256,32,#
celer-auto,sha256,32,#
celer-auto,sha3_256,32,#'
# Each backend that exists here; a function that lacks it has an empty field, and a note says so.
for backend in $(celer bench --list | sed -n 's/[^ ]*([^)]*)//g; s/^backends of [^:]*: //p' | tr ' ' '\n' | sort -u); do
    run bench sha256 sha512 sha3-256 blake2b permutation -b "$backend" --src-lens 64 2
    expect "backend $backend" 0
    for row in sha256:32 sha512:64 sha3_256:32 blake2b:64; do
        len=${row#*:} row=${row%:*}
        if grep -q "^celer bench: note: backend '$backend' does not exist for:.* $row\\>" "$log/err"; then
            check "$row has no figure for $backend" grep -q "^$row,$len,\$" "$log/out"
        else
            check "$row has a figure for $backend" grep -q "^$row,$len,[0-9.]*\$" "$log/out"
        fi
    done
done
run bench sha256 permutation --ways 1,2 -f md --src-lens 64,100 2
expect 'md' 0
expect_shape 'md' 'Hashes, by length of input: medians in cycles per byte (cpb); mode throughput

| function | dst_len | 64 | 100 |
| :-- | --: | --: | --: |
| sha256 | 32 | # | # |

Permutations: medians in cycles per call (cycles); mode latency

| permutation | ways | celer-auto |
| :-- | --: | --: |
| keccak_f1600 | 1 | # |
| keccak_f1600 | 2 | # |'
run bench sha256 permutation --ways 1,2 -f table -m ns --mode latency -b auto,auto --src-lens 64,100 2
expect 'table' 0
expect_shape 'table' 'Hashes, by length of input: medians in nanoseconds per call (ns); mode latency
function dst_len 64 100
sha256 32 # #

Permutations: medians in nanoseconds per call (ns); mode latency
permutation ways celer-auto
keccak_f1600 1 #
keccak_f1600 2 #'
check 'table: lines of a table end at one place' [ "$(sed -n 2,3p "$log/out" | awk '{ print length }' | sort -u | wc -l)" -eq 1 ]
run bench permutation -b scalar,auto 2
expect 'permutations' 0
check 'permutations: the head' grep -q "^permutation,ways,celer-scalar-$compiler,celer-auto-$compiler\$" "$log/out"
check 'permutations: four lines' [ "$(sed 1d "$log/out" | cut -d, -f1,2 | tr '\n' ' ')" = \
    'keccak_f1600,1 keccak_f1600,2 keccak_f1600,4 keccak_f1600,8 ' ]
check 'permutations: what celer chooses has a figure for each' \
    [ "$(sed 1d "$log/out" | grep -c ',[0-9][0-9]*\.[0-9]$')" -eq 4 ]

run bench sha256 permutation --ways 1 --src-lens 64 2
check 'each mode is said' grep -q '^info: .* mode=throughput,latency seed=' "$log/err"
run bench sha256 -b auto,scalar,"$(celer bench sha256 2 --src-lens 64 2>&1 >/dev/null | sed -n 's/^info: backend=\([a-z0-9]*\) .*/\1/p')" \
    -f long --src-lens 64 2
expect 'what celer chooses, beside the same by name' 0
check 'long: no two subjects have one name' [ -z "$(sed 1d "$log/out" | cut -d, -f1-3 | sort | uniq -d)" ]
check 'long: what celer chooses' grep -q '^celer,[0-9.]*,auto:[a-z0-9]*,' "$log/out"

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

# --- What is kept ---

# runs FILE: how many the history has.
runs() {
    celer report --db "$1" --export - | wc -l
}

check 'every run is kept in the customary place' [ "$(runs "$XDG_DATA_HOME/celer/bench.db")" -gt 20 ]
run bench sha256 --src-lens 64 --db my/runs.db --name 'first one' 2
expect 'a history of its own' 0
run bench sha256 --src-lens 64 --db my/runs.db --json a.json -f csv 2
expect 'a file beside the table' 0
expect_shape 'a file beside the table' 'function,dst_len,64
sha256,32,#'
check 'two runs are in it' [ "$(runs my/runs.db)" -eq 2 ]
celer report --db my/runs.db --export - >all.json
check 'the label is kept' [ "$(grep -c '"name":"first one"' all.json)" -eq 1 ]
run report --import a.json --db my/runs.db
expect 'the file' 0
expect_err 'the file is the run in the history' '0 of 1 runs are new'
run bench sha256 --src-lens 64 --db my/runs.db --no-db 2
expect '--no-db' 0
check '--no-db keeps nothing' [ "$(runs my/runs.db)" -eq 2 ]
run bench sha256 --src-lens 64 --db /dev/null/runs.db 2
expect 'a place that cannot be written is no error' 0
expect_err 'a place that cannot be written' '^celer bench: note: this run is not kept: '
expect_shape 'a place that cannot be written: the figures' 'function,dst_len,64
sha256,32,#'
echo 'this is no database, and longer than the head of one: 0123456789 0123456789 0123456789 0123456789' >text.db
cp text.db text.before
refused 'a history that is none' '^celer bench: text.db: .*; --no-db measures without it$' sha256 --db text.db 2
check 'a history that is none stays as it is' cmp -s text.db text.before
# Damage behind the head of the file shows when the run is added: its figures are printed all the same.
cp my/runs.db damaged.db
dd if=/dev/zero of=damaged.db bs=4096 seek=1 count="$(($(wc -c <damaged.db) / 4096 - 1))" conv=notrunc 2>/dev/null
run bench sha256 --src-lens 64 --db damaged.db 2
expect 'a history that is damaged' 2
expect_err 'a history that is damaged' '^celer bench: .*damaged.db: damaged'
refused 'a file that cannot be written' '^celer bench: /dev/null/x.json: ' sha256 --json /dev/null/x.json 2
refused 'a folder in the place of a file' '^celer bench: my: ' sha256 --json my 2
mkfifo pipe
cat pipe >piped &
run bench sha256 --src-lens 64 --json pipe 2
wait $!
expect 'a pipe' 0
check 'a pipe' grep -q '"format": "celer-bench"' piped
run bench sha256 --src-lens 64 --samples --no-db --json samples.json 2
expect 'samples in a file alone' 0

run bench --list
expect '--list' 0
check '--list: code for other CPUs' grep -q '^code for other CPUs: .*\(neon(AArch64)\|avx2(x86-64)\)' "$log/out"
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
refused 'two numbers' '^celer bench: TRIALS: one number will do; there are 2 and 7$' sha256 2 7
run bench sha256 -b bmi2 --src-lens 64 2
if grep -q "unknown backend\|cannot run here" "$log/err"; then
    skip 'a backend that no function selected has' 'no bmi2 here'
else
    expect 'a backend that no function selected has' 2
    expect_err 'a backend that no function selected has' '^celer bench: nothing to measure: '
    check 'a backend that no function selected has: no table' [ ! -s "$log/out" ]
fi
refused 'a number that is none' "TRIALS: '12x' " 12x
refused 'an unknown selection' "^celer bench: unknown selection 'md5'; there are: sha3 .* sha256" md5
refused 'an unknown backend' "^celer bench: unknown backend 'mmx'; there are: .*scalar" sha3 -b scalar,mmx
refused 'an unknown unit' "^celer bench: unknown unit 'furlong'; there are: cpb cycles ns MB MiB MH$" -m furlong
refused 'an unknown format' "^celer bench: unknown format 'xml'; there are: csv long json md table$" -f xml
refused 'an unknown mode' "^celer bench: unknown mode 'fast'; there are: throughput latency$" --mode fast
refused 'a length of 0' "^celer bench: --src-lens: '0' is not a number from 1 to " --src-lens 64,0
refused 'an output length that is none' "^celer bench: --dst-lens: 'x' is not a number from 1 to " --dst-lens x
refused 'output lengths for nothing' '^celer bench: --dst-lens is for ' sha256 --dst-lens 64
refused 'an unknown unit among others' "^celer bench: unknown unit 'furlong'; " -m cpb,furlong
refused 'no unit' "^celer bench: unknown unit ''; " -m cpb,
refused 'a pair that is none' "^celer bench: --pairs: '42' is not OUT:IN, " shake128 --pairs 1:2,42
refused 'a grid that is none' "^celer bench: --grid: 'rate/x' is not a step " shake128 --grid rate/x
refused 'pairs of what has one output' '^celer bench: --pairs is for .*, and sha256 has not$' sha256 --pairs 42:672
refused 'pairs and lengths' '^celer bench: --pairs gives lengths ' shake128 --pairs 42:672 --src-lens 64
refused 'a form of keys that is none' "^celer bench: unknown form of keys 'sealed'; there are: bytes opened$" --keys bytes,sealed
refused 'keys of a hash' '^celer bench: --keys is for KEMs, ' sha256 --keys opened
refused 'no time' "^celer bench: --time-budget: '0' is not a number of seconds " --time-budget 0
refused 'input lengths for nothing' '^celer bench: --src-lens is for hashes, and none is selected$' permutation --src-lens 64
refused 'input lengths of a chain' '^celer bench: --src-lens is for hashes, ' sha256-chain --src-lens 64
refused 'a label that has a meaning' "^celer bench: --name: 'latest' is " --name latest
refused 'two things on one output' '^celer bench: --json wants a file; ' --json -
refused 'samples that nobody keeps' '^celer bench: --samples: ' --samples --no-db
refused 'a selection that is listed' "^celer bench: --list takes no selection; there is 'extra' " --list extra
refused 'a selection that is tested' "^celer bench: --self-test takes no selection; there is 'sha3' " --self-test sha3
refused 'a permutation of 3 states' '^celer bench: no permutation of 3 states; there are: 1 2 4 8$' permutation --ways 3
refused 'an unknown option' 'celer bench --help tells more' --fast
if [ "$(uname)" = Linux ]; then
    refused 'a CPU that is none' "^celer bench: --cpu: 'x' is neither the number of a CPU nor each-type$" --cpu x
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
terminate '^info: cpu=' bench sha256 --src-lens 64 10000000
expect 'terminated' 143
expect_shape 'terminated: what there is' 'function,dst_len,64
sha256,32,#'
expect_err 'terminated: said' '^warning: interrupted'

finish
