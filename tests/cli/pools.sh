#!/bin/sh
# Memory pools in traces and pictures: who is given what, and what a pool makes a stream wait for.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

cat >"$work/pools.cu" <<'END'
#include <cstdio>
__global__ void K(char *p, long long ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while ((long long)(now - begin) < ns);
    p[threadIdx.x] = 1;
}
int main()
{
    cudaStream_t s1, s2;
    size_t room, total;
    char *a, *b;
    cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking);
    cudaMemGetInfo(&room, &total);
    room -= room % (32 << 20);
    cudaMallocAsync(&a, room, s1);
    K<<<1, 32, 0, s1>>>(a, 3000000);
    cudaFreeAsync(a, s1);
    cudaMallocAsync(&b, room, s2);
    K<<<1, 32, 0, s2>>>(b, 1000000);
    cudaFreeAsync(b, s2);
    cudaDeviceSynchronize();
    printf("%s\n", a == b ? "the same" : "another");
    cudaStreamDestroy(s1);
    cudaStreamDestroy(s2);
    return 0;
}
END
bin/tlcc "$work/pools.cu" -o "$work/pools" || exit 1
for model in unit h200; do
    THREELANE_MODEL=$model THREELANE_TRACE=$work/pools.lane "$work/pools" >"$work/said" 2>&1
    holds "$model: a pool that cannot grow hands on what is being freed" [ "$(cat "$work/said")" = 'the same' ]
    "$threelane" show "$work/pools.lane" --as waits >"$work/out" 2>&1
    holds "$model: the wait is a cause" grep -q '^why	[0-9]*	pool	' "$work/pools.lane"
    [ $model = h200 ] ||        # there the device's own delay comes last
        says "$model: and the picture says what that waits for" \
             'for K0: the pool gave stream 2 memory that stream 1 frees after K0, and waits for that free'
    addresses=$(awk -F'\t' '$1 == "alloc" { print $5 }' "$work/pools.lane" | sort | uniq | wc -l)
    holds "$model: two allocations, one address" [ "$addresses" -eq 1 ]
done
finish
