#!/bin/sh
# info.sh: `celer info`, and the front page of the command. Argument: the celer command; see lib.sh.
# shellcheck disable=SC2154 # lib.sh sets log
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# --- celer ---

run
expect 'no command' 2
expect_silence 'no command' out
expect_err 'no command' '^usage: celer COMMAND'
run --help
expect 'help' 0
expect_silence 'help' err
for command in sum bench report info; do
    check "help names $command" grep -q "^  $command  *[a-z]" "$log/out"
done
run --version
expect 'version' 0
version=$(cat "$log/out")
check 'version' [ "$version" != "${version#celer [0-9]}" ]
run make
expect 'an unknown command' 2
expect_silence 'an unknown command' out
expect_err 'an unknown command' "^celer: unknown command 'make'; there are: sum bench.* info$"

# --- celer info ---

run info
expect 'info' 0
expect_silence 'info' err
cp "$log/out" info
for label in celer 'built by' system cpu id microcode hypervisor cpus caches governor turbo features missing; do
    check "a fact: $label" [ "$(grep -c "^$label  *[^ ]" info)" -eq 1 ]
done
check 'its version' grep -q "^celer  *${version#celer }\$" info
check 'no fact is empty or half unknown' [ -z "$(grep -n 'unknown$\|unknown *()' info)" ]
check 'it says what is unknown and why' [ -z "$(grep 'unknown' info | grep -v '(..*)')" ]

# The rows: one in use for each kernel at one state, a reason for every other.
rows() { # FILE: the lines of the kernels, as "kernel ways backend verdict ..."
    awk '/^[a-z0-9-]+:( |$)/ { kernel = $1 } /^counters:/ { exit }
         /^  / { if ($1 ~ /^x[0-9]+$/) { ways = $1; $1 = "" } print kernel, ways, $0 }' "$1" | tr -s ' '
}
rows info >table
check 'there are rows' [ -s table ]
check 'each row is in use or out for a reason' [ -z "$(grep -v ' used$\| out: needs .\| out: slower' table)" ]
for kernel in keccak: sha256: sha256-chain: mlkem:; do
    check "one row of $kernel x1 is in use" [ "$(grep -c "^$kernel x1 .* used$" table)" -eq 1 ]
    check "scalar rows of $kernel" grep -q "^$kernel x1 scalar " table
done
for hash in sha224 sha256 sha3-256 shake128; do
    check "$hash is named with its kernel" grep -q "^[a-z0-9]*:.* $hash\\( \\|\$\\)" info
done

check 'the KEMs are named with their kernel' grep -qx 'mlkem: ml-kem-512 ml-kem-768 ml-kem-1024' info

# What it claims: a row that is out for want of a feature wants a missing one; the one in use wants none.
missing=" $(sed -n 's/^missing  *//p' info) "
sed -n 's/.* out: needs //p' table | tr ' ' '\n' | sort -u >wanted
while read -r feature; do
    check "$feature is wanted and missing" [ "$missing" != "${missing#* "$feature" }" ]
done <wanted
features=" $(sed -n 's/^features  *//p' info) "
if grep -q '^features.*portable code only' info; then
    skip 'features against /proc/cpuinfo' 'this build looks for none'
elif [ -r /proc/cpuinfo ] && grep -q '^flags.* sse2 ' /proc/cpuinfo && grep -q 'x86_64$' info; then
    flags=" $(sed -n 's/^flags[^:]*: *//p' /proc/cpuinfo | head -n 1) "
    for pair in sse4.1:sse4_1 avx:avx bmi2:bmi2 avx2:avx2 sha-ni:sha_ni avx512f:avx512f avx512vl:avx512vl; do
        ours=${features#* "${pair%:*}" } theirs=${flags#* "${pair#*:}" }
        check "${pair%:*} as the kernel has it" \
            [ "$([ "$ours" = "$features" ] && echo no)" = "$([ "$theirs" = "$flags" ] && echo no)" ]
    done
else
    skip 'features against /proc/cpuinfo' 'no x86 cpuinfo of this machine'
fi

# Under a mask the scalar row is in use, and what it hides is said.
run info -b scalar
expect '-b scalar' 0
rows "$log/out" >masked
check '-b scalar: a scalar row at one state' [ "$(grep -c ' x1 scalar used$' masked)" -eq "$(grep -c ' x1 scalar ' masked)" ]
check '-b scalar: nothing else' [ -z "$(grep ' used$' masked | grep -v ' scalar used$')" ]
grep ' used$' table | grep -v ' scalar used$' >fast
if [ -s fast ]; then
    check '-b scalar: rows are masked' grep -q ' out: masked by --backend scalar, needs [a-z]' masked
else
    skip 'rows that a mask hides' 'this machine runs scalar rows only'
fi
# Any backend that can run is in use where it has a row of one state.
awk '{ print $3 }' table | sort -u >backends
while read -r backend; do
    run info --backend="$backend"
    if [ "$code" -eq 2 ]; then
        expect_err "$backend" "^celer info: backend '$backend' cannot run here: this CPU or system lacks [a-z]"
        skip "the choice of $backend" 'this CPU lacks it'
        continue
    fi
    rows "$log/out" >masked
    check "--backend=$backend is what runs" [ -z "$(grep " x[0-9]* $backend " masked | grep -v ' used$')" ]
done <backends

check 'the counters' [ "$(sed -n '/^counters:/,$p' info | wc -l)" -ge 2 ]

run info --hashes
expect '--hashes' 0
check 'a heading' [ "$(head -n 1 "$log/out" | awk '{ print $1, NF }')" = 'hash 8' ]
check 'SHA3-256' grep -q '^sha3-256  *32  *32  *32  *136  keccak  *[a-z0-9]*  *FIPS 202' "$log/out"
check 'SHAKE128' grep -q '^shake128  *32  *1  *any  *168  keccak ' "$log/out"
check 'SHA-224' grep -q '^sha224  *28  *28  *28  *64  sha256 ' "$log/out"
awk 'NR > 1 { print $1 }' "$log/out" >names
while read -r name; do
    run sum -a "$name" info
    expect "$name can be used" 0
done <names

# --- Trouble ---

for option in --help --version; do
    run info $option
    expect "$option" 0
    expect_silence "$option" err
    check "$option" [ -s "$log/out" ]
done
for arguments in 'extra' '--hash=3' '-x' '-b' '-b mmx'; do
    # shellcheck disable=SC2086
    run info $arguments
    expect "info $arguments" 2
    expect_silence "info $arguments" out
    check "info $arguments: one line" [ "$(wc -l <"$log/err")" -eq 1 ]
done
run info -b mmx
expect_err 'an unknown backend' "^celer info: unknown backend 'mmx'; there are: .*scalar"
# Another architecture's backend is not misspelt. At least one of these is; those of this one may lack their instructions.
foreign=0
for backend in avx512 armsha3; do
    run info -b $backend
    [ $code -ne 0 ] || continue
    expect "the backend $backend" 2
    expect_silence "the backend $backend" out
    expect_err "the backend $backend" "^celer info: backend '$backend' cannot run here: "
    ! grep -q ', not for this CPU$' "$log/err" || foreign=1
done
check "another architecture's backend" [ $foreign -eq 1 ]
if [ -c /dev/full ]; then
    celer info >/dev/full 2>"$log/err"
    code=$? last='celer info >/dev/full'
    expect 'a full disk' 2
    expect_err 'a full disk' '^celer info: standard output: No space left on device$'
else
    skip 'a full disk' 'no /dev/full'
fi
{ celer info 2>"$log/err"; } | head -n 1 >"$log/out"
code=0 last='celer info | head -n 1'
expect_out 'a closed pipe' "$(head -n 1 info)"
expect_silence 'a closed pipe' err
finish
