#!/bin/sh
# An exercise whose functions are judged on a machine of their own each: one copy engine, one hardware queue (asked for as
# CUDA does), sizes that count, and the compiler's option for per-thread default streams. One verdict, one report.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export NO_COLOR=1
cd "$work" || exit 1
cp -R "$repository/tests/fixtures/machines" exercises
cp "$repository/exercises/harness.h" exercises
folder=exercises/ex92-machines
run() {             # run NAME STATUS PATTERN FILE [OPTION ...]
    name=$1 status=$2 pattern=$3 file=$4
    shift 4
    expect "$name" "$status" "$pattern" "$threelane" run ex92 --ascii --width 400 --src "$file" "$@"
}
changed() { sed "$1" $folder/solution.cu >"$2"; cmp -s "$2" $folder/solution.cu && echo "nothing changed in $2"; }

run 'each function passes on its machine' 0 'All checks passed' $folder/solution.cu
also 'the report has what the other machines measured' 'One copy engine:  8 time units'
also 'a schedule of another run' 't=4: \[D2H0\] \[K3  \]'
also 'and a number of the run with a variable' 'One hardware queue: 2 time units, on 4 batches'
also 'values of each run' 'Pieces, by size: 4, else 1'
run 'and where nothing is believed' 0 'All checks passed' $folder/solution.cu --trusted --unsafe
expect 'the golden text has all of it' 0 'is what the solution reports' "$threelane" golden ex92

# depth first: right on two copy engines, not on one
awk '/^void order/ { order = 1 } /^}/ { order = 0 }
     order && /cudaMemcpyAsync\(d_in/ { print "    for (int i = 0; i < BATCHES; i++) {"; sub(/.*\+\+\) /, ""); open = 1 }
     order && open { sub(/.*BATCHES; i\+\+\) /, "") }
     { print }
     order && open && /cudaMemcpyAsync\(h_out/ { print "    }"; open = 0 }' $folder/solution.cu >depth.cu
run 'what holds on two engines is told from what does not on one' 1 \
    'FAIL +0/2 +One copy engine is never idle' depth.cu
also 'two engines overlap in any order' 'pass +2/2 +Two copy engines overlap'
also 'the cause says on which machine' 'on model one-copy-engine'
also 'the report shows it' 'One copy engine:  12 time units'

awk '/^void chains/ { chains = 1 } /^}/ { chains = 0 }
     chains && /next<<</ { n++; if (n == 1) print "    for (int i = 0; i < CHAINS; i++) {"; sub(/.*\+\+\) /, "")
                           print; if (n == 2) print "    }"; next } { print }' $folder/solution.cu >chains.cu
run 'chain by chain is told where there is one queue' 1 'FAIL +0/2 +The chains overlap in one queue' chains.cu
also 'with the variable that asks for it' 'with CUDA_DEVICE_MAX_CONNECTIONS=1'
run 'also where nothing is believed' 1 'FAIL +0/2 +The chains overlap in one queue' chains.cu --trusted --unsafe

changed 's/    return best;/    return 4;/' typed.cu
run 'a number that was typed holds on one machine only' 1 'FAIL +0/2 +The best number of pieces where a piece costs less' typed.cu
also 'on the one it is right' 'pass +2/2 +The best number of pieces$'

changed 's/next<<<1, 256>>>/next<<<1, 256, 0, cudaStreamLegacy>>>/' legacy.cu
run 'stream 0 is the legacy stream only where it is named so' 1 "FAIL +0/2 +Stream 0 is the thread's own" legacy.cu
also 'where threads wait for each other' "FAIL +0/2 +Two threads' default streams overlap"
run 'also where nothing is believed' 1 "FAIL +0/2 +Stream 0 is the thread's own" legacy.cu --trusted --unsafe
also 'the threads, too' "FAIL +0/2 +Two threads' default streams overlap"
sed -i '/^options/d' $folder/exercise.ini
run 'and without the option it is the legacy stream' 1 "FAIL +0/2 +Stream 0 is the thread's own" $folder/solution.cu
cp "$repository/tests/fixtures/machines/ex92-machines/exercise.ini" $folder/

# what grading draws is drawn of models, too
mkdir -p class/ann class/bob
cp $folder/solution.cu class/ann/ex92.cu
cp typed.cu class/bob/ex92.cu
expect 'models are drawn for grading' 0 '' "$threelane" grade class --unsafe --seed 5 -o grades
holds 'one of them keeps all points' grep -q 'ann.*pass,18,18' grades/grades.csv
holds 'the other does not' grep -q 'bob.*fail,15,18' grades/grades.csv

# and what is said of a machine holds there as well
sed -i 's/^\[run one-engine\]/[on exact = yes]\nBATCHES = 3\n\n&/' $folder/exercise.ini
expect 'with other parameters on this machine' 0 '' "$threelane" grade class --unsafe --seed 5 -o others
holds 'it is another exercise' sh -c '! grep -q "ann.*pass,18,18" others/grades.csv'
cp "$repository/tests/fixtures/machines/ex92-machines/exercise.ini" $folder/

# mistakes of whoever writes exercises
wrong() { cp "$repository/tests/fixtures/machines/ex92-machines/exercise.ini" $folder/; sed -i "$2" $folder/exercise.ini; expect "$1" bad "$3" "$threelane" run ex92; }
wrong 'a variable of someone else is refused' 's/CUDA_DEVICE_MAX_CONNECTIONS=1/LD_PRELOAD=x/' 'env is CUDA_DEVICE_MAX_CONNECTIONS=NUMBER'
wrong 'an option of the compiler that is none of these, too' 's/per-thread$/per-thread -O0/' "not '-O0'"
wrong 'a model that is changed in what it has not' 's/model = bytes$/model = bytes+size=1/' 'no number "size" to change'
cp "$repository/tests/fixtures/machines/ex92-machines/exercise.ini" $folder/
sed -i 's/{one-engine: time/{one-engin: time/' $folder/report.txt
expect 'a report that names no run' bad "report.txt:4: there is no run 'one-engin'" "$threelane" run ex92
finish
