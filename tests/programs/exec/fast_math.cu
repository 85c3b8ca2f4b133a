// The fast forms are within the bounds of the programming guide, and are not the exact ones where a card's are not.
// out: 0 out of bounds, 5 of 5 are to be told from the exact ones
#include <math.h>
#include <stdio.h>

__device__ int bad, told;

__device__ void within(const char *name, float x, double fast, double exact, double bound)
{
    if (fabs(fast - exact) <= bound) return;
    printf("%s(%g) = %.9g, exactly %.9g\n", name, x, fast, exact);
    atomicAdd(&bad, 1);
}

__global__ void bounds()
{
    const double ulp = 1.1920929e-7;
    for (int i = -1000; i <= 1000; i++) {
        float x = i * 3.14159f / 1000, y = i == 0 ? 1 : x, s, c;
        within("__sinf", x, __sinf(x), sin((double)x), exp2(-21.41));
        within("__cosf", x, __cosf(x), cos((double)x), exp2(-21.19));
        __sincosf(x, &s, &c);
        within("__sincosf", x, s, __sinf(x), 0);
        within("__sincosf", x, c, __cosf(x), 0);
        within("__expf", 20 * x, __expf(20 * x), exp(20.0 * (double)x), (2 + floor(fabs(1.173 * 20 * x))) * ulp * exp(20.0 * x));
        within("__logf", fabsf(y), __logf(fabsf(y)), log((double)fabsf(y)), fmax(exp2(-21.41), 3 * ulp * fabs(log((double)fabsf(y)))));
        within("__fdividef", y, __fdividef(3.f, y), 3.0 / (double)y, 2 * ulp * fabs(3.0 / y));
        within("__frcp_rn", y, __frcp_rn(y), (double)(1.f / y), 0);
    }
}

__global__ void differ(float far, float huge, float big, float ten)
{
    told += __sinf(far) != sinf(far);
    told += __cosf(far) != cosf(far);
    told += __expf(big) != expf(big);
    told += __fdividef(huge, huge) == 0 && huge / huge == 1;
    told += __powf(ten, 30.1f) != powf(ten, 30.1f);
}

int main()
{
    int b, t;
    bounds<<<1, 1>>>();
    differ<<<1, 1>>>(1e6f, 2e38f, 80.3f, 10.1f);
    cudaMemcpyFromSymbol(&b, bad, sizeof b);
    cudaMemcpyFromSymbol(&t, told, sizeof t);
    printf("%d out of bounds, %d of 5 are to be told from the exact ones\n", b, t);
}
