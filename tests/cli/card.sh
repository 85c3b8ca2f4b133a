#!/bin/sh
# Exercises judged on a real GPU, on a machine without one: runs that were recorded on an NVIDIA H200 are played again
# by stand-ins for nvcc and threelane-gpu, and everything behind them is the real thing. Then what a card, its driver
# and its toolkit can lack.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
gpu=$(dirname "$threelane")/../lib/threelane/threelane-gpu
[ -x "$gpu" ] || gpu=$(dirname "$threelane")/../build/lib/threelane/threelane-gpu
fixtures=$PWD/tests/fixtures/h200
unset CUDA_HOME CUDA_VISIBLE_DEVICES GPU CARD
export NO_COLOR=1
cp -R exercises lessons "$work" && cp -R tests/fakes "$work/fake" && cd "$work" || exit 1
echo "FIXTURES='$fixtures'" >fake/fake.ini
export THREELANE_HOME="$work/fake" NVCC="$work/fake/nvcc"
run() { e=$1 f=$2; shift 2; "$threelane" run "$e" --gpu --width 120 --src "$(echo exercises/"$e"-*/"$f")" "$@"; }

for e in ex41 ex42 ex43 ex44 ex45 ex46 ex47 ex48 ex49 ex50 ex51 ex52 ex53 ex54 ex55 ex56 ex57 ex58 ex59 ex60 ex61 ex62 ex63 ex64; do
    expect "$e's solution passes" 0 '^All checks passed' run $e solution.cu
done
# every recorded wrong variant fails by the check that its first line names; what only the simulator can tell, by another
for lane in "$fixtures"/ex[456]?/*-visible.lane; do
    e=$(basename "$(dirname "$lane")") name=$(basename "$lane" -visible.lane)
    [ "$name" != solution ] || continue
    by=$(sed -n 's|^// caught-by: ||p' exercises/$e-*/wrong/"$name.cu" | sed 's/.*on a card: //;s/ +.*//;q')
    [ $e-$name != ex42-typed ] || by=measured-pageable
    title=$(sed -n "/^\[check $by\]/,/^\[/s/^title = //p" exercises/$e-*/exercise.ini | head -n 1 | sed 's/[().*+?]/./g')
    status=1
    if grep -q '^status [1-9]' "${lane%.lane}.left"; then status=4; fi
    expect "$e $name fails by $by" $status "^FAIL +0/[0-9]+ +$title" run $e "wrong/$name.cu"
done

# what the report says on a card
expect 'steps and measured times' 0 '^t=1: \[K0  \] \[H2D1\] +0\.[0-9]+ - 0\.[0-9]+ ms$' run ex43 solution.cu
expect 'the order in which batches were asked for' 0 'in the order in which they were asked for: 0 1 3 2\.$' run ex43 solution.cu
expect 'a large copy through the host, as long as it took' 0 'without peer access: 1[01]\.[0-9]+ time units' run ex54 solution.cu
expect 'the unit' 0 '^Measured on NVIDIA H200\. A time unit is 0\.30[0-9] ms' run ex43 solution.cu
expect 'measured numbers have two decimals' 0 '^Total: 1[123]\.[0-9][0-9] time units$' run ex43 solution.cu
expect 'measured bandwidths' 0 'Transfer BW:  ~5[0-9]\.[0-9][0-9] GB/s \(PCIe, pinned\)' run ex42 solution.cu
expect 'reasons are inferred' 0 'inferred' sh -c "'$threelane' show .threelane/ex43.lane --range pipelined --as waits"
expect 'the card is named' 0 '^Exercise 43: .* \(on NVIDIA H200\)$' run ex43 solution.cu
expect 'no check that only the simulator can decide' 1 '^0$' sh -c "'$threelane' run ex42 --gpu --src exercises/ex42-*/solution.cu | grep -c 'another machine'"
# a run of which the times are not what they should be
sed 's/^value elapsed_ms.*/value elapsed_ms 9.99/' "$fixtures/ex44/solution-visible.left" >edited.left
mkdir -p edited/ex44 && cp "$fixtures"/ex44/solution-* edited/ex44 && cp edited.left edited/ex44/late-begin-visible.left &&
    cp "$fixtures/ex44/solution-visible.lane" edited/ex44/late-begin-visible.lane
echo "FIXTURES='$work/edited'" >fake/fake.ini
expect 'a wrong measurement' 1 '`elapsed_ms` is 9.99; by what was recorded it should be 2\.9' run ex44 wrong/late-begin.cu
expect 'a result that differs' 1 'FAIL +0/2 +The results are right' sh -c \
    "sed -i 's/^dump result .*/dump result wrong/' '$work/edited/ex44/late-begin-visible.left'; '$threelane' run ex44 --gpu --src exercises/ex44-*/wrong/late-begin.cu"
echo "FIXTURES='$fixtures'" >fake/fake.ini

# what can be missing
cp fake/fake.ini fake/before.ini
echo FAKE_CARDS=1 >>fake/fake.ini
expect 'an exercise for two cards, and one: what is missing, and the virtual pair' 2 \
    'ex54 needs 2 GPUs, and this machine has 1: `make ex54` runs it on 2 virtual ones' "$threelane" run ex54 --gpu
echo FAKE_CARDS=3 >>fake/fake.ini
expect 'fewer than two from the one that was named' 2 \
    'ex54 needs 2 GPUs, and this machine has 1 from card 2 on' "$threelane" run ex54 --card 2
mv fake/before.ini fake/fake.ini
expect 'no second card' 2 'there is no card 1: this machine has one' sh -c \
    "echo \"FAKE_ERROR='there is no card 1: this machine has one, card 0'\" >>fake/fake.ini; '$threelane' run ex43 --card 1"
echo "FIXTURES='$fixtures'" >fake/fake.ini
expect 'nvcc that is not there' 2 'NVCC is /nowhere/nvcc, which is no program' env NVCC=/nowhere/nvcc "$threelane" run ex43 --gpu
[ -e /usr/local/cuda/bin/nvcc ] ||
    expect 'no nvcc at all' 2 'nvcc was not found .*install the CUDA Toolkit' env -u NVCC PATH=/usr/bin:/bin "$threelane" run ex43 --gpu
expect 'a model and a card' 2 '[-][-]model is for the virtual GPU' "$threelane" run ex43 --gpu --model h200
expect 'a card that is no number' 2 "a card's number, from 0, not 'x'" "$threelane" run ex43 --card x
expect 'a source that does not compile' 3 'expected a declaration' sh -c \
    "echo 'SYNTAX ERROR' >bad.cu; '$threelane' run ex43 --gpu --src bad.cu"
expect 'on which card again' 3 'mend the first error above, then .*ex43 (GPU=1 CARD=2|--gpu --card 2)$' sh -c \
    "cp bad.cu '$(echo exercises/ex43-*)/ex43.cu'; '$threelane' run ex43 --card 2"
expect 'on the first card again' 3 'mend the first error above, then .*ex43 (GPU=1|--gpu)$' "$threelane" run ex43 --gpu
expect 'no memory on the card' 7 'no memory left for this exercise \(cudaMallocHost: out of memory\).*nvidia-smi' sh -c \
    "mkdir -p full/ex43 && cp '$fixtures'/ex43/solution-* full/ex43 && cp full/ex43/solution-visible.left full/ex43/leak-visible.left &&
     sed 's/^status.*/status 1/' -i full/ex43/leak-visible.left && sed '/^ret	1	/s/0\$/2/' full/ex43/solution-visible.lane >full/ex43/leak-visible.lane &&
     echo \"FIXTURES='$work/full'\" >fake/fake.ini; '$threelane' run ex43 --gpu --width 200 --src exercises/ex43-*/wrong/leak.cu"

# the real threelane-gpu, over a driver that only has answers
unset THREELANE_HOME NVCC
cat >driver.c <<'END'
#include <stdlib.h>
#include <string.h>
static int number(const char *name, int otherwise) { const char *t = getenv(name); return t ? atoi(t) : otherwise; }
int cuInit(unsigned flags) { (void)flags; return number("INIT", 0); }
int cuDriverGetVersion(int *v) { *v = number("VERSION", 13000); return 0; }
int cuDeviceGetCount(int *n) { *n = number("CARDS", 2); return 0; }
int cuDeviceGetName(char *name, int size, int card) { (void)size; strcpy(name, card ? "Second" : "First"); return 0; }
int cuDeviceGetAttribute(int *v, int what, int card) { (void)card; *v = what == 75 ? 9 : 0; return 0; }
int cuDeviceGetUuid_v2(unsigned char *uuid, int card) { memset(uuid, card, 16); return 0; }
END
cc -shared -fPIC -o libcuda.so.1 driver.c || exit 1
printf 'int nothing;' >nothing.c && cc -shared -fPIC -o libcupti.so nothing.c && touch tracer || exit 1
export LD_LIBRARY_PATH="$work" THREELANE_TRACER="$work/tracer" THREELANE_CUPTI="$work"
expect 'a card is described' 0 '^Second	90	13000	01010101010101010101010101010101	/.*/libcuda\.so\.1	/.*/libcupti\.so$' "$gpu" card 1
expect 'cards are counted from 0' 7 'no card 2: this machine has 2, counted from 0' "$gpu" card 2
expect 'a driver that is too old' 7 'driver is too old: it is for CUDA 11\.4' env VERSION=11040 "$gpu" card 0
expect 'a driver without a GPU' 7 'sees no GPU; .threelane doctor' env INIT=100 "$gpu" card 0
expect 'a driver that fails' 7 'cuInit answers with error 803' env INIT=803 "$gpu" card 0
expect 'a wrong number' 2 'usage: threelane-gpu card' "$gpu" card one

# what doctor says of all that, line by line
mkdir cupti
echo 'int cuptiGetVersion(unsigned *v) { *v = CUPTI; return 0; }' >cupti.c
mkdir stub && cc -shared -fPIC -o stub/libcuda.so.1 nothing.c || exit 1
cc -DCUPTI=130001 -shared -fPIC -o cupti/libcupti.so cupti.c || exit 1
printf '#!/bin/sh\necho "Cuda compilation tools, release ${RELEASE:-13.0}, V13.0.48"\n' >nvcc13
chmod +x nvcc13
export THREELANE_CUPTI="$work/cupti" NVCC="$work/nvcc13"
unset THREELANE_TRACER CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH CUDA_LAUNCH_BLOCKING CUDA_VISIBLE_DEVICES
doctor() {      # doctor NAME VARIABLE=VALUE...: the lines that it says, in $work/said
    name=$1
    shift
    env "$@" "$gpu" doctor 2>&1 | grep -vE '^(kernel|ok +(device|kernel|tracer)|MISSING +(device|tracer)| .*(CUDA Toolkit, then|nvidia-modprobe|docker run))' |
        sed "s|$work|WORK|g" >said
}
doctor 'all is there'
cat >wanted <<'END'
ok       driver      for CUDA up to 13.0
ok       card        0: First, compute capability 9.0, 0 copy engines
ok       card        1: Second, compute capability 9.0, 0 copy engines
ok       nvcc        WORK/nvcc13, CUDA 13.0
ok       CUPTI       WORK/cupti/libcupti.so, version 130001
ok       permission  this user may profile
END
grep -E '^(ok|note|MISSING)' said >lines
same 'doctor: a driver, two cards, a toolkit' wanted lines
asked() {       # asked NAME LINE VARIABLE=VALUE...: doctor says that line
    what=$1 line=$2
    shift 2
    doctor "$what" "$@"
    cp said out
    holds "doctor: $what" grep -qF -- "$line" said
}
asked 'a driver for an older CUDA' 'WORK/nvcc13 makes programs for CUDA 13.0; this driver runs CUDA up to 12' VERSION=12060
asked 'and CUPTI' 'WORK/cupti/libcupti.so is for CUDA 13, the driver for CUDA 12.6' VERSION=12060
asked 'a toolkit of the driver' 'ok       nvcc        WORK/nvcc13, CUDA 12.6' VERSION=12060 RELEASE=12.6
asked 'one card' 'ok       card        0: First' CARDS=1
! grep -q Second said || bad 'doctor: one card' 'there are two'
asked 'no GPU' 'MISSING  driver      it is there (CUDA 13.0), but it sees no GPU' INIT=100
asked 'hidden GPUs' "-> CUDA_VISIBLE_DEVICES is '7': \`unset CUDA_VISIBLE_DEVICES\`" INIT=100 CUDA_VISIBLE_DEVICES=7
asked 'two versions' "the kernel's part and the libraries are of different versions" INIT=803
asked 'not ready' 'the system is not ready: on NVSwitch machines the fabric manager must run' INIT=802
asked 'another error' 'cuInit answers with error 5' INIT=5
asked 'another profiler' 'MISSING  profiler    another tool is set to be loaded into programs: CUDA_INJECTION64_PATH=/x.so' CUDA_INJECTION64_PATH=/x.so
asked 'launches that wait' 'note     environment CUDA_LAUNCH_BLOCKING is set: every launch waits, nothing overlaps' CUDA_LAUNCH_BLOCKING=1
asked 'launches that do not' 'Programs can' CUDA_LAUNCH_BLOCKING=0
! grep -q 'CUDA_LAUNCH_BLOCKING' said || bad 'doctor: launches that do not' 'it is named'
asked 'no nvcc where it is named' 'note     nvcc        not found' NVCC=/nowhere/nvcc
asked 'no driver in the library' 'MISSING  driver      libcuda.so.1 is not the driver' LD_LIBRARY_PATH="$work/stub"
finish
