#!/bin/sh
# A program of nine threads: fifty runs print and record the same bytes.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
expect "it is built" 0 '' "$tlcc" tests/programs/host/many_threads.cu -o "$work/program"
differ=
for i in $(seq 50); do
    THREELANE_TRACE=$work/trace "$work/program" >"$work/out" 2>&1 || differ="run $i ends with status $?"
    cat "$work/out" "$work/trace" >"$work/run.$((i > 1))"
    [ "$i" -eq 1 ] || cmp -s "$work/run.0" "$work/run.1" || differ="run $i differs from the first"
    [ -z "$differ" ] || break
done
if [ -z "$differ" ]; then ok "50 runs of nine threads, the same bytes"; else bad "50 runs of nine threads, the same bytes" "$differ"; fi
finish
