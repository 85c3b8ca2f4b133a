#!/bin/sh
# THREELANE_CHECK's values, and the exit status of `threelane check` for errors, notes and neither. Prints a TAP-like
# line for each test.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
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
    kinds=$(THREELANE_CHECK=$1 "$work/many" 2>&1 | sed -n 's/^threelane: \([a-z-]*\): .*/\1/p' | sort -u | tr '\n' ' ')
    if [ "$kinds" = "$2" ]; then ok "THREELANE_CHECK=$1"; else bad "THREELANE_CHECK=$1" "it finds '$kinds', not '$2'"; fi
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
    expect "THREELANE_CHECK=$value is refused" bad "THREELANE_CHECK=$value: errors, hazards, memory, all, off" \
        env THREELANE_CHECK="$value" "$work/many"
done
expect "a clean program" 0 '' "$threelane" check "$programs/shared/neighbour.cu"
expect "a race in shared memory" 1 '' "$threelane" check "$programs/shared/neighbour-bad.cu"
expect "bytes that nobody wrote" 1 '' "$threelane" check "$programs/unwritten/bytes-bad.cu"
expect "a barrier that not all reach" 1 '' "$threelane" check "$programs/barriers/branch-bad.cu"
expect "a program that ends by its bad access" 1 '' "$threelane" check "$programs/freed/host-bad.cu"
expect "leaks are notes" 0 '' "$threelane" check "$programs/leaks/handles-bad.cu"
expect "leaks with --strict" 1 '' "$threelane" check --strict "$programs/leaks/handles-bad.cu"
expect "no leaks with --strict" 0 '' "$threelane" check --strict "$programs/leaks/handles.cu"
expect "no such program" 2 '' "$threelane" check "$work/none.cu"
"$threelane" check --json "$programs/shared/neighbour-bad.cu" >"$work/out" 2>/dev/null
also "a race in shared memory as JSON" \
    '"kind":"shared-race".*"line":5\}.*"line":6\}.*"name":"tile","kind":"shared","bytes":256'
"$threelane" check --json "$programs/freed/host-bad.cu" >"$work/out" 2>/dev/null
also "how a program was stopped, as JSON" '"stopped":\{"kind":"crash","text":"segmentation fault'
THREELANE_TRACE=$work/lane THREELANE_CHECK=memory "$work/many" >"$work/out" 2>&1
holds "the trace has its unit" grep -qE '^meta.unit_ns.1000000$' "$work/lane"
holds "in the trace" grep -qE '^hazard.uninitialised.0.[1-9]' "$work/lane"
finish
