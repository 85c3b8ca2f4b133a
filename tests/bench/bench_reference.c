/* What the machine does at this moment (reference.h): a row of its own, or, asked for `rate`, only
 * the number, for the rows that a shell measures. */
#include "tests/bench/reference.h"
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    double rate = reference_rate();
    if (argc > 1 && !strcmp(argv[1], "rate")) printf("%.0f\n", rate);
    else
        printf("%-46s %8.1f %-12s (a quiet machine of 2024: 50; the targets are meant for that)\n",
               "the reference loop, now", rate, "M rounds/s");
    return 0;
}
