#!/bin/sh
# kinds.sh: the shape of every kind of table of celer bench in every format, as far as bench.sh has not met it. Figures
# are not looked at. PLANTED: the folder of a plug-in of chains and KEMs (tests/plugins/kinds.c).
# shellcheck disable=SC2154 # lib.sh sets log
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
: "${PLANTED:?}"

cp "$PLANTED/kinds.so" kinds.so
toys='--plugin kinds.so'
sets='ml-kem-toy1 ml-kem-toy2 ml-kem-toy3'

# bench WHAT ARGUMENT...: two trials, and no trouble.
bench() {
    what=$1
    shift
    run bench "$@" 2
    expect "$what" 0
}

# expect_long WHAT TEXT: the last run, in the long format, has the customary head, and lines with figures in all their
# fields; TEXT has library, kind, function, ways, mode, dst_len, src_len and unit of each.
expect_long() {
    check "$1: the head" [ "$(head -n 1 "$log/out")" = "library,version,backend,compiler,flags_cc,kind,function,ways,mode,\
dst_len,src_len,unit,median,min,p10,q1,q3,mad,ci_lo,ci_hi,n,rejected,canary_ratio,ghz,flags" ]
    printf '%s\n' "$2" >"$log/expected"
    sed 1d "$log/out" | cut -d, -f1,6-12 >"$log/rows"
    check "$1: the lines" cmp "$log/expected" "$log/rows"
    figure='[0-9][0-9]*\.[0-9][0-9][0-9]*'
    check "$1: the figures" [ "$(sed 1d "$log/out" | cut -d, -f13-24 |
        grep -cvx "\($figure,\)\{8\}[0-9]*,[0-9]*,[0-9.]*,[0-9.]*")" -eq 0 ]
}

# expect_json WHAT TEXT: the last run, in JSON, has figures for each result, and these kinds, functions, ways, modes,
# dst_lens, src_lens and units.
expect_json() {
    if ! command -v python3 >/dev/null 2>&1; then
        skip "$1" 'python3 is not installed'
        return
    fi
    printf '%s\n' "$2" >"$log/expected"
    python3 -c 'import json, sys
run = json.load(open(sys.argv[1]))
for r in run["results"]:
    for figures in "value", "cycles", "nanoseconds":
        assert r[figures]["q3"] >= r[figures]["median"] >= r[figures]["q1"] > 0, r
    print(*(r[key] for key in "kind function ways mode dst_len src_len".split()), r["value"]["unit"])
' "$log/out" >"$log/rows" 2>"$log/err"
    code=$?
    expect "$1" 0
    check "$1: the results" cmp "$log/expected" "$log/rows"
}

# shellcheck disable=SC2086 # $toys and $sets are lists of words
{
    # --- KEMs: celer's ---

    run bench kem --time-budget 1
    expect 'its own KEMs' 0
    expect_shape 'its own KEMs' 'set,function,celer-auto
kem512,keygen,#
kem512,encaps,#
kem512,decaps,#
kem768,keygen,#
kem768,encaps,#
kem768,decaps,#
kem1024,keygen,#
kem1024,encaps,#
kem1024,decaps,#'
    expect_err 'its own KEMs: so many trials' '^info: .* num_trials=5000 '
    check 'its own KEMs: nothing is unverified' [ "$(grep -c unverified "$log/err")" -eq 0 ]
    bench 'its own: keys and batches' kem768 --keys bytes,opened --ways 1,8
    expect_shape 'its own: keys and batches' 'set,function,celer-auto,celer-auto-opened,celer-auto-x8
kem768,keygen,#,#,#
kem768,encaps,#,#,#
kem768,decaps,#,#,#'
    expect_err 'its own: no batches of opened keys' '^celer bench: note: nothing of what is selected is in: celer-auto[a-z0-9-]*-x8-opened$'
    bench 'its own: backends' ML-KEM-512 -b scalar,auto
    expect_shape 'its own: backends' 'set,function,celer-scalar,celer-auto
kem512,keygen,#,#
kem512,encaps,#,#
kem512,decaps,#,#'
    bench 'its own, long' ml-kem-1024 -b scalar --ways 8 -f long
    expect_long 'its own, long' 'celer,kem,ml_kem_1024_keygen,8,throughput,32,0,cycles
celer,kem,ml_kem_1024_encaps,8,throughput,32,0,cycles
celer,kem,ml_kem_1024_decaps,8,throughput,32,0,cycles'
    bench 'its own, json' ml-kem-512 --keys bytes,opened -f json
    expect_json 'its own, json' 'kem ml_kem_512_keygen 1 throughput 32 0 cycles
kem ml_kem_512_encaps 1 throughput 32 0 cycles
kem ml_kem_512_decaps 1 throughput 32 0 cycles
kem ml_kem_512_keygen 1 throughput 32 0 cycles
kem ml_kem_512_encaps 1 throughput 32 0 cycles
kem ml_kem_512_decaps 1 throughput 32 0 cycles'
    bench 'its own beside hashes' sha256 kem512 --src-lens 64
    expect_shape 'its own beside hashes' 'function,dst_len,64
sha256,32,#

set,function,celer-auto
kem512,keygen,#
kem512,encaps,#
kem512,decaps,#'

    # --- KEMs of others ---

    cp kinds.so twin.so
    bench 'KEMs' $sets $toys
    expect_shape 'KEMs' 'set,function,toys-1
kemtoy1,keygen,#
kemtoy1,encaps,#
kemtoy1,decaps,#
kemtoy2,keygen,#
kemtoy2,encaps,#
kemtoy2,decaps,#
kemtoy3,keygen,#
kemtoy3,encaps,#
kemtoy3,decaps,#'
    check 'KEMs are in cycles' grep -q '^info: .* unit=cycles ' "$log/err"
    bench 'a set' ML_KEM_TOY2 $toys
    expect_shape 'a set' 'set,function,toys-1
kemtoy2,keygen,#
kemtoy2,encaps,#
kemtoy2,decaps,#'
    bench 'all KEMs' kem $toys
    check 'all KEMs' [ "$(grep -c '^kemtoy[123],[a-z]*,' "$log/out")" -eq 9 ]
    bench 'opened keys and batches' ml-kem-toy1 ml-kem-toy3 $toys --keys bytes,opened --ways 1,8
    expect_shape 'opened keys and batches' 'set,function,toys-1,toys-1-opened,toys-1-x8,toys-1-x8-opened
kemtoy1,keygen,#,#,#,#
kemtoy1,encaps,#,#,#,#
kemtoy1,decaps,#,#,#,#
kemtoy3,keygen,#,#,#,#
kemtoy3,encaps,#,#,#,#
kemtoy3,decaps,#,#,#,#'
    bench 'opened keys alone' ml-kem-toy1 $toys --keys opened
    expect_shape 'opened keys alone' 'set,function,toys-1-opened
kemtoy1,keygen,#
kemtoy1,encaps,#
kemtoy1,decaps,#'
    bench 'KEMs in several units' ml-kem-toy1 $toys -m ns,MH
    expect_shape 'KEMs in several units' 'set,function,unit,toys-1
kemtoy1,keygen,ns,#
kemtoy1,keygen,MH,#
kemtoy1,encaps,ns,#
kemtoy1,encaps,MH,#
kemtoy1,decaps,ns,#
kemtoy1,decaps,MH,#'
    bench 'KEMs, md' ml-kem-toy1 $toys --ways 8,1 -f md
    expect_shape 'KEMs, md' 'Key encapsulation: medians in cycles per call (cycles); mode throughput

| set | function | toys-1-x8 | toys-1 |
| :-- | :-- | --: | --: |
| kemtoy1 | keygen | # | # |
| kemtoy1 | encaps | # | # |
| kemtoy1 | decaps | # | # |'
    bench 'KEMs, table' ml-kem-toy1 $toys -m ns -f table
    expect_shape 'KEMs, table' 'Key encapsulation: medians in nanoseconds per call (ns); mode throughput
set function toys-1
kemtoy1 keygen #
kemtoy1 encaps #
kemtoy1 decaps #'
    bench 'KEMs, long' ml-kem-toy2 $toys --keys opened --ways 8 -f long
    expect_long 'KEMs, long' 'toys,kem,ml_kem_toy2_keygen,8,throughput,32,0,cycles
toys,kem,ml_kem_toy2_encaps,8,throughput,32,0,cycles
toys,kem,ml_kem_toy2_decaps,8,throughput,32,0,cycles'
    bench 'KEMs, json' ml-kem-toy2 $toys -f json
    expect_json 'KEMs, json' 'kem ml_kem_toy2_keygen 1 throughput 32 0 cycles
kem ml_kem_toy2_encaps 1 throughput 32 0 cycles
kem ml_kem_toy2_decaps 1 throughput 32 0 cycles'
    bench 'KEMs of two' ml-kem-toy1 $toys --plugin ./twin.so
    expect_shape 'KEMs of two' 'set,function,toys-1,toys-1#2
kemtoy1,keygen,#,#
kemtoy1,encaps,#,#
kemtoy1,decaps,#,#'
    run bench ml-kem-toy1 $toys --ways 3 2
    expect 'as many keys as nobody takes' 2
    expect_err 'as many keys as nobody takes' '^celer bench: nothing of what is selected is in: .*toys-1-x3'

    # What a library lacks of a KEM has an empty field.
    bench 'KEMs in part' ml-kem-mute ml-kem-deaf ml-kem-keyless ml-kem-toy1 $toys
    expect_shape 'KEMs in part' 'set,function,toys-1
kemmute,keygen,#
kemmute,encaps,
kemmute,decaps,
kemdeaf,keygen,#
kemdeaf,encaps,#
kemdeaf,decaps,
kemkeyless,keygen,
kemkeyless,encaps,
kemkeyless,decaps,
kemtoy1,keygen,#
kemtoy1,encaps,#
kemtoy1,decaps,#'
    nothing=', without which there is nothing to work on for'
    expect_err 'no encaps' "^celer bench: note: ml-kem-mute of toys-1 has no encaps$nothing decaps\$"
    expect_err 'no decaps' '^celer bench: note: ml-kem-deaf of toys-1 has no decaps$'
    expect_err 'no keygen' "^celer bench: note: ml-kem-keyless of toys-1 has no keygen$nothing encaps decaps\$"
    expect_err 'no decaps: nobody checks' '^celer bench: note: unverified: ml-kem-deaf of toys-1 is compared with nothing$'
    check 'one note on each' [ "$(grep -c ' has no ' "$log/err")" -eq 3 ]
    run bench ml-kem-keyless $toys 2
    expect 'a KEM without keys' 2
    expect_silence 'a KEM without keys' out
    expect_err 'a KEM without keys' '^celer bench: nothing to measure: nothing selected has all that it takes$'

    # --- Chains ---

    bench 'chains' toy-chain $toys
    expect_shape 'chains' 'chain,ways,iterations,toys-1
toy_chain,1,1000,#
toy_chain,4,1000,#'
    check 'chains are in millions of links' grep -q '^info: .* unit=MH ' "$log/err"
    bench 'all chains' chain $toys
    check 'all chains' grep -q '^toy_chain,4,1000,' "$log/out"
    bench 'chains, some ways' toy-chain $toys --plugin ./twin.so --ways 4
    expect_shape 'chains, some ways' 'chain,ways,iterations,toys-1,toys-1#2
toy_chain,4,1000,#,#'
    bench 'chains in several units' toy-chain $toys --ways 1 -m cpb,MB,cycles
    expect_shape 'chains in several units' 'chain,ways,iterations,unit,toys-1
toy_chain,1,1000,cpb,#
toy_chain,1,1000,MB,#
toy_chain,1,1000,cycles,#'
    bench 'chains, md' toy-chain $toys -f md
    expect_shape 'chains, md' 'Chains: medians in million results per second (MH); mode latency

| chain | ways | iterations | toys-1 |
| :-- | --: | --: | --: |
| toy_chain | 1 | 1000 | # |
| toy_chain | 4 | 1000 | # |'
    bench 'chains, table' toy-chain $toys -f table
    expect_shape 'chains, table' 'Chains: medians in million results per second (MH); mode latency
chain ways iterations toys-1
toy_chain 1 1000 #
toy_chain 4 1000 #'
    bench 'chains, long' toy-chain $toys -f long
    expect_long 'chains, long' 'toys,chain,toy_chain,1,latency,32,1000,MH
toys,chain,toy_chain,4,latency,32,1000,MH'
    bench 'chains, json' toy-chain $toys -f json
    expect_json 'chains, json' 'chain toy_chain 1 latency 32 1000 MH
chain toy_chain 4 latency 32 1000 MH'

    # --- Several kinds at once, each with a table of its own ---

    bench 'kinds at once' sha256 permutation toy-chain ml-kem-toy1 $toys --src-lens 64
    expect_shape 'kinds at once' 'subject,function,dst_len,64
celer-auto,sha256,32,#

permutation,ways,celer-auto,toys-1
keccak_f1600,1,#,
keccak_f1600,2,#,
keccak_f1600,4,#,
keccak_f1600,8,#,

chain,ways,iterations,celer-auto,toys-1
toy_chain,1,1000,,#
toy_chain,4,1000,,#

set,function,celer-auto,toys-1
kemtoy1,keygen,,#
kemtoy1,encaps,,#
kemtoy1,decaps,,#'
}

# --- Hashes in the formats that bench.sh does not ask for ---

bench 'hashes, md, several units' sha256 shake128 -m cpb,MiB -f md --src-lens 64 --dst-lens 32,64
expect_shape 'hashes, md, several units' \
    'Hashes, by length of input: medians in cycles per byte (cpb) and MiB per second (MiB); mode throughput

| function | dst_len | unit | 64 |
| :-- | --: | :-- | --: |
| sha256 | 32 | cpb | # |
| sha256 | 32 | MiB | # |
| shake128 | 32 | cpb | # |
| shake128 | 32 | MiB | # |
| shake128 | 64 | cpb | # |
| shake128 | 64 | MiB | # |'
bench 'hashes that hash their length' blake2xb blake2xs --src-lens 64
expect_shape 'hashes that hash their length' 'function,dst_len,64
blake2xb,64,#
blake2xs,32,#'
bench 'lengths that are hashed' blake2xb blake2xs sha256 --src-lens 64 --dst-lens 32,1000,65535
expect_shape 'lengths that are hashed' 'function,dst_len,64
blake2xb,32,#
blake2xb,1000,#
blake2xb,65535,#
blake2xs,32,#
blake2xs,1000,#
sha256,32,#'
expect_err 'lengths that are hashed' '^celer bench: note: blake2xs has at most 65534 bytes of output; nothing longer is measured$'
check 'lengths that are hashed: one note' [ "$(grep -c 'at most' "$log/err")" -eq 1 ]
check 'lengths that are hashed: nothing is unverified' [ "$(grep -c unverified "$log/err")" -eq 0 ]
run bench blake2xs --dst-lens 65535 2
expect 'more output than there is' 2
expect_err 'more output than there is' '^celer bench: nothing of what is selected has so much output$'
bench 'batches, lengths that are hashed, long' blake2xb --ways 2 -f long --src-lens 64 --dst-lens 100
expect_long 'batches, lengths that are hashed, long' 'celer,many,blake2xb,2,throughput,100,64,cpb'
bench 'pairs of a length that is hashed' blake2xs -b scalar --pairs 100:64,65535:64
expect_shape 'pairs of a length that is hashed' 'function,dst_len,src_len,celer-scalar
blake2xs,100,64,#'
bench 'batches of xof, long' shake128 --ways 2 -f long --src-lens 64 --dst-lens 100 --mode latency
expect_long 'batches of xof, long' 'celer,many,shake128,2,latency,100,64,cpb'
bench 'xof, long' shake256 -f long --src-lens 64,65 -m MiB,cycles
expect_long 'xof, long' 'celer,xof,shake256,1,throughput,32,64,MiB
celer,xof,shake256,1,throughput,32,64,cycles
celer,xof,shake256,1,throughput,32,65,MiB
celer,xof,shake256,1,throughput,32,65,cycles'
bench 'permutation, long' permutation --ways 1,8 -f long
expect_long 'permutation, long' 'celer,permutation,keccak_f1600,1,latency,200,200,cycles
celer,permutation,keccak_f1600,8,latency,200,200,cycles'
bench 'pairs, long' shake128 --pairs 42:672,294:336 -f long
expect_long 'pairs, long' 'celer,xof,shake128,1,throughput,42,672,cycles
celer,xof,shake128,1,throughput,294,336,cycles'
bench 'pairs, md' shake128 --pairs 42:672,294:336 -f md
expect_shape 'pairs, md' 'Hashes, by length of output and input: medians in cycles per call (cycles); mode throughput

| function | dst_len | src_len | celer-auto |
| :-- | --: | --: | --: |
| shake128 | 42 | 672 | # |
| shake128 | 294 | 336 | # |'
bench 'a grid, table' shake256 --grid 100:2 -f table
expect_shape 'a grid, table' 'Hashes, by length of output and input: medians in cycles per call (cycles); mode throughput
function dst_len src_len celer-auto
shake256 100 100 #
shake256 100 200 #
shake256 200 100 #
shake256 200 200 #'
bench 'a grid, several units' shake256 --grid 100:1 -m ns,cpb
expect_shape 'a grid, several units' 'function,dst_len,src_len,unit,celer-auto
shake256,100,100,ns,#
shake256,100,100,cpb,#'
bench 'hashes, json' sha256 shake128 -f json --src-lens 64 --dst-lens 100
expect_json 'hashes, json' 'hash sha256 1 throughput 32 64 cpb
xof shake128 1 throughput 100 64 cpb'
bench 'batches, json' sha3-256 --ways 2 -f json --src-lens 64
expect_json 'batches, json' 'many sha3_256_many2 2 throughput 32 64 cpb'
bench 'permutation, json' permutation --ways 2 -f json
expect_json 'permutation, json' 'permutation keccak_f1600 2 latency 200 200 cycles'

finish
