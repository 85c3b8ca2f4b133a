// A pool of one's own that is never destroyed; one that is, is none.
int main()
{
    cudaMemPoolProps properties = {};
    cudaMemPool_t kept, given;
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPoolCreate(&kept, &properties);
    cudaMemPoolCreate(&given, &properties);
    cudaMemPoolDestroy(given);
    return 0;
}
// check: memory
// hazard: leak 8
