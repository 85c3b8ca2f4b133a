#!/bin/sh
# `threelane grade --follow`: a folder that is watched. What is dropped in is judged when it is there whole, told in a
# line, and is in the report; deleted, replaced, with hostile names, with a full disk; ended, killed, gone on.
# A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export NO_COLOR=1 HOME="$work"

has() { grep -qF -e "$2" "$work/$1"; }
lacks() { ! grep -qF -e "$2" "$work/$1"; }
lines() { [ "$(wc -l <"$work/$1")" -eq "$2" ]; }

"$threelane" grade >"$work/out" 2>&1
if grep -q 'built without SQLite' "$work/out"; then
    skip everything "Threelane was built without SQLite"
    finish
fi
course "$work/course"
cd "$work/course" || exit 1
sed -i 's/^runs = .*/runs = 1/' exercises/*/hidden.ini
ex41=exercises/ex41-streams solution=$work/course/exercises/ex41-streams/solution.cu
"$threelane" grade --exercise ex41 $ex41/solution.cu >"$work/out" 2>&1
if grep -q 'no sandbox works here' "$work/out"; then
    skip everything "no sandbox works here"
    finish
fi

expect "with a cluster" 2 'jobs of a cluster, type the same command without --follow' "$threelane" grade "$work" --follow --slurm -o "$work/r"
expect "with a card" 2 'For a card, type the same command without --follow' "$threelane" grade "$work" --follow --gpu -o "$work/r"
expect "one file" 2 '--follow is for a folder' "$threelane" grade --follow --exercise ex41 $ex41/solution.cu
expect "no folder" 7 'nowhere' "$threelane" grade "$work/nowhere" --follow -o "$work/r"

follow() {      # follow REPORT OPTION...: verdicts in $work/told, what it says in $work/out
    : >"$work/told"
    : >"$work/out"
    _report=$1
    shift
    "$threelane" grade "$work/in" --follow -o "$work/$_report" --seed 5 "$@" >"$work/told" 2>"$work/out" &
    follower=$!
}
# ends SIGNAL: how it ends, in $ended
ends() {
    kill "-$1" $follower
    wait $follower
    ended=$?
} 2>/dev/null

# ---- dropped in ----
mkdir "$work/in"
follow report
holds "nothing is there: it waits" soon has out 'waiting for submissions in'
mkdir "$work/in/ada"
cp "$solution" "$work/in/ada/ex41.cu"
holds "a file is told when it is graded" soon has told 'ada ex41: pass, 25 of 25 points'
holds "and is in the report" soon has report/grades.csv '"ada",ex41,pass'
# (bob's is there after a while; the name of ada's new one is not ada's)
mkdir "$work/in/eve" "$work/in/bob"
exec 8>"$work/in/eve/ex41.cu"
head -c 200 "$solution" >&8
cp $ex41/wrong/leak.cu "$work/in/.hidden"
mv "$work/in/.hidden" "$work/in/bob/ex41.cu"
holds "one that is moved into place, and fails" soon has told 'bob ex41: fail, 22 of 25 points: Every stream is destroyed'
holds "one that is still being written is not looked at" lacks told 'eve'
tail -c +201 "$solution" >&8
exec 8>&-
holds "until it is whole" soon has told 'eve ex41: pass, 25 of 25 points'
cp "$solution" "$work/in/bob/ex41.cu"
holds "one that is replaced is the next attempt" soon has told 'bob ex41: pass, 25 of 25 points, attempt 2'
esc=$(printf 'mal\033[2Jlory\n<b>x')
mkdir "$work/in/$esc"
cp $ex41/starter.cu "$work/in/$esc/ex41.cu"
holds "a name is shown, not obeyed" soon has told 'mal\x1b[2Jlory <b>x ex41: fail'
rm -r "$work/in/eve"
holds "one that is taken away is not in the class any more" soon grep -q '^"eve",ex41,pass,.*,no,' "$work/report/grades.csv"
holds "nothing was told twice" lines told 5
ends INT
holds "Ctrl-C is its end, and a good one" [ $ended -eq 0 ]
says "it says what came of it" 'ended: 5 graded now, 0 known before'
expect "the record is one of any class" 0 '^0 graded now, 3 known before' "$threelane" grade "$work/in" -o "$work/report"

# ---- as objects; killed, and gone on; without the kernel's help ----
cp "$solution" "$work/in/zoe_ex41.cu"
follow report --json
holds "what came meanwhile is graded, as an object in a line" \
    soon grep -q '^{"format":1,"student":"zoe","exercise":"ex41","path":"zoe_ex41.cu","verdict":"pass".*}$' "$work/told"
holds "what is known is not told again" lines told 1
ends KILL
export THREELANE_POLL=1
follow report
echo 'int nothing' >"$work/in/kim_ex41.cu"
holds "killed, it goes on; it finds things out by itself where nobody tells" soon has told 'kim ex41: compile error'
unset THREELANE_POLL
ends TERM
says "told to end" 'ended: 1 graded now, 4 known before'

# ---- a full disk ----
mkdir "$work/small"
if unshare --mount mount -t tmpfs -o size=150k none "$work/small" 2>/dev/null; then
    expect "a full disk is told, and ends it" 7 'full|No space' unshare --mount sh -c '
        mount -t tmpfs -o size=150k none "$1" && exec "$2" grade "$3" --follow -o "$1/report" --seed 5' sh \
        "$work/small" "$threelane" "$work/in"
else
    skip "a full disk is told, and ends it" "nothing can be mounted"
fi
finish
