/* host_config.h - what nvcc asks of host compilers; tlcc asks nothing. */
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__
#include "host_defines.h"
#endif
