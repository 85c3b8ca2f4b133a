#!/bin/sh
# THREELANE_CHECK's values, and the exit status of `threelane check` for errors, notes and neither. Prints a TAP-like
# line for each test.
set -u
cd "$(dirname "$0")/../.." || exit 1
threelane=${THREELANE:-$PWD/bin/threelane} tlcc=${TLCC:-$PWD/bin/tlcc}
case $threelane in /*) ;; *) threelane=$PWD/$threelane ;; esac
case $tlcc in /*) ;; *) tlcc=$PWD/$tlcc ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset THREELANE_EXERCISES THREELANE_SEED THREELANE_TRACE THREELANE_CHECK NO_COLOR COLUMNS MAKEFLAGS MAKELEVEL
export LC_ALL=C TERM=xterm
programs=$PWD/tests/programs/hazards

# A race, memory that nobody wrote, and a leak.
cat >"$work/many.cu" <<'END'
__global__ void add(int *a) { a[threadIdx.x] += 1; }
int main()
{
    int *a, *b;
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    add<<<1, 32, 0, s>>>(a);
    add<<<1, 32>>>(b);
    cudaMemset(b, 0, 128);
    cudaMemset(a, 0, 128);
    cudaDeviceSynchronize();
    return 0;
}
END
"$tlcc" "$work/many.cu" -o "$work/many" || exit 1
finds() {   # finds VALUE KINDS: the kinds reported with it, sorted, are these
    found=$(THREELANE_CHECK=$1 "$work/many" 2>&1 | sed -n 's/^threelane: \([a-z-]*\): .*/\1/p' | sort -u | tr '\n' ' ')
    if [ "$found" = "$2" ]; then echo "ok - check-kinds: THREELANE_CHECK=$1"
    else echo "not ok - check-kinds: THREELANE_CHECK=$1 finds '$found', not '$2'"
    fi
}
finds "" "race uninitialised "
finds hazards "race "
finds memory "leak uninitialised "
finds all "leak race uninitialised "
finds off ""
finds race "race "
finds leak "leak "
finds leak,uninitialised "leak uninitialised "
finds hazards,leak "leak race "
for value in bogus race,off , race,,leak; do
    if THREELANE_CHECK=$value "$work/many" >"$work/out" 2>&1; then
        echo "not ok - check-kinds: THREELANE_CHECK=$value is accepted"
    elif grep -q "THREELANE_CHECK=$value: hazards, memory, all, off" "$work/out"; then
        echo "ok - check-kinds: THREELANE_CHECK=$value is refused"
    else echo "not ok - check-kinds: THREELANE_CHECK=$value: $(head -n 1 "$work/out")"
    fi
done
ends() {    # ends STATUS NAME COMMAND...
    status=$1 name=$2
    shift 2
    "$@" >"$work/out" 2>&1
    got=$?
    if [ $got -eq "$status" ]; then echo "ok - check-kinds: $name"
    else echo "not ok - check-kinds: $name: status $got, not $status"; sed 's/^/#   /' "$work/out" | head -n 8
    fi
}
ends 0 "a clean program" "$threelane" check "$programs/shared/neighbour.cu"
ends 1 "a race in shared memory" "$threelane" check "$programs/shared/neighbour-bad.cu"
ends 1 "bytes that nobody wrote" "$threelane" check "$programs/unwritten/bytes-bad.cu"
ends 1 "a barrier that not all reach" "$threelane" check "$programs/barriers/branch-bad.cu"
ends 1 "a program that ends by its bad access" "$threelane" check "$programs/freed/host-bad.cu"
ends 0 "leaks are notes" "$threelane" check "$programs/leaks/handles-bad.cu"
ends 1 "leaks with --strict" "$threelane" check --strict "$programs/leaks/handles-bad.cu"
ends 0 "no leaks with --strict" "$threelane" check --strict "$programs/leaks/handles.cu"
ends 2 "no such program" "$threelane" check "$work/none.cu"
"$threelane" check --json "$programs/shared/neighbour-bad.cu" >"$work/out" 2>/dev/null
if grep -q '"kind":"shared-race".*"line":5}.*"line":6}.*"name":"tile","kind":"shared","bytes":256' "$work/out"; then
    echo "ok - check-kinds: a race in shared memory as JSON"
else
    echo "not ok - check-kinds: a race in shared memory as JSON"; sed 's/^/#   /' "$work/out" | head -n 8
fi
THREELANE_TRACE=$work/lane THREELANE_CHECK=memory "$work/many" >"$work/out" 2>&1
if grep -qE '^hazard.uninitialised.0.[1-9]' "$work/lane"; then echo "ok - check-kinds: in the trace"
else echo "not ok - check-kinds: in the trace"; grep -n hazard "$work/lane" | head -n 3 | sed 's/^/#   /'
fi
