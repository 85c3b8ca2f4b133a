#!/bin/sh
# Predict, then run: empty rows, what is expected held against what happened, and files that are none.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export HOME="$work" THREELANE_TLCC="$tlcc"
course "$work/course"
cd "$work/course" || exit 1
folder=exercises/ex43-overlap file=exercises/ex43-overlap/predict.txt
rm -f $file
cp $folder/starter.cu $folder/ex43.cu
run() { "$threelane" run ex43 "$@"; }

expect 'the exercise asks first' 1 'Before you edit, predict: when is batch 1 copied in' run
never 'nothing was expected' '^Expected'
rm -f .threelane/ex43.lane
expect 'empty rows, before there is a run' 0 "Empty rows are in $file" "$threelane" predict ex43
also 'with the question' 'when is batch 1 copied in'
holds 'they name the operations' grep -q '^#   Kernels  \[K0\] \[K1\] \[K2\] \[K3\]$' $file
expect 'they are still empty' 1 'predict.txt is still empty: what do you expect' run
cp $file empty.txt
expect 'nothing is written over' 0 'is still empty' "$threelane" predict ex43
same 'it is as it was' $file empty.txt

cat >$file <<'EOF2'
t=0: [H2D0]
t=1: [K0] [H2D1]
t=2: [D2H0] [K1] [H2D2]
t=3: [D2H1] [K2] [H2D3]
t=4: [D2H2] [K3]
t=5: [D2H3]
EOF2
expect 'held against the starter' 1 '^You expected 3 of 12 operations of `pipelined` when they came' run --width 200
says 'with the reason' 'You put H2D1 at t=1; it started at t=3: H2D1 was issued only when D2H0 had ended: until then cudaMemcpy (ex43.cu:13) kept the host (ex43.cu:11).'
says 'and no more than is read' 'And 3 more, perhaps because of these.'
never 'nobody is asked again' 'Before you edit, predict'
says 'it takes no points' '19 of 36 points'
expect 'by itself' 0 'You expected 3 of 12 operations' "$threelane" predict ex43
cp $folder/solution.cu $folder/ex43.cu
expect 'held against a solution' 0 'All 12 operations of `pipelined` came when you expected them' run
expect 'as JSON' 0 '"expected":"All 12 operations' run --json
expect 'another file' 0 'All 12 operations' run --predict $folder/golden.txt
expect 'one that is not there' 0 'nowhere.txt: there is no such file' run --predict nowhere.txt
echo 't=1: K1' >$file
expect 'one that cannot be read' 0 "predict.txt: line 1: 'K1' is no cell" run --width 200
head -c 2000000 /dev/zero | tr '\0' 'x' >$file
expect 'one that is too long' 0 'predict.txt: File too large' run
rm $file && mkdir $file
expect 'one that is a folder' 0 'predict.txt: Is a directory' run
rmdir $file && ln -s /nowhere/at/all $file
expect 'one that cannot be made' 2 'predict.txt: File exists' "$threelane" predict ex43
rm $file
: >exercises/ex42-pinned-memory/golden.txt
expect 'an exercise whose operations nobody knows' 2 'not known which operations there will be' "$threelane" predict ex42
finish
