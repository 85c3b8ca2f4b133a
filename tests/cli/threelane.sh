#!/bin/sh
# The threelane command as a person uses it, on a small course of its own: what is good, and everything that is wrong.
# THREELANE names the command. A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export HOME="$work"

# A fresh course in $work/course.
course() {
    rm -rf "$work/course"
    mkdir -p "$work/course"
    cp -R "$repository/tests/fixtures/exercises" "$repository/tests/fixtures/lessons" "$work/course"
    cp "$repository/exercises/harness.h" "$work/course/exercises"
    [ ! -d "$work/cache" ] || { mkdir "$work/course/.threelane" && cp -R "$work/cache" "$work/course/.threelane/cache"; }
    cd "$work/course" || exit 1
}
# program NAME BODY: a source whose squares() has this body
program() {
    printf '#include "ex90.h"\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\nvoid squares(const float *h_in, float *h_out, float *d_in, float *d_out)\n{\n%s\n}\n' "$2" >"$1"
}
run() { "$threelane" run ex90 "$@"; }
solution=exercises/ex90-square/solution.cu

course

# ---- the course's order is that of the numbers, whatever the folders' is ----
mkdir "$work/many"
for number in 94 91 99 95 92 98 93 97; do
    cp -R exercises/ex90-square "$work/many/ex$number-x"
    sed -i "s/^id = ex90/id = ex$number/" "$work/many/ex$number-x/exercise.ini"
done
"$threelane" list --exercises "$work/many" >"$work/out" 2>&1
holds "exercises are listed by number" [ "$(grep -oE '^ *ex9[0-9]' "$work/out" | tr -d ' \n')" = ex91ex92ex93ex94ex95ex97ex98ex99 ]

# ---- usage ----
expect "help" 0 "threelane COMMAND" "$threelane" help
expect "version" 0 "^threelane [0-9]" "$threelane" --version
expect "no command" 2 "usage" "$threelane"
expect "unknown command" 2 "no command 'fly'" "$threelane" fly
expect "unknown option" 2 "run does not take --speed" run --speed 3
expect "option without value" 2 "needs a value" run --model
expect "bad number" 2 "--timeout is a number" run --timeout soon
expect "bad seed" 2 "--seed is a whole number" run --seed -4
expect "missing exercise" 2 "usage: threelane run EX" "$threelane" run
expect "unknown exercise lists the known ones" 2 "no exercise 'ex99'; there are: ex90" "$threelane" run ex99
mkdir "$work/empty"
expect "no such folder of exercises" 2 "nowhere: No such file" "$threelane" list --exercises "$work/nowhere"
expect "folder without exercises" 2 "has no exercises" "$threelane" list --exercises "$work/empty"
expect "exercises by variable" 0 "ex90" env THREELANE_EXERCISES="$work/course/exercises" sh -c "cd / && '$threelane' list"
expect "course found from inside" 0 "ex90" sh -c "cd exercises/ex90-square && '$threelane' list"

# ---- a student's way ----
expect "list: new" 0 "ex90 .*Squares in a stream.*Easy.*10.*new" "$threelane" list
expect "hint before a run" 1 "try .threelane run ex90. first" "$threelane" hint ex90
expect "next" 0 "Exercise 90" "$threelane" next
expect "untouched starter fails" 1 "This is the starter as it came" run
also "starter: what to edit" "edit exercises/ex90-square/ex90.cu"
also "failed check: cause with file and line" "ex90\.cu:7"
also "failed check: first hint" "Hint: Look at the fourth launch argument"
also "blocked checks are one line" "^blocked .*0/[0-9]+ +[0-9]+ more checks? waits? for what fails above"
also "points" "6 of 10 points"
also "points that the starter has as it came" "the starter has these as it came"
cp -R .threelane/cache "$work/cache"
expect "list: tried; the starter is no head start" 0 "tried \(0 points\)" "$threelane" list
expect "hint 1" 0 "Hint 1 of 3: Look at the fourth" "$threelane" hint ex90
expect "hint 2" 0 "Hint 2 of 3: Work that names no stream" "$threelane" hint ex90
expect "hint 3" 0 "Hint 3 of 3" "$threelane" hint ex90
expect "no hint 4" 0 "That was the last one" "$threelane" hint ex90
expect "solution is refused before passing" 1 "after you have passed" "$threelane" solution ex90
rm .threelane/ex90.first.lane
sed -i 's/^ *cudaMemcpy(d_in.*/&&/; $a/* mine */' exercises/ex90-square/ex90.cu
expect "another try" 1 "6 of 10 points" run
op=$(cat .threelane/ex90.point)
holds "what the viewer stands on first is an operation of that run" grep -qP "^op\t$op\t" .threelane/ex90.lane
also "why, once more at the end" "^Why: "
holds "... and where" sh -c 'tail -n 6 "$1" | grep -q "ex90\.cu:7"' sh "$work/out"
expect "list: points of one's own" 0 "tried \(6 points\)" "$threelane" list
expect "solution by force" 0 "cudaStreamDestroy" "$threelane" solution ex90 --force
expect "another file is judged" 0 "10 of 10 points" run --src "$solution"
expect "another file is no progress" 0 "tried" "$threelane" list
cp "$solution" exercises/ex90-square/ex90.cu
expect "solved" 0 "All checks passed: 10 XP" run
also "report" "t=1: \[K0  \]"
also "lanes" "^H2D "
holds "a pass is about no operation" [ ! -e .threelane/ex90.point ]
also "before and after" "^Your first run: .* units?$"
also "... which is this one" "^This one: 3\.0 units$"
holds "... with a line above each" sh -c 'grep -B 1 -e "^This one:" -e "^4\.0 units -> 3" "$1" | grep -c "^$" | grep -q 2' sh "$work/out"
also "... and what was saved" "^4\.0 units -> 3\.0 units: 1\.33 times as fast"
also "what was learned" "^Learned: What is in a stream of its own"
also "the interview question, on one line" "^Asked in interviews: Why does a stream of its own help\?"
expect "progress" 0 "^ex90 .*passed +4\.0 units -> 3\.0 units" "$threelane" progress --ascii
also "progress: the finale" "That is the whole course"
expect "progress as a page" 0 "progress.html" "$threelane" progress -o "$work/progress.html"
holds "... with both runs" [ "$(grep -c '<section' "$work/progress.html")" -ge 2 ]
expect "progress where nothing can be written" 2 "No such file" "$threelane" progress -o "$work/no/progress.html"
cp .threelane/ex90.first.lane "$work/first.lane"
sed -i 's/^meta	model	unit$/meta	model	another/' .threelane/ex90.first.lane
expect "progress compares runs of one machine only" 0 "^ex90 .*passed *$" "$threelane" progress --ascii
expect "and so does a pass" 0 "All checks passed" run
holds "... which draws no before and after" sh -c '! grep -q "^Your first run" "$1"' sh "$work/out"
cp "$work/first.lane" .threelane/ex90.first.lane
printf '\n/* mine */\n' >>exercises/ex90-square/ex90.cu
expect "the solution beside one's own" 0 "^Yours +A solution" "$threelane" solution ex90 --width 120
also "... what only one has is marked" "^/\* mine \*/ +<"
cp "$solution" exercises/ex90-square/ex90.cu
expect "list: passed" 0 "passed" "$threelane" list
also "total XP" "10 of 10 XP"
expect "next: nothing left" 0 "Every exercise is passed" "$threelane" next
expect "solution after passing" 0 "cudaStreamDestroy" "$threelane" solution ex90
expect "nothing to hint at" 0 "nothing to hint at" "$threelane" hint ex90
expect "lesson" 0 "A lesson for the tests" "$threelane" lesson ex90

# ---- how good it is, where shortness earns points ----
cp exercises/ex90-square/exercise.ini "$work/plain.ini"
printf '\n[check short]\ntitle = It is short\nkind = makespan\nselect = work@squares\nmost = 3000000\nzero = 9000000\nneeds = results\npoints = 2\nhint1 = a\nhint2 = b\nhint3 = c\n' \
    >>exercises/ex90-square/exercise.ini
cp exercises/ex90-square/starter.cu exercises/ex90-square/ex90.cu
expect "what the starter does is nobody's score" 1 '' run
holds "... yet" sh -c '! grep -q "^score" .threelane/progress'
cp "$solution" exercises/ex90-square/ex90.cu
expect "a score" 0 'All checks passed' run
holds "is kept" grep -q '^score ex90 short ' .threelane/progress
cp "$work/plain.ini" exercises/ex90-square/exercise.ini
expect "reset: no" 1 "Nothing was changed" "$threelane" reset ex90
holds "reset: no changes nothing" cmp -s "$solution" exercises/ex90-square/ex90.cu
expect "reset: yes" 0 "kept as .threelane/backup/ex90.cu.*bak" "$threelane" reset ex90 --yes
holds "reset restores the starter" cmp -s exercises/ex90-square/starter.cu exercises/ex90-square/ex90.cu
holds "reset keeps a backup" cmp -s "$solution" .threelane/backup/ex90.cu.*.bak
cp "$solution" exercises/ex90-square/ex90.cu
"$threelane" reset ex90 --yes >/dev/null 2>&1
holds "reset never overwrites a backup" [ "$(ls .threelane/backup | wc -l)" -eq 2 ]
expect "reset of an untouched starter" 0 "untouched starter already" "$threelane" reset ex90 --yes
expect "other model" 0 "10 of 10 points" run --src "$solution" --model classroom
expect "other seed" 0 "10 of 10 points" run --src "$solution" --input 5
holds "the trace is kept" [ -s .threelane/ex90.lane ]

# ---- bad sources, each with a status of its own ----
printf '#include "ex90.h"\nvoid squares(const float *h_in, float *h_out, float *d_in, float *d_out)\n{\n    int x = ;\n}\n' >bad.cu
expect "does not compile" 3 "bad\.cu:4:[0-9]+: error" run --src bad.cu
also "does not compile: what to do" "mend the first error"
program missing.cu ''
sed -i 's/void squares/void circles/' missing.cu
expect "function missing" 3 "squares" run --src missing.cu
program crash.cu '*(volatile int *)8 = 1;'
expect "crash" 4 "crash|signal|memory" run --src crash.cu --timeout 20
program leaves.cu 'exit(3);'
expect "ends with an error" 4 "ended with status 3" run --src leaves.cu
also "ends early: what it did not come to is not judged" "^blocked .*the program did not end by itself"
never "ends early: nothing fails for being missing" "^FAIL"
also "ends early: the last line" "why the program stops before its end"
program forever.cu 'for (volatile int i = 0; ; i++) {}'
expect "never ends" 5 "did not end within 1 s" run --src forever.cu --timeout 1
also "never ends: how to get more time" "--timeout"
program asleep.cu 'signal(SIGTERM, SIG_IGN); signal(SIGINT, SIG_IGN); while (1) raise(SIGSTOP);'
expect "stops itself" 5 "did not end within 1 s" run --src asleep.cu --timeout 1
program prints.cu 'while (1) puts("again and again");'
expect "prints without end" 6 "printed more than 1024 KiB" run --src prints.cu --timeout 30
also "prints without end: output is bounded" "more line"
program hungry.cu 'for (;;) { char *p = (char *)malloc(1 << 26); if (p) memset(p, 1, 1 << 26); }'
expect "takes all memory" 6 "MiB of memory" run --src hungry.cu --timeout 60
program unsupported.cu 'cudaIpcMemHandle_t handle; cudaIpcGetMemHandle(&handle, d_in);'
expect "unsupported call is named with its line" 4 "unsupported.cu:10: cudaIpcGetMemHandle is not simulated" run --src unsupported.cu
program printer.cu "$(sed 's/.*/puts("&");/' exercises/ex90-square/golden.txt)"
expect "prints the golden text without the work" 1 "printed the expected report itself" run --src printer.cu
also "printer: results fail" "FAIL +0/3 +The results are right"
program control.cu 'printf("\033[2J\007\302\233x\n"); squares_done: (void)0;'
expect "control characters are shown, not sent" 1 '\\x1b\[2J\\x07' run --src control.cu --color never
holds "no escape reaches the terminal" sh -c "! grep -q \"\$(printf '\\033')\" '$work/out'"
program fork.cu 'if (fork() == 0) { setsid(); close(1); close(2); sleep(1000); }'
run --src fork.cu >"$work/out" 2>&1
holds "nothing is left running" sh -c "! ps -eo args 2>/dev/null | grep '$work' | grep -v grep | grep -q program-"
program files.cu 'for (int fd = 3; fd < 20; fd++) { char name[40]; sprintf(name, "/proc/self/fd/%d", fd); char to[200]; long got = readlink(name, to, 199); if (got > 0) { to[got] = 0; if (strstr(to, "secret")) printf("inherited %d\n", fd); } }'
run --src files.cu >"$work/out" 2>&1 9>"$work/secret"
never "no descriptor is inherited" "inherited"

expect "no such file" 2 "nothing.cu: No such file" run --src nothing.cu
mkdir folder.cu
expect "source is a folder" 2 "a folder" run --src folder.cu
mkfifo fifo.cu
expect "source is a fifo" 2 "not a regular file" run --src fifo.cu
: >empty.cu
expect "source is empty" 2 "is empty" run --src empty.cu
printf 'a\000b' >binary.cu
expect "source is binary" 2 "not a text file" run --src binary.cu
dd if=/dev/zero of=huge.cu bs=1 count=1 seek=104857600 2>/dev/null
expect "source of 100 MB" 2 "larger than 4 MiB" run --src huge.cu
rm -f huge.cu
cp "$solution" notes.txt
expect "source of another kind" 2 "ends in .cu" run --src notes.txt
cp "$solution" "my file -o x.cu"
expect "source with blanks and dashes" 0 "10 of 10 points" run --src "my file -o x.cu"
cp "$solution" ./-dash.cu
expect "source that begins with a dash" 0 "10 of 10 points" run --src=-dash.cu
mkdir "$work/else where"
cp "$solution" "$work/else where/a.cu"
expect "source outside the course" 0 "10 of 10 points" run --src "$work/else where/a.cu"

# ---- broken courses ----
expect "no compiler" 7 "tlcc was not found" env THREELANE_TLCC=/nonexistent/tlcc "$threelane" run ex90
course
rm exercises/ex90-square/exercise.ini
expect "exercise file missing" 7 "exercise.ini: No such file" run
course
echo 'speed = 3' >>exercises/ex90-square/exercise.ini
expect "exercise file damaged" 7 "exercise.ini:[0-9]+: unknown key 'speed'" run
head -c 2000 /dev/urandom >exercises/ex90-square/exercise.ini
expect "exercise file is noise" 7 "exercise.ini" run
expect "list names the damaged one" 7 "exercise.ini" "$threelane" list
course
rm exercises/ex90-square/harness.cu
expect "harness missing" 7 "harness.cu: No such file" run
course
echo 'broken' >>exercises/ex90-square/harness.cu
expect "harness broken" 7 "harness of this exercise does not compile" run
course
echo '{magic}' >>exercises/ex90-square/report.txt
expect "report template broken" 7 "report.txt:5: unknown field" run
course
rm exercises/ex90-square/ex90.cu
expect "the student's file is gone" 2 "ex90.cu: No such file.*ex90-reset|reset ex90.* brings the starter back" run
expect "reset brings it back" 0 "untouched starter again" "$threelane" reset ex90 --yes
course
printf '[model]\nname = \n\001\002 = = =\n' >broken.ini
expect "device file damaged" 2 "broken.ini" run --src "$solution" --model ./broken.ini
expect "no such model" 2 "no device model .nosuch.; there are unit" run --src "$solution" --model nosuch
never "no such model: whose fault it is" "fault|broken|Next"
course
rm -rf .threelane
echo occupied >.threelane
expect "unwritable folder: a verdict all the same" 0 "10 of 10 points" run --src "$solution"
also "unwritable folder: a warning" "warning: .*\.threelane cannot be written"
expect "unwritable folder: hint" 1 "try" "$threelane" hint ex90
expect "unwritable folder: reset changes nothing" 2 "nothing was changed" sh -c "cp '$solution' exercises/ex90-square/ex90.cu; '$threelane' reset ex90 --yes"
course

# ---- show ----
run --src "$solution" >/dev/null 2>&1
trace=.threelane/ex90.lane
expect "show lanes" 0 "^Kernels" "$threelane" show "$trace" --range squares
expect "show by stream" 0 "stream 1" "$threelane" show "$trace" --range squares --by stream
expect "show cells" 0 "t=2: \[D2H0\]" "$threelane" show "$trace" --range squares --as cells
expect "show line" 0 "\[H2D0\]\[K0\]\[D2H0\]" "$threelane" show "$trace" --range squares --as line
expect "show waits" 0 "K0 waited" "$threelane" show "$trace" --range squares --as waits
expect "show perfetto" 0 "traceEvents" "$threelane" show "$trace" --as perfetto
"$threelane" show "$trace" --as svg -o "$work/a.svg" >"$work/out" 2>&1
holds "svg is one" grep -q "</svg>" "$work/a.svg"
expect "show: no such form" 2 "not 'tea'" "$threelane" show "$trace" --as tea
expect "show: a page is called after the exercise" 0 "<title>ex90" "$threelane" show .threelane/ex90.lane --as html
expect "show: no such range" 2 "there are: squares" "$threelane" show "$trace" --range none
expect "show: no such file" 1 "nowhere.lane: no such file" "$threelane" show nowhere.lane
expect "show: not a trace" 1 "bad.cu|trace" "$threelane" show exercises/ex90-square/ex90.cu
head -c 700 "$trace" >cut.lane
expect "show: a truncated trace" 0 "ends early" "$threelane" show cut.lane
expect "show: into a missing folder" 2 "No such file" "$threelane" show "$trace" -o /nonexistent/x
expect "show: ascii" 0 "#|=" "$threelane" show "$trace" --range squares --ascii
expect "colours when asked" 0 "$(printf '\033')\\[" "$threelane" show "$trace" --color always
expect "no colours in a pipe" 0 "Kernels" "$threelane" show "$trace"
never "no colours in a pipe: none" "$(printf '\033')\\["

# ---- narrow terminals ----
expect "20 columns: run" 1 "FAIL" run --width 20
holds "20 columns: sentences fit" sh -c "sed -n '/^Checks/,\$p' '$work/out' | awk 'length > 20 { bad = 1 } END { exit bad }'"
expect "20 columns: list" 0 "Squares in a" "$threelane" list --width 20
holds "20 columns: list fits" awk 'length > 20 { exit 1 }' "$work/out"
expect "20 columns: show" 0 "." "$threelane" show "$trace" --range squares --width 20
holds "20 columns: show fits" awk 'length > 20 { exit 1 }' "$work/out"
expect "COLUMNS counts" 0 "Squares" env COLUMNS=20 "$threelane" list
holds "COLUMNS counts: fits" awk 'length > 20 { exit 1 }' "$work/out"

# ---- authors ----
expect "golden: the same" 0 "is what the solution reports" "$threelane" golden ex90
echo "one more line" >>exercises/ex90-square/golden.txt
expect "golden: the difference" 1 "^- one more line" "$threelane" golden ex90
expect "golden: written" 0 "is written" "$threelane" golden ex90 --write
mv exercises/ex90-square/golden.txt golden-kept && mkdir exercises/ex90-square/golden.txt
expect "golden: not to be read" 7 "golden.txt: Is a directory" "$threelane" golden ex90
rmdir exercises/ex90-square/golden.txt && mv golden-kept exercises/ex90-square/golden.txt
holds "golden: byte for byte" cmp -s exercises/ex90-square/golden.txt "$repository/tests/fixtures/exercises/ex90-square/golden.txt"
cp exercises/ex90-square/starter.cu exercises/ex90-square/ex90.cu
expect "lint: fine" 0 "1 exercise, 0 violations" "$threelane" lint
cp "$solution" exercises/ex90-square/ex90.cu
touch exercises/ex90-square/notes.orig
rm exercises/ex90-square/wrong/half.cu lessons/ex90-square.md
sed -i -e '/^hint2 = Copies/d' -e '/^hint-deadlock/d' exercises/ex90-square/exercise.ini
sed -i 's/caught-by: balanced/caught-by: results/' exercises/ex90-square/wrong/leak.cu
sed 's/caught-by: default/caught-by: nothing/' exercises/ex90-square/wrong/default-copy.cu >exercises/ex90-square/wrong/other.cu
echo "x" >>exercises/ex90-square/golden.txt
rm exercises/ex90-square/right/other-grid.cu
sed -i '/cudaStreamDestroy/d' exercises/ex90-square/right/query.cu
sed -i 1d exercises/ex90-square/right/priority.cu
{ echo "// caught-by: stop: the stream was destroyed"; echo "// nothing is wrong"; cat "$solution"; } >exercises/ex90-square/wrong/stop.cu
{ echo "// caught-by: explore"; echo "// nothing is wrong"; cat "$solution"; } >exercises/ex90-square/wrong/explore.cu
sed '1s/.*/\/\/ caught-by: default + results/' exercises/ex90-square/wrong/default-copy.cu >exercises/ex90-square/wrong/both.cu
expect "lint: violations" 1 "violations" "$threelane" lint ex90
also "lint: starter copy" "ex90.cu is not starter.cu"
also "lint: stray file" "stray file: notes.orig"
also "lint: lesson" "no lesson"
also "lint: hint" "\[check results\] has no hint2"
also "lint: hint for a deadlock" "no hint-deadlock"
also "lint: golden" "golden.txt is not what the solution reports"
also "lint: not caught" "wrong/leak.cu: \[check results\] should fail, but it passes"
also "lint: caught by another" "wrong/leak.cu: \[check balanced\] fails too"
also "lint: unknown check" "wrong/other.cu: there is no check 'nothing'"
also "lint: too few right ways" "5 right variants; at least 6 are needed"
also "lint: a right way that fails" "right/query.cu does not pass \[check balanced\]"
also "lint: a right way that says nothing" "right/priority.cu: the first line does not say"
also "lint: not stopped" "wrong/stop.cu: it should be stopped with \"the stream was destroyed\""
also "lint: only one of two" "wrong/both.cu: \[check results\] should fail, but it passes"
cp "$solution" exercises/ex90-square/starter.cu
cp "$repository/tests/fixtures/exercises/ex90-square/golden.txt" exercises/ex90-square/golden.txt
expect "lint: a starter that passes" 1 "the starter passes" "$threelane" lint
also "lint: TODO" "starter.cu has no TODO"
also "lint: nothing explored breaks it" "wrong/explore.cu: none of 100 schedules breaks it"
{ echo "// caught-by: default"; echo "// nothing is wrong"; cat "$solution"; } >exercises/ex90-square/wrong/default-kernel.cu
expect "lint: each that one check catches" 1 "wrong/default-kernel.cu: .check default. should fail" "$threelane" lint
expect "lint --few: the first of them" 1 "wrong/leak.cu: .check results. should fail" "$threelane" lint --few
never "lint --few: no other" "default-kernel"

finish
