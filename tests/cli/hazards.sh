#!/bin/sh
# Races, as a student and any programmer meets them: `make ex44` with a missing event, THREELANE_CHECK, `threelane check`
# with its statuses and forms, hazards in a trace, exploration and its seeds. (What is found, by line:
# tests/programs/hazards. The course's wrong variants by name: explore.sh. That what is right is silent on many
# schedules: tests/course/run.) Prints a TAP-like line for each test.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh


course "$work/course"
cd "$work/course" || exit 1

# ---- make ex44 with a missing event ----
grep -v cudaStreamWaitEvent exercises/ex44-events/solution.cu >missing.cu
launch() { grep -n "$1<<<" missing.cu | cut -d : -f 1; }
produce=$(launch produce) consume=$(launch consume)
record=$(grep -n 'cudaEventRecord(done' missing.cu | cut -d : -f 1)
own=$(cd "$(dirname "$threelane")" && pwd)
build=$own/../build
[ -d "$own/../obj" ] && build=$own/..
expect "make ex44, the event missing" 2 "^threelane: race: consume in stream 3 reads data\[0\.\.16383\], produce1 in stream 2 reads and writes it" \
    make -s -C "$repository" BIN="$own" BUILD="$build" ex44 SRC="$PWD/missing.cu"
also "the first line" "^  missing.cu:$produce: produce1 in stream 2 reads and writes data\[0\.\.16383\]"
also "the second line" "^  missing.cu:$consume: consume in stream 3 reads data"
also "the memory" "data: 16384 bytes of device memory, cudaMalloc at harness.cu:[0-9]+"
also "why" "why: an event is recorded after produce1 at line $record, but stream 3 does not wait for it before consume"
also "the one edge" "fix: make stream 3 wait for the event that is recorded at line $record before line $consume"
also "the check fails" "^FAIL .*Nothing races"

grep -v 'cudaStreamWaitEvent\|cudaEventRecord(done' exercises/ex44-events/solution.cu >none.cu
produce=$(grep -n 'produce<<<' none.cu | cut -d : -f 1) consume=$(grep -n 'consume<<<' none.cu | cut -d : -f 1)
expect "no event at all" 1 "fix: record an event in stream 2 after line $produce and make stream 3 wait for it before line $consume" \
    "$threelane" run ex44 --src none.cu

# ---- fails, though the numbers are right ----
sed 's/cudaStreamWaitEvent(consumer, done, 0);/usleep(10000);/; s/^#include "ex44.h"/&\n#include <unistd.h>/' \
    exercises/ex44-events/solution.cu >late.cu
expect "right by luck: fails" 1 "^FAIL .*Nothing races" "$threelane" run ex44 --src late.cu
also "and the numbers are right" " 0 of 8192 results are wrong"

# ---- the lesson shows what is said ----
cp exercises/ex44-events/wrong/record-too-early.cu exercises/ex44-events/ex44.cu
"$threelane" run ex44 2>&1 </dev/null | sed -n '/^threelane: race/,/^threelane: 1 error/p' >said
sed -n '/^threelane: race/,/^threelane: 1 error/p' lessons/ex44-events.md >shown
if [ -s said ] && diff said shown >"$work/out" 2>&1; then ok "the lesson's report is what is said"
else bad "the lesson's report is what is said" "they differ"; fi

# ---- in the trace, at both spans ----
expect "a run leaves a trace" 1 "Recorded in" "$threelane" run ex44 --src exercises/ex44-events/wrong/record-too-early.cu
[ "$(grep -c '^hazard[[:space:]]race[[:space:]]' .threelane/ex44.lane)" -eq 1 ] && ok "one hazard in it" || bad "one hazard in it" "not one"
expect "the page" 0 "^$|." sh -c '"$0" show .threelane/ex44.lane --as html -o page.html && echo' "$threelane"
grep -q 'produce1 in stream 2' page.html && ok "and says what raced" || bad "and says what raced" "not in the page"

# ---- THREELANE_CHECK ----
cd "$work" || exit 1
cat >race.cu <<'END'
#include <cstdio>
__global__ void add(int *p) { p[threadIdx.x] += 1; }
int main()
{
    int *d, *h;
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMalloc(&d, 1024);
    cudaMallocHost(&h, 1024);
    for (int i = 0; i < 256; i++) h[i] = i;
    cudaMemcpyAsync(d, h, 1024, cudaMemcpyHostToDevice, a);
#ifdef FIXED
    cudaStreamSynchronize(a);
#endif
    add<<<1, 256, 0, b>>>(d);
    cudaMemcpyAsync(h, d, 1024, cudaMemcpyDeviceToHost, b);
    cudaStreamSynchronize(b);
    printf("h[7] is %d\n", h[7]);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(d);
    cudaFreeHost(h);
    return 3;
}
END
"$tlcc" race.cu -o race || bad "builds" "it does not"
"$tlcc" race.cu -DFIXED -o fixed
"$tlcc" --plain race.cu -o plain
expect "not set: errors; the program's own status" 3 "^threelane: race: K0 in stream 2 reads and writes d\[0\.\.1023\], H2D0 in stream 1 writes it" ./race
expect "hazards" 3 "^threelane: race" env THREELANE_CHECK=hazards ./race
expect "all" 3 "^threelane: race" env THREELANE_CHECK=all ./race
expect "memory: no races" 3 "^h\[7\]" env THREELANE_CHECK=memory ./race
never "none is told" "race:"
expect "off" 3 "^h\[7\]" env THREELANE_CHECK=off ./race
never "nothing is told" "threelane:"
expect "anything else" 97 "THREELANE_CHECK=races: errors, hazards, memory, all" env THREELANE_CHECK=races ./race
expect "no notes unless asked" 3 "^h\[7\] is 8" ./fixed
never "silent" "threelane:"
expect "notes where asked" 3 "^threelane: redundant: cudaDeviceSynchronize orders nothing" env THREELANE_CHECK=hazards ./fixed
expect "tlcc --plain: nothing is looked for" 3 "^h\[7\]" ./plain
never "plain is silent" "threelane:"

# ---- the end: what was in flight counts, and why the program was stopped is the last thing that is said ----
ending=$repository/tests/programs/hazards/ending
expect "check: an aborted program's errors count" 1 "^threelane: host-race: " "$threelane" check "$ending/abort.cu"
grep -v '^threelane: check: ' "$work/out" | grep '^threelane: ' | tail -n 1 | grep -q ': aborted in main()$' &&
    ok "the reason comes last" || bad "the reason comes last" "$(tail -n 3 "$work/out")"
"$threelane" check --json "$ending/abort.cu" >abort.json 2>/dev/null
grep -q '"kind":"host-race"' abort.json && ok "check --json: with the reports of a program that aborts" ||
    bad "check --json: with the reports of a program that aborts" "$(cat abort.json)"
cat >slow.cu <<'END'
__global__ void a(int *p) { p[0] = 1; }
__global__ void endless(int *p) { for (;;) p[0] += 1; }
int main()
{
    int *d;
    cudaStream_t s, t;
    cudaMalloc(&d, 64);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    a<<<1, 1, 0, s>>>(d);
    endless<<<1, 1, 0, t>>>(d);
    return cudaDeviceSynchronize();
}
END
expect "check: a program that is stopped keeps its reports" 1 "^threelane: race: endless in stream 2" \
    "$threelane" check slow.cu --timeout 1
expect "check: and says last where it was" 1 "^threelane: ended by SIGTERM in kernel endless" \
    "$threelane" check slow.cu --timeout 1
grep -v '^threelane: check: ' "$work/out" | grep '^threelane: ' | tail -n 1 | grep -q 'in kernel endless$' &&
    ok "the place comes last" || bad "the place comes last" "$(tail -n 3 "$work/out")"

# ---- threelane check ----
expect "check: errors are status 1" 1 "^threelane: race: " "$threelane" check race.cu
expect "check: notes are told, status 0" 0 "^threelane: redundant: " "$threelane" check race.cu -DFIXED
expect "check: --strict makes them errors" 1 "^threelane: redundant: " "$threelane" check race.cu -DFIXED --strict
expect "check: what does not build is 2" 2 "." "$threelane" check "$repository/README.md"
sed '/cudaDeviceSynchronize/d' race.cu >clean.cu
expect "check: clean" 0 "^h\[7\]" "$threelane" check clean.cu -DFIXED --strict
never "check: clean is silent" "redundant|race:"
is_json() {     # is_json NAME FILE
    if command -v python3 >/dev/null 2>&1; then
        if python3 -m json.tool "$2" >/dev/null 2>"$work/out"; then ok "$1"; else bad "$1" "not JSON"; fi
    elif [ "$(tr -cd '{' <"$2" | wc -c)" -eq "$(tr -cd '}' <"$2" | wc -c)" ]; then ok "$1"
    else bad "$1" "braces differ"
    fi
}
"$threelane" check --json race.cu >race.json 2>/dev/null
[ $? -eq 1 ] && ok "check --json: status 1" || bad "check --json: status 1" "another"
is_json "check --json: is JSON" race.json
grep -q '"kind":"race","severity":"error","times":1,.*"line":12}.*"line":16}.*"name":"d","kind":"device","bytes":1024,"first":0,"last":1023,"touched":1024' race.json &&
    ok "check --json: says it all" || bad "check --json: says it all" "$(cat race.json)"
"$threelane" check --json clean.cu -DFIXED >clean.json 2>/dev/null
is_json "check --json: of a clean program" clean.json
THREELANE_CHECK_JSON=own.json ./race >/dev/null 2>&1
is_json "THREELANE_CHECK_JSON" own.json

# ---- what stopped a program stands in the JSON ----
stopped() {     # stopped NAME SOURCE PATTERN
    printf '%s\n' "$2" >stopped.cu
    "$threelane" check --json stopped.cu >stopped.json 2>/dev/null
    holds "stopped, in JSON: $1" grep -qE "$3" stopped.json
    holds "which is JSON: $1" jq -e .stopped stopped.json
}
stopped "a destroyed stream" 'int main() { cudaStream_t s; cudaStreamCreate(&s); cudaStreamDestroy(s);
    cudaStreamSynchronize(s); }' '"stopped":\{"kind":"misuse","text":"cudaStreamSynchronize: the stream was destroyed at [^"]*stopped.cu:1","file":"[^"]*stopped.cu","line":2\}'
stopped "a destroyed event" 'int main() { cudaEvent_t e; cudaEventCreate(&e); cudaEventDestroy(e);
    cudaEventRecord(e); }' '"stopped":\{"kind":"misuse","text":"cudaEventRecord: [^"]*destroyed[^"]*","file":"[^"]*stopped.cu","line":2\}'
stopped "memory of the device touched by the host" 'int main() { int *p; cudaMalloc(&p, 4);
    *p = 1; }' '"stopped":\{"kind":"misuse","text":"host code writes device memory[^"]*","file":"[^"]*stopped.cu","line":2\}'
stopped "a crash" '#include <cstdlib>
int main() { cudaFree(0); abort(); }' '"stopped":\{"kind":"crash","text":"aborted in main\(\)","file":"[^"]*stopped.cu","line":2\}'
stopped "before there is a device" 'int main() { volatile int *p = nullptr;
    *p = 1; }' '"program":null,.*"stopped":\{"kind":"crash","text":"segmentation fault[^"]*","file":"[^"]*stopped.cu","line":2\}'
# whichever addr2line there is names the line, and what it has to say otherwise is nobody's business
mkdir tools
printf '#!/bin/sh\necho used >used\necho noise >&2\nexec "%s" "$@"\n' "$(command -v addr2line)" >tools/addr2line
chmod +x tools/addr2line
"$tlcc" stopped.cu -o crash
PATH=$PWD/tools:$PATH ./crash >"$work/out" 2>&1
holds "the line of a crash" grep -q 'stopped.cu:2: segmentation fault in main()' "$work/out"
holds "by the addr2line in PATH" [ -e used ]
holds "which is not heard" sh -c '! grep -q noise "$1"' sh "$work/out"
"$threelane" check --json clean.cu -DFIXED >stopped.json 2>/dev/null
holds "ended by itself" grep -q '"notes":0,"stopped":null,"hazards":\[' stopped.json

# ---- a race is in the trace of any program, and a seed shows it ----
THREELANE_TRACE=race.lane ./race >/dev/null 2>&1
grep -q '^hazard[[:space:]]race[[:space:]]' race.lane && ok "a race is in the trace" || bad "a race is in the trace" "it is not"
expect "show waits names it" 0 "." "$threelane" show race.lane --as lanes
cd "$work/course" || exit 1
expect "EXPLORE finds a schedule" 1 "^Seed [0-9]+ breaks it" env EXPLORE=200 \
    "$threelane" run ex44 --src missing.cu --explore 200 --width 200
seed=$(sed -n 's/^Seed \([0-9]*\) breaks it.*/\1/p' "$work/out")
expect "SEED shows it again" 1 "Recorded in .*ex44-seed$seed.lane" "$threelane" run ex44 --src missing.cu --seed "${seed:-1}"

cd "$repository" || exit 1
# ---- large kernels are checked in samples ----
"$tlcc" "$repository/tests/programs/light/times.cu" -o "$work/times" || bad 'the program of times builds'
timed() { THREELANE_MODEL=h200 THREELANE_ACCESSES=$1 "$work/times" >"$work/times.$1" 2>"$work/said.$1"; }
timed all && timed 0 && timed 200000
same 'times are predicted from samples as from all' "$work/times.all" "$work/times.0"
same 'and from more of them' "$work/times.all" "$work/times.200000"
holds 'a line says so' grep -q '^threelane: checked in samples, to be fast: .*THREELANE_CHECK=all checks every one$' "$work/said.0"
holds 'and none where all are checked' [ ! -s "$work/said.all" ]
expect 'what is no number of accesses' bad 'THREELANE_ACCESSES=many: a whole number, or "all", is wanted' env THREELANE_ACCESSES=many "$work/times"
finish
