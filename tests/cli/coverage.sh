#!/bin/sh
# The table of what there is of CUDA says what a compiler finds, and its names are all those of an installed toolkit.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

tests/coverage/run >"$work/table" 2>"$work/out"
same 'docs/coverage.md is what make coverage prints (WRITE=1 writes it)' "$work/table" docs/coverage.md

# a name that nobody has, and one that is refused
mkdir "$work/tried" && cp -R tests "$work/tried" && cp -R sim docs Makefile "$work/tried" 2>/dev/null
printf 'intrinsics __no_such_intrinsic\nruntime cudaMalloc\nheaders no_such_header.h\n' >"$work/tried/tests/coverage/names"
printf 'fine | int x;\nwrong | int x = y;\nends | int main() { return 96; }\n' >"$work/tried/tests/coverage/language"
tried() { TLCC=$tlcc "$work/tried/tests/coverage/run"; }
expect 'a small list' 0 'runtime API .* 1 . 0 . 0 . 0 ' tried
also 'a name that is not declared is counted' 'intrinsics and atomics . 0 . 0 . 0 . 1 '
also 'and listed' 'Intrinsics, not declared.*__no_such_intrinsic'
also 'so is a header that is not there' 'not there.*no_such_header.h'
also 'lines of the language are compiled, and run' 'by line . 1 . 0 . 1 . 1 '

tests/coverage/run missing >"$work/out" 2>&1
case $? in
77) skip 'the names are those of the installed toolkit' 'no toolkit here' ;;
*)
    if ! grep -q 'define CUDART_VERSION *130' "${CUDA_HOME:-/usr/local/cuda}/include/cuda_runtime_api.h"; then
        skip 'the names are those of the installed toolkit' 'it is not CUDA 13.0'
    else
        report 'the names are those of the installed toolkit (tests/coverage/run names)' "$([ -s "$work/out" ] && echo no || echo yes)"
    fi ;;
esac
finish
