#!/bin/sh
# What hidden parameters are worth: nothing of a hidden run reaches the student, who teaches can see it, and no attempt
# teaches anything for the next one. A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export NO_COLOR=1 HOME="$work"

has() { grep -qF -e "$2" "$work/$1"; }
lacks() { ! grep -qrE -e "$2" "$work/$1"; }

course "$work/course"
cd "$work/course" || exit 1
ex43=exercises/ex43-overlap
sed -i 's/^runs = .*/runs = 1/' $ex43/hidden.ini

unboxed=
"$threelane" grade --exercise ex43 $ex43/solution.cu --json >"$work/out" 2>&1
if grep -q 'no sandbox works here' "$work/out"; then unboxed=--unsafe; fi
# shellcheck disable=SC2086  # an option or nothing
grade() { "$threelane" grade $unboxed "$@"; }

# right with 4 batches, which everybody knows, and in one stream with others
sed 's/stream\[i\]);$/stream[BATCHES == 4 ? i : 0]);/; s/Create(&stream.*/Create(\&stream[i]);/
     s/Synchronize(stream.*/Synchronize(stream[i]);/; s/Destroy(stream.*/Destroy(stream[i]);/
     s/, 0, stream\[i\]>>>/, 0, stream[BATCHES == 4 ? i : 0]>>>/' $ex43/solution.cu >"$work/fixed.cu"
{ echo '#include <stdio.h>'; echo '#include <stdlib.h>'; sed 's/^{/{ if (BATCHES != 4) { printf("TOLD-%d\\n", BATCHES); fflush(stdout); exit(20 + BATCHES); }/' \
    $ex43/solution.cu; } >"$work/ends.cu"
{ cat $ex43/solution.cu; echo 'static_assert(BATCHES == 4, "told");'; } >"$work/asserts.cu"
drawn='BATCHES=[3568]|TOLD-[0-9]|status 2[0-9]|reduces to|static assertion'

# ---- one file ----
expect 'a check that only a hidden run fails' 1 'does not hold with parameters that are drawn' grade --exercise ex43 "$work/fixed.cu" --json
never 'says nothing of the run' "$drawn"
also 'and where to look' 'asks the same with BATCHES=7'
expect 'who teaches sees it' 1 '"hidden":"[^"]*with BATCHES=[3568]' grade --exercise ex43 "$work/fixed.cu" --json --teacher
expect 'also without JSON' 1 'with BATCHES=[3568]' grade --exercise ex43 "$work/fixed.cu" --teacher
expect 'a hidden run that ends badly' 4 'does not come to a good end with hidden parameters' grade --exercise ex43 "$work/ends.cu" --json
never 'what it printed and its status are not told' "$drawn"
also 'nor why' '"reason":"hidden"'
expect 'to who teaches they are' 4 'with BATCHES=.*status 2[3568].*TOLD-[3568]' grade --exercise ex43 "$work/ends.cu" --json --teacher
expect 'for Gradescope' 4 '"output":".*with hidden parameters' grade --exercise ex43 "$work/ends.cu" --gradescope
never 'the same' "$drawn"
expect 'a source that compiles with known parameters only' 3 'does not compile with other parameters' grade --exercise ex43 "$work/asserts.cu" --json
never 'its messages stay here' "$drawn"
also 'the link error of a later line does not matter' '"undefined":null'
expect 'to who teaches they are told' 3 'static assertion' grade --exercise ex43 "$work/asserts.cu" --json --teacher

# ---- attempts ----
draws() { for n in $2; do grade --exercise ex43 "$work/fixed.cu" --json --teacher --seed "$1" --attempt "$n" |
    grep -o 'with BATCHES=[3568]' | head -n 1; done; }
draws 11 '1 2 3 4 5 6' >"$work/out"
holds 'every attempt has a draw of its own' [ "$(sort -u "$work/out" | wc -l)" -gt 1 ]
draws 11 '1 2 3' >"$work/again"
holds 'the same attempt has the same' [ "$(head -n 3 "$work/out")" = "$(cat "$work/again")" ]

class=$work/class
mkdir -p "$class/ada" "$class/bob"
cp "$work/fixed.cu" "$class/ada/ex43.cu"
cp $ex43/solution.cu "$class/bob/ex43.cu"
expect 'a class' 0 '^2 submissions: 1 passed, 1 not' grade "$class" ex43 -o "$work/report" --seed 11
holds 'the record has what happened' grep -qE '"hidden":"[^"]*with BATCHES=[3568]' "$work/report/results.json"
for file in students index.html junit.xml results.tap grades.csv; do
    holds "$file has not" lacks "report/$file" 'BATCHES=[3568]|H2D[4-7]'
done
attempts() { grep -o '"student":"[a-z]*"\|"attempt":[0-9]*' "$work/report/results.json" | paste -sd ' ' | sed 's/"student"://g; s/"attempt"//g; s/"//g'; }
holds 'it is the first attempt of each' [ "$(attempts)" = 'ada :1 bob :1' ]
cp "$work/report/results.json" "$work/first.json"
expect 'nothing has changed' 0 '^0 graded now, 2 known' grade "$class" ex43 -o "$work/report"
same 'nor has the verdict' "$work/first.json" "$work/report/results.json"
for attempt in 2 3 4; do
    echo "// again $attempt" >>"$class/ada/ex43.cu"
    expect "attempt $attempt is graded" 0 '^1 graded now, 1 known' grade "$class" ex43 -o "$work/report"
    holds 'and counted' [ "$(attempts)" = "ada :$attempt bob :1" ]
    grep -o 'with BATCHES=[3568]' "$work/report/results.json" | head -n 1 >>"$work/of-ada"
done
draws 11 '2 3 4' >"$work/of-one-file"
same 'the draws of a class are those of one file, attempt by attempt' "$work/of-ada" "$work/of-one-file"
expect 'with the first draw, if that is wanted' 0 '^1 graded now' \
    sh -c 'echo "// once more" >>"$1/ada/ex43.cu"; shift; "$@"' sh "$class" "$threelane" grade $unboxed "$class" ex43 -o "$work/report" --same-draw
holds 'it is as if it was the first' [ "$(attempts)" = 'ada :1 bob :1' ]

expect 'a new seed' 0 '^2 graded now, 0 known before; seed [0-9]+$' grade "$class" ex43 -o "$work/report" --renew
seed=$(sed -n 's/.*; seed //p' "$work/out")
holds 'that is another' [ "$seed" != 11 ]
holds 'everybody begins with it anew' [ "$(attempts)" = 'ada :1 bob :1' ]
expect 'it stays' 0 "^0 graded now, 2 known before; seed $seed\$" grade "$class" ex43 -o "$work/report"

# ---- the seed does not reach the box ----
mkdir -p "$work/asks/eve"
{ echo '#include <stdio.h>'; echo 'extern char **environ;'
    sed 's/^{/{ for (char **e = environ; *e; e++) puts(*e);/' $ex43/solution.cu; } >"$work/asks/eve/ex43.cu"
expect 'a program that prints its environment' 0 '1 passed' grade "$work/asks" ex43 -o "$work/asked" --seed 987654321
cat "$work"/asked/students/eve-*.html >"$work/out"
also 'sees the seed of its own input' 'THREELANE_INPUT=[0-9]+'
never 'and not that of the batch' 'THREELANE_INPUT=987654321'

# ---- Gradescope's script counts attempts ----
mkdir -p "$work/autograder/submission" "$work/autograder/source"
cp "$work/fixed.cu" "$work/autograder/submission/ex43.cu"
echo 4711 >"$work/autograder/source/seed"
echo '{"previous_submissions":[{"submission_time":"1","results":{"output":"\"submission_time\""}},{"submission_time":"2"}]}' \
    >"$work/autograder/submission_metadata.json"
printf '#!/bin/sh\necho "$@"\n' >"$work/tells" && chmod +x "$work/tells"
AUTOGRADER="$work/autograder" THREELANE="$work/tells" "$repository/grader/examples/gradescope/run_autograder"
cp "$work/autograder/results/results.json" "$work/out"
says 'the third attempt, with the seed of this image' '--gradescope --attempt 3 --seed 4711'
rm "$work/autograder/submission_metadata.json"
AUTOGRADER="$work/autograder" THREELANE="$work/tells" "$repository/grader/examples/gradescope/run_autograder"
cp "$work/autograder/results/results.json" "$work/out"
says 'the first one, where nothing is known' '--gradescope --attempt 1 --seed 4711'

# ---- what is not asked so ----
expect 'an attempt of a folder' 2 'a folder.s gradebook counts' grade "$class" --attempt 2 -o "$work/no"
expect 'no attempt' 2 'attempt is a whole number from 1' grade --exercise ex43 "$work/fixed.cu" --attempt 0
expect 'a seed drawn and named' 2 'draws a seed and --seed names one' grade "$class" --renew --seed 3 -o "$work/no"
expect 'a new seed for one file' 2 'are for a folder' grade --exercise ex43 "$work/fixed.cu" --renew

# ---- the same words in every box ----
echo 'int main() { return 0; }' >>"$class/bob/ex43.cu"
words() { THREELANE_SANDBOX=$1 "$threelane" grade --exercise ex43 "$class/bob/ex43.cu" --json 2>&1; }
words namespaces >"$work/one"
words landlock >"$work/other"
case $(cat "$work/one"):$(cat "$work/other") in
*'"sandbox":"namespaces'*'"sandbox":"Landlock'*)
    for file in one other; do sed 's/"sandbox":"[^"]*"//' "$work/$file" >"$work/$file.words"; done
    same 'the linker says the same with namespaces and with Landlock' "$work/one.words" "$work/other.words"
    words namespaces | sed 's/"sandbox":"[^"]*"//' >"$work/again"
    same 'and each time' "$work/one.words" "$work/again" ;;
*) skip 'the same words in every box' 'there are not two here' ;;
esac
finish
