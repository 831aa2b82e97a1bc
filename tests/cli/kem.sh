#!/bin/sh
# kem.sh: `celer kem` as its users meet it. Argument: the celer command; see lib.sh.
# shellcheck disable=SC2154 # lib.sh sets log and others
examples=$(cd "$(dirname "$0")/../vectors/ml-kem/rfc9935" && pwd) # of the seed 00 01 .. 3f
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

seed=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
seed=${seed}202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f
coins=404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f

refuses() { # WHAT PATTERN ARGUMENT...: usage, input or output
    what=$1 pattern=$2
    shift 2
    run kem "$@"
    expect "$what" 2
    expect_silence "$what" out
    expect_err "$what" "^celer kem: .*$pattern"
    check "$what: one line" [ "$(wc -l <"$log/err")" -eq 1 ]
}

rejects() { # WHAT PATTERN ARGUMENT...: a key or a ciphertext
    what=$1 pattern=$2
    shift 2
    run kem "$@"
    expect "$what" 1
    expect_silence "$what" out
    expect_err "$what" "^celer kem: $pattern$"
    check "$what: one line" [ "$(wc -l <"$log/err")" -eq 1 ]
}

does() { # WHAT ARGUMENT...: without a word
    what=$1
    shift
    run kem "$@"
    expect "$what" 0
    expect_silence "$what" out
    expect_silence "$what" err
}

is_private() { # FILE...
    for file in "$@"; do
        check "$file is for the owner alone" [ -n "$(find "$file" -perm 0600)" ]
    done
}

same() { # WHAT FILE FILE
    check "$1" cmp -s "$2" "$3"
}

# Puts the bytes XX.. at an offset of a file.
poke() { # FILE OFFSET OCTAL...
    poked=$1 at=$2
    shift 2
    printf %b "$(printf '\\0%s' "$@")" | dd of="$poked" bs=1 seek="$at" conv=notrunc 2>/dev/null
}

# --- Usage ---

run kem --help
expect 'help' 0
expect_silence 'help' err
for word in keygen encaps decaps check convert test --coins --force; do
    check "help names $word" grep -q -- "^ *$word " "$log/out"
done
run kem keygen --help
expect 'help of a verb' 0
run kem --version
expect 'version' 0
refuses 'no verb' 'which verb?'
refuses 'an unknown verb' "unknown verb 'wrap'; there are: keygen encaps decaps check convert test" wrap
refuses 'options before the verb' 'a verb comes before' -p 768 keygen
refuses 'no name' 'keygen needs --output' keygen
refuses 'a file for keygen' 'keygen takes no FILE' keygen -o a b
for name in - '' sub/; do
    refuses "keygen -o '$name'" 'keygen writes two files' keygen -o "$name"
done
refuses 'no place for the secret' 'encaps needs --secret' encaps a.pub -o ct
refuses 'no place for the ciphertext' 'encaps needs --output' encaps a.pub -k k
refuses 'no ciphertext' 'decaps takes KEY and CT' decaps a.key -k k
refuses 'nothing to check' 'check takes FILE' check
refuses 'a set that is none' "unknown parameter set '640'; there are: 512 768 1024" keygen -o a -p 640
refuses 'a format that is none' "unknown format 'der'; there are: raw hex pem" keygen -o a -f der
refuses 'a ciphertext in PEM' 'no such format' encaps a.pub -o ct -k k -f pem
refuses 'two forms' 'one of --seed-key, --expanded and --both' keygen -o a --expanded --both
refuses 'both in raw' 'both needs --format pem' keygen -o a --both -f raw
refuses 'an option of another verb' '--count: not with keygen' keygen -o a -n 5
refuses 'coins for a check' '--coins: not with check' check a --coins 00
refuses 'forms of a public key' 'one form only' convert a -o b --public --expanded
refuses 'no round trips' '--count' test -n 0
refuses 'an unknown backend' "unknown backend 'mmx'; there are:" keygen -o a -b mmx
refuses 'two inputs from one' 'one of KEY and CT' decaps - - -k k
for bad in '' 00 "${seed%?}" "${seed}0" "${seed}00" "${seed%?}g" "${seed%?} " "$coins"; do
    refuses "keygen with coins '$bad'" '128 hexadecimal digits' keygen -o a --coins "$bad"
done
refuses 'a file that is not there' 'a.pub: No such file' encaps a.pub -o ct -k k
refuses 'a folder' ': Is a directory' check .
check 'nothing was made' [ -z "$(ls)" ]

# --- Round trips, from pipes and into them ---

for set in 512 768 1024; do
    for format in pem hex raw; do
        for form in --seed-key --expanded --both; do
            case $form$format in --bothhex | --bothraw) continue ;; esac
            rm -f -- *
            does "$set $format $form: keygen" keygen -p $set -o alice -f $format $form
            is_private alice.pub alice.key
            does "$set $format $form: encaps" encaps -p $set alice.pub -o ct -k k1
            is_private ct k1
            does "$set $format $form: decaps" decaps -p $set alice.key ct -k k2
            is_private k2
            same "$set $format $form: the secret arrives" k1 k2
            check 'it has 32 bytes' [ "$(wc -c <k1)" -eq 32 ]
            celer kem decaps -p $set - ct -k - <alice.key >k3
            same 'from a pipe and into one' k1 k3
            celer kem decaps -p $set alice.key - -k - -f hex <ct >k4
            check 'in hexadecimal' [ "$(cat k4)" = "$(od -An -v -tx1 k1 | tr -d ' \n')" ]
        done
    done
done
rm -f -- *
does 'the default is 768' keygen -o alice
run kem check alice.pub alice.key
expect_out 'the default is 768' 'alice.pub: ML-KEM-768 encapsulation key, pem
alice.key: ML-KEM-768 decapsulation key, seed, pem'
does 'another key' keygen -o bob
check 'keys differ' [ "$(cat alice.key)" != "$(cat bob.key)" ]
does 'encaps' encaps alice.pub -o ct -k k1
does 'encaps again' encaps alice.pub -o ct2 -k k2
check 'secrets differ' [ "$(od -tx1 k1)" != "$(od -tx1 k2)" ]
check 'ciphertexts differ' [ "$(od -tx1 ct)" != "$(od -tx1 ct2)" ]
does 'ciphertext in hexadecimal' encaps alice.pub -o ct.hex -k k.hex -f hex
does 'read again' decaps alice.key ct.hex -k k3 -f hex
same 'ciphertext in hexadecimal' k.hex k3
celer kem encaps alice.pub -o - -k k4 | celer kem decaps alice.key - -k k5
same 'ciphertext through a pipe' k4 k5
celer kem encaps - -o ct6 -k k6 <alice.pub
does 'key from standard input' decaps alice.key ct6 -k k7
same 'key from standard input' k6 k7
refuses 'both on standard output' 'one file cannot hold both' encaps alice.pub -o - -k -

# --- What is refused, and what is not ---

does 'decaps by another key' decaps bob.key ct -k k8
check 'gives another secret' [ "$(od -tx1 k1)" != "$(od -tx1 k8)" ]
cp ct forged
poke forged 500 000 000 000 000
does 'a forged ciphertext is no error' decaps alice.key forged -k k9
does 'nor the second time' decaps alice.key forged -k k10
same 'it gives the same secret each time' k9 k10
check 'and not the right one' [ "$(od -tx1 k1)" != "$(od -tx1 k9)" ]

run kem check 'no
where'
expect 'a line end in a name' 2
expect_err 'a line end in a name' '^celer kem: no\\nwhere: No such file'
cp alice.pub 'evil: good
forged'
run kem check 'evil: good
forged'
expect_out 'a line end in a name' 'evil: good\nforged: ML-KEM-768 encapsulation key, pem'
does 'raw' convert alice.pub -o raw.pub -f raw
does 'raw' convert alice.key -o raw.key -f raw --expanded
does 'raw seed' convert alice.key -o seed.key -f raw
check 'a raw seed has 64 bytes' [ "$(wc -c <seed.key)" -eq 64 ]
cp raw.pub bad.pub
poke bad.pub 0 377 017 # coefficient 0 becomes 4095
for verb in encaps check; do
    if [ $verb = check ]; then set --; else set -- -o none -k none2; fi
    rejects "$verb: a coefficient out of range" \
        'bad.pub: not a valid ML-KEM-768 encapsulation key (coefficient out of range)' $verb bad.pub "$@"
done
check 'nothing is written' [ ! -e none ]
check 'nothing is written' [ ! -e none2 ]
cp raw.pub q.pub
poke q.pub 0 001 015 000 # 3329
rejects 'a coefficient of q' 'q.pub: .*(coefficient out of range)' check q.pub
poke q.pub 0 000 015 000 # 3328
run kem check q.pub
expect 'a coefficient of q - 1' 0
head -c 1183 raw.pub >short.pub
rejects 'a short key' 'short.pub: not a valid ML-KEM encapsulation key (1183 bytes)' encaps short.pub -o none -k none2
rejects 'a short key of a set' 'short.pub: not a valid ML-KEM-768 encapsulation key (1183 bytes)' \
    encaps -p 768 short.pub -o none -k none2
rejects 'a short key, to be checked' 'short.pub: not a valid ML-KEM key (1183 bytes)' check short.pub
: >empty
rejects 'an empty key' 'empty: not a valid ML-KEM key (0 bytes)' check empty
head -c 70000 /dev/zero >long
rejects 'a long key' 'long: more than 65536 bytes' check long
cp raw.key bad.key
poke bad.key 2336 000 000 # the hash
rejects 'a wrong hash' \
    'bad.key: not a valid ML-KEM-768 decapsulation key (its hash is not that of the encapsulation key inside)' \
    decaps bad.key ct -k none
cp raw.key bad.key
poke bad.key 1152 000 000 # the encapsulation key inside
rejects 'a wrong key inside' 'bad.key: not a valid ML-KEM-768 decapsulation key (its hash .*)' check bad.key
cp raw.key bad.key
poke bad.key 10 000 000 000 # the secret vector
rejects 'halves of different keys' \
    'bad.key: not a valid ML-KEM-768 decapsulation key (its two halves do not belong together)' check bad.key
does 'which no standard asks for' decaps bad.key ct -k other
cp raw.key bad.key
poke bad.key 1152 377 017 # a coefficient of 4095 in the encapsulation key inside, and the hash of that
dd if=bad.key bs=1 skip=1152 count=1184 2>/dev/null | celer sum -a sha3-256 |
    cut -c 1-64 | fold -w 2 | while read -r byte; do printf %b "\\0$(printf %o "0x$byte")"; done >digest
dd if=digest of=bad.key bs=1 seek=2336 conv=notrunc 2>/dev/null
does 'a coefficient out of range inside a private key, section 7.3' decaps bad.key ct -k other --force
rejects 'and to be checked' 'bad.key: .*(coefficient out of range in the encapsulation key inside)' check bad.key
for length in 0 1087 1089; do
    head -c $length long >bad.ct
    rejects "a ciphertext of $length bytes" "bad.ct: not a valid ML-KEM-768 ciphertext ($length bytes)" \
        decaps alice.key bad.ct -k none
done
printf 123 >bad.ct
rejects 'half a byte of a ciphertext' 'bad.ct: not a valid ML-KEM-768 ciphertext (3 bytes)' decaps alice.key bad.ct -k none
rejects 'a private key to encapsulate with' 'alice.key: this is a decapsulation key, not an encapsulation key' \
    encaps alice.key -o none -k none2
rejects 'a public key to decapsulate with' 'alice.pub: this is an encapsulation key, not a decapsulation key' \
    decaps alice.pub ct -k none
rejects 'a key of another set' 'alice.pub: a key of ML-KEM-768, not of ML-KEM-512' \
    encaps -p 512 alice.pub -o none -k none2
rejects 'a key of another set, raw' 'raw.key: a key of ML-KEM-768, not of ML-KEM-1024' decaps -p 1024 raw.key ct -k none
rejects 'a raw seed without its set' 'seed.key: not a valid ML-KEM decapsulation key (a seed fits all sets; .*)' \
    decaps seed.key ct -k none
check 'nothing is written for what is refused' [ ! -e none ]
check 'nothing is written for what is refused' [ ! -e none2 ]
does 'a raw seed with its set' decaps -p 768 seed.key ct -k k11
same 'a raw seed with its set' k1 k11
run kem check raw.pub bad.pub alice.key
expect 'one bad file among good ones' 1
check 'the good ones are said' [ "$(wc -l <"$log/out")" -eq 2 ]
run kem check bad.pub nowhere
expect 'a file not read counts most' 2
refuses 'a seed from an expanded key' 'an expanded key does not tell its seed' convert raw.key -o none --seed-key
refuses 'both from an expanded key' 'an expanded key does not tell its seed' convert raw.key -o none --both
refuses 'forms of a public key' 'one form only' convert alice.pub -o none --expanded
printf '%s\n' '-----BEGIN ENCRYPTED PRIVATE KEY-----' AAAA '-----END ENCRYPTED PRIVATE KEY-----' >sealed
rejects 'an encrypted key' 'sealed: not a valid ML-KEM key (it is encrypted)' check sealed
printf '%s\n' '-----BEGIN CERTIFICATE-----' AAAA '-----END CERTIFICATE-----' >certificate
rejects 'a certificate' 'certificate: not a valid ML-KEM key (a PEM block that is neither .*)' check certificate
printf '%s\n' '-----BEGIN PUBLIC KEY-----' MCowBQYDK2VuAyEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= '-----END PUBLIC KEY-----' >x25519
rejects 'a key of X25519' 'x25519: not a valid ML-KEM key (it is of another algorithm)' check x25519

# --- RFC 9935's examples, byte for byte ---

for set in 512 768 1024; do
    rm -f -- *
    does "RFC 9935, $set" keygen -p $set -o seed --coins $seed
    same "RFC 9935, $set: public key" seed.pub "$examples/ML-KEM-$set.pub"
    same "RFC 9935, $set: seed" seed.key "$examples/ML-KEM-$set-seed.priv"
    for form in expanded both; do
        does "RFC 9935, $set" keygen -p $set -o $form --coins $seed --$form
        same "RFC 9935, $set: $form" $form.key "$examples/ML-KEM-$set-$form.priv"
        does "RFC 9935, $set" convert seed.key -o $form --$form
        same "RFC 9935, $set: seed to $form" $form "$examples/ML-KEM-$set-$form.priv"
        does "RFC 9935, $set" convert "$examples/ML-KEM-$set-$form.priv" -o $form.pub --public --force
        same "RFC 9935, $set: public key of $form" $form.pub seed.pub
        does "RFC 9935, $set: unchanged" convert $form -o again
        same "RFC 9935, $set: $form stays $form" again $form
        rm again
    done
    does "RFC 9935, $set" convert both -o back --seed-key
    same "RFC 9935, $set: both to seed" back seed.key
    for format in raw hex; do
        does "RFC 9935, $set" convert expanded.key -o $format -f $format
        does "RFC 9935, $set" convert $format -o $format.pem
        same "RFC 9935, $set: through $format" $format.pem expanded
        does "RFC 9935, $set" convert seed.pub -o $format.pub -f $format
        if [ $format = hex ]; then # with 32 blanks it has the length of an expanded key
            printf '%30s\n' '' >>hex.pub
        fi
        does "RFC 9935, $set" convert $format.pub -o $format.pub.pem
        same "RFC 9935, $set: public key through $format" $format.pub.pem seed.pub
    done
    sed 's/$/\r/' seed.key >crlf
    run kem check crlf
    expect_out 'lines that end in CR LF' "crlf: ML-KEM-$set decapsulation key, seed, pem"
done
for bad in '1:seed and expanded key do not belong together' '2:its two halves do not belong together' \
    '3:its hash is not that of the encapsulation key inside' '4:seed and expanded key do not belong together'; do
    cp "$examples/bad-ML-KEM-512-${bad%%:*}.priv" bad
    rejects "RFC 9935, bad key ${bad%%:*}" "bad: not a valid ML-KEM-512 decapsulation key (${bad#*:})" check bad
done

# --- Coins, and every backend gives the same ---

rm -f -- *
does 'keygen with coins' keygen -o a --coins $seed
does 'encaps with coins' encaps a.pub -o ct -k k --coins $coins
for backend in scalar bmi2 avx2 avx512 neon; do
    run kem test -n 1 -b $backend
    if [ "$code" -eq 2 ]; then
        expect_err "$backend" "^celer kem: .*backend '$backend'"
        skip "the backend $backend" 'not here'
        continue
    fi
    expect "test on $backend" 0
    check "test on $backend" [ "$(grep -c "^ml-kem-[0-9]* $backend: 1 round trips.*: good$" "$log/out")" -eq 3 ]
    rm -f b.pub b.key ct2 k2 k3
    does "keygen on $backend" keygen -o b --coins $seed -b $backend
    same "keygen on $backend" a.pub b.pub
    does "encaps on $backend" encaps b.pub -o ct2 -k k2 --coins $coins -b $backend
    same "ciphertext on $backend" ct ct2
    same "secret on $backend" k k2
    does "decaps on $backend" decaps b.key ct2 -k k3 -b $backend
    same "decaps on $backend" k k3
done
refuses 'a backend without ML-KEM' "\\(has no\\|cannot run here\\)" keygen -o c -b hybrid
run kem test -n 3
expect 'test' 0
for backend in scalar auto; do
    check "test: each set on $backend" [ "$(grep -c "^ml-kem-[0-9]* $backend: 3 round trips" "$log/out")" -eq 3 ]
done
run kem test -n 1 -p 512
expect 'test of a set' 0
check 'test of a set' [ -z "$(grep -v '^ml-kem-512 ' "$log/out")" ]

# --- Files ---

rm -f -- *
does 'keygen' keygen -o a
cp a.pub pub
cp a.key key
refuses 'keys are not written over' 'a.pub: File exists' keygen -o a
rm a.pub
refuses 'nor one of them' 'a.key: File exists' keygen -o a
check 'nothing half done' [ ! -e a.pub ]
same 'the key is as it was' a.key key
refuses 'a folder that is not there' 'No such file' keygen -o nowhere/a
refuses 'no place for the secret' 'No such file' encaps pub -o ct -k nowhere/k
check 'no ciphertext without its secret' [ ! -e ct ]
does 'by force' keygen -o a --force
check 'another key' [ "$(cat a.key)" != "$(cat key)" ]
is_private a.pub a.key
chmod 644 a.key
does 'by force' keygen -o a --force
is_private a.key
(umask 0; celer kem keygen -o open) && is_private open.pub open.key
mkdir sub
ln -s ../linked sub/link
cp key linked
does 'by force through a link' convert a.key -o sub/link --force
check 'the link is still one' [ -h sub/link ]
same 'what it leads to is new' linked a.key
does 'in its own place' convert a.key -o a.key --expanded --force
run kem check a.key
expect_out 'in its own place' 'a.key: ML-KEM-768 decapsulation key, expanded, pem'
refuses 'a folder in the place of a file' 'Is a directory' convert a.key -o sub --force
refuses 'one file for both' 'one file cannot hold both' encaps a.pub -o x -k x --force
# One file of two names, which is not there yet.
mkdir real
ln -s real other
ln -s real/x dangling
for names in 'x ./x' './x x' 'real/x other/x' 'other/x real/x' 'real/x dangling'; do
    for force in '' --force; do
        # shellcheck disable=SC2086 # no argument when it is empty
        run kem encaps a.pub -o "${names% *}" -k "${names#* }" $force
        expect "one file for both: $names $force" 2
        check "one file for both: $names $force: nothing is written" [ -z "$(find . -name '*x*')" ]
    done
    expect_err "one file for both: $names" 'one file cannot hold both'
done
echo before >real/x
for names in 'real/x other/x' 'dangling real/x'; do
    refuses "one file for both: $names" 'one file cannot hold both' \
        encaps a.pub -o "${names% *}" -k "${names#* }" --force
    check "one file for both: $names: it is as it was" [ "$(cat real/x)" = before ]
done
# shellcheck disable=SC2094 # just that
celer kem encaps a.pub -o - -k real/x --force >real/x 2>"$log/err"
code=$? last='celer kem encaps -o - -k real/x >real/x'
expect 'one file for both: standard output' 2
expect_err 'one file for both: standard output' 'one file cannot hold both'
rm -r real other dangling
# A closed standard output gets no file's number.
celer kem encaps a.pub -o ct -k - >&- 2>"$log/err"
code=$? last='celer kem encaps -k - >&-'
expect 'standard output is closed' 2
expect_err 'standard output is closed' '^celer kem: standard output: '
check 'no ciphertext without its secret' [ ! -e ct ]
check 'nothing is left over' [ "$(echo *)" = 'a.key a.pub key linked open.key open.pub pub sub' ]
cp a.key before
if (ulimit -f 0) 2>/dev/null; then
    for force in '' --force; do
        # shellcheck disable=SC2086 # no argument when it is empty
        (ulimit -f 0; trap '' XFSZ; "$celer_path" kem keygen -o ${force:+a}${force:-full} $force 2>"$work/err")
        code=$? last="celer kem keygen $force, with no room"
        check "no room: exit status ($force)" [ $code -eq 2 ]
    done
    check 'no room: nothing is left over' [ "$(echo *)" = 'a.key a.pub before key linked open.key open.pub pub sub' ]
    same 'no room: the key is as it was' a.key before
fi
if [ -c /dev/full ]; then
    does 'a ciphertext' encaps a.pub -o ct -k k
    celer kem decaps a.key ct -k - >/dev/full 2>"$log/err"
    code=$? last='celer kem decaps >/dev/full'
    expect 'a full disk' 2
    expect_err 'a full disk' '^celer kem: standard output: No space left on device$'
    celer kem encaps a.pub -o - -k left >/dev/full 2>"$log/err"
    code=$? last='celer kem encaps >/dev/full'
    expect 'a full disk' 2
    check 'no secret without its ciphertext' [ ! -e left ]
    celer kem check a.pub >/dev/full 2>"$log/err"
    code=$? last='celer kem check >/dev/full'
    expect 'a full disk' 2
fi

# --- A terminal ---

if command -v script >/dev/null && [ "$(script -qec 'echo yes' /dev/null </dev/null | tr -d '\r')" = yes ]; then
    for what in "decaps a.key ct -k -" "decaps a.key ct -k - -f hex" "convert a.key -o -" "encaps a.pub -o ct9 -k -"; do
        script -qec "'$celer_path' kem $what" /dev/null </dev/null >"$log/out" 2>&1
        code=$? last="celer kem $what, on a terminal"
        expect "a secret on a terminal: $what" 2
        check "a secret on a terminal: $what" \
            [ "$(tr -d '\r' <"$log/out")" = 'celer kem: standard output: a secret is not shown on a terminal without --force' ]
    done
    check 'no ciphertext either' [ ! -e ct9 ]
    script -qec "'$celer_path' kem decaps a.key ct -k - -f hex --force" /dev/null </dev/null | tr -d '\r' >shown
    check 'a secret by force' [ "$(cat shown)" = "$(od -An -v -tx1 k | tr -d ' \n')" ]
    script -qec "'$celer_path' kem convert a.pub -o -" /dev/null </dev/null | tr -d '\r' >shown
    same 'a public key on a terminal' shown a.pub
else
    skip 'secrets and terminals' 'no script here that makes a terminal'
fi
finish
