#!/bin/sh
# What the commands say of themselves elsewhere: manual pages, and what Tab completes. Both are made from the tables of
# `threelane help`; here they are compared with what the commands take, as man and bash see them.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
unset BASH_ENV ENV

silent() {      # silent NAME COMMAND...: it succeeds and has nothing to say
    name=$1
    shift
    "$@" >"$work/out" 2>&1 </dev/null && [ ! -s "$work/out" ]
    report "$name" "$([ $? = 0 ] && echo yes)"
}

pages=$work/man1
mkdir "$pages"
commands=$("$threelane" help commands)
"$threelane" help man >"$pages/threelane.1"
for command in $commands; do "$threelane" help man "$command" >"$pages/threelane-$command.1"; done
"$tlcc" --manual >"$pages/tlcc.1"

# ---- pages ----
holds 'there is a page for every command' [ "$(find "$pages" -size +0 | wc -l)" -gt "$(echo "$commands" | wc -l)" ]
missing= thin=
for command in $commands; do
    "$threelane" help "$command" | sed -n 's/^ *\(-[-a-zA-Z]*\).*/\1/p' | while read -r option; do
        sed 's/\\-/-/g' "$pages/threelane-$command.1" | grep -qF "B$option" || echo "$command $option"
    done >"$work/out"
    [ ! -s "$work/out" ] || missing="$missing $(cat "$work/out")"
    grep -q '^\.SH OPTIONS' "$pages/threelane-$command.1" || [ -z "$("$threelane" help "$command" | sed '1,3d')" ] ||
        missing="$missing $command"
    # more than the one line that help has
    summary=$("$threelane" help "$command" | sed -n 2p)
    [ "$(sed -n '/^\.SH DESCRIPTION/,/^\.SH/p' "$pages/threelane-$command.1" | grep -v '^\.' | sed 's/\\//g' | tr '\n' ' ')" != "$summary " ] ||
        thin="$thin $command"
done
report 'a page has every option that help has' "$([ -z "$missing" ] && echo yes)" "$missing"
report 'and more to say than help' "$([ -z "$thin" ] && echo yes)" "nothing in grader/manual/manual_words.c:$thin"
for command in check run; do
    sed -n '/^\.SH EXIT STATUS/,/^\.SH [^E]/p' "$pages/threelane-$command.1" | sed '/^\.TP/d; s/^\\fB\(.*\)\\fR/\1/'
done >"$work/out"
cat >"$work/wanted" <<'END'
.SH EXIT STATUS
0
clean: nothing was found
1
errors: an error was found (with \-\-strict, a note counts
as one)
2
not run: could not be built, or not be run to its end
.SH SEE ALSO
.SH EXIT STATUS
0
pass: passed; done
1
fail: failed: a check does not hold
2
usage: what was asked for makes no sense
3
compile error: does not compile
END
head -n 18 "$work/out" >"$work/statuses"
same 'how a command ends: its word, and what it means' "$work/wanted" "$work/statuses"
expect 'the first page lists all commands' 0 '' sh -c 'for c in '"$(echo "$commands" | tr '\n' ' ')"'; do
    grep -q "^.fB$c.fR" "$0/threelane.1" || { echo "$c"; exit 1; }; done' "$pages"
expect 'a page that is not there' 2 "there is no command 'nothing'" "$threelane" help man nothing
holds 'tlcc has one' grep -q 'precompile' "$pages/tlcc.1"
holds 'all is ASCII' sh -c '! LC_ALL=C grep -n "[^ -~]" "$0"/*.1' "$pages"
if command -v mandoc >/dev/null; then
    silent 'mandoc has nothing to say' mandoc -T lint -W style "$pages"/*.1
else
    skip 'mandoc has nothing to say' 'no mandoc here'
fi
if man --version 2>/dev/null | grep -q '^man 2'; then
    for page in "$pages"/*.1; do man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null; done >"$work/out"
    report 'man has nothing to say' "$([ ! -s "$work/out" ] && echo yes)"
else
    skip 'man has nothing to say' 'no man here'
fi

# ---- Tab, in a bash: `tab WORD...` prints what the last word may become, a line each ----
cat >"$work/tab" <<'END'
compopt() { :; }
source "$COMPLETION"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
complete -p "${1##*/}" >/dev/null || exit
function=$(complete -p "${1##*/}" | sed 's/.*-F \([^ ]*\).*/\1/')
"$function" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
END
export COMPLETION="$work/completion"
tab() { bash --norc "$work/tab" "$@"; }
if command -v bash >/dev/null; then
    "$threelane" help completion bash >"$COMPLETION"
    expect 'bash: commands' 0 '^run$' tab "$threelane" ru
    tab "$threelane" '' >"$work/offered"
    echo "$commands" | LC_ALL=C sort >"$work/commands"
    LC_ALL=C sort "$work/offered" | LC_ALL=C comm -13 - "$work/commands" >"$work/out"
    report 'bash: all of them' "$([ ! -s "$work/out" ] && echo yes)"
    missing=
    for command in $commands; do
        tab "$threelane" "$command" - >"$work/offered"
        missing="$missing$("$threelane" help "$command" | sed -n 's/^ *\(-[-a-zA-Z]*\).*/\1/p' | while read -r option; do
            grep -qxF -e "$option" "$work/offered" || echo " $command $option"
        done)"
    done
    report 'bash: every option that help has' "$([ -z "$missing" ] && echo yes)" "$missing"
    tab "$threelane" run ex >"$work/offered"
    (cd exercises && printf '%s\n' ex[0-9]*) | sed 's/-.*//' >"$work/there"
    same 'bash: the exercises that there are' "$work/offered" "$work/there"
    expect 'bash: of the course in the current folder' 0 '^ex90$' sh -c 'mkdir -p "$1/exercises/ex90-other" &&
        : >"$1/exercises/ex90-other/exercise.ini" && cd "$1" &&
        bash --norc "$2" "$3" lesson ex9' sh "$work" "$work/tab" "$threelane"
    expect 'bash: devices' 0 '^h200$' tab "$threelane" run --model h
    expect 'bash: also behind =' 0 '^h200$' tab "$threelane" run --model = h
    tab "$threelane" show --as '' >"$work/offered"
    "$threelane" help show | sed -n 's/.*--as FORM *//p' | sed 's/ (default)//; s/ or /, /' | tr -d ' ' | tr ',' '\n' >"$work/there"
    same 'bash: forms' "$work/offered" "$work/there"
    expect 'bash: nothing where nobody knows' 0 '^$' tab "$threelane" run --seed ''
    expect 'bash: topics of help' 0 '^status$' tab "$threelane" help sta
    expect 'bash: and what they are about' 0 '^zsh$' tab "$threelane" help completion z
    : >"$work/one.ini"
    expect 'bash: files' 0 'one\.ini$' tab "$threelane" run --model "$work/on"
    expect 'bash: options of tlcc' 0 '^--precompile$' tab "$tlcc" --pre
else
    skip 'bash' 'no bash here'
fi
for shell in zsh fish; do
    "$threelane" help completion $shell >"$work/script"
    missing=
    for command in $commands; do grep -qE -e "^ *$command\)|-a $command " "$work/script" || missing="$missing $command"; done
    report "$shell: all commands" "$([ -z "$missing" ] && echo yes)" "$missing"
    if command -v $shell >/dev/null; then silent "$shell reads it" $shell -n "$work/script"
    else skip "$shell reads it" "no $shell here"; fi
done
if command -v fish >/dev/null; then
    export HOME="$work" XDG_CONFIG_HOME="$work"
    fishes() { PATH=$(dirname "$threelane"):$PATH fish -c 'source $argv[1]; complete -C $argv[2]' "$work/script" "$1"; }
    expect 'fish: exercises with their titles' 0 '^ex43	Overlapping' fishes 'threelane run ex43'
    expect 'fish: options' 0 '^--model	' fishes 'threelane run --mo'
    expect 'fish: devices' 0 '^h200	' fishes 'threelane run --model h2'
    silent 'fish: other commands have others' fishes 'threelane list --mo'
else
    skip 'fish: exercises, options, devices' 'no fish here'
fi
expect 'another shell' 2 'bash, zsh and fish' "$threelane" help completion ksh

# ---- help ----
expect 'help of one command' 0 '^usage: threelane run EX' "$threelane" help run
expect 'help about nothing' 2 "no help about 'nothing'" "$threelane" help nothing
expect 'the version' 0 '^threelane [0-9]+\.[0-9]+ \([0-9-]{10}\)$' "$threelane" --version
also 'and of traces' '^traces: format [0-9]+$'
finish
