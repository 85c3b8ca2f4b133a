// What a pool holds: how it grows, what a synchronization and a trim give back, and which place a request gets, as measured
// on an H200.
// run: THREELANE_MODEL=h200
// out: ok pool_memory
#include "conformance.h"

#define MIB ((size_t)1 << 20)

static cudaStream_t s, s2;
static cudaMemPool_t pool;

static uint64_t ask(cudaMemPoolAttr what)
{
    uint64_t value = 0;
    OK(cudaMemPoolGetAttribute(pool, what, &value));
    return value;
}
static size_t reserved() { return ask(cudaMemPoolAttrReservedMemCurrent) / MIB; }
static size_t used() { return ask(cudaMemPoolAttrUsedMemCurrent); }
static void threshold(uint64_t bytes) { OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes)); }

static char *get(size_t bytes)
{
    void *p;
    OK(cudaMallocAsync(&p, bytes, s));
    return (char *)p;
}
static void drop(char *p) { OK(cudaFreeAsync(p, s)); }
static void begin_anew()
{
    OK(cudaDeviceSynchronize());
    OK(cudaMemPoolTrimTo(pool, 0));
    CHECK(reserved() == 0);
}

static void figures()
{
    uint64_t zero = 0;
    char *p = get(1), *q = get(1000), *k;
    CHECK(used() == 1001);                          // what was asked for
    CHECK(reserved() == 32);
    drop(p);
    CHECK(used() == 1000);                          // at the call
    drop(q);
    OK(cudaStreamSynchronize(s));
    CHECK(used() == 0 && reserved() == 0);
    CHECK(ask(cudaMemPoolAttrUsedMemHigh) == 1001 && ask(cudaMemPoolAttrReservedMemHigh) == 32 * MIB);
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
    CHECK(ask(cudaMemPoolAttrUsedMemHigh) == 0 && ask(cudaMemPoolAttrReservedMemHigh) == 0);
    k = get(3 * MIB);
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    CHECK(ask(cudaMemPoolAttrUsedMemHigh) == 3 * MIB);
    drop(get(MIB));
    CHECK(ask(cudaMemPoolAttrUsedMemHigh) == 4 * MIB);
    busy(s);
    drop(k);
    CHECK(used() == 0);
    begin_anew();
}

static void growth()
{
    static const size_t one[][2] = {{1, 32}, {31, 32}, {32, 32}, {33, 64}, {64, 64}, {65, 96}, {100, 128}, {200, 224}, {1000, 1024}};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        char *p = get(one[i][0] * MIB);
        CHECK(reserved() == one[i][1]);
        drop(p);
        begin_anew();
    }
    // The room at the end counts.
    static const size_t row[][2] = {{20, 32}, {20, 64}, {20, 64}, {5, 96}, {5, 96}, {40, 128}, {20, 160}, {1, 160}, {1, 160}, {30, 192}, {100, 288}, {10, 288}, {3, 288}};
    char *p[13];
    for (int i = 0; i < 13; i++) {
        p[i] = get(row[i][0] * MIB);
        CHECK(reserved() == row[i][1]);
    }
    for (int i = 0; i < 13; i++) drop(p[i]);
    OK(cudaStreamSynchronize(s));
    CHECK(reserved() == 0);
}

static void releases()
{
    cudaEvent_t e;
    void *d;
    static char host[64];
    OK(cudaEventCreate(&e));
    OK(cudaMalloc(&d, 64));
    for (int how = 0; how < 8; how++) {
        drop(get(40 * MIB));
        OK(cudaEventRecord(e, s));
        while (cudaStreamQuery(s) == cudaErrorNotReady) {}
        CHECK(reserved() == 64);
        switch (how) {
        case 0: OK(cudaStreamSynchronize(s)); break;
        case 1: OK(cudaEventSynchronize(e)); break;
        case 2: OK(cudaDeviceSynchronize()); break;
        case 3: OK(cudaStreamSynchronize(s2)); break;
        case 4: OK(cudaStreamQuery(s)); break;
        case 5: OK(cudaEventQuery(e)); break;
        case 6: OK(cudaMemcpy(d, host, 64, cudaMemcpyHostToDevice)); break;
        case 7: OK(cudaMemPoolTrimTo(pool, 0)); break;      // a free that nobody has seen to be over is in use
        }
        CHECK(reserved() == (how < 3 ? 0 : 64));
        begin_anew();
    }
    OK(cudaFree(d));

    char *a = get(40 * MIB), *b = get(60 * MIB), *c = get(80 * MIB), *m[12];
    CHECK(reserved() == 192);
    drop(b);
    OK(cudaStreamSynchronize(s));
    CHECK(reserved() == 160);                       // whole 32 MiB only
    drop(a);
    drop(c);
    OK(cudaStreamSynchronize(s));
    CHECK(reserved() == 0);
    for (int i = 0; i < 12; i++) m[i] = get(10 * MIB);
    CHECK(reserved() == 128);
    for (int i = 1; i < 12; i++) drop(m[i]);
    OK(cudaStreamSynchronize(s));
    CHECK(reserved() == 32);
    drop(m[0]);
    begin_anew();

    static const size_t keep[][3] = {{0, 0, 0}, {20, 32, 0}, {64, 64, 64}, {100, 128, 96}, {1000, 192, 192}};
    for (int i = 0; i < 10; i++) {                  // a trim keeps at least that much, a threshold at most
        bool trims = i < 5;
        threshold(trims ? UINT64_MAX : keep[i % 5][0] * MIB);
        for (int k = 0; k < 6; k++) m[k] = get(32 * MIB);
        for (int k = 0; k < 6; k++) drop(m[k]);
        OK(cudaStreamSynchronize(s));
        if (trims) OK(cudaMemPoolTrimTo(pool, keep[i][0] * MIB));
        CHECK(reserved() == keep[i % 5][trims ? 1 : 2]);
        begin_anew();
    }
    threshold(UINT64_MAX);
    drop(get(128 * MIB));
    OK(cudaStreamSynchronize(s));
    a = get(20 * MIB);
    CHECK(reserved() == 128);
    OK(cudaMemPoolTrimTo(pool, 0));
    CHECK(reserved() == 32);
    drop(a);
    begin_anew();
    a = get(32 * MIB);
    b = get(32 * MIB);
    drop(a);
    drop(b);
    OK(cudaStreamSynchronize(s));
    c = get(64 * MIB);                              // neighbours are joined
    CHECK(c == (a < b ? a : b) && reserved() == 64);
    drop(c);
    threshold(0);
    begin_anew();

    // cudaFree does not wait, and gives back at once.
    a = get(32 * MIB);
    OK(cudaStreamSynchronize(s));
    OK(cudaFree(a));
    CHECK(reserved() == 0);
}

static void choice()
{
    threshold(UINT64_MAX);
    busy(s);
    char *a = get(8 * MIB);
    drop(a);
    char *b = get(8 * MIB);
    CHECK(a == b);
    drop(b);
    char *c = get(4 * MIB), *d = get(4 * MIB);
    CHECK(c == a && d != c && d > a);
    drop(c);
    drop(d);
    char *e = get(8 * MIB);
    CHECK(e == a);
    drop(e);
    begin_anew();

    // The smallest that is large enough.
    static const size_t size[] = {2, 1, 8, 1, 4, 1, 3, 1, 4, 1};
    char *p[10], *got[5];
    static const int wanted[] = {4, 8, 6, 0, 2};
    threshold(UINT64_MAX);
    busy(s);
    for (int i = 0; i < 10; i++) p[i] = get(size[i] * MIB);
    for (int i = 0; i < 10; i += 2) drop(p[i]);
    for (int i = 0; i < 5; i++) {
        got[i] = get(i < 4 ? size[wanted[i]] * MIB : MIB);
        CHECK(got[i] == p[wanted[i]]);
    }
    for (int i = 0; i < 5; i++) drop(got[i]);
    for (int i = 1; i < 10; i += 2) drop(p[i]);
    begin_anew();

    // Of equal ones: what was freed first; of those that were over before anybody asked, what was freed last.
    threshold(UINT64_MAX);
    busy(s);
    for (int i = 0; i < 8; i++) p[i] = get(2 * MIB);
    for (int round = 0; round < 2; round++) {
        static const int order[] = {4, 0, 6, 2};
        for (int i = 0; i < 4; i++) drop(p[order[i]]);
        if (round) OK(cudaDeviceSynchronize());
        for (int i = 0; i < 4; i++) CHECK(get(2 * MIB) == p[order[round ? 3 - i : i]]);
    }
    char *small[6];
    for (int i = 0; i < 6; i++) small[i] = get(1000);
    drop(small[1]);
    drop(small[3]);
    CHECK(get(1000) == small[1]);
    CHECK(get(1000) == small[3]);
    OK(cudaDeviceSynchronize());
}

int main()
{
    warm_up();
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    figures();
    growth();
    releases();
    choice();
    return finish("pool_memory");
}
