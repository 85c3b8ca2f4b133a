#!/bin/sh
# Thrust, CUB and libcu++ from the headers of an installed CUDA toolkit: programs that include them, and what is said where
# there is none. TOOLKIT=all: many algorithms, all headers of libcu++, and clang, a minute or two of processor time.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
programs=$PWD/tests/fixtures/toolkit
cd "$work" || exit 1
mkdir none

# ---- without a toolkit ----

printf '#include <thrust/sort.h>\nint main() { return 0; }\n' >sort.cu
expect 'Thrust without a toolkit' bad 'sort.cu:1:10: fatal error: thrust/sort.h' env CUDA_HOME="$PWD/none" "$tlcc" sort.cu -o sort
says 'says what to install, or name' "headers of NVIDIA's CUDA toolkit: install one (no GPU is needed; 13.0 is known to work), or name the folder"
printf '#include <cuda/std/mdspan>\nint main() { return 0; }\n' >span.cu
expect 'so does what libcu++ has beyond our own headers' bad "headers of NVIDIA's CUDA toolkit" env CUDA_HOME="$PWD/none" "$tlcc" span.cu -o span
for header in cublas_v2.h cufft.h cusparse.h cusolverDn.h curand.h; do
    printf '#include <%s>\nint main() { return 0; }\n' $header >closed.cu
    expect "$header: its library is closed" bad 'without source, for their GPUs alone' "$tlcc" closed.cu -o closed
done

# ---- with one ----

# where a toolkit's libraries are, as tlcc finds them: the first marker of one
printf '#include <cuda/std/mdspan>\n' >where.cu
if ! "$tlcc" --rewrite where.cu -o where.txt 2>where.err; then
    why=$(sed -n 's/^tlcc: //p' where.err | head -n 1)
    skip 'Thrust in a stream, CUB in a block' "$why"
    [ -z "${TOOLKIT:-}" ] || skip 'many algorithms' "$why"
    finish
fi

expect 'Thrust in a stream, CUB in a block' 0 '' "$tlcc" -O1 "$programs/small.cu" -o small
expect 'they are right' 0 'thrust right, cub right' env THREELANE_TRACE=small.lane ./small
never 'and nothing is reported of them' 'threelane:'
expect 'their kernels and copies are in the timeline' 0 'transform_kernel","kernel","stream 1"' "$threelane" show small.lane --as csv
also 'in the stream that was named' 'DeviceReduceSingleTileKernel","kernel","stream 1"'
also "so is the copy of Thrust's result" '4,"D2H0","d2h","stream 1"'
also "the program's own kernel has its line" '"sum","kernel","stream 1".*"small.cu:44"'
printf '#include <thrust/no_such_header.h>\nint main() { return 0; }\n' >no.cu
expect 'a header that the toolkit lacks' bad 'no.cu:1:10: fatal error: thrust/no_such_header.h' "$tlcc" no.cu -o no
printf '#include <cuda/std/mdspan>\nint main()\n{\n    int x = "text";\n    return x;\n}\n' >wrong.cu
expect "an error of the program's own has its place" bad 'wrong.cu:4:1.: error: invalid conversion' "$tlcc" wrong.cu -o wrong

folder=$(sed -n 's|^# [0-9]* "\(.*\)/cuda/std/mdspan".*|\1|p' where.txt | grep -v '/include/toolkit$' | head -n 1)
expect 'a folder that is named' 0 '' env CUDA_HOME="$PWD/none" "$tlcc" --rewrite -I "$folder" where.cu -o named.txt
same 'has the same' where.txt named.txt

[ "${TOOLKIT:-}" = all ] || finish

right() {   # right NAME SOURCE LINES [OPTIONS]: it prints so many lines "right ..." and no other
    _name=$1 _source=$2 _lines=$3
    shift 3
    expect "$_name" 0 '' "$tlcc" "$@" "$programs/$_source.cu" -o "$_source"
    "./$_source" >"$work/out" 2>/dev/null # a race that docs/tlcc.md speaks of is the library's
    report "$_name, all of it" "$([ "$(grep -c '^right' "$work/out")" = "$_lines" ] && [ "$(wc -l <"$work/out")" = "$_lines" ] && echo yes || echo no)"
}
right 'algorithms of Thrust' thrust 31
right "CUB's for devices, blocks and warps" cub 23
right 'the same without hooks' thrust 31 --plain
expect 'atomics and barriers of libcu++' 0 '' "$tlcc" "$programs/atomics.cu" -o atomics
expect 'count' 0 '256 255 256' ./atomics
sed -n 's/^headers \(cuda\/[^ ]*\)$/\1/p' "$repository/tests/coverage/names" | grep -v 'std/detail$' | while read -r header; do
    printf '#include <cuda/std/mdspan>\n#include <%s>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n' "$header" >header.cu
    { "$tlcc" -O0 --plain header.cu -o header && ./header; } >header.err 2>&1 || echo "$header: $(grep -m 1 error header.err)"
done >"$work/out"
report 'every header of libcu++ can be included' "$([ -s "$work/out" ] && echo no || echo yes)"
if command -v clang++ >/dev/null 2>&1; then
    expect 'with clang' 0 '' "$tlcc" -ccbin clang++ "$programs/small.cu" -o small
    expect 'they are right there, too' 0 'thrust right, cub right' ./small
else
    skip 'with clang' 'no clang++ here'
fi
finish
