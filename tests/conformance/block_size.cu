// The block size that keeps most threads busy, where a block's shared memory depends on its size.
// run: THREELANE_MODEL=h200
// out: ok block_size
#include "conformance.h"

__global__ void look(float *p)
{
    extern __shared__ float held[];
    held[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = held[threadIdx.x] + 1.0f;
}

static int asked;

struct FourBytesEach {
    size_t operator()(int threads) const
    {
        asked++;
        return (size_t)threads * sizeof(float);
    }
};

int main()
{
    int grid = 0, block = 0, again_grid = 0, again_block = 0, sms = 0;
    warm_up();
    OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, look, FourBytesEach()));
    CHECK(asked > 0);
    CHECK(block > 0 && block <= 1024 && block % 32 == 0);
    CHECK(grid >= sms && grid % sms == 0);
    OK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&again_grid, &again_block, look, FourBytesEach(), 0,
                                                               cudaOccupancyDefault));
    CHECK(again_grid == grid && again_block == block);
    OK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &block, look, FourBytesEach(), 64));
    CHECK(block > 0 && block <= 64);
    IS(cudaErrorInvalidValue, cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &block, look,
                                                                                      FourBytesEach(), 0, 0x80));
    return finish("block_size");
}
