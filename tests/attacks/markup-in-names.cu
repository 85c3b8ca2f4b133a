// ex43 fail: default stream
// Names of ranges that break out of HTML, XML and SVG.
#include <nvtx3/nvToolsExt.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    nvtxRangePushA("</text></svg><script>alert(1)</script><!-- ]]> \" ' \n\001\033[2J \xff %s%n");
    nvtxMarkA("<img src=x onerror=alert(2)>");
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
    nvtxRangePop();
}
