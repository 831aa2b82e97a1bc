# Completion of celer for bash. What there is to complete, the command tells itself, so nothing here gets out of date.
_celer() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} celer=${COMP_WORDS[0]} words
    local command=("${COMP_WORDS[1]}")
    case ${COMP_WORDS[1]} in
    chain | kem) [ "$COMP_CWORD" -le 2 ] || command+=("${COMP_WORDS[2]}") ;; # a verb
    esac
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="$("$celer" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p') --help --version"
    else
        case $before in
        -a | --algorithm) words=$("$celer" sum --help 2>/dev/null | sed -n 's/^Hashes: //p') ;;
        -b | --backend)
            words="auto $("$celer" bench --list 2>/dev/null | sed -n 's/(not here)//g; s/^backends of [^:]*://p' |
                tr ' ' '\n' | sort -u)"
            ;;
        -f | --format)
            if [ "${COMP_WORDS[1]}" = kem ]; then
                words='raw hex pem'
            else
                words=$("$celer" bench --list 2>/dev/null | sed -n 's/^formats://p')
            fi
            ;;
        -p | --set) words='512 768 1024' ;;
        -m | --unit) words=$("$celer" bench --list 2>/dev/null | sed -n 's/^units://p') ;;
        --from) words='hex-lines csv' ;;
        --mode) words=$("$celer" bench --list 2>/dev/null | sed -n 's/^modes://p') ;;
        --with) words="all $("$celer" bench --list 2>/dev/null | sed -n 's/^library \([^ ]*\) .*/\1/p')" ;;
        *)
            case $word in
            -*)
                words=$("$celer" "${command[@]}" --help 2>/dev/null |
                    sed -n 's/^ *\(-.\), \(--[a-z-]*\).*/\1 \2/p; s/^ *\(--[a-z-]*\).*/\1/p')
                ;;
            *)
                case ${command[*]} in
                chain | kem) words=$("$celer" "${command[0]}" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p') ;;
                bench | compare) words=$("$celer" bench --list 2>/dev/null | sed -n 's/^selections://p') ;;
                *) return ;; # a file: the default
                esac
                ;;
            esac
            ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _celer celer
