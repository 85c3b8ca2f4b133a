#!/bin/sh
# Kernels that kernels launch, in the trace: when each runs, who launched it, what it waited for, and how long the one that
# the host launched lasts.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
cd "$work" || exit 1

cat >tree.cu <<'EOF'
#include <stdio.h>
__global__ void leaf(int *p, int i) { p[i] = i; }
__global__ void branch(int *p, int i)
{
    leaf<<<1, 1>>>(p, i);
    leaf<<<1, 1>>>(p, i + 1);
}
__global__ void last(int *p) { p[0] = 9; }
__global__ void spin(long long ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < ns);
}
__global__ void root(int *p)
{
    last<<<1, 1, 0, cudaStreamTailLaunch>>>(p);
    branch<<<1, 1, 0, cudaStreamFireAndForget>>>(p, 10);
    branch<<<1, 1, 0, cudaStreamFireAndForget>>>(p, 20);
}
__global__ void clocks() { spin<<<1, 1>>>(2500000); }
int main()
{
    int *p;
    cudaMalloc(&p, 4096);
    root<<<1, 1>>>(p);
    clocks<<<1, 1>>>();
    printf("%d\n", (int)cudaDeviceSynchronize());
}
EOF
expect 'it is built' 0 '' "$tlcc" -rdc=true tree.cu -o tree
expect 'it runs' 0 '^0$' env THREELANE_TRACE=tree.lane THREELANE_MODEL=unit ./tree
"$threelane" show tree.lane --as csv | cut -d, -f 2,7,8,13,14,15 | sed '1d; s/"//g' >table
cat >wanted <<'EOF'
root,0,5000000,host,,
branch0,1000000,2000000,graph,root,root
branch1,1000000,2000000,graph,root,root
leaf0,2000000,3000000,graph,branch0,branch0
leaf2,2000000,3000000,graph,branch1,branch1
leaf1,3000000,4000000,graph,leaf0,branch0
leaf3,3000000,4000000,graph,leaf2,branch1
last,4000000,5000000,graph,leaf1,root
clocks,5000000,8500000,stream,root,
spin,6000000,8500000,graph,clocks,clocks
EOF
same 'each is an operation, after what launched it, beside what it need not wait for' wanted table
expect 'its reasons are told' 0 '' "$threelane" show tree.lane --as waits
says 'its own blocks come first' 'launched it, and runs its own blocks first (launched at tree.cu:19)'
finish
