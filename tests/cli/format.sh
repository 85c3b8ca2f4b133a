#!/bin/sh
# The C of the product is laid out as .clang-format says (tests/format).
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

faults=$(tests/format check)
case $? in
0) ok 'the code is as clang-format has it' ;;
77) skip 'the code is as clang-format has it' "$faults" ;;
*) bad 'the code is as clang-format has it (make format)' "$(printf '%s\n' "$faults" | head -n 20)" ;;
esac
finish
