// ex43 fail|compile error: .
// Asks the compiler for other options, by pragma, attribute and module.
#pragma GCC optimize("O0,no-instrument-functions,fast-math")
#pragma GCC target("avx512f")
#pragma GCC push_options
#pragma GCC poison main cudaMallocHost
#pragma GCC system_header
#pragma GCC dependency "/etc/passwd"
#pragma comment(linker, "/entry:evil")
#pragma weak main = evil
#include "ex43.h"
extern "C" int evil() { return 0; }
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
