#!/bin/sh
# `threelane grade --gpu` on a machine without a GPU: the second phase, with what was recorded on an NVIDIA H200 in place
# of the card (tests/fakes/toolkit). The boxes, threelane-gpu in them and all that is made of the record are real.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
. tests/fakes/cluster.sh
unset CUDA_HOME CUDA_VISIBLE_DEVICES GPU CARD
export NO_COLOR=1 HOME="$work"

has() { grep -qF -e "$2" "$work/$1"; }
page() { grep -qE -e "$2" "$work"/report/students/"$1"-*.html; }

"$threelane" grade >"$work/out" 2>&1
if grep -q 'built without SQLite' "$work/out"; then
    skip everything "Threelane was built without SQLite"
    finish
fi

# ---- a machine with a card ----
mkdir -p "$work/course" "$work/driver"
cp -R exercises lessons "$work/course"
cp -R tests/fakes/toolkit "$work/toolkit" && cp -R tests/fixtures/h200 "$work/toolkit/fixtures"
: >"$work/toolkit/bin/nvcc.profile"
cat >"$work/driver/driver.c" <<'END'
#include <stdlib.h>
#include <string.h>
int cuInit(unsigned flags) { (void)flags; return 0; }
int cuDriverGetVersion(int *v) { *v = 13000; return 0; }
int cuDeviceGetCount(int *n) { const char *t = getenv("CARDS"); *n = t ? atoi(t) : 1; return 0; }
int cuDeviceGetName(char *name, int size, int card) { (void)size, (void)card; strcpy(name, "NVIDIA H200"); return 0; }
int cuDeviceGetAttribute(int *v, int what, int card) { (void)card; *v = what == 75 ? 9 : 0; return 0; }
int cuDeviceGetUuid_v2(unsigned char *uuid, int card) { memset(uuid, card, 16); return 0; }
END
cd "$work/driver" || exit 1
printf 'int nothing;' >nothing.c
cc -shared -fPIC -o libcuda.so.1 driver.c && cc -shared -fPIC -o libcupti.so nothing.c && : >tracer || exit 1
export LD_LIBRARY_PATH="$work/driver" THREELANE_TRACER="$work/driver/tracer" THREELANE_CUPTI="$work/driver"
export NVCC="$work/toolkit/bin/nvcc"
cd "$work/course" || exit 1
ex43=exercises/ex43-overlap

"$threelane" grade --exercise ex43 $ex43/solution.cu --json >"$work/out" 2>&1
boxed=yes
if grep -q 'no sandbox works here' "$work/out"; then
    skip "in a sandbox" "$(cut -c1-150 "$work/out")"
    boxed=''
    printf '#!/bin/sh\n[ "$1" != grade ] || set -- "$@" --unsafe\nexec "%s" "$@"\n' "$threelane" >"$work/threelane"
    chmod +x "$work/threelane"
    threelane=$work/threelane
fi

# ---- a class ----
class=$work/class
mkdir -p "$class/ada" "$class/bob" "$class/eve" "$class/kim" "$class/mallory"
cp $ex43/solution.cu "$class/ada/ex43.cu"
{ echo '// plays: pageable'; cat $ex43/solution.cu; } >"$class/bob/ex43.cu"
echo 'void asyncPipeline(float *' >"$class/eve/ex43.cu"
{ cat $ex43/wrong/one-stream.cu; echo '// NOT FOR NVCC'; } >"$class/kim/ex43.cu"
# what it can reach on the card (C++, as which the virtual GPU compiles it, does not see this): a bit of its status each
{
    cat $ex43/solution.cu
    cat <<END
#ifndef __cplusplus
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
__attribute__((constructor)) static void attack(void)
{
    int got = 0;
    if (open("$work/course/$ex43/golden.txt", O_RDONLY) >= 0) got |= 1;
    if (open("$class/ada/ex43.cu", O_RDONLY) >= 0) got |= 2;
    if (open("/etc/passwd", O_RDONLY) >= 0) got |= 4;
    if (socket(AF_INET, SOCK_SEQPACKET, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ||
        socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) >= 0) got |= 8;
    if (connect(socket(AF_UNIX, SOCK_SEQPACKET, 0), "", 0) >= 0 || errno != EPERM) got |= 8;
    open("$work/was-here", O_RDWR | O_CREAT, 0600);
    if (open("/proc/sys/kernel/core_pattern", O_WRONLY) >= 0) got |= 16;
    if (open("$work/report/gradebook.sqlite", O_RDWR) >= 0) got |= 32;
    _exit(64 | got);
}
#endif
END
} >"$class/mallory/ex43.cu"

expect "a class is graded, then judged on the card" 0 '^on NVIDIA H200: 1 of 4 passed; 4 judged now, 0 known before$' \
    "$threelane" grade "$class" --gpu --seed 5 -o "$work/report"
holds "the grades are those of the virtual GPU" has out '5 submissions: 3 passed, 2 not'
holds "one that passes on both" has report/grades.csv '"ada",ex43,pass,36,36,25,"ada/ex43.cu",yes,"NVIDIA H200",pass,34,34'
holds "one that fails there keeps its points" has report/grades.csv \
    '"bob",ex43,pass,36,36,25,"bob/ex43.cu",yes,"NVIDIA H200",fail,'
holds "the page of the class has both" has report/index.html '<p>On NVIDIA H200: 1 of 4 passed.'
holds "one that nvcc does not compile" has report/grades.csv ',yes,"NVIDIA H200",compile error,0,34'
holds "one that did not run is not run there" has report/grades.csv '"eve",ex43,compile error,0,36,0,"eve/ex43.cu",yes,,,,'
if [ $boxed ]; then
    holds "what is hostile reaches nothing: no file, no network" page mallory 'The program ended with status 64'
    holds "and leaves nothing" [ ! -e "$work/was-here" ]
    holds "a verdict there says which box it is from" grep -qE '"possible":34,"sandbox":"(namespaces|Landlock), seccomp' \
        "$work/report/results.json"
fi
holds "its page says what failed, and why" page bob 'pageable'
holds "and shows what ran" page bob '<figcaption>As the card ran it'
holds "the index says who differs" grep -qE '1 of 4 passed\. Otherwise than on the virtual GPU: .*bob</a> \(fail\)' \
    "$work/report/index.html"
holds "JSON" grep -q '"card":{"name":"NVIDIA H200","verdict":"fail"' "$work/report/results.json"
holds "and null where there was no such phase" grep -q '"card":null' "$work/report/results.json"
cp "$work/report/gradebook.sqlite" "$work/first.sqlite"
sed -i 's/^points = 5/points = 6/' $ex43/exercise.ini
expect "points change: the card is not asked again" 0 '^on NVIDIA H200: 1 of 4 passed; 0 judged now, 4 known before' \
    "$threelane" grade "$class" --gpu -o "$work/report"
holds "and what it said is counted anew" has report/grades.csv '"NVIDIA H200",pass,35,35'
sed -i 's/^points = 6/points = 5/' $ex43/exercise.ini
"$threelane" grade "$class" --gpu -o "$work/report" >"$work/out" 2>&1
expect "again: nothing to do" 0 '^on NVIDIA H200: 1 of 4 passed; 0 judged now, 4 known before$' \
    "$threelane" grade "$class" --gpu -o "$work/report"
holds "and the gradebook is the same, byte for byte" cmp -s "$work/first.sqlite" "$work/report/gradebook.sqlite"
expect "without --gpu what the card said stays" 0 '^0 graded now, 5 known before' "$threelane" grade "$class" -o "$work/report"
holds "in every file" has report/grades.csv '"NVIDIA H200",pass,34,34'
cp $ex43/solution.cu "$class/eve/ex43.cu"
echo '// again' >>"$class/ada/ex43.cu"
"$threelane" grade "$class" -o "$work/report" --same-draw >"$work/out" 2>&1
holds "what is judged anew loses it" has report/grades.csv '"ada",ex43,pass,36,36,25,"ada/ex43.cu",yes,,,,'

# ---- what goes wrong there is nobody's zero ----
mkdir "$work/toolkit/full"
sed 's/^status.*/status 1/' "$work/toolkit/fixtures/ex43/solution-visible.left" >"$work/toolkit/fixtures/ex43/full-visible.left"
sed '/^ret	1	/s/0$/2/' "$work/toolkit/fixtures/ex43/solution-visible.lane" >"$work/toolkit/fixtures/ex43/full-visible.lane"
mv .threelane/cache "$work/old-cache"
expect "a card without memory: said, and the grades are complete" 7 \
    'ex43.s own solution does not pass on NVIDIA H200.*so nothing is said about submissions there' \
    "$threelane" grade "$class" --gpu -o "$work/report"
holds "nobody has a verdict from it" has report/grades.csv '"ada",ex43,pass,36,36,25,"ada/ex43.cu",yes,,,,'
rm -r "$work/toolkit/full" .threelane/cache && mv "$work/old-cache" .threelane/cache
expect "the same command goes on" 0 '^on NVIDIA H200: 2 of 5 passed; 2 judged now, 3 known before$' \
    "$threelane" grade "$class" --gpu -o "$work/report"

# ---- stopped and killed ----
judging_or_gone() { grep -q 'NVIDIA H200: ' "$work/out" || ! kill -0 $grader 2>/dev/null; }
for signal in INT KILL; do
    # one that has come to its end before it could be stopped is asked again
    for try in 1 2 3 4 5 6 7 8 9; do
        : >"$work/out"      # what is there from before is not taken for its first words
        "$threelane" grade "$class" --gpu --seed 5 -o "$work/stopped" >"$work/out" 2>&1 &
        grader=$!
        soon judging_or_gone
        kill -$signal $grader 2>/dev/null
        wait $grader 2>/dev/null
        ! grep -q '^on NVIDIA H200: .* judged now' "$work/out" && break
        rm -rf "$work/stopped"
    done
    [ $signal != INT ] || holds "stopped there: it says that the same command goes on" \
        grep -q '^stopped: on NVIDIA H200 .*the same command goes on' "$work/out"
done
expect "killed there, it finishes, and does nothing twice" 0 \
    '^on NVIDIA H200: 2 of 5 passed; [0-4] judged now, [1-5] known before' \
    "$threelane" grade "$class" --gpu -o "$work/stopped"
"$threelane" grade "$class" --gpu -o "$work/report" >"$work/out" 2>&1
holds "and the gradebook is that of one that nobody disturbed" \
    cmp -s "$work/stopped/gradebook.sqlite" "$work/report/gradebook.sqlite"

# ---- the other rung ----
if [ $boxed ]; then
    export THREELANE_SANDBOX=landlock
    mkdir -p "$work/two/ada" && cp "$class/ada/ex43.cu" "$work/two/ada" && cp -R "$class/mallory" "$work/two"
    "$threelane" grade "$work/two" --seed 5 -o "$work/landlock" >"$work/out" 2>&1
    if grep -q 'no sandbox works' "$work/out"; then
        skip "with Landlock" "it does not work here"
    else
        expect "with Landlock" 0 '^on NVIDIA H200: 1 of 2 passed' "$threelane" grade "$work/two" --gpu -o "$work/landlock"
        holds "nothing is reached there, either" grep -q '"sandbox":"Landlock, seccomp[^}]*The program ended with status 64' \
            "$work/landlock/results.json"
    fi
    unset THREELANE_SANDBOX
    rm -r "$work/two/mallory"
    : >"$work/toolkit/needs-host"
    expect "a driver that no box is enough for" 7 'sandbox: (Landlock|namespaces).*Its last words: the driver cannot begin here' \
        "$threelane" grade "$work/two" --gpu --seed 7 -o "$work/host"
    expect "--unsafe does without a box, then" 0 '^on NVIDIA H200: 1 of 1 passed' \
        "$threelane" grade "$work/two" --gpu --unsafe -o "$work/host"
    holds "and says so" grep -q '"card":{"name":"NVIDIA H200","verdict":"pass",.*"sandbox":"none"' "$work/host/results.json"
    holds "while the grades are from a box" grep -qE '^{"student".*"sandbox":"(namespaces|Landlock), ' "$work/host/results.json"
    rm "$work/toolkit/needs-host"
fi

# ---- no card ----
expect "no card: one line, before anything is graded" 2 'sees no GPU|no card 0' env CARDS=0 "$threelane" grade "$class" --gpu -o "$work/none"
holds "and nothing is made" [ ! -e "$work/none" ]
expect "no such card" 2 'there is no card 3: this machine has one' "$threelane" grade "$class" --card 3 -o "$work/none"
expect "one file" 2 'threelane run ex43 --gpu --src' "$threelane" grade --exercise ex43 $ex43/solution.cu --gpu

# ---- by jobs of a cluster, in which only some nodes have cards ----
why=$(cluster_why)
if [ -z "$why" ] && ! cluster_start; then why="Slurm does not come up"; fi
if [ -n "$why" ]; then
    skip "on the cards of a cluster" "$why"
else
    mkdir -p "$work/few" && cp -R "$class/ada" "$class/bob" "$class/eve" "$work/few"
    "$threelane" grade "$work/few" --gpu --seed 5 -o "$work/here" >"$work/out" 2>&1
    expect "on the cards of a cluster" 0 "^on Slurm's cards: 2 of 3 passed; 3 judged now, 0 known before$" \
        "$threelane" grade "$work/few" --gpu --seed 5 -o "$work/there" --slurm --chunk 1 --gpu-partition cards
    same "what a card says stands where it stands on one machine" "$work/here/grades.csv" "$work/there/grades.csv"
    same "with all that it says" "$work/here/results.json" "$work/there/results.json"
    expect "again: no job" 0 "^on Slurm's cards: 2 of 3 passed; 0 judged now, 3 known before$" \
        "$threelane" grade "$work/few" --gpu -o "$work/there" --slurm --gpu-partition cards
    expect "a card that is none" 7 'no node can judge. n2: .*(sees no GPU|no card 0)' \
        env CARDS=0 "$threelane" grade "$work/few" --gpu --seed 6 -o "$work/none" --slurm --gpu-partition cards
fi
cp "$NVCC" "$work/nvcc"
if [ $boxed ]; then
    expect "an nvcc that is no toolkit's" 7 'has to name the nvcc in a CUDA Toolkit' \
        env NVCC="$work/nvcc" sh -c "sed -i 's|^tree=.*|tree=$work/toolkit|' '$work/nvcc'; '$threelane' grade '$class' --gpu --seed 6 -o '$work/other'"
fi
finish
