// What the calls of memory return, in right and in wrong uses: the table that an H200 printed (CUDA 13.0). Kinds of copies:
// host to host, to device, to host, device to device, default; then the same with Async. What is left out crashes there, or
// is undefined.
// run: THREELANE_MODEL=h200
// check: off
// out: 1 cudaMalloc((void **)NULL, 0): 1
// out: 2 cudaMalloc((void **)NULL, 4): 1
// out: 3 cudaMalloc(&p, 0): 0
// out: 4 cudaMalloc(&p, SIZE_MAX): 2
// out: 5 cudaMalloc(&p, (size_t)1 << 44): 2
// out: 6 cudaMallocHost((void **)NULL, 4): 1
// out: 7 cudaMallocHost(&p, 0): 0
// out: 8 cudaMallocHost(&p, SIZE_MAX): 2
// out: 9 cudaMallocHost(&p, (size_t)1 << 46): 2
// out: 10 cudaHostAlloc((void **)NULL, 4, 0): 1
// out: 11 cudaHostAlloc(&p, 0, 0): 0
// out: 12 cudaHostAlloc(&p, 0, 0x80): 0
// out: 13 cudaHostAlloc(&p, 4096, 0x80): 1
// out: 14 cudaMallocManaged((void **)NULL, 4): 1
// out: 15 cudaMallocManaged(&p, 0): 0
// out: 16 cudaMallocPitch((void **)NULL, &pitch, 4, 4): 1
// out: 17 cudaMallocPitch(&p, NULL, 4, 4): 1
// out: 18 cudaMallocPitch(&p, &pitch, 0, 4): 0
// out: 19 cudaMallocPitch(&p, &pitch, 4, 0): 0
// out: 20 cudaMallocPitch(&p, &pitch, SIZE_MAX, 4): 1
// out: 21 cudaMallocPitch(&p, &pitch, 1000, 3): 0
// out: 22 cudaMemGetInfo(NULL, &t): 0
// out: 23 cudaMemGetInfo(&f, NULL): 0
// out: 24 cudaMemGetInfo(NULL, NULL): 0
// out: 25 cudaMemGetInfo(&f, &t): 0
// out: 26 cudaFree(NULL): 0
// out: 27 cudaFreeHost(NULL): 0
// out: 28 cudaFree(h): 1
// out: 29 cudaFree(plain): 1
// out: 30 cudaFree((char *)d + 4): 1
// out: 31 cudaFree((char *)m + 4): 1
// out: 32 cudaFree((void *)0x10): 1
// out: 33 cudaFree(malloc(64)): 1
// out: 34 cudaFreeHost(d): 1
// out: 35 cudaFreeHost(plain): 1
// out: 36 cudaFreeHost((char *)h + 4): 1
// out: 37 cudaFreeHost(m): 1
// out: 38 cudaFreeHost((void *)0x10): 1
// out: 39 cudaFree(sp): 1
// out: 40 cudaFree(p): 0
// out: 41 cudaFree(p): 1
// out: 42 cudaFreeHost(q): 0
// out: 43 cudaFreeHost(q): 1
// out: 44 cudaMemset(p, 0, 4): 1
// out: 45 cudaMemsetAsync(p, 0, 4, s): 1
// out: 46 cudaMemcpy(p, plain, 4, cudaMemcpyHostToDevice): 1
// out: 47 cudaMemcpy(plain, p, 4, cudaMemcpyDeviceToHost): 1
// out: 48 cudaMemcpy(d, p, 4, cudaMemcpyDeviceToDevice): 1
// out: 49 cudaMemset(NULL, 0, 0): 0
// out: 50 cudaMemset(NULL, 0, 4): 1
// out: 51 cudaMemset(d, 0, 0): 0
// out: 52 cudaMemset(d, 300, 4): 0
// out: 53 cudaMemset(d, -1, 4): 0
// out: 54 cudaMemset(d, 0, 4096): 0
// out: 55 cudaMemset(d, 0, 4097): 1
// out: 56 cudaMemset(plain, 0, 0): 0
// out: 57 cudaMemset(plain, 0, 4): 1
// out: 58 cudaMemset(h, 0, 4): 0
// out: 59 cudaMemset(h, 0, 4097): 1
// out: 60 cudaMemset(m, 0, 4): 0
// out: 61 cudaMemset((void *)0x10, 0, 4): 1
// out: 62 cudaMemset((char *)d - 1, 0, 2): 1
// out: 63 cudaMemsetAsync(NULL, 0, 0, s): 0
// out: 64 cudaMemsetAsync(NULL, 0, 4, s): 1
// out: 65 cudaMemsetAsync(plain, 0, 4, s): 1
// out: 66 cudaMemsetAsync(d, 0, 4097, s): 1
// out: 67 cudaMemsetAsync(h, 0, 4, s): 0
// out: 68 cudaMemsetAsync(plain, 0, 0, s): 0
// out: 69 cudaMemset2D(d, 64, 0, 64, 4): 0
// out: 70 cudaMemset2D(d, 64, 0, 65, 4): 1
// out: 71 cudaMemset2D(d, 64, 0, 0, 4): 0
// out: 72 cudaMemset2D(d, 64, 0, 64, 0): 0
// out: 73 cudaMemset2D(d, 0, 0, 64, 1): 0
// out: 74 cudaMemset2D(d, 0, 0, 64, 2): 1
// out: 75 cudaMemset2D(d, 64, 0, 64, 65): 1
// out: 76 cudaMemset2D(NULL, 64, 0, 64, 1): 1
// out: 77 cudaMemset2D(plain, 64, 0, 64, 1): 1
// out: 78 cudaMemset2D(d, 65, 0, 64, 2): 0
// out: 79 cudaMemset2D(d, 64, 0, 65, 1): 0
// out: 80 cudaMemset2D(NULL, 64, 0, 0, 4): 0
// out: 81 cudaMemset2D(d, 64, 0, 65, 0): 0
// out: 82 cudaMemset2DAsync(d, 64, 0, 65, 4, s): 1
// out: 83 cudaMemset2DAsync(plain, 64, 0, 64, 4, s): 1
// out: 84 cudaMemset2D(d, (size_t)1 << 40, 0, 4, 1): 0
// out: 85 cudaMemset2D(d, (size_t)1 << 40, 0, 4, 2): 1
// out: to plain from plain: 0 1 1 1 0  async 0 1 1 1 0
// out: to plain from pinned: 0 1 0 1 0  async 0 1 0 1 0
// out: to plain from managed: 0 1 0 1 0  async 0 1 0 1 0
// out: to plain from device: 0 1 0 1 0  async 0 1 0 1 0
// out: to pinned from plain: 0 0 1 1 0  async 0 0 1 1 0
// out: to pinned from pinned: 0 0 0 0 0  async 0 0 0 0 0
// out: to pinned from managed: 0 0 0 0 0  async 0 0 0 0 0
// out: to pinned from device: 0 0 0 0 0  async 0 0 0 0 0
// out: to managed from plain: 0 0 1 1 0  async 0 0 1 1 0
// out: to managed from pinned: 0 0 0 0 0  async 0 0 0 0 0
// out: to managed from managed: 0 0 0 0 0  async 0 0 0 0 0
// out: to managed from device: 0 0 0 0 0  async 0 0 0 0 0
// out: to device from plain: 0 0 1 1 0  async 0 0 1 1 0
// out: to device from pinned: 0 0 0 0 0  async 0 0 0 0 0
// out: to device from managed: 0 0 0 0 0  async 0 0 0 0 0
// out: to device from device: 0 0 0 0 0  async 0 0 0 0 0
// out: 86 cudaMemcpy(d, plain, 4, (cudaMemcpyKind)5): 21
// out: 87 cudaMemcpy(d, plain, 4, (cudaMemcpyKind)-1): 21
// out: 88 cudaMemcpy(d, plain, 0, (cudaMemcpyKind)9): 0
// out: 89 cudaMemcpyAsync(d, plain, 0, (cudaMemcpyKind)9, s): 0
// out: 90 cudaMemcpy(NULL, NULL, 0, H2D): 0
// out: 91 cudaMemcpy(NULL, NULL, 4, H2D): 1
// out: 92 cudaMemcpy(NULL, NULL, 4, DEF): 1
// out: 93 cudaMemcpy(NULL, NULL, 4, H2H): 1
// out: 94 cudaMemcpy(d, NULL, 4, H2D): 1
// out: 95 cudaMemcpy(NULL, d, 4, D2H): 1
// out: 96 cudaMemcpy(NULL, plain, 4, H2D): 1
// out: 97 cudaMemcpy(plain, NULL, 4, D2H): 1
// out: 98 cudaMemcpy(NULL, plain, 4, H2H): 1
// out: 99 cudaMemcpy(plain, NULL, 4, H2H): 1
// out: 100 cudaMemcpy(NULL, plain, 4, DEF): 1
// out: 101 cudaMemcpyAsync(d, NULL, 4, H2D, s): 1
// out: 102 cudaMemcpyAsync(NULL, d, 4, D2H, s): 1
// out: 103 cudaMemcpyAsync(NULL, h, 4, H2D, s): 1
// out: 104 cudaMemcpy(d, h, 4097, H2D): 1
// out: 105 cudaMemcpy(d, plain, 4097, H2D): 1
// out: 106 cudaMemcpy(h, d, 4097, D2H): 1
// out: 107 cudaMemcpy(plain, d, 4097, D2H): 1
// out: 108 cudaMemcpy(plain, d, 4097, DEF): 1
// out: 109 cudaMemcpy(d, d2, 4097, D2D): 1
// out: 110 cudaMemcpyAsync(d, h, 4097, H2D, s): 1
// out: 111 cudaMemcpyAsync(h, d, 4097, D2H, s): 1
// out: 112 cudaMemcpyAsync(d, d2, 4097, D2D, s): 1
// out: 113 cudaMemcpyAsync(plain, d, 4097, D2H, s): 1
// out: 114 cudaMemcpy(d, (char *)d + 8, 64, D2D): 0
// out: 115 cudaMemcpy(d, d, 64, D2D): 0
// out: 116 cudaMemcpy(d, h, SIZE_MAX, H2D): 1
// out: 117 cudaMemcpy((char *)d - 1, h, 4, H2D): 1
// out: 118 cudaMemcpy((void *)0x10, plain, 4, H2D): 1
// out: 119 cudaMemcpy(d, plain, 4, H2D): 0
// out: 120 cudaMemcpy((char *)h + 4000, d, 200, D2H): 1
// out: 121 cudaMemcpy2D(d, 64, h, 64, 64, 4, H2D): 0
// out: 122 cudaMemcpy2D(d, 64, h, 64, 65, 4, H2D): 12
// out: 123 cudaMemcpy2D(d, 64, h, 32, 64, 4, H2D): 12
// out: 124 cudaMemcpy2D(d, 32, h, 64, 64, 4, H2D): 12
// out: 125 cudaMemcpy2D(d, 64, h, 64, 0, 4, H2D): 0
// out: 126 cudaMemcpy2D(d, 64, h, 64, 64, 0, H2D): 0
// out: 127 cudaMemcpy2D(d, 64, h, 64, 64, 65, H2D): 1
// out: 128 cudaMemcpy2D(NULL, 64, h, 64, 64, 4, H2D): 1
// out: 129 cudaMemcpy2D(d, 64, NULL, 64, 64, 4, H2D): 1
// out: 130 cudaMemcpy2D(NULL, 0, NULL, 0, 0, 0, H2D): 0
// out: 131 cudaMemcpy2D(d, 64, plain, 64, 64, 4, (cudaMemcpyKind)9): 21
// out: 132 cudaMemcpy2D(d, 64, plain, 64, 64, 4, D2D): 1
// out: 133 cudaMemcpy2D(d, 64, plain, 64, 64, 4, D2H): 1
// out: 134 cudaMemcpy2D(d, 64, plain, 64, 64, 4, DEF): 0
// out: 135 cudaMemcpy2D(d, 64, d2, 64, 64, 4, D2D): 0
// out: 136 cudaMemcpy2D(d, 0, h, 0, 64, 2, H2D): 12
// out: 137 cudaMemcpy2DAsync(d, 64, h, 64, 65, 4, H2D, s): 12
// out: 138 cudaMemcpy2DAsync(d, 64, plain, 64, 64, 65, H2D, s): 1
// out: 139 cudaMemcpy2D(d, 64, h, 64, 65, 0, H2D): 0
// out: 140 cudaMemcpy2D(d, 64, h, 64, 65, 1, H2D): 1
// out: 141 cudaMemcpy2D(d, (size_t)1 << 40, h, 64, 4, 1, H2D): 0
// out: 142 cudaMemcpy2D(plain, 64, other, 64, 64, 4, H2H): 0
// out: 143 cudaMemcpy2D(d, 64, d2, 64, 64, 4, H2H): 0
// out: 144 cudaMemcpyToSymbol(symbol, plain, 64): 0
// out: 145 cudaMemcpyToSymbol(symbol, plain, 65): 1
// out: 146 cudaMemcpyToSymbol(symbol, plain, 4, 61): 1
// out: 147 cudaMemcpyToSymbol(symbol, plain, 4, 64): 1
// out: 148 cudaMemcpyToSymbol(symbol, NULL, 4): 1
// out: 149 cudaMemcpyToSymbol(symbol, NULL, 0): 0
// out: 150 cudaMemcpyToSymbol((const void *)NULL, plain, 4): 13
// out: 151 cudaMemcpyToSymbol(symbol, plain, 4, 0, D2H): 21
// out: 152 cudaMemcpyToSymbol(symbol, d, 4, 0, D2D): 0
// out: 153 cudaMemcpyToSymbol(symbol, d, 4, 0, H2D): 0
// out: 154 cudaMemcpyToSymbol(symbol, plain, 4, 0, (cudaMemcpyKind)9): 21
// out: 155 cudaMemcpyToSymbol(symbol, plain, 4, 0, H2H): 21
// out: 156 cudaMemcpyToSymbol(symbol, plain, 4, 0, DEF): 0
// out: 157 cudaMemcpyToSymbol(symbol, plain, 4, (size_t)-4): 1
// out: 158 cudaMemcpyFromSymbol(plain, symbol, 64): 0
// out: 159 cudaMemcpyFromSymbol(plain, symbol, 65): 1
// out: 160 cudaMemcpyFromSymbol(NULL, symbol, 4): 1
// out: 161 cudaMemcpyFromSymbol(plain, symbol, 4, 0, H2D): 21
// out: 162 cudaMemcpyFromSymbol(d, symbol, 4, 0, D2D): 0
// out: 163 cudaMemcpyFromSymbol(plain, managed_symbol, 64): 0
// out: 164 cudaMemcpyFromSymbol(plain, managed_symbol, 65): 1
// out: 165 cudaMemcpyToSymbolAsync(symbol, h, 65, 0, H2D, s): 1
// out: 166 cudaMemcpyToSymbolAsync(symbol, plain, 4, 0, H2D, s): 0
// out: 167 cudaMemcpyFromSymbolAsync(plain, symbol, 65, 0, D2H, s): 1
// out: 168 cudaGetSymbolAddress(&sp, symbol): 0
#include "conformance.h"

__device__ int symbol[16];
__device__ __managed__ int managed_symbol[16];
static cudaStream_t s;

static void directions(const char *to_name, void *to, const char *from_name, void *from)
{
    printf("to %s from %s:", to_name, from_name);
    for (int kind = 0; kind < 5; kind++) printf(" %d", cudaMemcpy(to, from, 4, (cudaMemcpyKind)kind));
    printf("  async");
    for (int kind = 0; kind < 5; kind++)
        printf(" %d", cudaMemcpyAsync(to, from, 4, (cudaMemcpyKind)kind, s));
    printf("\n");
    cudaGetLastError();
    OK(cudaStreamSynchronize(s));
}

static void allocations()
{
    void *p = NULL, *d = NULL, *h = NULL, *m = NULL, *q = NULL;
    static char plain[1 << 16], other[1 << 16];
    size_t pitch = 0, f, t;
    unsigned fl = 0;
    cudaPointerAttributes a;
    OK(cudaMalloc(&d, 4096));
    OK(cudaMallocHost(&h, 4096));
    OK(cudaMallocManaged(&m, 4096));
    CODE(cudaMalloc((void **)NULL, 0));
    CODE(cudaMalloc((void **)NULL, 4));
    p = (void *)1;
    CODE(cudaMalloc(&p, 0));
    p = (void *)1;
    CODE(cudaMalloc(&p, SIZE_MAX));
    p = (void *)1;
    CODE(cudaMalloc(&p, (size_t)1 << 44));
    CODE(cudaMallocHost((void **)NULL, 4));
    p = (void *)1;
    CODE(cudaMallocHost(&p, 0));
    p = (void *)1;
    CODE(cudaMallocHost(&p, SIZE_MAX));
    p = (void *)1;
    CODE(cudaMallocHost(&p, (size_t)1 << 46));
    CODE(cudaHostAlloc((void **)NULL, 4, 0));
    p = (void *)1;
    CODE(cudaHostAlloc(&p, 0, 0));
    p = (void *)1;
    CODE(cudaHostAlloc(&p, 0, 0x80));
    p = (void *)1;
    CODE(cudaHostAlloc(&p, 4096, 0x80));
    CODE(cudaMallocManaged((void **)NULL, 4));
    p = (void *)1;
    CODE(cudaMallocManaged(&p, 0));
    CODE(cudaMallocPitch((void **)NULL, &pitch, 4, 4));
    CODE(cudaMallocPitch(&p, NULL, 4, 4));
    p = (void *)1;
    CODE(cudaMallocPitch(&p, &pitch, 0, 4));
    p = (void *)1;
    pitch = 7;
    CODE(cudaMallocPitch(&p, &pitch, 4, 0));
    p = (void *)1;
    CODE(cudaMallocPitch(&p, &pitch, SIZE_MAX, 4));
    p = (void *)1;
    CODE(cudaMallocPitch(&p, &pitch, 1000, 3));
    cudaFree(p);
    CODE(cudaMemGetInfo(NULL, &t));
    CODE(cudaMemGetInfo(&f, NULL));
    CODE(cudaMemGetInfo(NULL, NULL));
    CODE(cudaMemGetInfo(&f, &t));
    CODE(cudaFree(NULL));
    CODE(cudaFreeHost(NULL));
    CODE(cudaFree(h));
    CODE(cudaFree(plain));
    CODE(cudaFree((char *)d + 4));
    CODE(cudaFree((char *)m + 4));
    CODE(cudaFree((void *)0x10));
    CODE(cudaFree(malloc(64)));
    CODE(cudaFreeHost(d));
    CODE(cudaFreeHost(plain));
    CODE(cudaFreeHost((char *)h + 4));
    CODE(cudaFreeHost(m));
    CODE(cudaFreeHost((void *)0x10));
    void *sp = NULL;
    OK(cudaGetSymbolAddress(&sp, symbol));
    CODE(cudaFree(sp));
    OK(cudaMalloc(&p, 4096));
    CODE(cudaFree(p));
    CODE(cudaFree(p));
    OK(cudaMallocHost(&q, 4096));
    CODE(cudaFreeHost(q));
    CODE(cudaFreeHost(q));
    CODE(cudaMemset(p, 0, 4));
    CODE(cudaMemsetAsync(p, 0, 4, s));
    CODE(cudaMemcpy(p, plain, 4, cudaMemcpyHostToDevice));
    CODE(cudaMemcpy(plain, p, 4, cudaMemcpyDeviceToHost));
    CODE(cudaMemcpy(d, p, 4, cudaMemcpyDeviceToDevice));
}

static void sets()
{
    void *d = NULL, *h = NULL, *m = NULL;
    static char plain[1 << 16];
    OK(cudaMalloc(&d, 4096));
    OK(cudaMallocHost(&h, 4096));
    OK(cudaMallocManaged(&m, 4096));
    CODE(cudaMemset(NULL, 0, 0));
    CODE(cudaMemset(NULL, 0, 4));
    CODE(cudaMemset(d, 0, 0));
    CODE(cudaMemset(d, 300, 4));
    CODE(cudaMemset(d, -1, 4));
    CODE(cudaMemset(d, 0, 4096));
    CODE(cudaMemset(d, 0, 4097));
    CODE(cudaMemset(plain, 0, 0));
    CODE(cudaMemset(plain, 0, 4));
    CODE(cudaMemset(h, 0, 4));
    CODE(cudaMemset(h, 0, 4097));
    CODE(cudaMemset(m, 0, 4));
    CODE(cudaMemset((void *)0x10, 0, 4));
    CODE(cudaMemset((char *)d - 1, 0, 2));
    CODE(cudaMemsetAsync(NULL, 0, 0, s));
    CODE(cudaMemsetAsync(NULL, 0, 4, s));
    CODE(cudaMemsetAsync(plain, 0, 4, s));
    CODE(cudaMemsetAsync(d, 0, 4097, s));
    CODE(cudaMemsetAsync(h, 0, 4, s));
    CODE(cudaMemsetAsync(plain, 0, 0, s));
    CODE(cudaMemset2D(d, 64, 0, 64, 4));
    CODE(cudaMemset2D(d, 64, 0, 65, 4));
    CODE(cudaMemset2D(d, 64, 0, 0, 4));
    CODE(cudaMemset2D(d, 64, 0, 64, 0));
    CODE(cudaMemset2D(d, 0, 0, 64, 1));
    CODE(cudaMemset2D(d, 0, 0, 64, 2));
    CODE(cudaMemset2D(d, 64, 0, 64, 65));
    CODE(cudaMemset2D(NULL, 64, 0, 64, 1));
    CODE(cudaMemset2D(plain, 64, 0, 64, 1));
    CODE(cudaMemset2D(d, 65, 0, 64, 2));
    CODE(cudaMemset2D(d, 64, 0, 65, 1));
    CODE(cudaMemset2D(NULL, 64, 0, 0, 4));
    CODE(cudaMemset2D(d, 64, 0, 65, 0));
    CODE(cudaMemset2DAsync(d, 64, 0, 65, 4, s));
    CODE(cudaMemset2DAsync(plain, 64, 0, 64, 4, s));
    CODE(cudaMemset2D(d, (size_t)1 << 40, 0, 4, 1));
    CODE(cudaMemset2D(d, (size_t)1 << 40, 0, 4, 2));
}

static void copies()
{
    void *d = NULL, *d2 = NULL, *h = NULL, *m = NULL, *freed_h = NULL;
    static char plain[1 << 16], other[1 << 16];
    OK(cudaMalloc(&d, 4096));
    OK(cudaMalloc(&d2, 4096));
    OK(cudaMallocHost(&h, 4096));
    OK(cudaMallocManaged(&m, 4096));
    OK(cudaMallocHost(&freed_h, 8 << 20));
    OK(cudaFreeHost(freed_h));
    const cudaMemcpyKind H2H = cudaMemcpyHostToHost, H2D = cudaMemcpyHostToDevice, D2H = cudaMemcpyDeviceToHost, D2D = cudaMemcpyDeviceToDevice, DEF = cudaMemcpyDefault;
    void *to[] = {plain, h, m, d}, *from[] = {other, (char *)h + 64, (char *)m + 64, d2};
    const char *names[] = {"plain", "pinned", "managed", "device"};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) directions(names[i], to[i], names[k], from[k]);
    CODE(cudaMemcpy(d, plain, 4, (cudaMemcpyKind)5));
    CODE(cudaMemcpy(d, plain, 4, (cudaMemcpyKind)-1));
    CODE(cudaMemcpy(d, plain, 0, (cudaMemcpyKind)9));
    CODE(cudaMemcpyAsync(d, plain, 0, (cudaMemcpyKind)9, s));
    CODE(cudaMemcpy(NULL, NULL, 0, H2D));
    CODE(cudaMemcpy(NULL, NULL, 4, H2D));
    CODE(cudaMemcpy(NULL, NULL, 4, DEF));
    CODE(cudaMemcpy(NULL, NULL, 4, H2H));
    CODE(cudaMemcpy(d, NULL, 4, H2D));
    CODE(cudaMemcpy(NULL, d, 4, D2H));
    CODE(cudaMemcpy(NULL, plain, 4, H2D));
    CODE(cudaMemcpy(plain, NULL, 4, D2H));
    CODE(cudaMemcpy(NULL, plain, 4, H2H));
    CODE(cudaMemcpy(plain, NULL, 4, H2H));
    CODE(cudaMemcpy(NULL, plain, 4, DEF));
    CODE(cudaMemcpyAsync(d, NULL, 4, H2D, s));
    CODE(cudaMemcpyAsync(NULL, d, 4, D2H, s));
    CODE(cudaMemcpyAsync(NULL, h, 4, H2D, s));
    CODE(cudaMemcpy(d, h, 4097, H2D));
    CODE(cudaMemcpy(d, plain, 4097, H2D));
    CODE(cudaMemcpy(h, d, 4097, D2H));
    CODE(cudaMemcpy(plain, d, 4097, D2H));
    CODE(cudaMemcpy(plain, d, 4097, DEF));
    CODE(cudaMemcpy(d, d2, 4097, D2D));
    CODE(cudaMemcpyAsync(d, h, 4097, H2D, s));
    CODE(cudaMemcpyAsync(h, d, 4097, D2H, s));
    CODE(cudaMemcpyAsync(d, d2, 4097, D2D, s));
    CODE(cudaMemcpyAsync(plain, d, 4097, D2H, s));
    CODE(cudaMemcpy(d, (char *)d + 8, 64, D2D));
    CODE(cudaMemcpy(d, d, 64, D2D));
    CODE(cudaMemcpy(d, h, SIZE_MAX, H2D));
    CODE(cudaMemcpy((char *)d - 1, h, 4, H2D));
    CODE(cudaMemcpy((void *)0x10, plain, 4, H2D));
    CODE(cudaMemcpy(d, plain, 4, H2D));
    CODE(cudaMemcpy((char *)h + 4000, d, 200, D2H));
    CODE(cudaMemcpy2D(d, 64, h, 64, 64, 4, H2D));
    CODE(cudaMemcpy2D(d, 64, h, 64, 65, 4, H2D));
    CODE(cudaMemcpy2D(d, 64, h, 32, 64, 4, H2D));
    CODE(cudaMemcpy2D(d, 32, h, 64, 64, 4, H2D));
    CODE(cudaMemcpy2D(d, 64, h, 64, 0, 4, H2D));
    CODE(cudaMemcpy2D(d, 64, h, 64, 64, 0, H2D));
    CODE(cudaMemcpy2D(d, 64, h, 64, 64, 65, H2D));
    CODE(cudaMemcpy2D(NULL, 64, h, 64, 64, 4, H2D));
    CODE(cudaMemcpy2D(d, 64, NULL, 64, 64, 4, H2D));
    CODE(cudaMemcpy2D(NULL, 0, NULL, 0, 0, 0, H2D));
    CODE(cudaMemcpy2D(d, 64, plain, 64, 64, 4, (cudaMemcpyKind)9));
    CODE(cudaMemcpy2D(d, 64, plain, 64, 64, 4, D2D));
    CODE(cudaMemcpy2D(d, 64, plain, 64, 64, 4, D2H));
    CODE(cudaMemcpy2D(d, 64, plain, 64, 64, 4, DEF));
    CODE(cudaMemcpy2D(d, 64, d2, 64, 64, 4, D2D));
    CODE(cudaMemcpy2D(d, 0, h, 0, 64, 2, H2D));
    CODE(cudaMemcpy2DAsync(d, 64, h, 64, 65, 4, H2D, s));
    CODE(cudaMemcpy2DAsync(d, 64, plain, 64, 64, 65, H2D, s));
    CODE(cudaMemcpy2D(d, 64, h, 64, 65, 0, H2D));
    CODE(cudaMemcpy2D(d, 64, h, 64, 65, 1, H2D));
    CODE(cudaMemcpy2D(d, (size_t)1 << 40, h, 64, 4, 1, H2D));
    CODE(cudaMemcpy2D(plain, 64, other, 64, 64, 4, H2H));
    CODE(cudaMemcpy2D(d, 64, d2, 64, 64, 4, H2H));
    CODE(cudaMemcpyToSymbol(symbol, plain, 64));
    CODE(cudaMemcpyToSymbol(symbol, plain, 65));
    CODE(cudaMemcpyToSymbol(symbol, plain, 4, 61));
    CODE(cudaMemcpyToSymbol(symbol, plain, 4, 64));
    CODE(cudaMemcpyToSymbol(symbol, NULL, 4));
    CODE(cudaMemcpyToSymbol(symbol, NULL, 0));
    CODE(cudaMemcpyToSymbol((const void *)NULL, plain, 4));
    CODE(cudaMemcpyToSymbol(symbol, plain, 4, 0, D2H));
    CODE(cudaMemcpyToSymbol(symbol, d, 4, 0, D2D));
    CODE(cudaMemcpyToSymbol(symbol, d, 4, 0, H2D));
    CODE(cudaMemcpyToSymbol(symbol, plain, 4, 0, (cudaMemcpyKind)9));
    CODE(cudaMemcpyToSymbol(symbol, plain, 4, 0, H2H));
    CODE(cudaMemcpyToSymbol(symbol, plain, 4, 0, DEF));
    CODE(cudaMemcpyToSymbol(symbol, plain, 4, (size_t)-4));
    CODE(cudaMemcpyFromSymbol(plain, symbol, 64));
    CODE(cudaMemcpyFromSymbol(plain, symbol, 65));
    CODE(cudaMemcpyFromSymbol(NULL, symbol, 4));
    CODE(cudaMemcpyFromSymbol(plain, symbol, 4, 0, H2D));
    CODE(cudaMemcpyFromSymbol(d, symbol, 4, 0, D2D));
    CODE(cudaMemcpyFromSymbol(plain, managed_symbol, 64));
    CODE(cudaMemcpyFromSymbol(plain, managed_symbol, 65));
    CODE(cudaMemcpyToSymbolAsync(symbol, h, 65, 0, H2D, s));
    CODE(cudaMemcpyToSymbolAsync(symbol, plain, 4, 0, H2D, s));
    CODE(cudaMemcpyFromSymbolAsync(plain, symbol, 65, 0, D2H, s));
    void *sp;
    size_t bytes;
    CODE(cudaGetSymbolAddress(&sp, symbol));
}

int main()
{
    warm_up();
    OK(cudaStreamCreate(&s));
    allocations();
    sets();
    copies();
    return finish("codes_memory");
}
