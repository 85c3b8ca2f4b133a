/* No header of ours: the declarations are those that NVIDIA's makes of its calls. */
#include <stddef.h>
int cuMemAlloc_v2(unsigned long long *to, size_t bytes);
int cuMemsetD32_v2(unsigned long long to, unsigned value, size_t n);
int cuMemsetD32_v2_ptds(unsigned long long to, unsigned value, size_t n);
int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *stream);
int cuMemcpyDtoHAsync_v2_ptsz(void *to, unsigned long long from, size_t bytes, void *stream);
int cuStreamSynchronize(void *stream);
int cuStreamSynchronize_ptsz(void *stream);
int cuMemFree_v2(unsigned long long at);

int c_part(void);
int c_part(void)
{
    unsigned long long d;
    unsigned h = 0, own = 0;
    if (cuMemAlloc_v2(&d, 4) || cuMemsetD32_v2(d, 3, 1) || cuMemcpyDtoHAsync_v2(&h, d, 4, NULL) ||
        cuStreamSynchronize(NULL) || cuMemsetD32_v2_ptds(d, 4, 1) || cuMemcpyDtoHAsync_v2_ptsz(&own, d, 4, NULL) ||
        cuStreamSynchronize_ptsz(NULL) || cuMemFree_v2(d))
        return 1;
    return (int)(h + own);
}
