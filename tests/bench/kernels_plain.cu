// flags: --plain
#include "kernels.h"

/* Turn and turn about: the machine changes its pace. */
template <class Kernel, class Scalar> static double ratio(Kernel launch, Scalar work)
{
    double kernel = 1e18, scalar = 1e18;
    for (int i = 0; i < 5; i++) {
        double k = best_kernel(launch), c = best(work);
        if (k < kernel) kernel = k;
        if (c < scalar) scalar = c;
    }
    return kernel / scalar;
}

int main()
{
    prepare();
    line("--plain: saxpy, over scalar C",
         ratio([] { saxpy<<<N / 256, 256>>>(N, 2, x, y); }, [] { c_saxpy(N, 2, x, y); }), "x", "<= 3");
    line("--plain: 10 flops per access, over scalar C",
         ratio([] { polynomial<<<N / 256, 256>>>(N, 2, x, y); }, [] { c_polynomial(N, 2, x, y); }), "x", "<= 1.2");
    return cudaGetLastError();
}
