#!/bin/sh
# chain.sh: `celer chain` as its users meet it. Argument: the celer command; see lib.sh. CELER_MPI: celer-mpi, if any.
# shellcheck disable=SC2154 # lib.sh sets log and others
vectors=$(cd "$(dirname "$0")/../vectors" && pwd)
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

zeros=0000000000000000000000000000000000000000000000000000000000000000
abc=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad # SHA-256 of "abc", FIPS 180-4
abc65536=fce6f2ebb513376dfb74298a95cb5a86ece80e25773f19b5cbaeca5b5dff0d4f # hashed 65535 times more

refuses() { # WHAT PATTERN ARGUMENT...
    what=$1 pattern=$2
    shift 2
    run chain "$@"
    expect "$what" 2
    expect_silence "$what" out
    expect_err "$what" "$pattern"
}

same_bytes() { # WHAT FILE COPY
    check "$1: the file is untouched" cmp -s "$2" "$3"
}

# --- Usage ---

run chain --help
expect 'help' 0
expect_silence 'help' err
run chain verify --help
expect 'help of a verb' 0
refuses 'no verb' 'which verb?'
refuses 'an unknown verb' "unknown verb 'walk'; there are: new run resume mix verify info export import merge-verdicts bench" walk f
refuses 'options before the verb' 'a verb comes before' --seed $zeros new f
refuses 'no file' 'new needs a FILE' new --seed $zeros
refuses 'two files' 'more than one FILE has no meaning with new' new a b --seed $zeros
refuses 'no seed' 'new needs --seed' new f
refuses 'a short seed' '64 hexadecimal digits' new f --seed 00
refuses 'a seed that is none' '64 hexadecimal digits' new f --seed "${zeros%0}g"
refuses 'a long seed' '64 hexadecimal digits' new f --seed "${zeros}0"
refuses 'segments of nothing' '--segment' new f --seed $zeros --segment 0
refuses 'a context that is too long' '449 bytes' new f --seed $zeros --context "$(printf %0449d 0)"
refuses 'a run to nowhere' 'either --count or --seconds' run f
refuses 'a run to two ends' 'either --count or --seconds' run f -n 1 --seconds 1
refuses 'no steps' '--count' run f -n 0
refuses 'no time' '--seconds' run f --seconds 0
refuses 'time that is none' '--seconds' run f --seconds nan
refuses 'an option of another verb' '--count has no meaning with verify' verify f -n 1
refuses 'nothing to mix in' 'mix needs --file or --text' mix f
refuses 'two things to mix in' '--file or --text: once only' mix f --text a --text b
refuses 'a range backwards' '--range' verify f --range 3:2
refuses 'a range of nothing' '--range' verify f --range 3:3
refuses 'half a range' '--range' verify f --range 3
refuses 'range and sample' 'either --range or --sample' verify f --range 1:2 --sample 1
refuses 'a seed of no sample' 'needs --sample' verify f --sample-seed 1
refuses 'a format that is none' "unknown format 'xml'; there are: json text" verify f -f xml
refuses 'a format of another verb' "unknown format 'text'; there are: csv json" export f -f text
refuses 'a backend that is none' "no backend 'none' for verify; there are:.* scalar" verify f --backend none
refuses 'two seeds' '--seed or --seed-file: once only' new f --seed $zeros --seed-file /dev/null
refuses 'two counts' '--count: once only' run f -n 1 -n 2
refuses 'segments that are too long' 'a number from 1 to 9223372036854775807' new f --seed $zeros --segment 9223372036854775808
refuses 'a CPU that is not here, to run' '--cpu 4095: .*; there are: [0-9]' run f -n 1 --cpu 4095
refuses 'a file that is not there' 'No such file' verify f
refuses 'a file that is not there, to run' 'No such file' run f -n 1
printf 'no chain' >text
refuses 'a file that is no chain' 'no hash chain' info text
check 'nothing was made' [ ! -e f ]

for command in "new closed.chain --seed $zeros" 'run closed.chain -n 10' 'verify closed.chain'; do
    # shellcheck disable=SC2086 # words
    celer chain $command >out 2>&-
    # shellcheck disable=SC2086
    celer chain $command <&- >&- 2>&-
done
run chain verify closed.chain
expect 'no message enters a file when standard error is closed' 0
check 'nor does a value' grep -q '^closed.chain: valid: 20 steps' "$log/out"

# --- A chain ---

run chain new t.chain --seed $zeros --context 'of a test'
expect 'new' 0
expect_out 'new' "0 $zeros"
run chain info t.chain
check 'it is new' grep -q '^state     new$' "$log/out"
refuses 'nothing to verify' 'no steps' verify t.chain
refuses 'new on what is there' 'File exists' new t.chain --seed $abc
run chain run t.chain -n 1M
expect 'run' 0
expect_err 'run' '^celer chain: 1000000 steps in [0-9.]* s: [0-9.]* MH/s$'
value=$(cut -d ' ' -f 2 "$log/out")
expect_out 'run' "1000000 $value"
for threads in 1 2; do
    run chain verify t.chain --threads $threads --no-progress
    expect 'verify' 0
    expect_out 'verify' "t.chain: valid: 1000000 steps in 10 segments
seed  $zeros
final $value"
done
run chain verify t.chain --seed $zeros --final "$value"
expect 'the right ends' 0
run chain verify t.chain --seed $abc
expect 'another seed' 1
check 'it is the seed' grep -q '^t.chain: invalid: its seed is not the one given$' "$log/out"
run chain verify t.chain --final $zeros
expect 'another end' 1
check 'it is the end' grep -q '^t.chain: invalid: its last value is not the one given$' "$log/out"
refuses 'a range that is not there' 'segments end at 10' verify t.chain --range 3:11
run chain verify t.chain --range :4
expect 'a range' 0
check 'a range is said to be one' grep -q '^t.chain: valid as far as segments 0:4 of 10 go$' "$log/out"
run chain verify t.chain --sample 3 --sample-seed 5
expect 'a sample' 0
check 'a sample is no proof' grep -q \
    '^t.chain: not a proof: 3 of 10 segments, with --sample-seed 5, are valid$' "$log/out"
run chain verify t.chain --sample 3 -f json
check 'a sample is no proof in JSON either' grep -q '"proof":false' "$log/out"
run chain verify t.chain --sample 1000 --sample-seed 1
check 'a sample of more than there is' grep -q 'not a proof: 10 of 10 segments' "$log/out"
run chain verify t.chain --range :1 --backend scalar
expect 'a backend by name' 0

cp t.chain bad.chain
printf X | dd of=bad.chain bs=1 seek=700 conv=notrunc 2>/dev/null
cp bad.chain copy
refuses 'a damaged file' 'damaged, and there are others behind it' verify bad.chain
refuses 'a damaged file is not mended' 'damaged' resume bad.chain
refuses 'a damaged file does not grow' 'damaged' run bad.chain -n 1
same_bytes 'damage' bad.chain copy
printf torn >>t.chain
cp t.chain copy
refuses 'a torn file' 'ends in 4 bytes of a torn record' verify t.chain
refuses 'a torn file does not grow' 'celer chain resume cuts them off' run t.chain -n 1
same_bytes 'torn' t.chain copy
run chain info t.chain
expect 'a torn file can be looked at' 0
check 'its state' grep -q '^state     torn, 4 bytes$' "$log/out"
run chain resume t.chain
expect 'resume' 0
expect_err 'resume says what it cut off' 'cut off 4 bytes of a torn record behind step 1000000'
expect_out 'resume' "1000000 $value"
run chain verify t.chain
expect 'after resume' 0

# --- Values known from elsewhere ---

sed -n '/"616263"/,/}/s/^ *"\([0-9]*\)": "\([0-9a-f]*\)".*/\1 \2/p' "$vectors/sha2/sha256-chains.json" |
    while read -r index hash; do
        [ "$index" -eq 1 ] || echo "$((index - 1)) $hash" # ours is 0 for what is hashed once there
    done >lines
check 'vectors' [ "$(wc -l <lines)" -eq 5 ]
run chain import v.chain --seed $abc --segment 1M --from hex-lines <lines
expect 'import' 0
run chain verify v.chain
expect 'the vectors are a chain' 0
run chain new w.chain --seed $abc
run chain run w.chain -n 65535
expect_out 'run comes to the vector' "65535 $abc65536"
printf abc >abc
run chain new x.chain --seed-file abc
expect_out 'the digest of a file as the seed' "0 $abc"
chain_of() { # FILE: its values, as import takes them
    celer chain export "$1" -f csv | awk -F, '$2 == "checkpoint" { print $1, $3 }'
}
chain_of v.chain >back
check 'export gives what import took' cmp -s lines back
sed 's/^[0-9]* //; s/$/\r/' back >bare
run chain import y.chain --seed $abc --segment 1M --from hex-lines <bare
expect 'values alone' 0
run chain verify y.chain
expect 'values at other places are another chain' 1
for line in "0 $abc" "1000001 $abc" "1 ${abc%d}" "x $abc" "1 $abc 2" ''; do
    echo "$line" >bare
    refuses "import of '$line'" . import z.chain --seed $abc --segment 1M --from hex-lines <bare
done
printf '\0%s\n%s\n' $abc $abc >bare
refuses 'a line that begins with a NUL' 'line 1 holds a NUL' import z.chain --seed $abc --from hex-lines <bare
check 'nothing is left of it' [ ! -e z.chain ]

# --- Mix-ins, export, info ---

run chain new m.chain --seed $zeros --segment 4
run chain mix m.chain --file abc --label 'a "file", \ maybe'
expect 'mix' 0
mixed=$(cut -d ' ' -f 2 "$log/out")
run chain run m.chain -n 6
expect 'run after mix' 0
end=$(cut -d ' ' -f 2 "$log/out")
between=$(celer chain export m.chain -f csv | sed -n 's/^4,checkpoint,\(.*\),$/\1/p')
run chain export m.chain -f csv
expect 'export' 0
expect_out 'export' "index,type,hash,untrusted_label
0,seed,$zeros,
0,mix,$abc,\"a \"\"file\"\", \\ maybe\"
0,final,$mixed,
0,resume,06$(printf %062d 0),
4,checkpoint,$between,
6,checkpoint,$end,
6,final,$end,"
run chain export m.chain -f json
expect 'export as JSON' 0
check 'a label in JSON' grep -Fq '"untrusted_label": "a \"file\", \\ maybe"}' "$log/out"
check 'no line of a comma alone' [ "$(grep -c '^,' "$log/out")" -eq 0 ]
check 'a line for each record' [ "$(grep -c '^  {"index": .*}' "$log/out")" -eq 7 ]
if command -v python3 >/dev/null; then
    check 'JSON is JSON' python3 -c 'import json, sys; assert len(json.load(sys.stdin)["records"]) == 7' <"$log/out"
fi
run chain info m.chain
expect 'info' 0
digest=$(celer sum m.chain | cut -d ' ' -f 1)
expect_out 'info' "seed      $zeros
algorithm sha256
segment   4
steps     6
segments  2
mix-ins   1
runs      1
value     $end
digest    $digest
state     finished"
celer chain export m.chain -f csv >m.csv
run chain import n.chain --seed $zeros --segment 4 --from csv <m.csv
expect 'import of an export' 0
same_bytes 'export and import' m.chain n.chain
rm n.chain
refuses 'an export with another seed' 'line 2 has another seed' import n.chain --seed $abc --segment 4 --from csv <m.csv
refuses 'an export with longer segments' 'line 6: index 4 has to be 1 to 3 behind 0' \
    import n.chain --seed $zeros --segment 3 --from csv <m.csv
for change in 's/^4,.*/4,checkpoint/' 's/^4,checkpoint/4,label/' 's/^4,.*,/&"x"/' 's/^0,mix.*/&"/' 's/^0,mix/1,mix/' \
    's/^4,/-4,/' 's/^0,resume,06/0,resume,00/;s/^0,resume,/&0/' 's/""file""/"file"/'; do
    sed "$change" m.csv >bare
    refuses "an export after $change" . import n.chain --seed $zeros --segment 4 --from csv <bare
done
check 'nothing is left of these' [ ! -e n.chain ]
refuses 'a label that is too long' '128 bytes' mix m.chain --text x --label "$(printf %0129d 0)"
refuses 'a label of two lines' 'without control characters' mix m.chain --text x --label 'a
b'
refuses 'a label that commands a terminal' 'without control characters' mix m.chain --text x --label "$(printf '\302\233')2J"
refuses 'a file to mix in that is not there' 'No such file' mix m.chain --file nothing
run chain verify m.chain
expect 'a chain with a mix-in' 0

# --- Stopped, shared, without room ---

waits() { # FILE SIZE: until it is so long
    tries=0
    while { [ ! -e "$1" ] || [ "$(wc -c <"$1")" -lt "$2" ]; } && [ $tries -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

run chain new s.chain --seed $zeros --segment 20k
"$celer_path" chain run s.chain -n 100G 2>err >out &
pid=$!
waits s.chain 700 # until it has written something
refuses 'a second writer' 'another process is writing to it' run s.chain -n 1
refuses 'a second writer that mends' 'another process is writing to it' resume s.chain
refuses 'a second writer that mixes' 'another process is writing to it' mix s.chain --text x
run chain info s.chain
expect 'a reader beside a writer' 0
kill -TERM $pid
wait $pid
code=$? last='celer chain run, stopped'
expect 'a run that was stopped' 0
check 'it says so' grep -q 'stopped before step 100000000000; celer chain resume goes on' err
run chain verify s.chain
expect 'it is valid' 0
check 'but not finished' grep -q '^unfinished: ' "$log/out"
refuses 'no mix-in in the midst of a run' 'a run to step 100000000000 is not done' mix s.chain --text x
run chain run s.chain -n 1
expect 'a run of another length goes on' 0
expect_err 'and gives up the former' 's.chain: the former run to step 100000000000 is given up$'
run chain verify s.chain
check 'and is finished' [ "$(grep -c '^unfinished: ' "$log/out")" -eq 0 ]
run chain run s.chain --seconds 0.2
expect 'a run for a time' 0
run chain verify s.chain
expect 'after a run for a time' 0
"$celer_path" chain run s.chain --seconds 600 2>err >out &
pid=$!
sleep 0.3
kill -KILL $pid
wait $pid 2>/dev/null
run chain info s.chain
check 'a run for a time that was killed' grep -q '^state     unfinished$' "$log/out"
run chain resume s.chain
expect 'and resumed' 0
expect_err 'nothing is left of it' 'nothing is left to do of the last run; celer chain run goes on'
run chain info s.chain
check 'it is finished then' grep -q '^state     finished$' "$log/out"

run chain new f.chain --seed $zeros --segment 1
(
    ulimit -f 4 # times 512 bytes
    celer chain run f.chain -n 100 2>err
)
code=$? last='celer chain run, with no room'
expect 'no room' 2
check 'no room: it says so' grep -q 'f.chain: File too large' err
run chain verify f.chain
expect 'what had room is valid' 0
size=$(wc -c <f.chain)
check 'no part of a record is left' [ $(((size - 512) % 48)) -eq 0 ]
run chain resume f.chain
expect 'with room again' 0
check 'and comes to the end' grep -q '^100 ' "$log/out"

chmod a-w f.chain
cp f.chain copy
as_nobody='' # root may write whatever the file says, unless it gave that up
if [ -w f.chain ]; then
    as_nobody='setpriv --inh-caps=-all --bounding-set=-all'
fi
if [ -z "$as_nobody" ] || $as_nobody true 2>/dev/null; then
    $as_nobody "$celer_path" chain verify f.chain >out 2>&1
    code=$? last='celer chain verify, read-only'
    expect 'a file that is read-only' 0
    $as_nobody "$celer_path" chain run f.chain -n 1 >out 2>&1
    code=$? last='celer chain run, read-only'
    expect 'a file that is read-only does not grow' 2
    check 'it says why' grep -q 'f.chain: Permission denied' out
    same_bytes 'read-only' f.chain copy
else
    skip 'a file that is read-only' 'everything may be written here'
fi

# --- Other programs beside it ---

run chain new r.chain --seed $zeros --segment 1
run chain run r.chain -n 3000
printf torn >>r.chain
mkfifo pipe
"$celer_path" chain export r.chain -f csv >pipe 2>/dev/null &
pid=$!
exec 3<pipe
read -r line <&3 # so it is at work, and waits for us
check 'it is under way' [ "${line%%,*}" = index ]
run chain resume r.chain
expect 'a reader that waits does not keep a writer off' 0
exec 3<&-
wait $pid

for harm in 'rm r.chain' 'truncate -s 800 r.chain'; do
    rm -f r.chain
    run chain new r.chain --seed $zeros --segment 20k
    "$celer_path" chain run r.chain --seconds 100 >out 2>err &
    pid=$!
    waits r.chain 1000
    $harm
    wait $pid
    code=$? last="$harm, while celer chain runs"
    expect 'a file that is harmed under way' 2
    check 'it says so' grep -q 'r.chain: .* while it was written$' err
done

"$celer_path" chain import j.chain --seed $zeros --from hex-lines <pipe >out 2>err &
pid=$!
exec 3>pipe
waits j.chain 512
kill -TERM $pid
wait $pid
code=$? last='celer chain import, stopped'
exec 3>&-
expect 'an import that is stopped' 2
check 'it says that, too' grep -q 'j.chain: stopped, and not made$' err
check 'and leaves nothing' [ ! -e j.chain ]

# --- Verdicts from several machines ---

celer chain verify t.chain --range :3 -f json >v1 2>/dev/null
celer chain verify t.chain --range 3:8 -f json >v2 2>/dev/null
celer chain verify t.chain --range 7: -f json >v3 2>/dev/null
run chain merge-verdicts v3 v1 v2
expect 'all of it' 0
expect_out 'all of it' "merged: valid: 1000000 steps in 10 segments
seed  $zeros
final $value"
cat v1 v2 v3 >all
run chain merge-verdicts - <all
expect 'all of it in one file' 0
sed 's/"steps":1000000/"steps":999999/' v2 >other
refuses 'another number of steps' 'verdicts on different files' merge-verdicts v1 other v3
sed "s/\"final\":\"$value/\"final\":\"$abc/" v3 >other
refuses 'another final value' 'verdicts on different files' merge-verdicts v1 v2 other
run chain merge-verdicts v1 v3 -f json
expect 'a part is missing' 2
expect_err 'a part is missing' 'segments 3:7 were not verified'
run chain merge-verdicts v1 v2
expect 'the end is missing' 2
expect_err 'the end is missing' 'segments 8:10 were not verified'
celer chain verify w.chain -f json >other 2>/dev/null
refuses 'two files' 'verdicts on different files' merge-verdicts v1 v2 v3 other
celer chain verify t.chain --sample 10 -f json >sample 2>/dev/null
refuses 'a sample' 'not a proof' merge-verdicts v1 v2 v3 sample
refuses 'no verdict' 'text: no verdict' merge-verdicts text
: >nothing
refuses 'nothing' 'nothing: no verdict' merge-verdicts nothing
chain_of t.chain | awk '$1 == 300000 || $1 == 500000 { # another first digit
        $2 = (substr($2, 1, 1) == "0" ? "1" : "0") substr($2, 2)
    }
    { print }' >lines
run chain import i.chain --seed $zeros --from hex-lines <lines
for range in :4 4:6 6:; do
    celer chain verify i.chain --range $range -f json 2>/dev/null
done >all
run chain merge-verdicts all
expect 'invalid' 1
check 'the lowest of all' grep -q '^merged: invalid: segment 2, which ends at step 300000$' "$log/out"
{
    cat all
    echo garbage
} >joined
refuses 'verdicts, and garbage' 'joined: no verdict' merge-verdicts joined
{
    cat v1 v2
    head -c 100 v3
} >joined
refuses 'a verdict that is cut off' 'joined: no verdict' merge-verdicts joined
{
    cat v1 v2 v3
    printf ' \n\n'
} >joined
run chain merge-verdicts joined
expect 'verdicts, and blanks' 0
sed 's/"gaps":false/"gaps":true/' v2 >joined
refuses 'a verdict with gaps' 'one of these verdicts has gaps itself' merge-verdicts v1 joined v3
sed 1d all >some
run chain merge-verdicts some
expect 'invalid, with a gap' 1
check 'it is the lowest of some' \
    grep -q '^merged: invalid: segment 4, which ends at step 500000, the lowest of those verified$' "$log/out"
run chain merge-verdicts some -f json
check 'a gap in JSON' grep -q '"gaps":true,.*"reason":"segment","bad_segment":4,' "$log/out"
cp "$log/out" some
celer chain verify i.chain --range 6: -f json 2>/dev/null | cat - some >joined
run chain merge-verdicts joined
check 'a gap stays one' grep -q 'segment 4, .*, the lowest of those verified$' "$log/out"
sed 's/"bad_segment":4/"bad_segment":10/' some >joined
refuses 'a bad segment that is not there' 'joined: a verdict that does not say what is bad' merge-verdicts joined
celer chain verify i.chain --final $zeros --range :1 -f json >some 2>/dev/null
run chain merge-verdicts some
check 'another end, of some' grep -q '^merged: invalid: its last value is not the one given$' "$log/out"
run chain verify i.chain -f json
expect 'invalid' 1
mv "$log/out" one
run chain merge-verdicts all -f json
check 'merged as if it were one' cmp -s one "$log/out"

together() { # ARGUMENT...: celer-mpi in two processes
    last="mpirun celer-mpi $*"
    if [ "$(id -u)" -eq 0 ]; then
        set -- --allow-run-as-root "$CELER_MPI" "$@"
    else
        set -- "$CELER_MPI" "$@"
    fi
    ASAN_OPTIONS=detect_leaks=0 mpirun --oversubscribe -n 2 "$@" >"$log/out" 2>"$log/err"
    code=$?
}

apart() { # "ARGUMENT..." "ARGUMENT...": celer-mpi in two processes, each with arguments of its own
    last="mpirun celer-mpi $1 : celer-mpi $2"
    root=''
    [ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
    # shellcheck disable=SC2086 # words
    ASAN_OPTIONS=detect_leaks=0 timeout 60 mpirun $root --oversubscribe -n 1 "$CELER_MPI" $1 : -n 1 "$CELER_MPI" $2 \
        >"$log/out" 2>"$log/err"
    code=$?
}

once() { # WHAT PATTERN: a line of what was said, the only one that is ours
    expect_err "$1" "$2"
    check "$1: it is said once" [ "$(grep -c '^celer chain: ' "$log/err")" -eq 1 ]
}

# A colon by itself would be mpirun's.
if [ -n "${CELER_MPI-}" ] && command -v mpirun >/dev/null; then
    for range in 0: 0:1 2:3 3:4 1:9 4:10; do
        for file in t.chain i.chain; do
            run chain verify $file --range $range -f json
            one=$code
            mv "$log/out" one
            together chain verify $file --range $range -f json
            expect 'two processes end as one' "$one"
            check "two processes say what one says, $file $range" cmp -s one "$log/out"
        done
    done
    together chain verify t.chain
    once 'two processes tell what they did together' '^celer chain: 1000000 steps computed in [0-9.]* s in 2 processes: '
    together chain verify t.chain --seed $abc --final $zeros
    expect 'two processes and another seed' 1
    check 'two processes and another seed: the reason' grep -q '^t.chain: invalid: its seed is not' "$log/out"
    together chain verify nothing.chain
    expect 'two processes without a file' 2
    once 'two processes without a file' '^celer chain: nothing.chain: No such file'
    together chain verify t.chain --threads 0
    expect 'two processes with a bad option' 2
    once 'two processes with a bad option' '^celer chain: --threads '
    # One that fails alone does not keep the others waiting, and without it there is no verdict.
    verify='chain verify t.chain'
    apart "$verify" "$verify --seed-file nowhere"
    expect 'the second of two processes fails' 2
    expect_err 'the second of two processes fails' '^celer chain: nowhere: No such file'
    expect_err 'nor has the first a verdict' 'there is no verdict: another process could not begin$'
    apart "$verify --threads 0" "$verify"
    expect 'the first of two processes fails' 2
    expect_err 'the first of two processes fails' 'there is no verdict: another process could not begin$'
    apart "$verify" "$verify --help"
    expect 'one of two processes shows the help' 2
    apart 'chain verify nothing.chain' 'chain verify w.chain'
    expect 'one of two processes without the file' 2
    expect_silence 'one of two processes without the file' out
    expect_err 'one of two processes without the file' '^celer chain: nothing.chain: No such file'
    together chain info t.chain
    expect 'other verbs are for one process' 2
    once 'other verbs are for one process' '^celer chain: celer-mpi does .chain verify. and nothing else'
    together --help
    expect 'help of two processes' 0
    check 'it is printed once' [ "$(grep -c '^usage: mpirun' "$log/out")" -eq 1 ]
    together --version
    expect 'version of two processes' 0
    expect_out 'version of two processes' "$(celer --version)"
    together chain verify --help
    expect 'help of verify' 0
    check 'it is printed once as well' [ "$(grep -c '^usage: ' "$log/out")" -eq 1 ]
else
    skip 'two processes' 'no celer-mpi here'
fi

# --- How fast it is ---

lines() {
    sed 's/[0-9][0-9]*[.][0-9][0-9]*/#/g' "$log/out"
}
run chain bench -i 10k
expect 'bench' 0
check 'bench: its lines' [ "$(lines)" = '- Fast: # MH/s (# MH/s/#GHz) [verify hash: ok]
- Reference: # MH/s (# MH/s/#GHz) [verify hash: ok]' ]
expect_err 'bench tells the frequency' '^info: load=[0-9.]* ghz=[0-9.]* measured$'
run chain bench -i 10k -m cpb -s 3.0
check 'bench in cycles' [ "$(lines)" = '- Fast: # cpb [verify hash: ok]
- Reference: # cpb [verify hash: ok]' ]
run chain bench -i 10
expect_err 'a note that this is too short' '^warning: [0-9.]* s is too short to time; -i 10M takes longer$'
run chain bench -i 1M
check 'no such note' [ "$(grep -c 'too short' "$log/err")" -eq 0 ]
refuses 'a hint to the help of bench' '(celer chain bench --help tells more)$' bench -i 0
refuses 'a frequency that cannot be' "--ghz '1e-300': a number from 0.01 to 100" bench -s 1e-300
refuses 'an unknown unit' "unknown unit 'X'; there are: MH MB MiB cpb" bench -m X
refuses 'a backend without chains' "backend 'bmi2'" bench -b bmi2
refuses 'a CPU that is not here' 'no CPU 4095 here; there are: 0' bench --cpu 4095
refuses 'a place that is none' "'everywhere' is neither the number of a CPU nor each-type" bench --cpu everywhere
refuses 'each type with threads' 'each-type is for one thread' bench --cpu each-type -t 2
run chain bench -i 10k --cpu each-type -f json --no-progress
expect 'each type of core' 0
expect_err 'each type of core' '^celer chain bench: note: .*CPU'
check 'one list of all' [ "$(grep -c '^\[' "$log/out")$(grep -c '\]$' "$log/out")" = 11 ]
cpus=$(nproc)
if [ "$cpus" -lt 256 ]; then
    run chain bench -i 10k -t 256 -f csv
    expect 'more threads than CPUs' 0
    expect_err 'more threads than CPUs' "^warning: 256 threads share $cpus CPU"
    # shellcheck disable=SC2016 # awk's
    check 'they are not faster than all of them together' \
        awk -F, 'NR > 1 && $8 > 1.001 * $2 / $5 / 1e6 + 0.001 { exit 1 }' "$log/out"
else
    skip 'more threads than CPUs' 'there are too many CPUs'
fi

# --- A run for a time is not at its end before it began, and pipes are no files ---

run chain new fresh.chain --seed "$(printf '00%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)"
run chain run fresh.chain --seconds 0.2
expect 'a fresh chain runs for a time' 0
check 'and gets somewhere' [ "$(cut -d ' ' -f 1 "$log/out")" -gt 0 ]
refuses 'a pipe' 'pipe: not a regular file' info pipe
finish
