// Whom memory goes to that cudaFreeAsync has freed: the three attributes, one by one, as measured on an H200.
// run: THREELANE_MODEL=h200
// out: ok pool_reuse
#include "conformance.h"
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static cudaStream_t s1, s2, s3;
static cudaMemPool_t pool;
static cudaEvent_t e, f;

static void allow(int follow, int opportunistic, int internal)
{
    uint64_t keep = UINT64_MAX;
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &follow));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &opportunistic));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &internal));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
}

static uint64_t reserved()
{
    uint64_t bytes = 0;
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes));
    return bytes;
}

enum How { NOTHING, EVENT, EVENT_BEFORE, EVENT_THROUGH_S3, EVENT_UNUSED, OVER, OVER_QUERIED, SYNCHRONIZED, DEVICE_SYNCHRONIZED,
           EVENT_SYNCHRONIZED, OTHER_SYNCHRONIZED };

// Memory is freed in s1, behind 20 ms of work; is it what s2 is given?
static bool same(How how, size_t bytes = 32 * MIB)
{
    void *p, *q;
    OK(cudaMallocAsync(&p, bytes, s1));
    OK(cudaDeviceSynchronize());
    busy(s1);
    if (how == EVENT_BEFORE) {
        OK(cudaEventRecord(e, s1));
        OK(cudaStreamWaitEvent(s2, e, 0));
    }
    OK(cudaFreeAsync(p, s1));
    if (how == EVENT || how == EVENT_THROUGH_S3 || how == EVENT_UNUSED || how == EVENT_SYNCHRONIZED) OK(cudaEventRecord(e, s1));
    if (how == EVENT) OK(cudaStreamWaitEvent(s2, e, 0));
    if (how == EVENT_THROUGH_S3) {
        OK(cudaStreamWaitEvent(s3, e, 0));
        OK(cudaEventRecord(f, s3));
        OK(cudaStreamWaitEvent(s2, f, 0));
    }
    if (how == OVER || how == OVER_QUERIED || how == OTHER_SYNCHRONIZED) usleep(40000);
    if (how == OVER_QUERIED) OK(cudaStreamQuery(s1));
    if (how == OTHER_SYNCHRONIZED) OK(cudaStreamSynchronize(s3));
    if (how == SYNCHRONIZED) OK(cudaStreamSynchronize(s1));
    if (how == EVENT_SYNCHRONIZED) OK(cudaEventSynchronize(e));
    if (how == DEVICE_SYNCHRONIZED) OK(cudaDeviceSynchronize());
    uint64_t before = reserved();
    OK(cudaMallocAsync(&q, bytes, s2));
    CHECK(p == q || bytes < 32 * MIB || reserved() == before + bytes);      // the pool grew instead
    OK(cudaDeviceSynchronize());
    OK(cudaFreeAsync(q, s2));
    OK(cudaDeviceSynchronize());
    OK(cudaMemPoolTrimTo(pool, 0));
    return p == q;
}

int main()
{
    static const struct {
        int follow, opportunistic, internal;
        bool same[11];
    } rules[] = {
        {1, 1, 1, {0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1}},
        {0, 0, 0, {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0}},
        {1, 0, 0, {0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0}},
        {0, 1, 0, {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}},
        {0, 0, 1, {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0}},
    };
    warm_up();
    OK(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&s3, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    OK(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (int how = 0; how < 11; how++) {
            allow(rules[i].follow, rules[i].opportunistic, rules[i].internal);
            bool got = same((How)how);
            if (got != rules[i].same[how])
                printf("FAIL %d%d%d %d: %d\n", rules[i].follow, rules[i].opportunistic, rules[i].internal, how, got), failures++;
        }
    allow(1, 1, 1);
    CHECK(!same(NOTHING, MIB));             // there is room beside it
    CHECK(same(EVENT, MIB));
    CHECK(same(SYNCHRONIZED, MIB));

    // In the same stream at once, whatever the attributes say; in the one that freed, not in the one that allocated.
    void *p, *q, *r;
    allow(1, 1, 1);
    OK(cudaMallocAsync(&p, 32 * MIB, s1));
    OK(cudaDeviceSynchronize());
    allow(0, 0, 0);
    busy(s2);
    OK(cudaFreeAsync(p, s2));
    OK(cudaMallocAsync(&q, 32 * MIB, s1));
    OK(cudaMallocAsync(&r, 32 * MIB, s2));
    CHECK(q != p);
    CHECK(r == p);
    OK(cudaDeviceSynchronize());
    OK(cudaFreeAsync(q, s1));
    OK(cudaFreeAsync(r, s2));
    OK(cudaDeviceSynchronize());

    // The legacy stream orders the frees of blocking streams.
    cudaStream_t b1, b2;
    allow(1, 0, 0);
    OK(cudaMemPoolTrimTo(pool, 0));
    OK(cudaStreamCreate(&b1));
    OK(cudaStreamCreate(&b2));
    for (int i = 0; i < 3; i++) {
        cudaStream_t from = i == 2 ? 0 : b1, to = i == 0 ? b2 : i == 1 ? 0 : b1;
        OK(cudaMallocAsync(&p, 32 * MIB, from));
        OK(cudaDeviceSynchronize());
        busy(from);
        OK(cudaFreeAsync(p, from));
        if (i == 0) busy(0, 0.01);
        OK(cudaMallocAsync(&q, 32 * MIB, to));
        CHECK(p == q);
        OK(cudaDeviceSynchronize());
        OK(cudaFreeAsync(q, to));
        OK(cudaDeviceSynchronize());
    }
    return finish("pool_reuse");
}
