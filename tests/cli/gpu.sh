#!/bin/sh
# threelane trace, doctor and traces of real runs, as a person uses them, on a machine without a GPU: an empty library
# stands in for the driver, and a script that writes a trace for the traced program.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
fixtures=$PWD/tests/fixtures/h200
cd "$work" || exit 1
unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH THREELANE_TRACER CUDA_VISIBLE_DEVICES

expect 'trace needs a program' 2 'usage: threelane trace' "$threelane" trace
expect 'trace refuses other options' 2 'does not take --fast' "$threelane" trace --fast ./program
expect 'a tracer that is not there' 7 'THREELANE_TRACER.*No such file' env THREELANE_TRACER=/nowhere.so "$threelane" trace true
resolver=$(dirname "$threelane")/../lib/threelane/threelane-gpu
[ -x "$resolver" ] || resolver=$(dirname "$threelane")/../build/lib/threelane/threelane-gpu
expect 'lines of a trace that is not there' 1 '/nowhere/at.lane: ' "$resolver" sites /nowhere/at.lane
expect 'lines of what' 2 'usage: threelane-gpu sites' "$resolver" sites
expect 'doctor takes no words' 2 "takes no 'now'" "$threelane" doctor now
if ! ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; then
    touch tracer
    expect 'no driver' 7 'no NVIDIA driver.*threelane doctor' env THREELANE_TRACER="$work/tracer" "$threelane" trace true
    expect 'doctor says what is missing' 1 'MISSING +driver' "$threelane" doctor
fi

# The driver's stand-in, and programs that record.
echo 'int nothing;' >nothing.c
cc -shared -fPIC -o libcuda.so.1 nothing.c || exit 1
cat >frames.c <<'END'
void inner(void) { }
int main(void) { inner(); return 0; }
END
cc -g -O0 -no-pie -o frames frames.c || exit 1
address=$(nm frames | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
cat >program <<END
#!/bin/sh
printf '%s\n' "threelane	1" "meta	backend	cuda" "meta	card	Card" "device	1	Card" "engine	1	1	compute	c" \\
  "thread	1	main	main" "stream	1	1	legacy	0	0	-	-" "frame	1	$address	$work/frames" "frame	2	1	/nowhere" \\
  "call	1	1	cudaLaunchKernel	1000	stack#1:0" "op	1	1	kernel	1	1	1000	0	-	-	1,1,1	1,1,1	0	0	k" \\
  "ret	1	2000	0" "start	1	3000	1" "end	1	2000000" "call	2	1	cudaFree	5000	stack#2:0" "ret	2	6000	0" >>"\$THREELANE_TRACE"
[ "\$1" = warn ] && printf 'note\twarning\t9\t-\tCUPTI dropped 5 records\n' >>"\$THREELANE_TRACE"
[ "\$1" = kill ] && kill -KILL \$\$
[ "\$1" = silent ] && : >"\$THREELANE_TRACE"
[ "\$1" = begun ] && printf 'threelane\t1\nmeta\tbackend\tcuda\n' >"\$THREELANE_TRACE"
[ "\$1" = full ] && printf 'threelane\t1\nmeta\tbackend\tcuda\nthread\t1\tmain\tmain\ncall\t1\t1\tcudaMalloc\t1\t-\nret\t1\t2\t2\n' >"\$THREELANE_TRACE"
[ "\$1" = folder ] && cd /
[ "\$1" = two ] && cp "\$THREELANE_TRACE" "$work/t.77.lane"
exit 5
END
chmod +x program
touch tracer
export LD_LIBRARY_PATH="$work" THREELANE_TRACER="$work/tracer"
expect 'a recorded program' 5 'recorded 1 kernel, 1 stream on Card in 2.00 ms: .*t.lane' "$threelane" trace -o t.lane -- ./program plain
expect 'its source line' 0 'frames.c:2' grep 'cudaLaunchKernel' t.lane
expect 'a call without a line' 0 'cudaFree	5000	-$' grep 'cudaFree' t.lane
expect 'no frames are left' 1 '^0$' grep -c '^frame' t.lane
expect 'it draws' 0 'Kernels' "$threelane" show t.lane
expect 'the default name' 5 'program\.lane' "$threelane" trace ./program plain
expect 'options of the program are its own' 5 'recorded' "$threelane" trace ./program -o --as
expect 'what the tracer had to say' 5 'CUPTI dropped 5 records' "$threelane" trace -o t.lane ./program warn
expect 'a killed program' 137 'ended by a signal.*kept' "$threelane" trace -o t.lane ./program kill
expect 'a killed program is drawn' 0 'ends early' "$threelane" show t.lane
expect 'quietly: nothing but the program' 1 '^0$' sh -c "'$threelane' trace -q -o q.lane -- ./program plain 2>&1 | grep -c threelane"
expect 'quietly: the source lines are there' 0 'frames.c:2' grep 'cudaLaunchKernel' q.lane
expect 'quietly: the signal that ended it' 0 '^137$' sh -c "sh -c \"'$threelane' trace -q -o q.lane -- ./program kill\"; echo \$?"
expect 'no work, and why' 5 'no work reached a GPU: cudaMalloc returned error 2 \(out of memory' "$threelane" trace -o t.lane ./program full
expect 'no CUDA call' 5 'made no CUDA call: nothing' "$threelane" trace -o none.lane ./program silent
expect 'no call that reached a GPU' 5 'reached a GPU.*threelane doctor' "$threelane" trace -o none.lane ./program begun
expect 'nothing is left behind' 2 'No such file' ls none.lane
expect 'two processes' 5 't\.77\.lane' "$threelane" trace -o t.lane ./program two
mkdir -p sub && cp program sub/inner
expect 'a trace is called like the program' 5 'inner\.lane' "$threelane" trace sub/inner
holds 'and lies here' [ -s inner.lane ]
expect 'no such program' 127 'nothere cannot be run: No such file' "$threelane" trace ./nothere
expect 'an output that cannot be written' 2 'cannot be written' "$threelane" trace -o /nowhere/t.lane ./program
expect 'another profiler' 7 'another tool.*CUDA_INJECTION64_PATH=/other.so.*unset' \
    env CUDA_INJECTION64_PATH=/other.so "$threelane" trace ./program

# The tracer itself, where it was built: NVTX loads it into a program that calls no CUDA. Whoever ends it, and however
# often, what it recorded is kept.
tracer=$(dirname "$threelane")/../lib/threelane/libthreelane_trace.so
[ -e "$tracer" ] || tracer=$(dirname "$threelane")/../build/lib/threelane/libthreelane_trace.so
nvtx=$(find /usr/local/cuda*/include/nvtx3/nvToolsExt.h 2>/dev/null | head -n 1)
if [ -e "$tracer" ] && [ -n "$nvtx" ]; then
    cat >marks.c <<'END'
#include <nvtx3/nvToolsExt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    for (int i = 0; i < 2000; i++) nvtxMarkA("mark");
    if (!strcmp(argv[argc - 1], "abort")) abort();
    if (!strcmp(argv[argc - 1], "fault")) *(volatile int *)0 = 1;
    if (strcmp(argv[argc - 1], "wait")) return 3;
    (void)!write(1, "ready\n", 6);
    for (;;) pause();
}
END
    cc -w -I"$(dirname "$(dirname "$nvtx")")" -o marks marks.c -ldl || exit 1
    export THREELANE_TRACER="$tracer"
    for end in exit:3 abort:134 fault:139; do
        expect "marks kept: ${end%:*}" "${end#*:}" '^2000$' \
            sh -c "'$threelane' trace -q -o m.lane ./marks ${end%:*} 2>&1; s=\$?; grep -c '^mark' m.lane; exit \$s"
    done
    expect 'marks kept: asked three times to end' 143 '^2000$' sh -c "'$threelane' trace -q -o m.lane ./marks wait >ready & p=\$!
        until [ -s ready ]; do sleep 0.05; done; kill -TERM \$p; kill -TERM \$p; kill -TERM \$p; wait \$p; s=\$?
        grep -c '^mark' m.lane; exit \$s"
fi
unset LD_LIBRARY_PATH THREELANE_TRACER

expect 'a real run, explained' 0 'H2D copy engine was busy with H2D0 \(inferred; solution.cu:11\)' \
    "$threelane" show "$fixtures/ex43.lane" --range pipelined --as waits
expect 'a real run, drawn' 0 'D2H3' "$threelane" show "$fixtures/ex43.lane" --range pipelined
expect 'a real run that was killed' 0 'ends early' "$threelane" show "$fixtures/killed.lane"
expect 'a real run on two cards, drawn' 0 '^GPU1 Kernels .*\[1\]' "$threelane" show --ascii "$fixtures/peers.lane"
expect 'and explained across them' 0 \
    'K1 waited .* for P2P0: stream 2 of GPU 1 waits for an event recorded after P2P0, .* at peers.cu:16' \
    "$threelane" show "$fixtures/peers.lane" --as waits
expect 'a real run for Perfetto' 0 'cudaLaunchHostFunc' "$threelane" show "$fixtures/multi.lane" --as perfetto
finish
