#!/bin/sh
# What the checker says of programs as people write them: one correct form and one wrong one of each in tests/corpus.
# (make test-corpus: all of them.)
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

expect "the commonest bugs are found, and correct programs are left alone" 0 'found [0-9]* of [0-9]*, false reports 0 of' \
    env FEW=yes "JOBS=$jobs" "TLCC=$tlcc" tests/corpus/run
printf '%s\n' '// variant:' '#include <stdio.h>' '__global__ void k(int *p) { p[threadIdx.x] = p[threadIdx.x + 1]; }' \
    'int main() { int *p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); cudaDeviceSynchronize(); }' >"$work/false.cu"
expect "a report on a correct form is counted" 1 'found 0 of 0, false reports 1 of 1' tests/corpus/run "$work/false.cu"
printf '%s\n' '// wrong: = race' 'int main() { return 0; }' >"$work/missed.cu"
expect "a bug that is not found is counted" 1 'found 0 of 1' tests/corpus/run "$work/missed.cu"
also "and named" 'missed .*missed.cu: race'
printf '%s\n' '// variant:' 'int main() { return 3; }' >"$work/broken.cu"
expect "a program that fails is none that is left alone" 1 '1 programs do not build or do not end well' \
    tests/corpus/run "$work/broken.cu"
finish
