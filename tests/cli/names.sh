#!/bin/sh
# What crosses from one process to another has one name, in one header: variables of the environment (common/env.h) and
# exit statuses (common/exit_status.h). Nobody types them again, and the documents name none that is not there.
set -u
cd "$(dirname "$0")/../.." || exit 1
threelane=${THREELANE:-$PWD/bin/threelane}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
nothing() {     # nothing NAME: what came in is nothing
    cat >"$work/found"
    if [ -s "$work/found" ]; then
        failed=1
        sed 's/^/#   /' "$work/found" | head -n 12
        echo "not ok - cli/names: $1"
    else
        echo "ok - cli/names: $1"
    fi
}
sources() { find common grader timeline gpu sim -name '*.[ch]' ! -path 'sim/include/*' ! -path common/env.h ! -path common/exit_status.h; }
in_env() { sed -n 's/^#define ENV_[A-Z0-9_]* *"\([A-Z0-9_]*\)".*/\1/p' common/env.h | LC_ALL=C sort; }

# ---- the environment ----
# (THREELANE_PLAYER is a macro of the code that grader/build/seam.c writes, THREELANE_OR one of calls.def, THREELANE_TEXTURE_
# those of a header.)
sources | xargs grep -nE '"[^"]*THREELANE_[A-Z]' | grep -vE 'THREELANE_(PLAYER|VERSION|TEXTURE_[A-Z]*|OR\()|^[^:]*:[0-9]*:( \*|/\*)' |
    nothing "a variable of ours is typed in common/env.h only"
sources | xargs grep -nE '\b(getenv|setenv|unsetenv)\("' | nothing "what is read from the environment has a name"
in_env | uniq -d | nothing "each variable stands once"
sed -n '/^#define ENV_/p' common/env.h | sed '/^\/\* Other/,$d' | grep '"THREELANE' | grep -v '/\* .* \*/' |
    nothing "each of ours says what it is"
sed -n '1,/^\/\* Other/p' common/env.h | grep '^#define ENV_' | grep -v '"THREELANE' |
    nothing "all of ours begin with THREELANE"

# Names in the course's own harness, in scripts and in documents.
in_env >"$work/env"
macros='THREELANE_PLAYER\|THREELANE_VERSION\|THREELANE_LIB\|THREELANE_CUPTI_LIB\|THREELANE_DYNAMIC_SHARED'
{
    grep -ohE 'THREELANE_[A-Z_]+' exercises/harness.h | grep -v '_H$\|_CHECK_$'
    grep -ohE 'THREELANE_[A-Z_]*[A-Z]' README.md CONTRIBUTING.md gpu/conformance gpu/exercises gpu/README.md \
        $(find grader sim timeline lessons docs -name '*.md' 2>/dev/null)
} | grep -vx "$macros" | LC_ALL=C sort -u | LC_ALL=C comm -23 - "$work/env" |
    nothing "harness, scripts and documents name only what there is"
grep -nE '\$\{?(OUT|CARD|ROUNDS|WRONG)\b' gpu/conformance gpu/exercises |
    nothing "make test-gpu listens to nothing but THREELANE_*"

# ---- exit statuses ----
# 91 to 99 are those of programs that the virtual GPU ended; whoever compares with one of them has typed it again.
sources | xargs grep -niE '(status|code|end|exit)[a-z_]* *(=|==|!=|<|>) *9[1-9]\b|\b(exit|_exit|end_process|leave|host_fatal)\(9[1-9]' |
    nothing "a status of a program is typed in common/exit_status.h only"
sources | xargs grep -nE 'command_fail\([0-9]|\b_?exit\([2-8]\)' | nothing "a status of a command is typed in common/exit_status.h only"
sources | xargs grep -nE 'enum.*\b(CLEAN|ERRORS|NOT_RUN|USAGE|BROKEN|LIMIT|REFUSED|MISUSE|DEADLOCK) *= *[0-9]' |
    nothing "no second list of them"
# The table in GRADING.md is the one in exit_status.h.
sed -n 's/^ *END(VERDICT_[A-Z]*, \([0-9]\), "\([^"]*\)".*/\2 \1/p' common/exit_status.h | grep -v '^usage' | LC_ALL=C sort >"$work/ends"
sed -n 's/^| \([a-z ]*\) | \([0-8]\) |.*/\1 \2/p' grader/GRADING.md | LC_ALL=C sort >"$work/documented"
diff "$work/ends" "$work/documented" | nothing "GRADING.md has the same verdicts"
[ "$("$threelane" help status | grep -cE '^ +[0-9]+')" -eq "$(grep -cE '^ +END\(' common/exit_status.h)" ] ||
    echo "threelane help status: $("$threelane" help status | grep -c .) lines" >"$work/status"
cat "$work/status" 2>/dev/null | nothing "threelane help status prints all of them"

# ---- tables ----
sed -n '/^<!-- threelane help checks -->/,/^$/p' grader/EXERCISE.md | sed '1d;/^$/d' >"$work/documented"
"$threelane" help checks | diff - "$work/documented" | nothing "EXERCISE.md has the kinds of check as they are"
options=$("$threelane" help | sed -n '/^Options/,/^Exit/p' | grep -oE '\[make: [A-Z]+=\]' | grep -oE '[A-Z]+' | LC_ALL=C sort -u)
sed -n 's/^option_words := //p' Makefile | tr ' ' '\n' | sed 's/=.*//' | LC_ALL=C sort -u >"$work/make"
line=$(MAKEFLAGS= make -n ex43 SRC='a b.cu' SEED=3 GPU=1 JSON=0 2>/dev/null | grep ' run ex43 ')
case $line in
*'{SRC:+--src "$SRC"}'*'{SEED:+--seed "$SEED"}'*' --gpu'*) ;;
*) echo "make ex43 SRC=... SEED=3 GPU=1: $line" ;;
esac | nothing "make passes its variables on as options"
case $line in *--json*) echo "$line" ;; esac | nothing "and 0 is not set"
printf '%s\n' "$options" | diff - "$work/make" | nothing "make has the options as they are"

sed -n 's/^    HAZARD([A-Z_]*, "\([a-z-]*\)", \(.*\)) .*/\1 \2/p; s/^    HAZARD([A-Z_]*, "\([a-z-]*\)", \(.*\))$/\1 \2/p' timeline/trace/hazard_kinds.h |
    awk '{ note = /HAZARD_NOTE/ ? "note" : "error"; group = /HAZARD_ORDER/ ? "order" : "memory"; print $1, note, group }' | LC_ALL=C sort >"$work/kinds"
sed -n 's/^| `\([a-z-]*\)` | \(error\|note\) | \(order\|memory\) |.*/\1 \2 \3/p' sim/hazard/HAZARDS.md | LC_ALL=C sort |
    diff "$work/kinds" - | nothing "HAZARDS.md has the kinds of hazard as they are"

# ---- limits ----
sources | grep -v common/limits.h | xargs grep -nE '#define [A-Z_]*(MEMORY|BYTES|LIMIT)[A-Z_]* +\(?[0-9]+u?l?l? *<< *(20|30)' |
    grep -E '^(grader|sim/replay)/' | grep -v 'MIRROR\|VIEW_MOST' | nothing "a limit of a submission is typed in common/limits.h only"
exit $failed
