#!/bin/sh
# `threelane whatif`: calls made again with a change. What changes nothing gives the same trace to the byte; a change that
# is asked for gives the schedule that it has in the source.
#   WHATIF=all sh tests/cli/whatif.sh       every solution, starter and right variant, instead of some solutions
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export HOME="$work" THREELANE_TLCC="$tlcc"
course "$work/course"
cd "$work/course" || exit 1

# Every operation into the stream that it is in anyway, as long as it lasts: the same run, through all that a change goes
# through.
nothing() {     # nothing LANE: such a question
    awk -F '\t' 'BEGIN { print "threelane-whatif 1" }
        $1 == "call" { rank[$2] = ++made[$3]; thread[$2] = $3; name[$2] = $4 }
        $1 == "op" && $3 > 0 && !$18 && !told[$3]++ {
            print "call", thread[$3], rank[$3], name[$3], "stream", $6
            print "call", thread[$3], rank[$3], name[$3], "times 1" }' "$1"
}
again() {       # again STEM NEW QUESTION: the kept program once more
    (
        while IFS= read -r line; do
            case $line in env\ *) export "${line#env }" ;; esac
        done <"$1.again"
        THREELANE_TRACE=$2 THREELANE_WHATIF=$3 THREELANE_RESULTS=results.bin THREELANE_VALUES=values.txt "$1.program"
    ) >again.out 2>&1
}
unchanged() {   # unchanged EXERCISE SOURCE
    "$threelane" run "$1" --src "$2" >run.out 2>&1
    [ -e ".threelane/$1.program" ] || { echo "$1 $2: its program is not kept"; return; }
    nothing ".threelane/$1.lane" >question.txt
    again ".threelane/$1" after.lane "$PWD/question.txt"
    for trace in ".threelane/$1.lane" after.lane; do grep -v '^meta	program	' "$trace" >"$(basename "$trace").plain"; done
    cmp -s "$1.lane.plain" after.lane.plain && return
    echo "$1 $2: another trace"
    diff "$1.lane.plain" after.lane.plain | head -5
    head -5 again.out
}
for id in ${WHATIF:-ex43 ex44 ex45 ex47 ex54 ex56 ex57 ex60 ex64}; do
    for folder in exercises/ex*/; do
        case $id-$folder in all-*) one=$(basename "$folder"); one=${one%%-*} ;; *-exercises/"$id"-*) one=$id ;; *) continue ;; esac
        set -- "${folder}solution.cu"
        [ "$id" != all ] || set -- "$@" "${folder}starter.cu" "$folder"right/*.cu
        for source in "$@"; do unchanged "$one" "$source"; done
    done
done >odd.out
if [ ! -s odd.out ]; then ok 'what changes nothing is the same run, byte for byte'
else bad 'what changes nothing is the same run, byte for byte' "$(cat odd.out)"; fi

# A change, asked for and in the source: the same picture of what the exercise is about.
cells() { "$threelane" show "$1" --range "$2" --as cells; }
pair() {        # pair NAME EXERCISE RANGE FROM TO CHANGE...
    name=$1 id=$2 range=$3 from=$4 to=$5
    shift 5
    "$threelane" run "$id" --src "exercises/$id"-*/"$to" >/dev/null 2>&1
    cells ".threelane/$id.lane" "$range" >in-source.txt
    "$threelane" run "$id" --src "exercises/$id"-*/"$from" >/dev/null 2>&1
    cells ".threelane/$id.lane" "$range" >as-it-was.txt
    expect "$name: it is answered" 0 'this is no verdict' "$threelane" whatif "$id" "$@"
    cells ".threelane/$id.whatif.lane" "$range" >asked.txt
    if cmp -s in-source.txt asked.txt && ! cmp -s as-it-was.txt asked.txt; then ok "$name: as in the source"
    else bad "$name: as in the source" "$(diff in-source.txt asked.txt; cat "$work/out")"; fi
}
pair 'a stream for each batch' ex43 pipelined wrong/one-stream.cu solution.cu apart all
pair 'pinned memory' ex43 pipelined wrong/pageable.cu solution.cu pinned all
pair 'waits left out' ex43 pipelined wrong/sync-in-loop.cu solution.cu drop-wait all add-wait D2H3
also 'and what to type to see both' '^  threelane view \.threelane/ex43\.whatif\.lane --compare \.threelane/ex43\.lane$'
also 'and the time that it saves' '12\.0 units -> 6\.0 units: 2 times as fast'
pair 'three changes' ex43 pipelined starter.cu solution.cu apart all async all add-wait D2H3
never 'no race is new' 'New:'


# What else is said.
solve() { "$threelane" run "$1" --src "exercises/$1"-*/solution.cu >/dev/null 2>&1; }
solve ex43
expect 'by the path of its trace' 0 '6\.0 units -> 5\.5 units|6\.0 units -> ' "$threelane" whatif .threelane/ex43.lane --range pipelined half kernel
never 'which it can write' 'does not come to its end|ends with status'
expect 'a wait that is needed' 0 'New: host-race: host code reads h_out' "$threelane" whatif ex43 drop-wait all
expect 'an order that nobody asks for' 0 'New: race: K1 in stream 4 reads d_in' "$threelane" whatif ex43 stream K1=4
expect 'a thousand times as fast' 0 ': 1[0-9][0-9][0-9] times as fast' "$threelane" whatif .threelane/ex43.lane --range pipelined times all=0.001
expect 'another machine' 0 'another machine, whose times are its own' "$threelane" whatif ex43 device h200
expect 'which is none' 2 'no device model "nowhere"; there are' "$threelane" whatif ex43 device nowhere
expect 'a parameter' 0 'What if: BATCHES=6\?' "$threelane" whatif ex43 batches 6
also 'and its time' '6\.0 units -> 8\.0 units'
expect 'a parameter that is none' 2 'has these parameters, each a whole number: BATCHES' "$threelane" whatif ex43 'BATCHES=-D'
expect 'no change' 2 'what is to be changed[?] whatif ex43 CHANGE' "$threelane" whatif ex43
expect 'no run' 2 'there is no run of ex99|there is no exercise' "$threelane" whatif ex99 apart all
expect 'an operation that is none' 2 'no operation is called so; there are H2D0' "$threelane" whatif ex43 half K77
for ending in lane program again; do cp ".threelane/ex43.$ending" "other.$ending"; done
expect 'what lies beside a trace elsewhere is not run' 2 'has no program beside it' "$threelane" whatif other.lane apart all
expect 'nor by a page' 0 '' "$threelane" show other.lane --as html -o other.html
holds 'which then asks nothing' sh -c '! grep -q data-question= other.html'
mkdir linked
ln -s ../.threelane/ex43.lane linked/x.lane
printf '#!/bin/sh\ntouch %s/foreign\n' "$PWD" >linked/x.program
chmod +x linked/x.program
cp .threelane/ex43.again linked/x.again
expect 'nor what lies beside a link to a trace' 2 'has no program beside it' "$threelane" whatif linked/x.lane apart all
mv .threelane/ex43.program kept.program
for how in 'cp linked/x.program' 'cp kept.program' 'ln -s ../linked/x.program'; do
    $how .threelane/ex43.program
    expect "nor a program that came with the folder: $how" 2 'has no program beside it' \
        "$threelane" whatif ex43 apart all
    rm .threelane/ex43.program
done
"$threelane" show .threelane/ex43.lane --as html -o other.html
mv kept.program .threelane/ex43.program
expect 'the kept one is run' 0 'this is no verdict' "$threelane" whatif ex43 half kernel
holds 'and nothing else was' [ ! -e foreign ]
"$threelane" show .threelane/ex43.lane --range pipelined --as html -o page.html
holds 'a page of the course has answers' grep -q 'data-question="[0-9]".*without all 4 waits.*6.0 units' page.html
cp .threelane/ex43.lane alone.lane
expect 'a trace without its program' 2 'has no program beside it' "$threelane" whatif alone.lane apart all
cp "$repository/tests/fixtures/h200/ex43.lane" card.lane
expect 'a recording of a card' 2 'recorded on a GPU' "$threelane" whatif card.lane apart all -- ./prog
same 'the source is as it was' exercises/ex43-overlap/solution.cu "$repository/exercises/ex43-overlap/solution.cu"
holds 'and nothing is graded' [ ! -e .threelane/progress ]

# Any program, given with its arguments.
cat >prog.cu <<'EOF2'
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void twice(float *p) { p[threadIdx.x] *= 2; }
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2;
    float *h = (float *)malloc(4096), *d;
    cudaStream_t s;
    cudaMalloc(&d, 4096);
    cudaStreamCreate(&s);
    for (int i = 0; i < n; i++) {
        cudaMemcpyAsync(d, h, 4096, cudaMemcpyHostToDevice, s);
        twice<<<1, 1024, 0, s>>>(d);
        cudaMemcpyAsync(h, d, 4096, cudaMemcpyDeviceToHost, s);
    }
    cudaStreamSynchronize(s);
    if (n == 3) cudaStreamSynchronize((cudaStream_t)12345);
}
EOF2
"$tlcc" prog.cu -o prog
THREELANE_TRACE=prog.lane ./prog
expect 'any program' 0 'What if: H2D0 half as long' "$threelane" whatif prog.lane half H2D0 -- ./prog
expect 'its pageable memory' 0 'everything with pinned memory' "$threelane" whatif prog.lane pinned all -- ./prog
expect 'other arguments' 0 'nothing is changed' "$threelane" whatif prog.lane -- ./prog 4
also 'and their time' '6\.0 units -> 12\.0 units'
expect 'a program that ends' 0 'does not come to its end then' "$threelane" whatif prog.lane half H2D0 -- ./prog 3
expect 'a program that is none' 2 'No such file' "$threelane" whatif prog.lane half H2D0 -- ./none
expect 'another program' 2 'recorded nothing: did tlcc build it' "$threelane" whatif prog.lane half H2D0 -- /bin/true
expect 'no parameters' 2 'not of this program' "$threelane" whatif prog.lane batches 3 -- ./prog

cat >early.cu <<'EOF2'
__global__ void slow(float *p) { for (int i = 0; i < 1000; i++) p[threadIdx.x] = (float)i; }
int main()
{
    float *d;
    cudaStream_t s;
    cudaMalloc(&d, 4096);
    cudaStreamCreate(&s);
    slow<<<1, 1024, 0, s>>>(d);
    slow<<<1, 1024, 0, s>>>(d);
    cudaStreamSynchronize(s);
}
EOF2
"$tlcc" early.cu -o early
THREELANE_TRACE=early.lane ./early
expect 'too early an end is no speed' 0 'units -> not known: the program ends before 2 operations are over' \
    "$threelane" whatif early.lane drop-wait all -- ./early

# What the program is told: anything but what was meant for it ends it.
for text in 'threelane-whatif 2' 'threelane-whatif 1
call 1 1 cudaMalloc' 'threelane-whatif 1
call 1 0 cudaMalloc skip' 'threelane-whatif 1
call 1 1 cudaMalloc times -1' 'threelane-whatif 1
call 1 1 cudaMalloc stream 99999999999' 'threelane-whatif 1
call 1 1 cudaMalloc skip 1'; do
    printf '%s\n' "$text" >q.txt
    expect "a file that is none: $(echo $text)" 97 'line [12]: not ' env THREELANE_TRACE=q.lane THREELANE_WHATIF=q.txt ./prog
done

# A verdict listens to no question: this one would end the program.
printf 'threelane-whatif 2\n' >q.txt
export THREELANE_WHATIF="$PWD/q.txt"
expect 'a program listens' 97 'line 1: not ' ./prog
for how in '' '--explore 5' --trusted; do
    # shellcheck disable=SC2086
    expect "a verdict does not${how:+: $how}" 0 '36 of 36 points' \
        "$threelane" run ex43 --src exercises/ex43-overlap/solution.cu $how
done
expect 'nor does a grade' 0 '"verdict":"pass","points":36,' \
    "$threelane" grade --exercise ex43 exercises/ex43-overlap/solution.cu --json
unset THREELANE_WHATIF
printf 'threelane-whatif 1\ncall 1 3 cudaFree skip\n' >q.txt
expect 'a program that goes another way' 0 'with this change the program goes another way: where it called cudaFree it now calls' \
    env THREELANE_TRACE=q.lane THREELANE_WHATIF=q.txt ./prog
finish
