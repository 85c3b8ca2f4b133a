// Two GPUs: each has its own of every variable of a template, wherever the template stands, from the first launch on;
// no call needs to name it.
// run: THREELANE_MODEL=unit+devices=2
// out: 1: 1 10 100 5 1 1
// out: 2: 2 20 200 6 2 1
#include <cstdio>

template <class T> __device__ T total;
template <> __device__ short total<short> = 4;
template <class T, int N> __device__ T tables[N];
namespace {
template <class T> __device__ T hidden;
}
namespace course {
template <class T> struct Pair {
    T first, second;
};
template <class T> __device__ Pair<T> pair;
template <class T> __constant__ T scale = 1;
} // namespace course
template <class T> int host_total; // one for all, and no device's

__global__ void add(int n)
{
    total<int> += n;
    tables<float, 3>[2] += 10 * n;
    hidden<course::Pair<long>>.second += 100 * n;
    total<short> += n;
    course::pair<unsigned>.second += course::scale<int> * n;
}

__global__ void show(int n)
{
    printf("%d: %d %g %ld %d %u", n, total<int>, tables<float, 3>[2], hidden<course::Pair<long>>.second,
           total<short>, course::pair<unsigned>.second);
}

int main()
{
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        add<<<1, 1>>>(device + 1);
        host_total<int>++;
    }
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        show<<<1, 1>>>(device + 1);
        cudaDeviceSynchronize();
        printf(" %d\n", host_total<int> - 1);
    }
    return 0;
}
