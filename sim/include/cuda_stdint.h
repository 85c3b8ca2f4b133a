/* cuda_stdint.h - the C library's. */
#ifndef __cuda_stdint_h__
#define __cuda_stdint_h__
#include <stdint.h>
#endif
