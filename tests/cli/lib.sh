# lib.sh: what the tests of the command share. Sourced, with the arguments of the script: the celer command, and before
# it an emulator with its options where one is needed.
#
#     celer ARGUMENT...              runs the command
#     run ARGUMENT...                the same, and keeps $code, and standard output and error in files out and err
#     expect WHAT CODE               the last run ended with CODE
#     expect_out WHAT TEXT           ... and printed TEXT and a line feed, no more, on standard output
#     expect_err WHAT PATTERN        ... and a line of its standard error matches the basic regular expression
#     expect_silence WHAT out|err    ... and printed nothing there
#     expect_shape WHAT TEXT         ... and printed TEXT on standard output, but for figures, each of which is a # in TEXT
#     check WHAT COMMAND...          COMMAND succeeds
#     terminate SIGN ARGUMENT...     run in the background, and SIGTERM while it measures; SIGN: a line of its standard
#                                    error, by then
#     skip WHAT WHY                  said, and counted apart from what passed
#     finish                         the sum; fails when anything did
#
# Everything happens in a fresh directory, which is current.
# shellcheck shell=sh

LC_ALL=C
export LC_ALL
if [ $# -eq 0 ]; then
    echo "usage: sh $0 CELER" >&2
    exit 2
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# A command of one word, however many were given; absolute, because the current directory changes.
celer_path=$work/bin/celer
mkdir "$work/bin" "$work/dir"
{
    echo '#!/bin/sh'
    printf 'exec'
    for word in "$@"; do
        case $word in
        [!/]*/*) word=$PWD/$word ;;
        esac
        printf " '%s'" "$(printf %s "$word" | sed "s/'/'\\\\''/g")"
    done
    echo ' "$@"'
} >"$celer_path"
chmod +x "$celer_path"
cd "$work/dir" || exit 2
XDG_DATA_HOME=$work/data # no run of a test enters the history of whoever tests
export XDG_DATA_HOME
log=$work/log
mkdir "$log"

passed=0 failed=0 skipped=0

celer() {
    "$celer_path" "$@"
}

if ! celer --version >"$log/out" 2>&1; then # nothing below would mean anything
    echo "cannot run $*:" >&2
    cat "$log/out" >&2
    exit 2
fi

run() {
    celer "$@" >"$log/out" 2>"$log/err"
    code=$?
    last="celer $*"
}

# On a busy machine it takes a while until it listens: then once more, with more time.
terminate() {
    sign=$1
    shift
    for delay in 1 5 25; do
        "$celer_path" "$@" >"$log/out" 2>"$log/err" &
        pid=$!
        i=0
        while ! grep -q "$sign" "$log/err" && [ $i -lt 600 ]; do
            sleep 0.1
            i=$((i + 1))
        done
        sleep $delay
        kill -TERM $pid
        wait $pid 2>/dev/null
        code=$? last="celer $*, terminated"
        if [ -s "$log/out" ]; then
            break
        fi
    done
}

pass() {
    passed=$((passed + 1))
}

fail() {
    failed=$((failed + 1))
    if [ $failed -gt 20 ]; then
        return # the first ones say enough
    fi
    printf 'FAILED: %s\n' "$1"
    shift
    for line in "$@"; do
        printf '    %s\n' "$line"
    done
}

fail_run() {
    fail "$@" "command: $last" "exit status: $code"
    if [ $failed -gt 20 ]; then
        return
    fi
    sed 's/^/    out: /' "$log/out" | cat -v | head -n 20
    sed 's/^/    err: /' "$log/err" | cat -v | head -n 20
}

expect() {
    if [ "$code" -eq "$2" ]; then pass; else fail_run "$1" "expected exit status $2"; fi
}

expect_out() {
    printf '%s\n' "$2" >"$log/expected"
    if cmp -s "$log/expected" "$log/out"; then
        pass
    else
        fail_run "$1" "expected output: $(cat -v "$log/expected")"
    fi
}

expect_err() {
    if grep -q -- "$2" "$log/err"; then pass; else fail_run "$1" "expected on standard error: $2"; fi
}

expect_silence() {
    if [ -s "$log/$2" ]; then fail_run "$1" "expected nothing on $2"; else pass; fi
}

# Figures become #: the shape stays. Blanks before them, and the compiler, depend on the machine.
shape() {
    sed 's/,[0-9][0-9]*\.[0-9][0-9]*$/,#/; :again; s/,[0-9][0-9]*\.[0-9][0-9]*,/,#,/; t again
        s/ *\(\( |\)\{0,1\}\) [0-9][0-9]*\.[0-9][0-9]*\>/\1 #/g; s/  */ /g; s/\(celer-[a-z0-9]*\)-[a-z]*[0-9]*/\1/g' "$log/out"
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

check() {
    what=$1
    shift
    if "$@"; then pass; else fail "$what" "command: $*"; fi
}

skip() {
    skipped=$((skipped + 1))
    printf 'skipped: %s: %s\n' "$1" "$2"
}

finish() {
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}
