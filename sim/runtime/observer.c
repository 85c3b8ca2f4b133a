#include "sim/runtime/observer.h"
#include <stdlib.h>
#include <string.h>
#include "sim/host/host.h"

const CallLog *call_log;
const Observer *observers[OBSERVERS];
int observers_there;

void observer_add(const Observer *observer)
{
    if (observers_there < OBSERVERS) observers[observers_there++] = observer;
}

void observer_remove(const Observer *observer)
{
    for (int i = 0; i < observers_there; i++)
        if (observers[i] == observer) {
            observers_there--;
            memmove(observers + i, observers + i + 1,
                    (size_t)(observers_there - i) * sizeof *observers);
        }
}

/* By number: who opened it. */
static unsigned char *range_sides;
static uint32_t n_ranges, room_ranges;

uint32_t range_open(const char *name)
{
    if (n_ranges + 1 >= room_ranges) {
        uint32_t room = room_ranges ? 2 * room_ranges : 256;
        unsigned char *more = realloc(range_sides, room);
        if (!more)
            host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for NVTX ranges");
        range_sides = more;
        room_ranges = room;
    }
    range_sides[++n_ranges] = (unsigned char)host_side();
    TELL(range, n_ranges, name, (TraceSide)range_sides[n_ranges]);
    return n_ranges;
}

void range_close(uint32_t range)
{
    if (!range || range > n_ranges || range_sides[range] != (unsigned char)host_side()) return;
    TELL(range_over, range);
}

void mark_put(const char *name) { TELL(mark, name, host_side()); }
void name_give(const char *what, uint32_t id, const char *name) { TELL(name, what, id, name); }
