// ex43 fail: .
// never: TOLD-|mounts [1-9]
// Where its files lie outside, by the calls that list mounts.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "ex43.h"
enum { STATMOUNT = 457, LISTMOUNT = 458 };
void asyncPipeline(const float *, float *, float *, float *)
{
    struct { uint32_t size, spare; uint64_t id, param; } request = {24, 0, ~0ull, 0};
    uint64_t ids[100];
    static char told[8192];
    long n = syscall(LISTMOUNT, &request, ids, 100, 0);
    printf("mounts %ld\n", n > 0 ? n : 0);
    for (long i = 0; i < n; i++) {
        request.id = ids[i];
        request.param = 0x7f;
        if (syscall(STATMOUNT, &request, told, sizeof told, 0) == 0)
            for (size_t k = 512; k + 1 < sizeof told; k++)
                if (told[k] && !told[k - 1]) printf("TOLD-%s\n", told + k);
    }
}
