#!/bin/sh
# completions.sh: what the shells complete, in those that are here. Argument: the celer command; see lib.sh.
# shellcheck disable=SC2154,SC2016,SC2317 # lib.sh sets work; other shells expand what is in single quotes; indirect calls
folder=$(cd "$(dirname "$0")/../../tools/completions" && pwd)
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
PATH=$work/bin:$PATH

# In bash, the words before the cursor to what they are completed to, on one line.
in_bash() {
    bash -c '. "$0"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _celer; echo "${COMPREPLY[*]}"' "$folder/celer.bash" "$@"
}

# In fish, a command line to the same, without the explanations.
in_fish() {
    fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$folder/celer.fish" "$*" | cut -f 1 | paste -sd ' ' -
}

completes() { # SHELL WANTED WORD...
    shell=$1 wanted=$2
    shift 2
    check "$shell: $*" [ "$("in_$shell" "$@")" = "$wanted" ]
}

for shell in bash fish; do
    if ! command -v "$shell" >/dev/null; then
        skip "completion in $shell" "no $shell here"
        continue
    fi
    completes "$shell" bench celer be
    completes "$shell" 'sha3-224 sha3-256' celer bench sha3-2
    completes "$shell" shake128 celer sum -a shake1
    completes "$shell" --self-test celer bench --self
    completes "$shell" latency celer bench --mode la
    completes "$shell" scalar celer bench -b scal
    completes "$shell" cycles celer bench -m cyc
    completes "$shell" json celer bench -f j
    completes "$shell" --backend celer info --b
    completes "$shell" merge-verdicts celer chain mer
    completes "$shell" --sample-seed celer chain verify --sample-
    completes "$shell" --iterations celer chain bench --it
    completes "$shell" csv celer chain import --from c
    completes "$shell" decaps celer kem dec
    completes "$shell" --seed-key celer kem convert --see
    completes "$shell" 1024 celer kem keygen -p 1
    completes "$shell" hex celer kem keygen -f h
done
if command -v zsh >/dev/null; then
    check 'zsh: the syntax' zsh -n "$folder/_celer"
else
    skip 'completion in zsh' 'no zsh here'
fi
finish
