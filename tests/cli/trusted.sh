#!/bin/sh
# Judging without trust (grader/TRUST.md): every source of the course gets the verdict it deserves, and programs that
# lie about themselves get none of what they lie for. A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export HOME="$work"

course "$work"
cd "$work" || exit 1
# without the sandbox: what it would keep from a program is left to it here
# judged NAME STATUS PATTERN EXERCISE FILE
judged() { expect "$1" "$2" "$3" "$threelane" run "$4" --trusted --unsafe --width 400 --src "$5"; }
judge() { "$threelane" run "$1" --trusted --unsafe --width 400 --src "$2" >"$work/out" 2>&1 </dev/null; }

"$threelane" run ex43 --trusted --src exercises/ex43-overlap/solution.cu >"$work/out" 2>&1 </dev/null
unboxed=''
if grep -q 'no sandbox works here' "$work/out"; then
    skip "in a sandbox" "$(cut -c1-150 "$work/out")"
    unboxed=--unsafe
fi
export unboxed

# ---- every source of the course ----
cat >one <<'END'
#!/bin/sh
# one THREELANE FILE: judges FILE; a line that says whether the verdict is the deserved one
threelane=$1 file=$2
id=$(printf '%s\n' "$file" | sed 's/^.*\(ex[0-9][0-9]\).*$/\1/;q')
case $file in */wrong/*) sandbox=--unsafe ;; *) sandbox=$unboxed ;; esac
out=$("$threelane" run "$id" --trusted $sandbox --ascii --width 400 --src "$file" 2>&1 </dev/null)
status=$?
first=$(printf '%s\n' "$out" | sed -n 's/^FAIL *[0-9/]* *//p' | head -n 1)
case $file in
*/wrong/*)
    check=$(sed -n '1s/^.*caught-by: *\([^,+:]*\).*/\1/p' "$file")
    check=${check% }
    wanted=$(sed -n "/^\[check $check\]/,/^title/s/^title = //p" exercises/$id-*/exercise.ini)
    case $check in
    stop) [ $status -eq 4 ] ;;
    explore) [ $status -eq 0 ] ;;       # nobody's bad luck decides a grade
    *) [ "$first" = "$wanted" ] && [ $status -ne 0 ] ;;
    esac ;;
*/starter.cu) [ $status -eq 1 ] || [ $status -eq 4 ] ;;     # ex62 begins with a deadlock
*) [ $status -eq 0 ] ;;
esac && echo "ok - cli/trusted: $file" || { echo "not ok - cli/trusted: $file: status $status, $first"; printf '%s\n' "$out" | tail -n 4 | sed 's/^/#   /'; }
END
# Where there is a sandbox, class.sh has every solution judged in it, with hidden parameters besides. (From the last one
# on, as class.sh, which may run beside this one and needs the same players, begins with the first.)
: >all
if [ -n "$unboxed" ] || [ "${TRUSTED:-}" = all ]; then
    for file in $(ls -r exercises/*/solution.cu); do sh one "$threelane" "$file"; done >all
fi
find exercises -name '*.cu' \( -path '*/wrong/*' -o -path '*/right/*' -o -name starter.cu \) |
    LC_ALL=C sort |
    # of the starters every third, of the wrong ones every thirtieth, of the right ones every twelfth (TRUSTED=all: all of
    # them; tests/course/run judges them without the player, and class.sh draws from all)
    awk -v all="${TRUSTED:-}" 'all == "all" ||
        (/starter/ ? starter++ % 3 == 0 : /\/wrong\// ? wrong++ % 30 == 0 : right++ % 12 == 0)' |
    xargs -n 1 -P "$jobs" sh one "$threelane" >>all
[ -n "$only" ] || cat all
grep -q '^not ok' all && failed=1

# ---- programs that are right in unusual ways ----
[ "${TRUSTED:-}" = all ] || one_machine "$work"
body() { printf '#include <string.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <unistd.h>\n#include <fcntl.h>\n#include <sys/stat.h>\n#include "ex43.h"\n' >"$1"; cat >>"$1"; }
pipeline='
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, FROM, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(TO, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }'
body staged.cu <<END
#define FROM in + at
#define TO out + at
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    float *in, *out;
    cudaMallocHost(&in, BATCHES * BATCH_BYTES);
    cudaMallocHost(&out, BATCHES * BATCH_BYTES);
    for (int i = 0; i < BATCHES * BATCH_FLOATS; i++) in[i] = h_in[i];
$pipeline
    memcpy(h_out, out, BATCHES * BATCH_BYTES);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
END
judged 'copies made by the host, in a loop and with memcpy, are copies' 0 'All checks passed' ex43 staged.cu
body threads.cu <<'END'
#include <thread>
#include <vector>
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < BATCHES; i++)
        threads.emplace_back([=] {
            size_t at = (size_t)i * BATCH_FLOATS;
            const float *in = d_in + at;
            float *out = d_out + at;
            void *args[] = {&in, &out};
            cudaStream_t s;
            cudaStreamCreate(&s);
            cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, s);
            cudaLaunchKernel(work, dim3(BLOCKS), dim3(THREADS), args, 0, s);
            cudaMemcpyAsync(h_out + at, out, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
            cudaStreamSynchronize(s);
            cudaStreamDestroy(s);
        });
    for (auto &t : threads) t.join();
}
END
judged 'a thread for each batch, and kernels by address' 0 'All checks passed' ex43 threads.cu

# nodes one by one, then captured, launched twice each: what is in the output afterwards came from the second
body graphs.cu <<'END'
static void CUDART_CB count(void *n) { ++*(int *)n; }
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t graphs[2];
    cudaGraphExec_t exec;
    static int runs;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaGraphCreate(&graphs[0], 0);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork, 0);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        if (i % 2 == 0) {
            const float *in = d_in + at;
            float *out = d_out + at;
            void *args[] = {&in, &out};
            cudaKernelNodeParams kernel = {};
            kernel.func = (void *)work;
            kernel.gridDim = dim3(BLOCKS);
            kernel.blockDim = dim3(THREADS);
            kernel.kernelParams = args;
            cudaHostNodeParams function = {count, &runs};
            cudaGraphNode_t a, b, c, d;
            cudaGraphAddMemcpyNode1D(&a, graphs[0], NULL, 0, d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
            cudaGraphAddKernelNode(&b, graphs[0], &a, 1, &kernel);
            cudaMemcpy3DParms back = {};
            back.srcPtr = make_cudaPitchedPtr(out, BATCH_BYTES, BATCH_BYTES, 1);
            back.dstPtr = make_cudaPitchedPtr(h_out + at, BATCH_BYTES, BATCH_BYTES, 1);
            back.extent = make_cudaExtent(BATCH_BYTES, 1, 1);
            back.kind = cudaMemcpyDeviceToHost;
            cudaGraphAddMemcpyNode(&c, graphs[0], &b, 1, &back);
            cudaGraphAddHostNode(&d, graphs[0], &c, 1, &function);
        } else {
            cudaStream_t in = i % 4 == 1 ? s : t;
            cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, in);
            work<<<BLOCKS, THREADS, 0, in>>>(d_in + at, d_out + at);
            cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, in);
            cudaLaunchHostFunc(in, count, &runs);
        }
    }
    cudaEventRecord(join, t);
    cudaStreamWaitEvent(s, join, 0);
    cudaStreamEndCapture(s, &graphs[1]);
    for (int g = 0; g < 2; g++) {
        cudaGraphInstantiate(&exec, graphs[g], 0);
        for (int i = 0; i < 2; i++) cudaGraphLaunch(exec, s);
        cudaStreamSynchronize(s);
        cudaGraphExecDestroy(exec);
        cudaGraphDestroy(graphs[g]);
    }
    if (runs != 2 * BATCHES) h_out[0] = -1;
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}
END
judged 'graphs, made and captured, are launched again' 1 'pass +4/4  The results are right' ex43 graphs.cu

# ---- programs that lie ----
body fills.cu <<END
#define FROM h_in
#define TO h_out + at
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
$pipeline
    for (int i = 0; i < BATCHES * BATCH_FLOATS; i++) h_out[i] = h_in[i] * h_in[i] + 1.0f;
}
END
judged 'a perfect schedule while a loop on the CPU fills the output' 1 'FAIL +0/4  The results are right' ex43 fills.cu
also 'it is said that the host computed them' 'computed on the host; no copy brought them'
body spoils.cu <<END
#define FROM h_in + at
#define TO h_out + at
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
$pipeline
    h_out[BATCH_FLOATS + 5] = 0.0f;
}
END
judged 'a result that the host spoils afterwards is not the one that the copy brought' 1 'computed on the host' ex43 spoils.cu
body spills.cu <<END
#define FROM h_in
#define TO h_out + at
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
$pipeline
    for (int i = 0; i < BATCHES * BATCH_FLOATS - 16; i++) {
        float x = h_in[i] * h_in[i] + 1.0f;
        for (int b = 0; b < 4; b++) memset((char *)&h_out[i] + b, ((char *)&x)[b], 64);
    }
}
END
judged 'results laid byte by byte out of memsets that overlap' 1 'FAIL +0/4  The results are right' ex43 spills.cu

# what the solution leaves in plain mode, to be handed in as one's own
mkdir perfect
cp exercises/ex43-overlap/solution.cu perfect
cp -R exercises perfect     # a course of its own: in its cache is nothing but this
for how in '' '--trusted --unsafe'; do
    # shellcheck disable=SC2086  # options or nothing
    (cd perfect && "$threelane" run ex43 $how --src solution.cu) >out 2>&1
done
cp perfect/.threelane/ex43.lane perfect/trace
results=$(ls perfect/.threelane/cache/*.results | head -n 1)
for file in perfect/.threelane/cache/*.results; do grep -aq 'dump h_out f32 65536$' "$file" && results=$file; done
cp "$results" perfect/results
body forges.cu <<END
static void lay(const char *from, const char *to)
{
    static char bytes[1 << 22];
    int in = open(from, O_RDONLY), out = to ? open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    ssize_t n = in >= 0 ? read(in, bytes, sizeof bytes) : 0;
    if (out >= 0 && n > 0 && write(out, bytes, n) != n) _exit(9);
}
__attribute__((constructor)) static void forge()
{
    lay("$work/perfect/trace", getenv("THREELANE_TRACE"));
    lay("$work/perfect/results", getenv("THREELANE_RESULTS"));
    for (const char *run : {"visible", "more"}) {
        char name[200];
        snprintf(name, sizeof name, "../ex43-%s.lane", run);
        lay("$work/perfect/trace", name);
        snprintf(name, sizeof name, "../ex43-%s.results", run);
        lay("$work/perfect/results", name);
    }
    puts("4 batches of 16384 floats: 0 of 65536 results are wrong");
    fflush(stdout);
    _exit(0);
}
void asyncPipeline(const float *, float *, float *, float *) {}
END
judged 'a constructor that leaves a perfect trace and perfect results, and ends' 4 'ended before its main function began' \
       ex43 forges.cu
also 'no result of it counts' '^0 of [0-9]+ points'

# logs written by hand: a program that brings its own and ends
player=
for half in perfect/.threelane/cache/*.box.o; do
    object=${half%.box.o}
    "$tlcc" -Iexercises/ex43-overlap -Iexercises -DBATCHES=4 -Xcompiler -pie exercises/ex43-overlap/solution.cu \
        "$half" "$object.seam.o" -o box >out 2>&1 || continue
    THREELANE_LOG="$work/log" ./box 2>&1 | grep -q '^4 batches of 16384' && player=$object.player && break
done
[ -n "$player" ] && [ -s log ] && report 'a program keeps a log' yes || report 'a program keeps a log' no
# nearly right ones, on the player itself (`make fuzz` does that for longer)
drive=${BUILD:-$repository/build}/fuzz/drive_player
case $drive in /*) ;; *) drive=$repository/$drive ;; esac
if [ -x "$drive" ] && [ -n "$player" ]; then
    mkdir -p found
    THREELANE_RESULTS=/dev/null THREELANE_VALUES=/dev/null THREELANE_TRACE=/dev/null \
        "$drive" "$player" log 400 1 "$jobs" found >out 2>&1
    report '400 logs that are nearly right do not crash the player' "$([ $? -eq 0 ] && echo yes || echo no)" "$(cat out)"
else
    skip '400 logs that are nearly right' 'make build/fuzz/drive_player'
fi
body brings.cu <<END
__attribute__((constructor)) static void bring()
{
    static char bytes[1 << 25];
    int in = open("$work/forged", O_RDONLY), out = open(getenv("THREELANE_LOG"), O_WRONLY | O_TRUNC);
    ssize_t n = read(in, bytes, sizeof bytes);
    _exit(n >= 0 && write(out, bytes, n) == n ? 0 : 9);
}
void asyncPipeline(const float *, float *, float *, float *) {}
END
forged() { name=$1 status=$2 pattern=$3; judged "$name" "$status" "$pattern" ex43 brings.cu; }
cp log forged
forged 'a log that another program would have written is that program: made again, it is right' 4 \
       'pass +3/3  BATCHES \+ 2 units'
also 'but for other parameters it is none' 'FAIL +0/2  The results are right for 7 batches'
head -c 900 log >forged
forged 'a log that is cut off' 4 'the program ended inside asyncPipeline'
head -c 30000 /dev/urandom >forged
forged 'a log of nothing but noise' 4 'line 1 is not one that a program writes'
: >forged
forged 'an empty log' 4 'ended before its main function began'
sed 's/^\(1 [0-9]* call cudaMemcpyAsync [0-9]*\) [0-9a-f]*/\1 4141414141414141/' log >forged
forged 'pointers into nowhere' 4 'no memory of the program'
sed 's/^\(1 [0-9]* kernel work\) b:[0-9a-f]*/\1 b:0000414100000000/' log >forged
forged 'a kernel with a wild pointer fails, not the grader' 4 'kernel work: illegal read'
sed 's/ 10000 1 51ea/ ffffffffffffff00 1 51ea/' log >forged
forged 'sizes beyond all memory' 4 'FAIL +0/1  No CUDA call fails'
sed 's/51ea00000000030/51ea00000009990/' log >forged
forged 'streams that do not exist' 4 'is not a stream'
sed 's/^1 [0-9]* /1 0 /' log >forged
forged 'times that are too early change nothing' 4 'pass +3/3  BATCHES \+ 2 units'
sed 's/^\(1 [0-9]* \)push \([0-9]*\) .*/\1push \2 ffffffff ffffffff ffffffff 400 1 1 0 0/' log >forged
forged 'a grid of all there is' 4 'do not fit|not one that|a kernel without' 
slipped() { sed "/ in asyncPipeline/{p;s/ in .*/ $1/;}" log >forged; }
slipped 'call cudaMemPoolSetAttribute 5 dead 4 ffffffffffffffff'
forged 'a pool that does not exist' 4 'cudaMemPoolSetAttribute .*returned error 1'
slipped 'call cudaMemPoolSetAttribute 5 700a000000000010 4 -'
forged "a pool's attribute without a value" 4 'cudaMemPoolSetAttribute .*returned error 1'
slipped 'call cudaMemPoolTrimTo 5 - 0'
forged 'a handle that is no number' 4 'a number is missing'
slipped 'call cudaFuncSetAttribute 5 main 8 10'
forged 'the attribute of a kernel that is none of the exercise' 8 'a kernel of your own .main. cannot be graded'
slipped 'call cudaFuncSetAttribute 5 - 8 10'
forged 'the attribute of no kernel' 4 'cudaFuncSetAttribute .*returned error 98'
slipped 'call cudaMemcpyToSymbol 5 1 2 3 4 5'
forged 'a call that cannot be made again, as if it could' 4 'a call that does not exist'
slipped 'other cudaMemPoolTrimTo'
forged 'a call that can be made again, as if it were harmless' 4 'a call that does not exist'
slipped 'other cudaMemPool'
forged 'half of a name' 4 'a call that does not exist'
{ head -n 3 log; awk 'BEGIN { for (i = 0; i < 2100000; i++) print "1 99000000 pop" }'; } >forged
forged 'millions of calls' 6 'over the limit: more than'
for how in 'unlink(p);' 'unlink(p); mkfifo(p, 0600);' 'unlink(p); if (symlink("/dev/zero", p)) _exit(9);' 'unlink(p); mkdir(p, 0700);'; do
    body gone.cu <<END
__attribute__((constructor)) static void take_away() { const char *p = getenv("THREELANE_LOG"); $how }
void asyncPipeline(const float *, float *, float *, float *) {}
END
    judged "a program that takes its log away: $how" 4 'took its log away' ex43 gone.cu
done
body leaves.cu <<'END'
void asyncPipeline(const float *, float *, float *, float *) { exit(0); }
END
judged 'a program that leaves in the middle' 4 'ended inside asyncPipeline' ex43 leaves.cu

# ---- what cannot be judged so ----
body own.cu <<'END'
__global__ void mine(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }
void asyncPipeline(const float *, float *, float *d_in, float *d_out) { mine<<<1, 32>>>(d_in, d_out); }
END
judged 'a kernel of the student is refused by name' 8 'a kernel of your own \(mine\) cannot be graded' ex43 own.cu

body symbol.cu <<'END'
__device__ float factor;
void asyncPipeline(const float *h_in, float *, float *, float *) { cudaMemcpyToSymbol(factor, h_in, sizeof factor); }
END
judged 'a call that names a variable of the student is refused by name' 8 \
       'cudaMemcpyToSymbol\(\) cannot be graded: it names a variable of your own program' ex43 symbol.cu

# ---- calls whose effect is seen only by asking: pools, kernels' attributes, where managed memory is to be ----
mkdir pools
cp -R "$repository/tests/fixtures/pools" pools/exercises
cp exercises/harness.h pools/exercises
pools=pools/exercises/ex91-pools
pooled() {      # pooled NAME STATUS PATTERN [WITHOUT]: the solution, without the calls of that name
    if [ -n "${4:-}" ]; then grep -v "cuda.*$4" $pools/solution.cu >pooled.cu; else cp $pools/solution.cu pooled.cu; fi
    (cd pools && "$threelane" run ex91 --trusted --unsafe --ascii --width 400 --src ../pooled.cu) >out 2>&1 </dev/null
    got=$?
    if [ $got -eq "$2" ] && grep -qE -e "$3" out; then report "$1" yes; else report "$1" no "status $got"; fi
}
pooled "a pool's attributes, a kernel's, and advice are made again" 0 'All checks passed'
pooled 'a pool that was not told to keep anything keeps nothing' 1 'In `pool`, 2 of 4 numbers are wrong' ReleaseThreshold
pooled 'one that was not trimmed keeps all' 1 'index 1: 64 instead of 32' TrimTo
pooled 'an attribute that is an int' 1 'index 3: 1 instead of 0' Opportunistic
pooled 'a kernel that was not allowed so much shared memory' 1 'cudaLaunchKernel .*InvalidValue' FuncSetAttribute

# ---- in the sandbox ----
# shellcheck disable=SC2086  # an option or nothing
boxed() { expect "$1" "$2" "$3" "$threelane" run ex43 --trusted $unboxed --width 400 --src "$4"; }
boxed 'copies of the host count there, too' 0 'All checks passed' staged.cu
boxed 'and what it computes does not' 1 'computed on the host; no copy brought them' fills.cu
printf '#include "ex43.h"\nint x = ;\n' >typo.cu
boxed 'a message of the compiler names the file as it was called' 3 '^typo.cu:2:' typo.cu

for name in -o.cu @handed-in.cu; do
    cp staged.cu "./$name"
    boxed "a file called $name is a file" 0 'All checks passed' "./$name"
done

# ---- the player has a box of its own: a harness that is one tries what a hole in it could be used for ----
echo secret >secret
# One run of it is enough: each compiles a harness, and so a player, of its own (TRUSTED=all: every run of the exercise).
spied_run=4
[ "${TRUSTED:-}" != all ] || spied_run=7
spy() {         # spy CODE: a run of the solution; CODE runs in the player only, as its main begins. What is said is in out
    rm -rf spied && mkdir -p spied/.threelane spied-cache && cp -R exercises spied
    ln -s "$work/spied-cache" spied/.threelane/cache
    [ $spied_run -eq 7 ] || sed -i -e '/^\[run \(more\|host\)\]/,/^$/d' \
        -e '/^\[check \(results-more\|makespan-more\|issue\)\]/,/^$/d' \
        -e '/^needs = /s/ \(results-more\|makespan-more\|issue\),//g' spied/exercises/ex43-overlap/exercise.ini
    sed -i "s@^int main(.*@&\n/* */@; s@^#include \"ex43.h\"@&\n#include <errno.h>\n#include <fcntl.h>\n#include <dirent.h>\n#include <signal.h>\n#include <sys/socket.h>\n#define MUST(WHAT) do { if (!(WHAT)) abort(); } while (0)\n__attribute__((constructor)) static void spy() { if (!getenv(\"THREELANE_PLAY\")) return; $1 }@" \
        spied/exercises/ex43-overlap/harness.cu
    # shellcheck disable=SC2086
    (cd spied && "$threelane" run ex43 --trusted $unboxed --width 400 --timeout 3 --src exercises/ex43-overlap/solution.cu) >out 2>&1 </dev/null
}
spied() {       # spied NAME STATUS PATTERN CODE
    spy "$4"
    got=$?
    if [ $got -eq "$2" ] && grep -qE -e "$3" out; then report "$1" yes; else report "$1" no "status $got: $(tail -n 5 out)"; fi
}
harmless() { spy "$1" && grep -q 'All checks passed' out; }
spied_each() {  # spied_each NAME CODE
    if [ $each = ok ]; then report "$1" yes; else spied "$1" 0 'All checks passed' "$2"; fi
}
spied 'a player that only looks at its log is none the worse' 0 'All checks passed' 'MUST(getenv("THREELANE_PLAY"));'
spied 'one that crashes is an incident: it names itself, and nothing counts' 7 \
      'The player, .* crashed: signal 6 .*nothing of this run counts' 'abort();'
try() { # try OPEN...: none of these files can be opened by it
    code='int fd = -1;'
    for path in "$@"; do code="$code MUST((fd = open(\"$path\", O_RDONLY)) < 0);"; done
    printf '%s' "$code"
}
for level in namespaces landlock; do
    [ -z "$unboxed" ] || break
    export THREELANE_SANDBOX=$level
    "$threelane" run ex43 --trusted --src exercises/ex43-overlap/solution.cu >out 2>&1 </dev/null
    if grep -q 'no sandbox works here' out; then
        skip "$level: the player's box" "$(cut -c1-150 out)"
        continue
    fi
    # what it tries one after the other; each alone if not all of that ends well, to say which
    sees=$(try "$work/secret" /etc/passwd)
    network='MUST(socket(AF_INET, SOCK_STREAM, 0) < 0);'
    writes="{ int fd = open(\"$work/written\", O_WRONLY | O_CREAT, 0600); (void)fd; }"
    log='MUST(!strncmp(getenv("THREELANE_PLAY"), "fd:", 3) \&\& write(atoi(getenv("THREELANE_PLAY") + 3), "x", 1) < 0);'
    reaches='MUST(getppid() <= 1 || kill(getppid(), 0) < 0);'
    if harmless "$sees $network $writes $log $reaches"; then each=ok; else each=alone; fi
    spied_each "$level: it does not see the files of the grader" "$sees"
    spied_each "$level: it has no network" "$network"
    spied_each "$level: what it writes is gone" "$writes"
    holds "$level: and it is" [ ! -e "$work/written" ]
    spied_each "$level: its log cannot be written" "$log"
    spied_each "$level: it does not reach the grader" "$reaches"
    # (in one of the runs only: each takes all that it is allowed)
    spied "$level: one that does not end is stopped, and named" 6 "calls again took more time than is allowed" \
          "while (BATCHES == $spied_run) { }"
    spied "$level: so is one that eats memory" 6 "calls again took more memory than is allowed" \
          "while (BATCHES == $spied_run) memset(malloc(64 << 20), 1, 64 << 20);"
done
unset THREELANE_SANDBOX

# ---- the same, every time ----
judge ex45 exercises/ex45-host-callbacks/solution.cu && mv out first && cp .threelane/ex45.lane first.lane
judge ex45 exercises/ex45-host-callbacks/solution.cu
same 'the same report twice' first out
same 'the same trace twice' first.lane .threelane/ex45.lane
finish
