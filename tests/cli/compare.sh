#!/bin/sh
# compare.sh: `celer compare` as its users meet it: shapes, words, exit codes. Verdicts are looked at only where nothing
# but a fault of the program could turn them around, and again where load could leave them open. PLANTED: a folder of
# plug-ins with one thing wrong each (tests/plugins); BUILD: where peers/ and examples/ were built.
# shellcheck disable=SC2154,SC2034 # lib.sh sets log and celer_path, and reads code and last
manual=$(cd "$(dirname "$0")/../../docs/man" && pwd)/celer-compare.1
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
: "${PLANTED:?}" "${BUILD:?}"

# refused WHAT PATTERN ARGUMENT...: exit 2, one line that matches, nothing on standard output.
refused() {
    what=$1 pattern=$2
    shift 2
    run compare "$@"
    expect "$what" 2
    expect_silence "$what" out
    expect_err "$what" "$pattern"
    check "$what: one line" [ "$(wc -l <"$log/err")" -eq 1 ]
}

# A verdict is reached, whatever it is.
judged() {
    check "$1: no trouble" [ "$code" -ne 2 ]
}

# verdicts: the field before the last of each line of CSV but the first.
verdicts() {
    sed '1d; s/,[^,]*$//; s/.*,//' "$log/out" | tr '\n' ' '
}

csv='base_subject,test_subject,kind,function,ways,base_ways,mode,dst_len,src_len,unit,base,test,ratio,ci_lo,ci_hi,p,p_adjusted,n,rejected,verdict,reason'

# --- Subjects of one run ---

run compare sha3-256 --base celer --test celer --src-lens 64 20
judged 'the same twice'
check 'table: names' [ "$(sed -n '1,3s/[a-z]*: celer-auto-\{0,1\}[a-z0-9]*$/#/p' "$log/out" | tr -d '\n')" = '##' ]
check 'table: head' grep -q \
    '^function  dst_len  src_len  *base takes  *test takes  difference  *95 % of it  verdict of test$' "$log/out"
# On a machine that is never quiet there are no figures, and the verdict says so.
check 'table: line' grep -q -e '^sha3_256       32       64 .* inconclusive: [a-z]*$' -e '^sha3_256       32       64  *[0-9.]* cpb  *[0-9.]* cpb  *[-+][0-9.]* %  *[-+][0-9.]* to [-+][0-9.]*  [a-z]*$' "$log/out"
check 'table: five lines' [ "$(wc -l <"$log/out")" -eq 5 ]
expect_err 'the same twice: said' '^info: base and test are the same'
expect_err 'counts' '^info: of 1 rows, test is faster in [01], slower in [01], the same in [01], inconclusive in [01]$'

run compare sha3-256 sha256 --base celer --test celer --src-lens 64,200 -f csv 20
judged csv
check 'csv: head' [ "$(head -n 1 "$log/out")" = "$csv" ]
check 'csv: rows' [ "$(sed '1d; s/^[^,]*,[^,]*,//; s/,cpb,.*//' "$log/out" | tr '\n' ' ')" = \
    'hash,sha3_256,1,1,throughput,32,64 hash,sha3_256,1,1,throughput,32,200 hash,sha256,1,1,throughput,32,64 hash,sha256,1,1,throughput,32,200 ' ]
# shellcheck disable=SC2016 # awk's fields
check 'csv: the figures agree' awk -F, 'NR > 1 && $11 > 0 && ($12 / $11 - $13) ^ 2 > 1e-6 { exit 1 }' "$log/out"
check 'csv: fields' [ "$(awk -F, 'NF != 21' "$log/out" | wc -l)" -eq 0 ]

run compare permutation --base celer --test celer --ways 1,8 -f md 20
judged md
check 'md: head' grep -q '^| function *| ways | dst_len | src_len | *base takes | *test takes | difference | *95 % of it | verdict of test *|$' "$log/out"
check 'md: rule' grep -q '^| -* | -*: | -*: | -*: | -*: | -*: | -*: | -*: | -* |$' "$log/out"
check 'md: lines' [ "$(grep -c '^| keccak_f1600 ' "$log/out")" -eq 2 ]

run compare sha256 --base celer --test celer --src-lens 64 -f json --mode latency --seed 5 20
judged json
expect_err 'the seed is said' '^info: .* seed=5$'
if command -v python3 >/dev/null 2>&1; then
    check 'json: another program reads it' python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["format"] == "celer-compare" and r["method"] == "paired" and r["min_effect"] == 0.005
row, = r["rows"]
assert row["mode"] == "latency"
assert row["ratio"] is None if row["n"] == 0 else row["ci_lo"] <= row["ratio"] <= row["ci_hi"]
assert r["verdicts"][row["verdict"]] == 1' "$log/out"
else
    skip 'json: another program reads it' 'python3 is not installed'
fi

# Which code is the faster is certain only where AVX-512 is, and the compiler optimizes.
fast_vectors() {
    celer bench --list | grep -q '^backends of keccak.* avx512\( \|$\)' && celer info | grep -q 'flags:.*-O[23]'
}

# settled CODE WHAT ARGUMENT...: of up to five runs, one ends with CODE. Where the load still lets too few trials count, the
# row stays open, and nothing can be said.
settled() {
    wanted=$1 what=$2 attempt=0
    shift 2
    while
        run compare "$@"
        attempt=$((attempt + 1))
        [ "$code" -ne "$wanted" ] && [ $attempt -lt 5 ]
    do
        sleep $attempt
    done
    if [ "$code" -ne "$wanted" ] && grep -q 'inconclusive[,:] *disturbed$' "$log/out"; then
        skip "$what" 'this machine is too busy to say'
        return 1
    fi
    expect "$what" "$wanted"
}

# Eight messages one after the other in portable C against all at once in the widest vectors: several times faster.
if fast_vectors; then
    if settled 0 'much faster' many sha3-256 --src-lens 1000 --base celer-scalar --strict -f csv 20; then
        check 'much faster: said' [ "$(verdicts)" = 'faster ' ]
    fi
    if settled 1 'much slower' many sha3-256 --src-lens 1000 --base celer-auto --test celer-scalar -f csv 20; then
        check 'much slower: said' [ "$(verdicts)" = 'slower ' ]
    fi
    check 'its names' grep -q '^celer-auto[a-z0-9-]*,celer-scalar[a-z0-9-]*,many,sha3_256_many8,8,8,' "$log/out"
    settled 0 'a difference of less than was asked for' \
        many sha3-256 --src-lens 1000 --base celer-auto --test celer-avx512 --min-effect 100% --strict 20
else
    skip 'much faster' 'no AVX-512 here, or no optimization'
fi
run compare sha256 --base celer --test celer --src-lens 64 -f csv 2
expect 'two trials prove nothing' 0
check 'two trials prove nothing: said' [ "$(verdicts)" = 'inconclusive ' ]
check 'two trials prove nothing: why' grep -q -e ',inconclusive,few$' -e ',inconclusive,disturbed$' "$log/out"
run compare sha256 --base celer --test celer --src-lens 64 --strict 2
expect '--strict' 1

# --- State for state ---

run compare permutation --per-state --base celer-scalar --ways 1 -f csv 2
expect 'widths of two subjects' 0
check 'widths of two subjects: x1 of either' grep -q \
    '^celer-scalar[a-z0-9-]*,celer-auto[a-z0-9-]*,permutation,keccak_f1600,1,1,latency,200,200,cycles/state,' "$log/out"
run compare --per-state 20
judged 'widths'
check 'widths: head' grep -q "^function *ways  base's ways  dst_len" "$log/out"
check 'widths: each but x1, with x1' [ "$(sed -n "s/^keccak_f1600 *\([248]\) *1 *200 .* \(cycles\/state\|inconclusive:\) .*/\1/p" "$log/out" | tr '\n' ' ')" = '2 4 8 ' ]
if fast_vectors; then # in one vector there is room for all
    for ways in 4 8; do
        if settled 0 'wider is faster' permutation --per-state --test celer-avx512 --ways $ways --strict 20; then
            check 'wider is faster: said' grep -q " faster: x$ways beats $ways x x1\$" "$log/out"
        fi
    done
    run compare permutation --per-state --ways 8 -b avx512 -f csv 2
    expect 'the backend of -b' 0
    check 'the backend of -b: which' grep -q '^celer-avx512[a-z0-9-]*,celer-avx512[a-z0-9-]*,permutation,' "$log/out"
else
    skip 'wider is faster' 'no AVX-512 here, or no optimization'
fi
refused 'nothing wider' '^celer compare: celer-auto has no width that is wider than one of celer-auto$' --per-state --ways 1
refused 'widths of a hash' '^celer compare: --per-state is about permutations, and sha3-224 is none$' sha3 --per-state
refused 'widths of plug-ins' '^celer compare: --per-state is about subjects' --per-state --plugins a b

# --- Plug-ins ---

run compare sha3-256 --plugins "$PLANTED/good.so" "$PLANTED/wrong.so" --src-lens 64 2
check 'two plug-ins without it: trouble' [ "$code" -eq 2 ]
run compare sha256 --base celer --test planted --plugin "$PLANTED/wrong.so" --src-lens 64 -f csv 2
expect 'a wrong digest' 1
expect_err 'a wrong digest' '^celer compare: sha256 of planted-1, 64 bytes: its results are wrong$'
check 'a wrong digest: no figure' grep -q ',planted-1,hash,sha256,1,1,throughput,32,64,cpb,,,,,,,,0,0,inconclusive,$' "$log/out"
run compare sha256 --base planted --plugin "$PLANTED/nothing.so" --src-lens 64 2
expect 'one that does nothing' 1
expect_err 'one that does nothing' '^celer compare: sha256 of planted-1, 64 bytes: it does nothing$'
check 'one that does nothing: no verdict' grep -q ' none: it does nothing$' "$log/out"
run compare fnv1a --plugins "$PLANTED/good.so" "$PLANTED/good.so" --src-lens 64 2
expect 'a plug-in twice' 0
expect_err 'a plug-in twice: unverified' '^celer compare: note: unverified: nothing here but planted-1 has fnv1a$'
check 'a plug-in twice: its file' grep -q "^test: planted-1 ($PLANTED/good.so)\$" "$log/out"
run compare kem --base toys --test toys --plugin "$PLANTED/kinds.so" 2
check 'a KEM: unverified once' [ "$(grep -c 'note: unverified: ml-kem-toy1 of toys-1 ' "$log/err")" -eq 1 ]
refused 'a plug-in that is missing' '^celer compare: no-such.so: .*No such file' --plugins no-such.so "$PLANTED/good.so"
refused 'one plug-in' '^celer compare: --plugins needs two arguments ' --plugins "$PLANTED/good.so"
if [ -e "$BUILD/peers/openssl.so" ]; then # --with is not needed
    run compare sha256 --base openssl --src-lens 64 -f csv 2
    expect 'a library' 0
    check 'a library: its row' grep -q '^openssl-[0-9.]*,celer-auto[a-z0-9-]*,hash,sha256,' "$log/out"
    run compare sha256 --base opens --src-lens 64 -f csv 2
    expect 'the beginning of a library' 0
    check 'the beginning of a library: which' grep -q '^openssl-[0-9.]*,celer-auto[a-z0-9-]*,hash,sha256,' "$log/out"
else
    refused 'a library that is not here' '^celer compare: openssl: not found when celer was built; ' sha256 --base openssl
    skip 'a library' 'openssl was not found when celer was built'
fi

# --- The history ---

# rows FILE QUESTION: the first answer.
rows() {
    python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$1" "$2"
}
if command -v python3 >/dev/null 2>&1; then
    kept="SELECT count(*) FROM comparison JOIN subject AS b ON b.id = base JOIN subject AS t ON t.id = test
        JOIN build ON build.id = b.build WHERE library = 'celer' AND b.label LIKE 'celer-scalar%' AND b.backend = 'scalar'
        AND t.label LIKE 'celer-auto%' AND seed = 5 AND function = 'sha256' AND started LIKE '2%T%Z' AND n + rejected >= 20"
    run compare sha256 --base celer-scalar --src-lens 64,200 --seed 5 --db kept.db 20
    judged 'verdicts are kept'
    check 'verdicts are kept: both' [ "$(rows kept.db "$kept AND src_len IN (64, 200)")" -eq 2 ]
    # What was said is what is kept.
    run compare sha256 --base celer-scalar --src-lens 64 --seed 6 --db kept.db -f csv 20
    said=$(sed 1d "$log/out" | cut -d , -f 13,14,15,20)
    check 'verdicts are kept: those' [ "$said" = "$(rows kept.db "SELECT CASE WHEN n > 0
        THEN printf('%.5f,%.5f,%.5f', ratio, ci_lo, ci_hi) ELSE ',,' END || ',' || verdict FROM comparison WHERE seed = 6")" ]
    run compare --per-state --ways 8 --db kept.db 20
    check 'verdicts are kept: of widths' [ "$(rows kept.db 'SELECT count(*) FROM comparison WHERE base_ways = 1 AND
        test_ways = 8')" -eq 1 ]
    celer bench sha256 --src-lens 64 --db kept.db 20 >/dev/null 2>&1
    check 'of one machine' [ "$(rows kept.db 'SELECT count(*) FROM machine')" -eq 1 ]
    check 'and of one subject' [ "$(rows kept.db 'SELECT count(DISTINCT id) FROM subject WHERE label LIKE "celer-auto%"
        AND id IN (SELECT subject FROM result) AND id IN (SELECT test FROM comparison)')" -eq 1 ]
    run compare sha256 --plugins "$PLANTED/wrong.so" "$PLANTED/wrong.so" --src-lens 64 --db wrong.db 2
    check 'what is wrong is not kept' [ "$(rows wrong.db 'SELECT count(*) FROM comparison')" -eq 0 ]
    # Damaged where only writing finds it: the answer is given, and then the error. While it is locked, a note.
    python3 -c 'import sqlite3, sys
page = sqlite3.connect(sys.argv[1]).execute("SELECT rootpage FROM sqlite_master WHERE name = ?", ["comparison"]).fetchone()[0]
with open(sys.argv[1], "r+b") as to:
    to.seek((page - 1) * 4096)
    to.write(b"\xff" * 4096)' wrong.db
    run compare sha256 --base celer-scalar --src-lens 64 --db wrong.db -f csv 2
    expect 'a damaged history' 2
    expect_err 'a damaged history' '^celer compare: this run is not kept: wrong.db: damaged ('
    check 'a damaged history: what was measured' [ "$(verdicts)" = 'inconclusive ' ]
    python3 -c 'import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
open("locked", "w")
for i in range(600):
    time.sleep(0.1)
    if "keeps it locked" in open(sys.argv[2]).read():
        break' kept.db "$log/err" &
    i=0
    while [ ! -e locked ] && [ $i -lt 100 ]; do
        sleep 0.1
        i=$((i + 1))
    done
    run compare sha256 --base celer-scalar --src-lens 64 --seed 7 --db kept.db -f csv 2
    wait
    expect 'a locked history' 0
    expect_err 'a locked history' '^celer compare: note: kept.db: another process keeps it locked; waiting up to 20 s$'
    check 'a locked history: kept in the end' [ "$(rows kept.db "SELECT count(*) FROM comparison WHERE seed = 7")" -eq 1 ]
else
    skip 'verdicts are kept' 'python3 is not installed'
fi
export XDG_DATA_HOME="$PWD/none"
run compare sha256 --base celer-scalar --src-lens 64 --no-db 2
expect '--no-db' 0
check '--no-db: nothing is made' [ ! -e none ]
run compare sha256 --base celer-scalar --src-lens 64 --db /proc/none/x.db 2
expect 'no place for it' 0
expect_err 'no place for it' '^celer compare: note: this run is not kept: /proc/none/x.db: '
echo 'this is no database, but a text that is long enough to be looked at' >text.db
refused 'something else' '^celer compare: text.db: not a history of celer .*; --no-db measures without it$' \
    sha256 --base celer-scalar --db text.db 2

# --- Finished runs ---

celer bench sha256 --src-lens 64,200 --no-db -f json 200 >a.json 2>/dev/null
run compare --runs a.json a.json -f csv
judged 'a run with itself'
check 'a run with itself: two rows' [ "$(wc -l <"$log/out")" -eq 3 ]
check 'a run with itself: ratio' [ "$(awk -F, 'NR > 1 && $13 != "1.00000"' "$log/out" | wc -l)" -eq 0 ]
check 'a run with itself: nothing is faster' [ "$(verdicts | tr ' ' '\n' | grep -c 'faster\|slower')" -eq 0 ]
cp a.json same.json
run compare SHA256 --runs a.json - <same.json
judged 'standard input'
if command -v python3 >/dev/null 2>&1; then
    python3 - <<'EOF'
import json
r = json.load(open("a.json"))
r["run"]["canary_cycles"] = 10000
for result in r["results"]:
    result["flags"] = []
    result["canary_ratio"] = 0.1
    result["cycles"].update(median=1000, ci_lo=999, ci_hi=1001)
json.dump(r, open("quiet.json", "w"))
for result in r["results"]:
    result["canary_ratio"] *= 1.3
json.dump(r, open("slow.json", "w"))
r["machine"]["cpu"] = "another"
json.dump(r, open("other.json", "w"))
EOF
    run compare --runs quiet.json slow.json -f csv
    expect 'a slower run' 1
    check 'a slower run: said' [ "$(verdicts)" = 'slower slower ' ]
    run compare --runs slow.json quiet.json -f csv
    expect 'a faster run' 0
    check 'a faster run: said' [ "$(verdicts)" = 'faster faster ' ]
    refused 'another machine' '^celer compare: a.json and other.json cannot be compared: different machines (CPU: ' \
        --runs a.json other.json
else
    skip 'runs that differ' 'python3 is not installed'
fi
refused 'nothing of it' 'cannot be compared: the two runs have no figure in common of what is selected$' sha512 --runs a.json a.json
refused 'an unknown run' '^celer compare: gone: no such file; and ' --runs gone a.json --db no-such.db
refused 'one run' '^celer compare: --runs needs two arguments ' --runs a.json
echo '{}' >b.json
refused 'JSON of something else' '^celer compare: b.json: not results of celer bench' --runs b.json a.json
refused 'trials of what is over' '^celer compare: nothing is measured with --runs' --runs a.json a.json 100
refused 'options of what is over' '^celer compare: nothing is measured with --runs' --runs a.json a.json --src-lens 64

# --- Mistakes ---

refused 'no base' '^celer compare: compare with what?' sha256
refused 'an unknown base' "^celer compare: --base 'md5': nothing begins so; there are: celer-auto" sha256 --base md5
check 'an unknown base: libraries' grep -q '; and libraries: ' "$log/err"
run compare sha256 -b scalar --base celer-auto --src-lens 64 -f csv 2
expect 'the backend of -b is test' 0
check 'the backend of -b is test: which' grep -q '^celer-auto[a-z0-9-]*,celer-scalar[a-z0-9-]*,' "$log/out"
refused 'which of two backends' '^celer compare: -b names several backends; --test says which' sha256 -b scalar,shani --base celer-auto
run compare fnv1a --base planted --plugin "$PLANTED/good.so"
expect 'what celer lacks' 2
expect_err 'what celer lacks' '^celer compare: celer has no fnv1a; --test names another; there are: planted-1$'
library=$(celer bench --list | sed -n 's/^library \([a-z0-9]*\) [0-9].*/\1/p' | head -n 1)
if [ -n "$library" ]; then
    run compare blake2xb --base "$library"
    expect 'what a library lacks' 2
    expect_err 'what a library lacks' \
        "^celer compare: $library has no blake2xb; --base names another; there are: celer-auto[a-z0-9-]*\$"
    refused 'a version that is not here' "^celer compare: --base '$library-no': nothing begins so; there are: " sha256 --base "$library-no"
else
    skip 'what a library lacks' 'there is no other library here'
fi
refused 'two that begin so' "^celer compare: --base 'celer-': more than one begins so; there are: celer-scalar.* celer-auto" \
    sha256 --base celer- -b scalar,auto
refused 'no name' '^celer compare: --base and --test need the beginning of a name' sha256 --base ''
run compare sha256 --base celer-sca --test celer-au --src-lens 64 -f csv 2
expect 'the beginning of a backend' 0
check 'the beginning of a backend: which' grep -q '^celer-scalar[a-z0-9-]*,celer-auto[a-z0-9-]*,' "$log/out"
refused 'an unknown backend' "^celer compare: unknown backend 'mmx'; there are: .*scalar" --base celer-mmx
refused 'an unknown selection' "^celer compare: unknown selection 'md5'; there are: sha3 " md5 --base celer
refused 'an unknown format' "^celer compare: unknown format 'xml'; there are: table csv json md$" -f xml
refused 'no percentage' "^celer compare: --min-effect: 'much' is not a percentage from 0 to 100$" --min-effect much
refused 'less than nothing' "^celer compare: --min-effect: '-1' is not " --min-effect=-1
refused 'one trial' "^celer compare: TRIALS: '1' is not a number from 2 " --base celer 1
refused 'two ways to say what' '^celer compare: --plugins and --runs exclude each other' --plugins a b --runs a b
refused 'a base and plug-ins' '^celer compare: --plugins says what is compared' --plugins a b --base celer
refused 'runs are not kept' '^celer compare: nothing is kept with --runs' --runs a b --no-db
refused 'two numbers' '^celer compare: TRIALS: one number will do; there are 10 and 20$' --base celer 10 20
refused 'an unknown option' 'celer compare --help tells more' --fast

run compare --help
expect '--help' 0
expect_silence '--help' err
sed -n 's/^  -\{0,1\}[a-zA-Z]\{0,1\},\{0,1\} *--\([a-z-]*\).*/\1/p' "$log/out" >options
check 'the summary has options' [ "$(wc -l <options)" -gt 15 ]
while read -r option; do
    check "the manual page knows --$option" grep -q "Fl Fl $option\\>" "$manual"
done <options
run compare --version
check '--version' grep -q '^celer [0-9]' "$log/out"

# An interrupt ends the sampling, prints what there is, and is passed on.
terminate '^info: rows=' compare sha256 --base celer --test celer --src-lens 64 1000000
expect 'terminated' 143
expect_err 'terminated: said' '^warning: interrupted'
check 'terminated: what there is' grep -q '^sha256 ' "$log/out"

finish
