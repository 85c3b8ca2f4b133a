// flags: --plain
#include "kernels.h"
int main()
{
    prepare();
    double kernel = 1e18, c = 1e18;
    for (int i = 0; i < 5; i++) {     // turn and turn about: the machine changes its pace
        double k = best_kernel([] { saxpy<<<N / 256, 256>>>(N, 2, x, y); }), b = best([] { c_saxpy(N, 2, x, y); });
        if (k < kernel) kernel = k;
        if (b < c) c = b;
    }
    line("--plain: saxpy, over scalar C", kernel / c, "x", "<= 3");
    kernel = c = 1e18;
    for (int i = 0; i < 5; i++) {
        double k = best_kernel([] { polynomial<<<N / 256, 256>>>(N, 2, x, y); }), b = best([] { c_polynomial(N, 2, x, y); });
        if (k < kernel) kernel = k;
        if (b < c) c = b;
    }
    line("--plain: 10 flops per access, over scalar C", kernel / c, "x", "<= 1.2");
    return cudaGetLastError();
}
