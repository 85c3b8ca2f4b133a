#!/bin/sh
# `threelane watch` without a terminal: every verdict line by line, and what cannot be watched. (With a terminal:
# tests/screens/watch.sh.)
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null; rm -rf "$work"' EXIT
export HOME="$work" THREELANE_TLCC="$tlcc"
often() { [ "$(grep -c "$2" "$work/out")" -ge "$1" ]; }
printed() {     # printed NAME COUNT WORDS: WORDS come in the output COUNT times
    if soon often "$2" "$3"; then ok "$1"; else bad "$1" "not $2 times in the output: $3"; fi
}
mkdir -p "$work/course"
cp -R tests/fixtures/exercises tests/fixtures/lessons "$work/course"
cp exercises/harness.h "$work/course/exercises"
cd "$work/course" || exit 1
folder=exercises/ex90-square
cp $folder/starter.cu $folder/ex90.cu

watch() { : >"$work/out"; "$threelane" watch "$@" >"$work/out" 2>&1 & pid=$!; }
stop() {
    kill "$pid"
    wait "$pid" 2>/dev/null
    pid=
}
watch
printed 'the first exercise is judged at once' 1 'Checks ---'
printed 'and it says what it waits for' 1 'Watching exercises/ex90-square/ex90.cu'
cp $folder/solution.cu $folder/new.cu && mv $folder/new.cu $folder/ex90.cu
printed 'a save is judged' 1 'All checks passed'
echo 'int x = ;' >$folder/ex90.cu
printed 'a mistake of spelling is shown' 1 'mend the first error'
cp $folder/solution.cu $folder/ex90.cu
printed 'and the next save is judged again' 2 'All checks passed'
stop
grep -q '^exercise ex90 passed' .threelane/progress && report 'progress is kept' yes || report 'progress is kept' no
set -- .threelane/work-*
[ -e "$1" ] && report 'nothing is left behind' no "$(ls .threelane)" || report 'nothing is left behind' yes

watch
printed 'what is passed is not run again' 1 'is passed already'
grep -q 'Checks ---' "$work/out" && report 'indeed not' no || report 'indeed not' yes
stop
# stopped while a program hangs: the program is stopped, too
sed 's/^{/{ volatile int on = 1; while (on) { }/' $folder/solution.cu >$folder/ex90.cu
watch ex90 --timeout 60
printed 'with an exercise and a limit' 1 'Watching exercises/ex90-square/ex90.cu'
touch $folder/ex90.h        # a header counts as a save
running() { pgrep -f "$work/course/.threelane/work" >/dev/null; }
gone() { ! running; }
holds 'a header is a source, too' soon running
stop
holds 'what hangs is stopped with it' soon gone

refused() {     # refused NAME WORDS ARGUMENT...
    name=$1 words=$2
    shift 2
    "$threelane" watch "$@" >"$work/out" 2>&1 </dev/null
    status=$?
    [ $status -eq 2 ] && grep -q "$words" "$work/out" && [ "$(wc -l <"$work/out")" -eq 1 ] && report "$name" yes ||
        report "$name" no "status $status: $(cat "$work/out")"
}
refused 'no such exercise' "no exercise 'ex77'" ex77
refused 'two exercises' 'usage: threelane watch' ex90 ex90
refused 'another option' 'does not take --src' --src x.cu
mkdir "$work/empty"
refused 'a course without exercises' 'has no exercises' --exercises "$work/empty"
cd "$repository" || exit 1
finish
