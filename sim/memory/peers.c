#include "sim/memory/peers.h"
#include "common/devices.h"

static bool allowed[DEVICES_MOST][DEVICES_MOST];

void peers_allow(int device, int peer, bool yes) { allowed[device][peer] = yes; }

bool peers_allowed(int device, int peer) { return allowed[device][peer]; }

void peers_reset(int device)
{
    for (int i = 0; i < DEVICES_MOST; i++) allowed[i][device] = allowed[device][i] = false;
}

void peers_open(Pieces *pieces, int device, bool open)
{
    uint32_t bit = 1u << device;
    pieces->open = open ? pieces->open | bit : pieces->open & ~bit;
}

bool peers_is_open(const Pieces *pieces, int device) { return pieces->open >> device & 1; }

bool peers_reach(int device, const MemoryBlock *block)
{
    if (block->device < 0 || block->device == device) return true;
    if (block->variables) return false;
    if (block->piece) return peers_is_open(block->piece->chunk->of, device);
    return !block->pool && allowed[device][block->device];
}
