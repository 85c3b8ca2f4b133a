/* arch.h - __CUDA_ARCH__: what differs between a program's host code and its device code.
 *
 * nvcc compiles a source twice, and __CUDA_ARCH__ is defined only where device code is made. Here a
 * source that mentions it is preprocessed twice, and the two texts become one:
 *   - the body of a __global__ or __device__ function is that of the device text;
 *   - a __host__ __device__ function whose bodies differ has both, and chooses by where it runs;
 *   - a function that only device code has, and no other of its name, is there in both;
 *   - everything else, declarations and macros among it, is that of the host text.
 */
#ifndef THREELANE_ARCH_H
#define THREELANE_ARCH_H
#include <stdbool.h>
#include <stddef.h>
#include "sim/rewrite/rewrite.h"
#include "sim/rewrite/bytes.h"

/* True if one of the program's own files, as named by the text's line markers, mentions
 * __CUDA_ARCH__. */
bool arch_is_tested(const Bytes *preprocessed, const RewriteOptions *);
/* Adds the merged text to out. arch: the value in device code, 900 for instance. */
void arch_merge(const Bytes *host, const Bytes *device, const RewriteOptions *, int arch,
                Bytes *out);
#endif
