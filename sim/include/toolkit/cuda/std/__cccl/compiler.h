/* Which compiler this is, to a toolkit's libraries: one that makes host and device code of one text, in one pass. (The
 * choice between them is nv/target's.) */
#include_next <cuda/std/__cccl/compiler.h>
#ifndef THREELANE_CCCL_COMPILER
#define THREELANE_CCCL_COMPILER
#undef _CCCL_CUDA_COMPILER_NVCC
#define _CCCL_CUDA_COMPILER_NVCC() _CCCL_VERSION_INVALID()
#undef _CCCL_CUDA_COMPILER_NVHPC
#define _CCCL_CUDA_COMPILER_NVHPC() (25, 7)
#undef _CCCL_DEVICE_COMPILATION
#define _CCCL_DEVICE_COMPILATION() 1
/* Unrolling is for a card: here it would only make the code larger, hooks and all. */
#undef _CCCL_PRAGMA_UNROLL
#undef _CCCL_PRAGMA_UNROLL_FULL
#undef _CCCL_PRAGMA_NOUNROLL
#define _CCCL_PRAGMA_UNROLL(_N)
#define _CCCL_PRAGMA_UNROLL_FULL()
#define _CCCL_PRAGMA_NOUNROLL()
#endif
