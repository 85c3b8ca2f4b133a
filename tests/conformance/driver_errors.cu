// The names and the words of all codes of the driver API, as an H200's driver gives them (driver 580, CUDA 13.0).
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_errors
#include "driver.h"

/* Of all that was printed there, line by line. */
static const int known = 101;
static const unsigned long long sum_of_all = 0xf0509a60eeb715faull;

static unsigned long long sum = 14695981039346656037ull;
static void add(const char *text)
{
    for (;; text++) {
        sum = (sum ^ (unsigned char)*text) * 1099511628211ull;
        if (!*text) return;
    }
}

int main()
{
    int n = 0;
    const char *name, *words;
    GIVES(0, cuInit(0));
    for (int code = 0; code < 1100; code++) {
        char number[16];
        if (cuGetErrorName((CUresult)code, &name) != CUDA_SUCCESS) continue;
        GIVES(0, cuGetErrorString((CUresult)code, &words));
        snprintf(number, sizeof number, "%d", code);
        add(number);
        add(name);
        add(words);
        n++;
    }
    CHECK(n == known);
    CHECK(sum == sum_of_all);
    GIVES(0, cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name));
    CHECK(!strcmp(name, "CUDA_ERROR_INVALID_VALUE"));
    GIVES(0, cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &words));
    CHECK(!strcmp(words, "invalid argument"));
    return finish("driver_errors");
}
