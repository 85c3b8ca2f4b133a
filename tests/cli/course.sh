#!/bin/sh
# The course as a whole: what its exercises say to those who are wrong, what students get of it, and that the lessons show
# what the tool draws and quote what was measured. (Each exercise by itself, on every machine: tests/course/run.)
# A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
# shellcheck disable=SC2086  # a list of exercises
[ -z "${EXERCISES:-}" ] || exec tests/course/run $EXERCISES
. tests/lib.sh
export NO_COLOR=1
course "$work" && cp -R sim/devices gpu/FACTS.md "$work" && cd "$work" || exit 1

# verdict NAME STATUS: the last command's status
verdict() { if [ "$2" -eq 0 ]; then ok "$1"; else bad "$1"; fi; }

mv devices/h100.ini devices/another.ini

# another machine is for looking
"$threelane" run ex43 --src exercises/ex43-overlap/solution.cu --model one-copy-engine >out 2>&1
tr -s ' \n' '  ' <out | grep -q 'another machine than the exercise.s own (unit).*none of it counts.*On this machine the solution does not reach it, either; on the exercise.s own it holds' &&
    ! grep -q 'Hint:' out
verdict "what cannot hold on a machine is told, with no advice" $?
"$threelane" run ex43 --src exercises/ex43-overlap/wrong/one-stream.cu --model one-copy-engine >out 2>&1
[ $? -eq 1 ] && grep -q '^FAIL .*busy at once' out
verdict "what fails on the exercise's own machine fails on another, too" $?
cp exercises/ex43-overlap/solution.cu exercises/ex43-overlap/ex43.cu
"$threelane" run ex43 >out 2>&1
"$threelane" list >before 2>&1
"$threelane" run ex43 --model one-copy-engine >out 2>&1 && "$threelane" list >out 2>&1 && cmp -s before out
verdict "a run on another machine changes no progress" $?
cp exercises/ex43-overlap/starter.cu exercises/ex43-overlap/ex43.cu
"$threelane" run ex43 --src exercises/ex43-overlap/solution.cu --model h200 >out 2>&1
grep -q '^Batches: 4, Each stage: 0\.0[0-9]* ms$' out && grep -q '^Total: 0\.[0-9]* ms$' out
verdict "a length is told in the model's unit" $?

# a wait that is wrong only when somebody wakes up by himself
"$threelane" run ex45 --src exercises/ex45-host-callbacks/wrong/if-not-while.cu --explore 100 >out 2>&1
[ $? -eq 1 ] && grep -q 'breaks it' out
verdict "a wake-up that nobody sent finds the if that should be a while" $?

# a stop says why once more at the end, and what to look at
"$threelane" run ex45 --src exercises/ex45-host-callbacks/wrong/lock-held.cu >out 2>&1
tail -n 12 out | grep -q '^It stopped: .*deadlock: ' && tail -n 12 out | grep -q '^Hint: The last lines above say who waits'
verdict "a deadlock's reason and a hint stand last" $?
sed 's/cudaFreeAsync(scratch, mine)/cudaFreeAsync(scratch, 0)/' exercises/ex47-ordered-memory/solution.cu >freed.cu
"$threelane" run ex47 --src freed.cu >out 2>&1
tail -n 16 out | tr -s ' \n' '  ' | grep -q 'It stopped: The program ended with status 1[.] Before that: use-after-free: .*freed[.]cu:25.* Hint: '
verdict "one that ends itself says last what was found before" $?

# the exercise forbids waits in its loop: none is advised
for name in no-pool give-first before-kernel; do
    "$threelane" run ex45 --src exercises/ex45-host-callbacks/wrong/$name.cu >out 2>&1
    sed -n '/^FAIL .*Nothing races/,/Hint:/p' out | tr -s ' \n' '  ' >said
    grep -q 'To order them here, let the host function' said && ! grep -q 'ynchronize\|record an event' said
    verdict "ex45's $name is not told to wait in the loop" $?
done

# what is packed for students has no right/ either
mkdir few && cp -R exercises/harness.h exercises/ex43-* few       # (grade.sh packs all)
"$threelane" pack packed --exercises few >out 2>&1 && [ -f packed/ex43-overlap/harness.cu ] && [ -f packed/ex43-overlap/slow-host.ini ] &&
    ! find packed -name right -o -name wrong | grep -q .
verdict "students get neither right/ nor wrong/" $?
"$threelane" run ex43 --exercises packed --src exercises/ex43-overlap/right/breadth-first.cu --model devices/another.ini >out 2>&1
verdict "a packed course can judge on a model that was measured after it" $?

# what somebody who has not heard of events can do about it
"$threelane" run ex41 --src exercises/ex41-streams/wrong/no-sync.cu >out 2>&1
tr -s ' \n' '  ' <out | grep -q 'To order them, let the host wait for stream [23] (cudaStreamSynchronize; [a-z0-9-]*[.]cu:[0-9]* makes it) before it goes on to harness'
verdict "a race with the harness is not told to be mended in the harness" $?
"$threelane" run ex63 --src exercises/ex63-caching-allocator/wrong/no-record-stream.cu >out 2>&1
tr -s ' \n' '  ' <out | grep -q 'To order them here, give the block out again only when an event knows'
verdict "where a student can order neither of two, the exercise says what helps" $?

# what stands between harness and student was written by the grader: nobody can look at its lines
"$threelane" run ex47 --src exercises/ex47-*/wrong/alloc-elsewhere.cu >out 2>&1
grep -q 'cudaMallocAsync at alloc-elsewhere.cu:[0-9]* for the caller at harness.cu:' out && ! grep -q 'glue' out
verdict "a caller is one of the harness, not of the seam" $?

# ex50 is in the driver API: its calls, its codes, and the harness's variable by its name
said50() { "$threelane" run ex50 --src "exercises/ex50-memset-mystery/wrong/$1.cu" 2>&1 | sed -n '/^Checks/,$p' | tr -s ' \n' '  ' >said; }
said50 elapsed
grep -q 'cuEventElapsedTime (elapsed.cu:[0-9]*) returned error 400 (CUDA_ERROR_INVALID_HANDLE: ' said
verdict "a driver call's error has the driver's name" $?
said50 leak
grep -q '[0-9] calls of cuStreamCreate succeeded, but [0-9] of cuStreamDestroy. Never destroyed: stream ' said
verdict "a pattern of calls is told as the call that was made" $?
said50 events-leak
grep -q '4 calls of cuEventCreate succeeded, but 0 of cuEventDestroy. Never' said
verdict "a call that was never made is told by the name of the one that it belongs to" $?
said50 host-orders
grep -q 'cuStreamSynchronize (host-orders.cu:[0-9]*) must not be here .*; there is 1 more like it' said
verdict "one more is one" $?
said50 room-only
grep -q 'From first to last, memsets, H2D copies and kernels inside `task` took 8.0 units; it should be exactly 6. .* waited .* for ' said
verdict "a makespan over several kinds names them" $?
said50 values-late
grep -q 'race: K0 in stream [0-9]* reads places\[0..8191\], H2D0 ' said
verdict "a race on a variable of the harness has its name" $?
said50 told-beside
grep -q 'host-race: CB0 .* To order them, make stream [0-9]* wait for the event' said && ! grep -q 'let the host wait' said
verdict "a host function is not told to wait as the host" $?

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

# Numbers that lessons quote are those of gpu/FACTS.md: <!-- fact: LINE = NUMBER UNIT = WORDS OF THE LESSON -->. The number
# there, rounded as the lesson has it, is the lesson's, and the lesson says so.
wrong_facts() {
    for lesson in lessons/*.md; do
        tr -s ' \n' '  ' <"$lesson" | sed 's/<!-- fact:.*//' >said
        sed -n 's/^<!-- fact: \(.*\) -->$/\1/p' "$lesson" | while IFS= read -r fact; do
            line=${fact%% = *} rest=${fact#* = } && value=${rest%% = *} words=${rest#* = }
            number=${value%% *} unit=${value#"$number"} && unit=${unit# }
            awk -v line="  $line  " -v number="$number" -v unit="$unit" '
                index($0, line) == 1 {
                    split(substr($0, length(line)), field, " ")
                    digits = index(number, ".") ? length(number) - index(number, ".") : 0
                    found = sprintf("%." digits "f", field[1]) == number && (unit == "" || field[2] == unit)
                }
                END { exit !found }' FACTS.md || echo "- $lesson: FACTS.md does not say: $line $value"
            grep -qF -- "$words" said || echo "- $lesson does not say: $words"
        done
    done
}
wrong_facts >out
[ ! -s out ] && [ "$(grep -hc '^<!-- fact: ' lessons/*.md | awk '{ n += $1 } END { print n }')" -ge 12 ]
verdict "the numbers that the lessons quote are those of gpu/FACTS.md" $?

for folder in exercises/ex*; do
    level=$(sed -n 's/^level = //p' "$folder/exercise.ini"), xp=$(sed -n 's/^xp = //p' "$folder/exercise.ini")
    sed -n 3p "lessons/$(basename "$folder").md" | grep -q "^\*$level $xp XP" || echo "- $(basename "$folder")"
done >out
[ ! -s out ]
verdict "a lesson says its exercise's level and XP" $?

cp -R lessons drawn_before
BIN=$(dirname "$threelane") sh lessons/figures/draw >out 2>&1 && diff -r drawn_before lessons >>out 2>&1
verdict "the lessons' figures are what the tool draws (again: lessons/figures/draw)" $?
finish
