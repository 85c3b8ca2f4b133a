/* devices.h - how many GPUs a machine can have: the one limit of them, for models, engines, memory
 * and the checker. */
#ifndef THREELANE_DEVICES_H
#define THREELANE_DEVICES_H
enum { DEVICES_MOST = 16 };
#endif
