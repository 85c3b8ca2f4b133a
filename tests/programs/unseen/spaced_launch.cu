// Launches as an editor that formats C++ leaves them, with blanks inside of <<< and >>>.
// out: 3 5 7 9, operators 1 2
#include <iostream>

template <class T> struct Box { T value; };
template <class T> std::ostream &operator<< (std::ostream &out, const Box<T> &box) { return out << box.value; }
template <> std::ostream &operator<< <long>(std::ostream &out, const Box<long> &box) { return out << 2 * box.value; }

__managed__ int out[4];

__global__ void put(int *p, int value) { *p = value; }
template <class T> __global__ void put_any(T *p, T value) { *p = value; }

int main()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    put << <1, 1 >> > (&out[0], 3);
    put << <dim3(1), 1, 0, stream >> >(&out[1], 5);
    put_any<int> << < 1,
                      8 >> 3, 16 << 1 >> > (&out[2], 7);
    put<<<1, 1>>>(&out[3], 9);
    cudaDeviceSynchronize();
    std::cout << out[0] << " " << out[1] << " " << out[2] << " " << out[3] << ", operators " << Box<int>{1} << " "
              << Box<long>{1} << "\n";
    cudaStreamDestroy(stream);
    return __LINE__ == 27 ? 0 : 1;
}
