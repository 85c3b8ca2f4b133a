// c_main_part.c - main of c_main.cu, in C.
#include <stdio.h>
#include <stdlib.h>
#include "scale.h"
int main(void)
{
    float a[100], b[100];
    int i;
    for (i = 0; i < 100; i++) {
        a[i] = i;
        b[i] = 2;
    }
    if (scale_scale(a, b, 100, 3.0f)) {
        fprintf(stderr, "%s\n", scale_error());
        return 1;
    }
    for (i = 0; i < 100; i++)
        if (b[i] != 3 * i + 2) return 2;
    printf("c ok\n");
    return 0;
}