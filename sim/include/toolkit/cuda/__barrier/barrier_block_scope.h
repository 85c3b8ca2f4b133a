/* A toolkit's cuda::barrier: the one of atomics, wherever it lies, in place of the hardware's in shared memory. */
#include <cuda_runtime.h>
#pragma push_macro("__isShared")
#pragma push_macro("__isClusterShared")
#define __isShared(ADDRESS) ((void)(ADDRESS), false)
#define __isClusterShared(ADDRESS) ((void)(ADDRESS), false)
#include_next <cuda/__barrier/barrier_block_scope.h>
#pragma pop_macro("__isClusterShared")
#pragma pop_macro("__isShared")
