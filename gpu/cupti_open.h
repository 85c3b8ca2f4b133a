/* cupti_open.h - finds CUPTI where it may lie: the tracer opens it when a program starts, the
 * doctor to look at it. */
#ifndef THREELANE_CUPTI_OPEN_H
#define THREELANE_CUPTI_OPEN_H
#include <stddef.h>

/* Opens libcupti: from THREELANE_CUPTI (its folder), where it lay when this was built, CUDA_HOME,
 * /usr/local/cuda, or where the dynamic linker looks. path receives where it was found ("" when
 * not). NULL when there is none. */
void *cupti_open(char *path, size_t path_size);
#endif
