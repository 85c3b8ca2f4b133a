/* threelane/editor.h - what an editor's clang (clangd) reads before a CUDA source, in place of cuda_runtime.h. Nothing is
 * compiled with it.
 *
 * Clang knows the syntax of launches in its CUDA mode only, and in that mode it asks of every function whether it may be
 * called on a GPU. Ours are ordinary functions, and so are kernels as tlcc rewrites them: here they are the same, and a
 * launch of one is the only thing left that clang has to be told not to complain of (.clangd). */
#ifndef THREELANE_EDITOR_H
#define THREELANE_EDITOR_H

/* Clang's own form of this header is for NVIDIA's headers. */
#include <new>
#ifndef __CLANG_CUDA_WRAPPERS_NEW
#define __CLANG_CUDA_WRAPPERS_NEW
#endif

#include "cuda_runtime.h"

#undef __global__
#define __global__
#undef __shared__ /* `extern __shared__`, too */
#define __shared__

/* Clang looks for one of them at a launch, by the version of CUDA that it takes for granted. */
extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
#endif
