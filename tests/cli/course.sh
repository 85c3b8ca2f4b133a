#!/bin/sh
# The course itself: solutions that are right in another way pass, solutions hold on other device models, and the
# lessons show what the tool draws. (That starters and wrong variants fail, and how, is `threelane lint`.)
# A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export NO_COLOR=1
cp -R exercises lessons tests/fixtures/alternatives "$work" && cd "$work" || exit 1

# verdict NAME STATUS: the last command's status
verdict() { if [ "$2" -eq 0 ]; then ok "$1"; else bad "$1"; fi; }

for source in alternatives/*.cu; do
    name=$(basename "$source" .cu)
    "$threelane" run "${name%%-*}" --src "$source" --explore "${EXPLORE:-25}" >out 2>&1
    verdict "$name is right, too, on ${EXPLORE:-25} schedules" $?
done

# 45 needs batches of some MiB to overlap on the h200 model, as on the card; 43 has them there
for run in ex41:classroom ex41:h200 ex43:classroom ex43:h200 ex44:classroom ex44:h200 ex44:one-copy-engine ex45:classroom; do
    exercise=${run%:*} model=${run#*:}
    "$threelane" run "$exercise" --src exercises/"$exercise"-*/solution.cu --model "$model" >out 2>&1
    verdict "$exercise's solution passes on the model $model" $?
done

# what somebody who has not heard of events can do about it
"$threelane" run ex41 --src exercises/ex41-streams/wrong/no-sync.cu >out 2>&1
tr -s ' \n' '  ' <out | grep -q 'To order them, let the host wait for stream [23] (cudaStreamSynchronize) before it goes on to harness'
verdict "a race with the harness is not told to be mended in the harness" $?

# the name of a function is spelled wrong
sed 's/fiveKernels/fiveKernel/' exercises/ex41-streams/solution.cu >typed.cu
"$threelane" run ex41 --src typed.cu >out 2>&1
tr -s ' \n' '  ' <out | grep -q 'Next: .fiveKernels(float\*, float\*). is called and nowhere to be found'
verdict "a function that is not there is named" $?

missing=0
for number in $(grep -ho 'exercises* [0-9][0-9]' lessons/*.md | grep -o '[0-9]*' | sort -u); do
    ls lessons/ex"$number"-* >/dev/null 2>&1 || { echo "- exercise $number"; missing=1; }
done >out
verdict "the lessons name only exercises that there are" $missing

# another number of batches: another report, and a right one
sed -i 's/^BATCHES = 4/BATCHES = 6/' exercises/ex43-*/exercise.ini
"$threelane" run ex43 --src "$(echo exercises/ex43-*/solution.cu)" >out 2>&1
grep -qx 'Batches: 6, Each stage: 1 time unit' out && grep -qx 'Total: 18 time units' out &&
    grep -qx 't=5: \[D2H3\] \[K4  \] \[H2D5\]' out && grep -qx 'Total: 8 time units' out && grep -qx 'Speedup: 2.25x' out
verdict "six batches change the report of ex43" $?

cp -R lessons drawn_before
BIN=$(dirname "$threelane") sh lessons/figures/draw >out 2>&1 && diff -r drawn_before lessons >>out 2>&1
verdict "the lessons' figures are what the tool draws (again: lessons/figures/draw)" $?
finish
