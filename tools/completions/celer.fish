# Completion of celer for fish. What there is to complete, the command tells itself.
function __celer_help
    set -l words (commandline -opc)[2..]
    contains -- $words[1] chain kem; or set words $words[1]
    celer $words[1] $words[2] --help 2>/dev/null | string replace -rf '^ *(?:-.[, ]+)?(--[a-z-]+)(?: [A-Z]+)? +(.*)' '$1\t$2'
end
function __celer_list --argument-names what
    celer bench --list 2>/dev/null | string replace -rf "^$what:? *" '' | string split -n ' ' | string replace '(not here)' ''
end

complete -c celer -n __fish_use_subcommand -f -a "(celer --help 2>/dev/null | string replace -rf '^  ([a-z]+)  +(.*)' '\$1\t\$2')"
complete -c celer -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__celer_help)'
complete -c celer -n '__fish_seen_subcommand_from bench compare' -f -a '(__celer_list selections)'
complete -c celer -n '__fish_seen_subcommand_from bench compare sum kem' -s b -l backend -x -a 'auto (__celer_list "backends of [^:]*")'
complete -c celer -n '__fish_seen_subcommand_from bench compare' -s f -l format -x -a '(__celer_list formats)'
complete -c celer -n '__fish_seen_subcommand_from bench compare' -s m -l unit -x -a '(__celer_list units)'
complete -c celer -n '__fish_seen_subcommand_from bench compare' -l mode -x -a '(__celer_list modes)'
complete -c celer -n '__fish_seen_subcommand_from bench compare' -l with -x -a "all (celer bench --list 2>/dev/null | string replace -rf '^library ([^ ]+) .*' '\$1')"
complete -c celer -n '__fish_seen_subcommand_from sum' -s a -l algorithm -x -a "(celer sum --help 2>/dev/null | string replace -rf '^Hashes: ' '' | string split -n ' ')"
complete -c celer -n '__fish_seen_subcommand_from chain kem; and test (count (commandline -opc)) -eq 2' -f -a "(celer (commandline -opc)[2] --help 2>/dev/null | string replace -rf '^  ([a-z][a-z-]*) .*?  +(.*)' '\$1\t\$2')"
complete -c celer -n '__fish_seen_subcommand_from chain' -l from -x -a 'hex-lines csv'
complete -c celer -n '__fish_seen_subcommand_from kem' -s p -l set -x -a '512 768 1024'
complete -c celer -n '__fish_seen_subcommand_from kem' -s f -l format -x -a 'raw hex pem'
