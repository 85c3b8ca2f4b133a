#!/bin/sh
# Other legal schedules: races change results on some of them, a seed shows the same schedule again; `threelane check`.
# (That CUDA's rules hold on all of them: tests/run-program, for the conformance programs.) Prints a TAP-like line for
# each test.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export TMPDIR="$work/tmp"
mkdir "$TMPDIR"


# ---- wrong variants that race: they are reported by name on the canonical schedule, and some other shows it ----
course "$work/course"
cd "$work/course" || exit 1
while read -r race kind; do
    expect "$race: some schedule changes its results" 1 "^Seed [0-9]+ breaks it" \
        "$threelane" run "${race%/*}" --src "$(echo exercises/"${race%/*}"-*/wrong/"${race#*/}".cu)" --explore 200
    [ -z "$kind" ] && continue
    also "$race: a $kind is reported" "^threelane: $kind: "
    also "$race: nothing races fails" "^FAIL .*Nothing races"
done <<END
ex41/no-sync race
ex41/one-waited race
ex42/one-buffer host-race
ex42/two-buffers-no-wait host-race
ex43/copy-back-wrong-stream race
ex43/kernel-wrong-stream race
ex43/no-offset race
ex43/no-sync host-race
ex44/one-waited race
ex44/record-too-early race
ex44/record-wrong-stream race
ex44/wait-before-record race
ex45/before-kernel host-race
ex45/give-first host-race
ex45/no-pool host-race
ex45/other-stream host-race
ex45/returns-early
END

# ---- the seed shows it again ----
wrong=exercises/ex44-events/wrong/record-too-early.cu
expect "what broke" 1 "on the canonical schedule" "$threelane" run ex44 --src $wrong --explore 200 --width 200
seed=$(sed -n 's/^Seed \([0-9]*\) breaks it.*/\1/p' "$work/out")
kept=$(sed -n 's/.*its trace is \(.*\)$/\1/p' "$work/out")
[ -f "$kept" ] && ok "its trace is kept" || bad "its trace is kept" "no file '$kept'"
cp "$kept" "$work/found.lane" && rm "$kept"
holds "it is that of the schedule" grep -q "^meta	seed	$seed\$" "$work/found.lane"
expect "the same seed" 1 "only on the canonical schedule" "$threelane" run ex44 --src $wrong --seed "$seed" --width 200
also "it says where" "Recorded in .*ex44-seed$seed.lane"
if cmp -s "$work/found.lane" ".threelane/ex44-seed$seed.lane"; then ok "the same schedule, byte for byte"
else bad "the same schedule, byte for byte" "they differ"; fi
expect "a solution on another schedule" 0 "open .*STEPS \+ 2 units" \
    "$threelane" run ex44 --src exercises/ex44-events/solution.cu --seed 17 --width 200
expect "no progress is recorded for it" 0 "ex44 .*" "$threelane" list
if grep -q "passed" "$work/out"; then bad "not passed" "it is"; else ok "not passed"; fi
expect "what crashes is not explored" 4 "No other schedule was tried" \
    "$threelane" run ex42 --src exercises/ex42-pinned-memory/wrong/free-pinned.cu --explore 5
expect "bad number" 2 "from 1 to a million" "$threelane" run ex44 --explore 0
expect "bad seed" 2 "whole number from 1" "$threelane" run ex44 --seed x

# ---- threelane check ----
cd "$work" || exit 1
cat >race.cu <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void add(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] += 1; }
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1024, *d, *h;
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMalloc(&d, n * sizeof(int));
    cudaMallocHost(&h, n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, a);
#ifdef FIXED
    cudaStreamSynchronize(a);
#endif
    add<<<(n + 255) / 256, 256, 0, b>>>(d, n);
    cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, b);
    cudaStreamSynchronize(b);
    printf("%d numbers, h[1] = %d\n", n, h[1]);
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFreeHost(h);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}
END
expect "check: a right program" 0 "^1024 numbers, h\[1\] = 2" "$threelane" check race.cu -DFIXED
expect "check: arguments and tlcc's options" 0 "^512 numbers" "$threelane" check -O1 race.cu -D FIXED -- 512
expect "check: other schedules" 0 "20 other legal schedules" "$threelane" check race.cu -DFIXED --explore 20
expect "check: a race" 1 "race|seed [0-9]+ breaks it" "$threelane" check race.cu --explore 200
"$threelane" check --json race.cu -DFIXED >json 2>out
grep -q '^{"tool":"threelane","format":1' json && ok "check: JSON" || bad "check: JSON" "$(head -n 1 json)"
[ "$(grep -c numbers json)" -eq 0 ] && ok "check: only JSON on the output" || bad "check: only JSON" "$(cat json)"
echo 'int main() { int *p; cudaMalloc(&p, 4); *p = 1; }' >misuse.cu
expect "check: memory of the device touched by the host" 1 "misuse.cu:1: .*device memory" "$threelane" check misuse.cu
echo 'int main() { for (;;) { } }' >loop.cu
expect "check: a program without end" 2 "stopped after 0.3 s" "$threelane" check loop.cu --timeout 0.3
echo 'int main() { return nothing; }' >bad.cu
expect "check: does not build" 2 "bad.cu:1" "$threelane" check bad.cu
also "check: says so" "does not build"
expect "check: no such file" 2 "missing.cu" "$threelane" check missing.cu
expect "check: nothing to check" 2 "usage: threelane check" "$threelane" check
expect "check: a bad number" 2 "whole number" "$threelane" check race.cu --explore many
expect "check: keeps nothing" 2 "not for check" "$threelane" check race.cu -o race
expect "check: off" 2 "nothing to check for" env THREELANE_CHECK=off "$threelane" check race.cu
: >"$work/out"
[ -z "$(ls "$TMPDIR")" ] && ok "nothing is left behind" || bad "nothing is left behind" "$(ls "$TMPDIR")"

# ---- the interface between the two ----
"$tlcc" race.cu -DFIXED -o race >/dev/null 2>&1
expect "a plan that is none" 97 "FIRST:COUNT:STEP:SECONDS:STEM" env THREELANE_EXPLORE=1:2 ./race
mkdir runs
THREELANE_EXPLORE="3:4:5:10:$work/runs/s" ./race
[ "$(cut -d ' ' -f 1 runs/s.ends | tr '\n' ' ')" = "3 8 13 18 " ] && ok "seeds as planned" || bad "seeds" "$(cat runs/s.ends)"
THREELANE_SEED=13 THREELANE_TRACE=$work/once.lane ./race >/dev/null
sed '/^exit/d' runs/s-13.lane >a; sed '/^exit/d' once.lane >b
if cmp -s a b; then ok "a forked run is the run"; else bad "a forked run is the run" "the traces differ"; fi
cd "$repository" || exit 1
finish
