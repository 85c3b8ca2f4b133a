#!/bin/sh
# `threelane grade` as an instructor uses it: a class in the usual shapes, the report, going on after being stopped and
# killed, one file, bad input. KILLS=50 kills a batch that often (3).
# A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export NO_COLOR=1 HOME="$work"

has() { grep -qF -e "$2" "$work/$1"; }
lacks() { ! grep -qrF -e "$2" "$work/$1"; }

"$threelane" grade >"$work/out" 2>&1
if grep -q 'built without SQLite' "$work/out"; then
    skip everything "Threelane was built without SQLite"
    finish
fi

course "$work/course"
cd "$work/course" || exit 1
ex43=exercises/ex43-overlap ex41=exercises/ex41-streams

# ---- the box ----
own=$threelane
"$threelane" grade --exercise ex43 $ex43/solution.cu --json >"$work/out" 2>&1
if grep -q 'no sandbox works here' "$work/out"; then
    skip "in a sandbox" "$(cut -c1-150 "$work/out")"
    printf '#!/bin/sh\n[ "$1" != grade ] || set -- "$@" --unsafe\nexec "%s" "$@"\n' "$own" >"$work/threelane"
    chmod +x "$work/threelane"
    threelane=$work/threelane
else
    holds "each verdict says which sandbox it is from" grep -qE '"sandbox":"(namespaces|Landlock), seccomp' "$work/out"
fi

# ---- a class ----
class=$work/class
mkdir -p "$class/ada" "$class/bob/exercises/ex43-overlap" "$class/=cmd" "$class/eve
<b>x"
cp $ex43/solution.cu "$class/ada/ex43.cu"
cp $ex41/solution.cu "$class/ada/ex41.cu"
cp $ex43/wrong/one-stream.cu "$class/bob/exercises/ex43-overlap/ex43.cu"
cp $ex43/harness.cu "$class/bob/exercises/ex43-overlap/harness.cu"
cp $ex43/starter.cu "$class/=cmd/ex43.cu"
echo 'void asyncPipeline(float *' >"$class/eve
<b>x/ex43.cu"
ln -s /etc/passwd "$class/mallory_ex43.cu"
echo 'int nothing;' >"$class/what.cu"
expect "a class is graded, and the summary says where the report is" 0 'report/index.html' \
    "$threelane" grade "$class" -o "$work/report" --seed 5
holds "counts" has out '6 submissions: 2 passed, 4 not'
holds "a pass has its points" has report/grades.csv '"ada",ex43,pass,36,36,25,"ada/ex43.cu",yes'
holds "a clone's own files are the course's, not the student's" has report/grades.csv \
    '"bob",ex43,fail,22,36,0,"bob/exercises/ex43-overlap/ex43.cu",yes'
holds "a name that a spreadsheet would run is text" has report/grades.csv "\"'=cmd\",ex43,fail,"
holds "what does not compile" has report/grades.csv ',ex43,compile error,0,36,0,'
holds "what is a link" has report/grades.csv '"mallory",ex43,refused,0,36,0,'
holds "names are shown, not obeyed" lacks report/index.html '<b>x'
holds "what cannot be told apart is listed" has report/index.html 'what.cu'
holds "every submission has a page" [ "$(ls "$work/report/students" | grep -c -- "-ex[0-9]*\.html$")" -eq 6 ]
holds "and every student" [ "$(ls "$work/report/students" | grep -vc -- "-ex[0-9]*\.html$")" -eq 5 ]
holds "the page names cause and line" grep -qF 'both are in stream 1 (ex43.cu:12)' "$work"/report/students/bob-*.html
holds "it shows both schedules" [ "$(cat "$work"/report/students/bob-*.html | grep -o '<figcaption>' | wc -l)" -eq 2 ]
# every row, cell and paragraph of every page is ended
balanced() {
    awk -v tags='table tr td th p pre figure svg ul li' '
        function told(    i) {
            for (i = 1; i <= n; i++) {
                if (opened[i] != closed[i]) { print page ": " opened[i] " times <" tag[i] ">, " closed[i] " times </" tag[i] ">"; bad = 1 }
                opened[i] = closed[i] = 0
            }
        }
        BEGIN { n = split(tags, tag, " ") }
        FNR == 1 { told(); page = FILENAME }
        { for (i = 1; i <= n; i++) { opened[i] += gsub("<" tag[i] "[ >]", "&"); closed[i] += gsub("</" tag[i] ">", "&") } }
        END { told(); exit bad }' "$work"/report/*.html "$work"/report/students/*.html
}
holds "what a page begins it ends" balanced
holds "JSON" has report/results.json '"student":"ada","exercise":"ex43","path":"ada/ex43.cu","verdict":"pass","points":36'
holds "JUnit" has report/junit.xml '<testsuite name="ada ex43" tests='
holds "TAP" has report/results.tap 'not ok'
cp "$work/report/gradebook.sqlite" "$work/first.sqlite"
expect "again: nothing to do" 0 '^0 graded now, 6 known before; seed 5$' "$threelane" grade "$class" -o "$work/report"
holds "and the gradebook is the same, byte for byte" cmp -s "$work/first.sqlite" "$work/report/gradebook.sqlite"
cp $ex43/solution.cu "$class/=cmd/ex43.cu"
expect "one changed: one is graded" 0 '^1 graded now, 5 known before' "$threelane" grade "$class" -o "$work/report" --same-draw
sed -i -e 's/^points = 5/points = 6/' -e 's/^hint1 = .*/hint1 = Look again./' $ex43/exercise.ini
expect "an exercise's points and hints change: what is known is counted anew" 0 '^0 graded now, 6 known before' \
    "$threelane" grade "$class" -o "$work/report"
holds "with the new points" has report/grades.csv '"ada",ex43,pass,37,37,25,'
holds "also for one that failed" has report/grades.csv '"bob",ex43,fail,22,37,0,'
holds "and the new hints" has report/results.json '"hint":"Look again."'
"$threelane" grade "$class" -o "$work/anew" --seed 5 >"$work/out" 2>&1
holds "as if all had been graded now, byte for byte" diff -r "$work/report" "$work/anew"
sed -i 's/^BATCHES = 7/BATCHES = 6/' $ex43/exercise.ini
expect "a parameter changes: the exercise's submissions are graded, no other" 0 '^5 graded now, 1 known before' \
    "$threelane" grade "$class" -o "$work/report"
cp "$repository/$ex43/exercise.ini" $ex43/exercise.ini
rm "$class/what.cu"
expect "only the exercise that is named" 0 '^1 submissions: 1 passed' \
    "$threelane" grade "$class" ex41 -o "$work/report41"

expect "a device that is none is nobody's zero" 7 '1 GRADER ERRORS' "$threelane" grade "$class" ex41 --model none -o "$work/none"
holds "no points are given or taken" has none/grades.csv '"ada",ex41,grader error,,'

# ---- lengths that earn points by how short they are ----
sed -i '/^\[check makespan\]/,/^hint1/{
s/^is = .*/most = 6 * units(stage)\nzero = 18 * units(stage)\nrecord = 5.5 * units(stage)/
s/^needs = .*/needs = results/
s/^points = 3/points = 8/
}' $ex43/exercise.ini
mkdir -p "$work/race/bob" "$work/race/ada"
cp $ex43/solution.cu "$work/race/bob/ex43.cu"
cp $ex43/wrong/one-stream.cu "$work/race/ada/ex43.cu"
expect "a class with scores" 0 '^2 submissions: 1 passed' "$threelane" grade "$work/race" -o "$work/scores" --seed 5
printf '%s\r\n' exercise,check,rank,student,length,par,record,unit,points,possible \
    'ex43,makespan,1,"bob",6,6,5.5,"units",8,8' 'ex43,makespan,2,"ada",12,6,5.5,"units",3,8' >"$work/wanted"
holds "who is how good at it, as a table" cmp "$work/wanted" "$work/scores/scores.csv"
tr -d '\n' <"$work/scores/index.html" >"$work/page"
holds "and on the page of the class, the best first" \
    grep -qE 'record</td><td class="n">5.5<.*>bob</a></td><td class="n">6<.*>ada</a></td><td class="n">12<' "$work/page"
holds "nobody has a score where there is none" [ "$(wc -l <"$work/report/scores.csv")" -eq 1 ]
sed -i '/^\[check makespan\]/,/^hint1/s/^points = 8/points = 4/' $ex43/exercise.ini
expect "other points are counted anew, by the same part" 0 '^0 graded now, 2 known' "$threelane" grade "$work/race" -o "$work/scores"
holds "one of four instead of three of eight" has scores/scores.csv '"ada",12,6,5.5,"units",1,4'
cp "$repository/$ex43/exercise.ini" $ex43/exercise.ini

# ---- what a limit stops ----
endless=$work/endless
mkdir -p "$endless/print" "$endless/launch" "$endless/flood"
endless() {     # endless NAME STATEMENT: a solution that does that all the time
    { echo '#include <cstdio>'; sed "s/^{/{ for (int i = 0; ; i++) { $2 }/" $ex43/solution.cu; } \
        >"$endless/$1/ex43.cu"
}
endless print 'printf("%d\\n", i); fflush(stdout); for (volatile long k = 0; k < 1000000; k = k + 1) {}'
endless launch 'work<<<BLOCKS, THREADS>>>(d_in, d_out); for (volatile long k = 0; k < 1000000; k = k + 1) {}'
endless flood 'printf("%d\\n", i);'
for batch in once twice; do
    "$threelane" grade "$endless" -o "$work/$batch" --seed 3 --timeout 1 >"$work/out" 2>&1
done
cat "$work"/once/grades.csv >>"$work/out"
holds "programs that never end" [ "$(grep -c 'ex43,timed out,0,36' "$work/once/grades.csv")" -eq 2 ]
holds "and one that prints too much" has once/grades.csv '"flood",ex43,over limit,0,36'
holds "they leave the same record each time" diff -r "$work/once" "$work/twice"

# ---- stopped and killed ----
crowd=$work/crowd
mkdir -p "$crowd"
many=$(( 3 + ${KILLS:-3} / 3 ))         # so many that the last kill still finds something to do
for i in $(seq $many); do
    for kind in solution wrong/leak; do
        mkdir -p "$crowd/$i-$(basename $kind)"
        { cat $ex43/$kind.cu; echo "// $i"; } >"$crowd/$i-$(basename $kind)/ex43.cu"
    done
done
"$threelane" grade "$crowd" -o "$work/whole" --seed 9 >"$work/out" 2>&1
: >"$work/out"      # what is there from before is not taken for its first words
nice -n 19 "$threelane" grade "$crowd" -o "$work/stopped" --seed 9 >"$work/out" 2>&1 &     # who stops it is quicker
grader=$!
soon grep -q "graded (" "$work/out"
kill -INT $grader
wait $grader
holds "stopped: it says that the same command goes on" has out 'the same command goes on'
i=0
while [ $i -lt "${KILLS:-3}" ]; do
    i=$((i + 1))
    "$threelane" grade "$crowd" -o "$work/stopped" --seed 9 >"$work/out" 2>&1 &
    grader=$!
    tenths=$(( (i * 37) % 28 + 3 ))     # before the first verdict, and after some
    sleep "$((tenths / 10)).$((tenths % 10))"
    kill -KILL $grader 2>/dev/null
    wait $grader 2>/dev/null
done
expect "killed again and again, it finishes" 0 "^$((2 * many)) submissions: $many passed, $many not\$" \
    "$threelane" grade "$crowd" -o "$work/stopped" --seed 9
holds "and the gradebook is that of a batch that nobody disturbed" \
    cmp -s "$work/whole/gradebook.sqlite" "$work/stopped/gradebook.sqlite"
if ! cmp -s "$work/whole/gradebook.sqlite" "$work/stopped/gradebook.sqlite" && command -v sqlite3 >/dev/null; then
    for batch in whole stopped; do sqlite3 "$work/$batch/gradebook.sqlite" .dump >"$work/$batch.sql"; done
    diff "$work/whole.sql" "$work/stopped.sql" | cut -c 1-400 | sed 's/^/#   /' | head -n 10
fi
holds "as is everything made of it" diff -r "$work/whole" "$work/stopped"
holds "nothing is left behind" [ -z "$(ls -d .threelane/work-* 2>/dev/null)" ]

# ---- one file ----
expect "one file" 0 '"verdict":"pass","points":36,"possible":36,"seed":[0-9]+,' \
    "$threelane" grade --exercise ex43 $ex43/solution.cu --json
expect "one that fails" 1 '"state":"fail"' "$threelane" grade --exercise ex43 $ex43/wrong/one-stream.cu --json
expect "for Gradescope" 1 '^\{"score":22,"output_format":"text"' \
    "$threelane" grade --exercise ex43 $ex43/wrong/one-stream.cu --gradescope
expect "for a person" 0 '^ex43: pass, 36 of 36 points' "$threelane" grade --exercise ex43 $ex43/solution.cu

# ---- other platforms ----
autograder=$work/autograder
mkdir -p "$autograder/submission"
cp $ex43/wrong/one-stream.cu "$autograder/submission/ex43.cu"
gradescope() { AUTOGRADER="$autograder" THREELANE="$threelane" "$repository/grader/examples/gradescope/run_autograder"; }
gradescope
holds "Gradescope's script leaves its results" has autograder/results/results.json '"score":22'
rm "$autograder/submission/ex43.cu"
gradescope
holds "nothing handed in is told" has autograder/results/results.json 'There is no ex43.cu'
expect "make grade" 0 "^1 submissions" make -s -C "$repository" BIN="$(dirname "$own")" BUILD="$(dirname "$own")/$([ -d "$(dirname "$own")/../obj" ] && echo .. || echo ../build)" grade DIR="$class" \
    REPORT="$work/made" EXERCISES=ex41 THREELANE="$threelane" -o course-tools

# ---- what students get ----
expect "the course is packed for students" 0 '[0-9]* exercises' "$threelane" pack "$work/packed"
holds "with no solution, no wrong variant, nothing hidden" \
    [ -z "$(find "$work/packed" -name 'solution.cu' -o -name wrong -o -name hidden.ini)" ]
expect "it judges what passes" 0 '^All checks passed' "$threelane" run ex43 --exercises "$work/packed" --src $ex43/solution.cu
expect "and the starter" 1 '^Next: edit' "$threelane" run ex43 --exercises "$work/packed"
expect "with another device" 0 '^36 of 36 points that can be had on h200' \
    "$threelane" run ex43 --exercises "$work/packed" --src $ex43/solution.cu --model h200
expect "a solution is not there" 2 'this copy of the course has no solutions' \
    "$threelane" solution ex43 --force --exercises "$work/packed"
rm "$work"/packed/ex43-overlap/solution/*.o
expect "without its objects" 7 'This copy of the course has no solutions' \
    "$threelane" run ex43 --exercises "$work/packed" --src $ex43/solution.cu
expect "packed where something is" 2 'exists already' "$threelane" pack "$work/packed"

# ---- bad input ----
expect "no folder" 2 'No such file' "$threelane" grade "$work/nowhere" -o "$work/r1"
mkdir "$work/empty"
expect "nothing in it" 2 'no hand-ins there' "$threelane" grade "$work/empty" -o "$work/r2"
expect "no such exercise" 2 "no exercise 'ex99'" "$threelane" grade "$class" ex99 -o "$work/r3"
echo hello >"$work/file"
expect "the report cannot be there" 2 'file' "$threelane" grade "$class" -o "$work/file"
mkdir "$work/r4" && echo 'this is no gradebook at all, although it has its name' >"$work/r4/gradebook.sqlite"
expect "no gradebook" 2 'gradebook' "$threelane" grade "$class" -o "$work/r4"
holds "and it is left alone" has r4/gradebook.sqlite 'this is no gradebook'
expect "not a source" 2 'larger|not a' "$threelane" grade --exercise ex43 /dev/zero
echo '[draw nothing]' >$ex43/hidden.ini && echo 'BATCHES = 1..2' >>$ex43/hidden.ini
expect "hidden parameters that make no sense" 2 'hidden.ini.*no such run' "$threelane" grade "$class" ex43 -o "$work/r5"
finish
