/* CUB's kernels begin after those before them, not before their end: its merge sort reads what the kernel before it has
 * written without having waited for that (CCCL 3.0), and nobody who only sorts can mend what is then reported. */
#include_next <cuda/std/__cccl/cuda_capabilities.h>
#undef _CCCL_HAS_PDL
#define _CCCL_HAS_PDL 0
