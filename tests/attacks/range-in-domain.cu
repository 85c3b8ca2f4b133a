// ex41 fail: The host works while the device does","state":"fail"
// The same in a domain of NVTX's.
#include <nvtx3/nvToolsExt.h>
#include "ex41.h"
static void part(cudaStream_t s)
{
    static nvtxDomainHandle_t domain = nvtxDomainCreateA("harness");
    nvtxEventAttributes_t name = {};
    name.version = NVTX_VERSION, name.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    name.messageType = NVTX_MESSAGE_TYPE_ASCII, name.message.ascii = "host_work";
    nvtxDomainRangePushEx(domain, &name);
    cudaStreamSynchronize(s);
    nvtxDomainRangePop(domain);
}
void fiveKernels(float *x, float *y)
{
    cudaStream_t numbers, letters;
    cudaStreamCreateWithFlags(&numbers, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&letters, cudaStreamNonBlocking);
    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_A<<<BLOCKS, THREADS, 0, letters>>>(y);
    part(numbers);
    ker_2<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_B<<<BLOCKS, THREADS, 0, letters>>>(y);
    part(numbers);
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);
    cudaStreamSynchronize(numbers);
    cudaStreamSynchronize(letters);
    cudaStreamDestroy(numbers);
    cudaStreamDestroy(letters);
}
