/* peers.h - which device may reach whose memory.
 *
 * A device reaches its own memory and that of the host. Memory of another device it reaches once
 * access was allowed (one way: from this device to that), memory of a pool once the pool was opened
 * to it, which the other says nothing about. Variables of another device's (variables.h) it never
 * reaches: access is to what was allocated (two H200s). Devices count from 0. */
#ifndef THREELANE_PEERS_H
#define THREELANE_PEERS_H
#include <stdbool.h>
#include "sim/memory/memory.h"
#include "sim/memory/pieces.h"

void peers_allow(int device, int peer, bool allowed);
bool peers_allowed(int device, int peer);
/* The device begins anew: it reaches nobody, and nobody it. */
void peers_reset(int device);

/* Opens a pool to a device besides its own, or closes it. */
void peers_open(Pieces *, int device, bool open);
bool peers_is_open(const Pieces *, int device);

/* Does work on the device reach the block? */
bool peers_reach(int device, const MemoryBlock *);
#endif
