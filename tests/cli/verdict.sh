#!/bin/sh
# `threelane run --json`: one object, that of `grade --exercise EX FILE --json`, whatever becomes of the program. (That it
# is JSON, and what is in it, is asked of a JSON reader in tests/unit/grader/test_summary.c.)
set -u
cd "$(dirname "$0")/../.." || exit 1
threelane=${THREELANE:-$PWD/bin/threelane}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset THREELANE_EXERCISES THREELANE_SEED NO_COLOR COLUMNS MAKEFLAGS MAKELEVEL
export LC_ALL=C TERM=xterm
failed=0
ok() { echo "ok - cli/verdict: $1"; }
bad() { echo "not ok - cli/verdict: $1"; head -c 600 "$work/out" | sed 's/^/#   /'; echo; failed=1; }
# gives NAME STATUS PATTERN FILE [OPTIONS]: the status, and a pattern in the one object that is printed
gives() {
    name=$1 status=$2 pattern=$3 file=$4
    shift 4
    "$threelane" run ex43 --src "$file" --json "$@" >"$work/out" 2>"$work/err"
    got=$?
    if [ $got -eq "$status" ] && [ "$(grep -c '^{"format":1' "$work/out")" -eq 1 ] &&
        tail -n 1 "$work/out" | grep -q '}$' && grep -q "$pattern" "$work/out"; then ok "$name"
    else bad "$name (status $got)"; fi
}
ex43=$(echo exercises/ex43-*)
gives "a pass" 0 '"verdict":"pass","points":36' "$ex43/solution.cu"
gives "one that fails" 1 '"state":"fail".*"cause":"' "$ex43/wrong/one-stream.cu"
gives "with its hints" 1 '"hints":\["' "$ex43/wrong/one-stream.cu"
gives "which schedules were tried" 0 '"explored":{"asked":2,"ran":2,"breaks_with":0' "$ex43/solution.cu" --explore 2

sed 's/^}$/}}/' "$ex43/solution.cu" >"$work/not-c.cu"
gives "what does not compile" 3 '"reason":"source"' "$work/not-c.cu"
"$threelane" run ex43 --src "$work/not-c.cu" --json --trusted >"$work/out" 2>"$work/err"
if [ $? -eq 3 ]; then           # there is a box to compile in
    gives "the compiler's words from a box" 3 '"message":"[^"]*not-c.cu[^"]*error' "$work/not-c.cu" --trusted
else echo "ok - cli/verdict: the compiler's words from a box # skip: no sandbox"; fi
gives "and the compiler's words" 3 '"message":"[^"]*error' "$work/not-c.cu"
sed 's/asyncPipeline/otherName/' "$ex43/solution.cu" >"$work/missing.cu"
gives "a function that is nowhere" 3 '"reason":"undefined","undefined":"[^"]*asyncPipeline' "$work/missing.cu"
sed 's/^\(void asyncPipeline(.*\)$/\1/; 0,/^{$/s//{ *(volatile int *)8 = 1;/' "$ex43/solution.cu" >"$work/crash.cu"
gives "a crash" 4 '"verdict":"crashed"' "$work/crash.cu"
gives "why, as fields" 4 '"reason":"signal".*"stop":{"kind":"crash","site":"[^"]*crash.cu:' "$work/crash.cu"
sed '0,/^{$/s//{ for (volatile int i = 1; i; ) {}/' "$ex43/solution.cu" >"$work/endless.cu"
gives "one that never ends" 5 '"reason":"time"' "$work/endless.cu" --timeout 1
gives "a device that is none" 2 '"verdict":"usage".*' "$ex43/solution.cu" --model bogus
gives "whose fault that is" 2 '"reason":"model"' "$ex43/solution.cu" --model bogus

"$threelane" run ex43 --src "$work/nothing.cu" --json >"$work/out" 2>"$work/err"
if [ $? -eq 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ]; then ok "no file: a line, and no object"
else bad "no file: a line, and no object"; fi

# The fields of both, in order, are the same; so is what was found.
fields() { sed 's/"\(cause\|title\|message\|output\|report\|hint\|path\|sandbox\|text\)":\("[^"]*"\|null\)/"\1":/g' "$1" | grep -oE '"[a-z_]+":' ; }
cp "$ex43/wrong/one-stream.cu" "$work/ex43.cu"
"$threelane" run ex43 --src "$work/ex43.cu" --json >"$work/run" 2>"$work/err"
"$threelane" grade --exercise ex43 "$work/ex43.cu" --unsafe --json >"$work/out" 2>"$work/err"
fields "$work/run" >"$work/run.fields"
fields "$work/out" >"$work/grade.fields"
if cmp -s "$work/run.fields" "$work/grade.fields"; then ok "grade has the same fields"; else bad "grade has the same fields"; fi
grep '^{"id"' "$work/run" >"$work/run.checks"
grep '^{"id"' "$work/out" >"$work/grade.checks"
if [ "$(wc -l <"$work/run.checks")" -gt 10 ] && cmp -s "$work/run.checks" "$work/grade.checks"; then ok "and the same checks"
else bad "and the same checks"; diff "$work/run.checks" "$work/grade.checks" | head -n 4 | sed 's/^/#   /'; fi
exit $failed
