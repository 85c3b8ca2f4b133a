#!/bin/sh
# Whose work counts (grader/TRUST.md), in a student's own run as when it is graded: attacks on it get no mark there
# either, what a student marks is drawn, and honest programs are told what grading will not take.
# A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export HOME="$work"
course "$work"
cd "$work" || exit 1

# ---- attacks that are no more than CUDA, NVTX and C++, as ordinary runs: the check that catches them in the batch ----
for file in "$repository"/tests/attacks/range-*.cu "$repository"/tests/attacks/line-*.cu \
    "$repository"/tests/attacks/mapped-*.cu "$repository"/tests/attacks/managed-*.cu \
    "$repository"/tests/attacks/crumbs-*.cu "$repository"/tests/attacks/dummies-*.cu \
    "$repository"/tests/attacks/calls-*.cu; do
    name=$(basename "$file" .cu)
    [ "$name" != range-as-harness ] || continue     # says to the runtime that it is the harness: only grading is safe
    exercise=$(sed -n '1s,^// \(ex[0-9]*\) .*,\1,p' "$file") verdict=$(sed -n '1s,^// ex[0-9]* \([^:]*\): .*,\1,p' "$file")
    pattern=$(sed -n '1s,^// ex[0-9]* [^:]*: ,,p' "$file")
    "$threelane" run "$exercise" --json --src "$file" >"$work/out" 2>&1 </dev/null
    if grep -qE "\"verdict\":\"($verdict)\"" "$work/out" && { [ "$verdict" = crashed ] || grep -qE -e "$pattern" "$work/out"; }
    then report "an own run of $name" yes
    else report "an own run of $name" no; fi
done

# ---- what a student marks ----
sed 's/^void asyncPipeline/#include <nvtx3\/nvToolsExt.h>\n&/
s/^    cudaStream_t stream\[BATCHES\];/    nvtxRangePushA("stage"); nvtxRangePushA("pipelined"); nvtxRangePushA("mine"); nvtxMarkA("here");\n&/' \
    exercises/ex43-overlap/solution.cu >marks.cu
expect 'ranges of a student that has good ones cost nothing' 0 '36 of 36' "$threelane" run ex43 --src marks.cu
grep '^range' .threelane/ex43.lane >"$work/out"
also 'and are in the trace, by whom they are' '	mine	student$'
also 'beside those of the harness' '	pipelined	harness$'
grep '^mark' .threelane/ex43.lane >"$work/out"
also 'so are marks' '	here	student$'
grep '^call' .threelane/ex43.lane >"$work/out"
also 'and calls' 'cudaStreamCreate.*	student$'
also 'of either side' 'cudaMallocHost.*	harness$'
expect 'such a range can be looked at' 0 'D2H3' "$threelane" show .threelane/ex43.lane --range mine
expect 'and does not stand for the one of its name' 0 'H2D3' "$threelane" show .threelane/ex43.lane --range pipelined

sed 's/^void asyncPipeline/#include <nvtx3\/nvToolsExt.h>\n&/
s/^    cudaStream_t stream\[BATCHES\];/    nvtxRangeEnd(0); nvtxRangeEnd(1); nvtxRangePop(); nvtxRangePop();\n&/' \
    exercises/ex43-overlap/solution.cu >ends.cu
expect 'ending what is not its own costs a student nothing' 0 '36 of 36' "$threelane" run ex43 --src ends.cu
expect 'nor when it is played again' 0 '36 of 36' "$threelane" run ex43 --trusted --unsafe --src ends.cu

# ---- what a kernel reached into ----
"$threelane" run ex43 --width 400 --src "$repository/tests/attacks/mapped-dummy-lanes.cu" >"$work/out" 2>&1
also 'a kernel that works over the bus is named' 'K0 .*mapped-dummy-lanes.cu:[0-9]*. (reads from|writes to) pinned memory .from cudaMallocHost'
grep '^uses' .threelane/ex43.lane >"$work/out"
also 'with all the bytes that it read' '	r	[0-9]*	[0-9]*	65536$'

# ---- kernels of one's own ----
expect 'a kernel of the same name is not the harness'"'"'s' bad 'the kernel work is one of your own' \
    "$threelane" run ex43 --src "$repository/tests/attacks/kernel-in-namespace.cu"
expect 'nor through a pointer' bad 'the kernel work is one of your own' \
    "$threelane" run ex43 --src "$repository/tests/attacks/kernel-by-pointer.cu"
"$threelane" run ex43 --src exercises/ex43-overlap/solution.cu >"$work/out" 2>&1
never 'the given ones are' 'one of your own'

# ---- an exercise whose harness allows no seam can be worked on ----
sed -i 's/^void asyncPipeline.*/extern "C" &/' exercises/ex43-overlap/ex43.h
expect 'without a seam the exercise is as it was' 0 '36 of 36' "$threelane" run ex43 --src exercises/ex43-overlap/solution.cu
grep '^range' .threelane/ex43.lane >"$work/out"
never 'and nobody is told apart' 'harness|student'
finish
