// A program that asks for cache residency where there is a device for it compiles, and asks no more here.
// out: none here, 2
#include <cstdio>

static cudaAccessPolicyWindow window_of(void *at, size_t bytes)
{
    cudaAccessPolicyWindow window = {0};
    window.base_ptr = at;
    window.num_bytes = bytes;
    window.hitRatio = 1.f;
    window.hitProp = cudaAccessPropertyPersisting;
    window.missProp = cudaAccessPropertyStreaming;
    return window;
}

int main()
{
    cudaDeviceProp prop;
    cudaStreamAttrValue value;
    cudaStreamAttrID id = cudaStreamAttributeAccessPolicyWindow;
    cudaGetDeviceProperties(&prop, 0);
    value.accessPolicyWindow = window_of(&prop, 64);
    if (!prop.persistingL2CacheMaxSize) {
        printf("none here, %d\n", value.accessPolicyWindow.hitProp);
        return 0;
    }
    cudaStreamSetAttribute(0, id, &value);
    cudaCtxResetPersistingL2Cache();
    return 0;
}
