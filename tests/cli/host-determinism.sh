#!/bin/sh
# A program of nine threads: fifty runs print and record the same bytes.
set -u
cd "$(dirname "$0")/../.." || exit 1
tlcc=${TLCC:-bin/tlcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$tlcc" tests/programs/host/many_threads.cu -o "$work/program" || exit 1
for i in $(seq 50); do
    THREELANE_TRACE=$work/trace "$work/program" >"$work/out" 2>&1 || exit 1
    cat "$work/out" "$work/trace" >"$work/run.$((i > 1))"
    [ "$i" -eq 1 ] || cmp -s "$work/run.0" "$work/run.1" || { echo "not ok - host/determinism: run $i differs"; exit 1; }
done
echo "ok - host/determinism: 50 runs of nine threads, the same bytes"
