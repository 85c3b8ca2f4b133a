#!/bin/sh
# What a course has besides verdicts, as an instructor uses it: tables of a platform, due dates, points by hand, feedback to
# give back, a class without names, earlier classes. (tests/unit/grader/test_grades.c has the tables' details.)
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export NO_COLOR=1 HOME="$work" TZ=UTC

"$threelane" grade >"$work/out" 2>&1
if grep -q 'built without SQLite' "$work/out"; then skip everything "Threelane was built without SQLite"; finish; fi
course "$work/course"
cd "$work/course" || exit 1
"$threelane" grade --exercise ex41 exercises/ex41-streams/solution.cu >"$work/out" 2>&1
unsafe=
grep -q 'no sandbox works here' "$work/out" && unsafe=--unsafe
grade() { "$threelane" grade "$work/class" -o "$work/report" --seed 5 $unsafe "$@"; }

ada="$work/class/Ada Lovelace_11_assignsubmission_file_" bob="$work/class/Bob Byte_12_assignsubmission_file_"
mkdir -p "$ada" "$bob" "$work/old/zoe"
cp exercises/ex41-streams/solution.cu "$ada/ex41.cu"
cp exercises/ex41-streams/starter.cu "$bob/ex41.cu"
cat >"$work/moodle.csv" <<'END'
Identifier,Full name,Grade,Maximum Grade,Last modified (submission),Feedback comments
Participant 11,Ada Lovelace,,100,"Sunday, 22 November 2026, 1:00 AM",
Participant 12,Bob Byte,,100,"Friday, 20 November 2026, 1:00 AM",
END
printf 'exercise,due,percent,days\nex41,2026-11-20 23:59,10,3\n' >"$work/due.csv"
printf 'student,exercise,points,comment\nBob Byte,ex41,7,See me\n' >"$work/amend.csv"

expect 'a class with its tables' 0 '^2 graded now' grade --roster "$work/moodle.csv" --due "$work/due.csv" \
    --amend "$work/amend.csv" --feedback --anonymous
holds 'two days late cost 20 %, and what was judged stands beside it' \
    grep -q '^"Ada Lovelace",ex41,pass,20,25,.*,25,2,.$' "$work/report/grades.csv"
holds 'points by hand' grep -q '^"Bob Byte",ex41,fail,7,25,.*,16,0,"See me".$' "$work/report/grades.csv"
holds 'on the page of the class' grep -q '20<span class="dim"> late' "$work/report/index.html"
holds 'on the own page' grep -q 'judged: 16).*' "$work"/report/students/bob-byte-*-ex41.html
also_there() { grep -q "$1" "$work/report/filled-ex41-moodle.csv"; }
holds 'the platform gets its table back, in its points' also_there '^Participant 11,Ada Lovelace,80.00,100,'
holds 'with feedback' also_there '"fail, 7 of 25 points. ""'
holds 'the report without names has none' sh -c "! grep -rqi 'lovelace\|byte' '$work/report/anonymous' --include=*.html --include=*.csv --include=*.json"
if command -v unzip >/dev/null 2>&1; then
    unzip -Z1 "$work/report/feedback.zip" | sort >"$work/out"
    holds 'what goes back is in folders as they came' grep -qx 'Bob Byte_12_assignsubmission_file_/ex41.html' "$work/out"
    unzip -p "$work/report/feedback.zip" >"$work/out"
    holds 'without a way to the class' sh -c "! grep -q 'index.html' '$work/out'"
else
    skip 'what goes back is in folders as they came' 'there is no unzip'
fi
expect 'tables are known from then on: nothing is judged, nothing lost' 0 '^0 graded now, 2 known' grade
holds 'the points by hand stay' grep -q '^"Bob Byte",ex41,fail,7,25,' "$work/report/grades.csv"
expect 'one is judged once more' 0 '^1 graded now, 1 known' grade --again 'Bob Byte'
holds 'and keeps the points by hand' grep -q '^"Bob Byte",ex41,fail,7,25,' "$work/report/grades.csv"

# other points for a check, when all has been graded: the first one gives 5 more
ini=exercises/ex41-streams/exercise.ini
cp $ini "$work/before.ini"
awk '/^points = / && !n++ { $3 += 5 } { print }' "$work/before.ini" >$ini
expect 'a check gets other points: nothing is judged again' 0 '^0 graded now, 2 known' grade
holds 'who passes has them, less what late days cost of them' \
    grep -q '^"Ada Lovelace",ex41,pass,24,30,.*,30,2,.$' "$work/report/grades.csv"
holds 'points by hand stand' grep -q '^"Bob Byte",ex41,fail,7,30,.*,0,"See me".$' "$work/report/grades.csv"
holds 'the platform gets the new share' also_there '^Participant 11,Ada Lovelace,80.00,100,'
cp "$work/before.ini" $ini

sed 's/letters/one/g; s/numbers/two/g' exercises/ex41-streams/wrong/"$(ls exercises/ex41-streams/wrong | sed -n 1p)" >"$work/old/zoe/ex41.cu"
mkdir "$work/class/cy"
cp "$work/old/zoe/ex41.cu" "$work/class/cy/ex41.cu"
expect 'with an earlier class' 0 'graded now' grade --earlier "$work/old"
holds 'who took it from there is found' grep -q 'earlier: .*/old/zoe/ex41.cu' "$work/report/index.html"

# ---- repositories of students, on GitHub and GitLab ----
examples=$repository/grader/examples
printf '#!/bin/sh\n[ "$1" != grade ] || set -- "$@" %s\nexec "%s" "$@"\n' "$unsafe" "$threelane" >"$work/threelane" && chmod +x "$work/threelane"
export THREELANE="$work/threelane"
expect 'a repository in which nothing was begun' 2 'no exercise was begun' "$examples/judge-begun" ada "$work/begun"
cp exercises/ex41-streams/solution.cu exercises/ex41-streams/ex41.cu
expect 'one that passes' 0 '^ex41: pass, 25 of 25 points$' "$examples/judge-begun" ada "$work/begun"
cp exercises/ex42-pinned-memory/starter.cu exercises/ex42-pinned-memory/ex42.cu
echo '// begun' >>exercises/ex42-pinned-memory/ex42.cu
expect 'and one that does not' 1 '^ex42: fail, ' "$examples/judge-begun" ada "$work/begun"
holds 'with pages, and checks for GitLab' test -s "$work/begun/junit.xml"
rm exercises/ex41-streams/ex41.cu exercises/ex42-pinned-memory/ex42.cu
holds 'which it asks for' grep -q 'junit: report/junit.xml' "$examples/gitlab/.gitlab-ci.yml"
points() { sed -n 's/^points *= *//p' "exercises/$1"*/exercise.ini | awk '{ n += $1 } END { print n }'; }
asked() {
    sed -n 's/.*--exercise \(ex[0-9]*\) \(.*\)/\1 \2/p; s/.*max-score: //p' "$examples/github/classroom.yml" | paste - - >"$work/asked"
    [ -s "$work/asked" ] || return 1
    while read -r id file most; do
        [ -f "${file%/*}/starter.cu" ] && [ "${file##*/}" = "$id.cu" ] && [ "$(points "$id-")" = "$most" ] || { echo "$id $file $most"; return 1; }
    done <"$work/asked"
}
holds 'what GitHub Classroom asks for is there, with its points' asked
unset THREELANE

expect 'nobody of that name' 2 '^threelane: Nobody: nobody of that name has been graded' grade --again Nobody
printf 'student,exercise,points\nAda,ex41,many\n' >"$work/wrong.csv"
expect 'a table that makes no sense is said before anything is judged' 2 'wrong.csv, row 2: points are a whole number: "many"' \
    grade --amend "$work/wrong.csv"
expect 'one file has no class' 2 'are for a folder' "$threelane" grade --exercise ex41 exercises/ex41-streams/solution.cu --anonymous
finish
