#!/bin/sh
# report.sh: `celer report`: its files byte for byte, the history, and what it refuses. The page in a browser: tests/web.
# Argument: the celer command; see lib.sh.
# shellcheck disable=SC2154 # lib.sh sets code, log
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
samples=$here/web
export XDG_DATA_HOME="$PWD/home"

files() { # how many of a pattern there are, or 0
    find "$1" -name "$2" | wc -l
}

# --- Golden files ---

run report --import "$samples/run.json" --import "$samples/earlier.json" --history sha3-256 \
    --chart overview,bars,lengths,permutation,chain,kem,history,delta --out blog
expect 'every chart' 0
expect_out 'it prints the path' 'blog/benchmark.html'
expect_silence 'every chart' err
for golden in "$samples"/golden/*; do
    name=${golden##*/}
    check "as it was: $name" cmp -s "$golden" "blog/$name"
done
check 'an SVG for each CSV of a chart' [ "$(files blog '*.svg')" -eq "$(($(files blog '*.csv') - 1))" ]
check 'no other files' [ "$(files blog '*')" -eq "$(($(files blog '*-results.*') + 2))" ]
LC_ALL=de_DE.UTF-8 celer report --import "$samples/run.json" --import "$samples/earlier.json" --history sha3-256 \
    --chart history --out german >"$log/out" 2>"$log/err"
code=$? last='celer report, in German'
expect 'in a locale with commas' 0
check 'the same in a locale with commas' cmp -s german/sha3-256-history-16384-results.svg \
    "$samples/golden/sha3-256-history-16384-results.svg"
if command -v xmllint >/dev/null; then
    check 'every SVG is well-formed' xmllint --noout blog/*.svg
else
    skip 'every SVG is well-formed' 'no xmllint'
fi
check 'the page asks for nothing' [ "$(grep -c 'src=\|href="http\|@import\|url(' blog/benchmark.html)" -eq 0 ]

# --- What is shown ---

run report --import "$samples/run.json"
expect 'the default' 0
expect_out 'the default' 'benchmark.html'
check 'its file' grep -q '<h1>celer benchmark</h1>' benchmark.html
check 'it ends' grep -q '^</html>$' benchmark.html
run report --import "$samples/run.json" -o other.html
expect_out 'another file' 'other.html'
check 'the same page' cmp -s benchmark.html other.html
run report --import - -o other.html <"$samples/run.json"
expect 'standard input' 0
check 'the same from standard input' cmp -s benchmark.html other.html
run report --import "$samples/run.json" -o -
expect 'the page to standard output' 0
check 'it, and nothing else' cmp -s benchmark.html "$log/out"
check 'no file of that name' [ ! -e ./- ]
run report --import "$samples/run.json" --import "$samples/laptop.json"
expect 'two machines' 0
check 'both are there' [ "$(grep -c '<article class=card>' benchmark.html)" -eq 2 ]
check 'and their charts' grep -q '<figure id="m2-sha3-256"' benchmark.html
run report --import "$samples/run.json" --chart kem --out kem
check 'only the chart asked for' [ "$(files kem '*.svg')" -eq 1 ]
run report --import "$samples/laptop.json" --chart kem --out none
expect 'a chart that there is not' 0
expect_err 'a chart that there is not' "^note: these results give no chart 'kem'$"
run report --import "$samples/run.json" --chart delta --base openssl --test celer-avx512 --out delta
check 'a base and a test' [ "$(find delta -name '*.svg' | sort | tr '\n' ' ')" = "\
delta/sha3-256-delta-celer-avx512-gcc12-8-x8-results.svg delta/sha3-256-delta-celer-avx512-gcc12-x1-results.svg \
delta/shake128-delta-celer-avx512-gcc12-x1-results.svg " ]

# --- The history ---

run report
expect 'no history yet' 2
expect_err 'no history yet' '^celer report: .*; celer bench makes one, and --import shows a file$'
check 'reading makes none' [ ! -e home ]
run report --import "$samples/earlier.json" --import "$samples/run.json" --import "$samples/laptop.json" --db runs.db
expect 'imported runs are kept' 0
expect_err 'imported runs are kept' 'runs.db: 5 of 5 runs are new$'
run report --import "$samples/run.json" --db runs.db
expect_err 'once' 'runs.db: 0 of 1 runs are new$'
run report --db runs.db --out stored
expect 'from the history' 0
check 'the latest run of each machine' grep -q '54 figures from 2 runs on 2 machines' stored/benchmark.html
run report --db runs.db --run before -o run.html
expect 'a run by its label' 0
check 'that run' grep -q '4 figures from 1 run on 1 machine<' run.html
run report --db runs.db --history SHA3_256 --chart history --out history
expect 'the history of a function' 0
check 'all runs are in it' [ "$(grep -c '^celer-avx512-gcc12,' history/m1-sha3-256-history-16384-results.csv)" -eq 4 ]
run report --db runs.db --export all.json
expect 'an export' 0
check 'one run a line' [ "$(wc -l <all.json)" -eq 5 ]
run report --db runs.db --run before --export -
expect 'an export of one run' 0
check 'that run alone' [ "$(grep -c '"name":"before"' "$log/out")-$(wc -l <"$log/out")" = 1-1 ]
grep '"name":"before"' all.json >before.json
check 'as in the export of all' cmp -s before.json "$log/out"
run report --db runs.db --run before --run latest --export two.json
check 'an export of two runs' [ "$(wc -l <two.json)" -eq 2 ]
run report --import all.json --out again
check 'it can be imported' grep -q '54 figures from 5 runs on 2 machines' again/benchmark.html
run report --import all.json --export -
check 'an export to standard output' [ "$(wc -l <"$log/out")" -eq 5 ]

# Samples are kept apart, and come back.
celer bench sha256 --src-lens 64 --samples --db sampled.db --json sampled.json 200 >/dev/null 2>&1
celer bench sha256 --src-lens 64 --db sampled.db 200 >/dev/null 2>&1
run report --db sampled.db --export sampled-1.json
expect 'an export of samples' 0
check 'samples of one run' [ "$(grep -c '"samples":{"cycles":\[[0-9.,]*\],"rounds":\[[0-9,]*\]}' sampled-1.json)" -eq 1 ]
run report --import sampled-1.json --db sampled-2.db -o sampled.html
expect 'an import of samples' 0
run report --db sampled-2.db --export sampled-2.json
check 'out, in and out again: the same' cmp -s sampled-1.json sampled-2.json
run report --import sampled.json --db sampled.db -o sampled.html
expect_err 'a run with its samples is the same run' 'sampled.db: 0 of 1 runs are new$'

# --- Trouble: one line, and nothing is overwritten ---

cp benchmark.html before.html
refused() { # WHAT, PATTERN, ARGUMENT...
    what=$1 pattern=$2
    shift 2
    run report "$@"
    expect "$what" 2
    expect_silence "$what" out
    expect_err "$what" "^celer report: .*$pattern"
    check "$what: one line" [ "$(wc -l <"$log/err")" -eq 1 ]
    check "$what: nothing is lost" cmp -s benchmark.html before.html
}
sed 's/"results":\[/"results":[],"was":[/' "$samples/laptop.json" >empty.json
mkdir home2
echo '{"format":"hyperfine","results":[]}' >foreign.json
echo '[1,2' >broken.json
head -c 500 "$samples/run.json" >cut.json
: >nothing.json
printf '{"format":"celer-bench","version":99}' >newer.json
echo 'this is no database, but a text that is long enough to be looked at' >text.db
refused 'zero results' 'there are no results to show' --import empty.json
refused 'another tool' 'foreign.json' --import foreign.json
refused 'no JSON' 'broken.json' --import broken.json
refused 'half a file' 'cut.json' --import cut.json
refused 'an empty file' 'nothing.json' --import nothing.json
refused 'a newer format' 'newer.json' --import newer.json
refused 'one bad file among good ones' 'foreign.json' --import "$samples/run.json" --import foreign.json
refused 'a file that is not there' 'gone.json: ' --import gone.json
refused 'a directory' "home2" --import home2
refused 'no database' 'text.db' --db text.db
refused 'an unknown run' 'nobody' --db runs.db --run nobody
refused 'an export of an unknown run' "there is no run 'nobody'" --db runs.db --run before --run nobody --export -
refused 'an unknown base' "--base 'nosuch': no subject of a hash begins so; there are: celer-.* openssl-" \
    --import "$samples/run.json" --chart delta --base nosuch
refused 'an unknown test' "--test 'nosuch': no subject" --import "$samples/run.json" --chart delta --test nosuch
refused 'an unknown function' "no run has results of 'md6'" --import "$samples/run.json" --history md6
refused 'an unknown chart' "unknown chart 'pie'; there are: overview bars .*delta" --import "$samples/run.json" --chart pie
refused 'no chart' 'needs the name' --import "$samples/run.json" --chart ''
refused 'a chart without its option' 'needs --history' --import "$samples/run.json" --chart history
refused 'options that do not fit' '--chart delta only' --import "$samples/run.json" --base openssl
refused 'runs of files' '--run is about the history' --import "$samples/run.json" --run x
refused 'a page with an export' '--export makes no page' --import "$samples/run.json" --export x -o y
refused 'an operand' "'sha3'" sha3
refused 'an unknown option' "unknown" --sideways
refused 'a directory that cannot be made' 'no/where' --import "$samples/run.json" --out no/where
refused 'a file that cannot be made' 'no/where.html: No such file' --import "$samples/run.json" -o no/where.html
mkdir full
mkdir full/benchmark.html
refused 'a directory in the way' 'full/benchmark.html: Is a directory' --import "$samples/run.json" --out full
check 'no half a file stays' [ "$(files full '*')" -eq 2 ]
run report --import "$samples/run.json" -o page.html
ln -s page.html link.html
mkfifo pipe
cat pipe >through-pipe &
run report --import "$samples/run.json" -o pipe
wait
check 'a pipe stays one' [ -p pipe ]
check 'what went through it' cmp -s page.html through-pipe
: >page.html
run report --import "$samples/run.json" -o link.html
check 'a link stays one, and leads to the page' [ -h link.html -a -s page.html ]
check 'the database is as it was' [ "$(cat text.db)" = 'this is no database, but a text that is long enough to be looked at' ]
check 'no other file' [ "$(find . -name 'benchmark.html.*' | wc -l)" -eq 0 ]

run report --help
expect 'help' 0
check 'help names the options' grep -q -- '--history FUNC' "$log/out"
run report --version
expect_out 'version' "celer $(celer --version | sed 's/celer //')"
finish
