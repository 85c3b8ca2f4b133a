#include "sim/runtime/observer.h"
#include <string.h>

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

uint32_t range_open(const char *name)
{
    static uint32_t n_ranges;
    n_ranges++;
    TELL(range, n_ranges, name);
    return n_ranges;
}

void range_close(uint32_t range) { TELL(range_over, range); }
void mark_put(const char *name) { TELL(mark, name); }
void name_give(const char *what, uint32_t id, const char *name) { TELL(name, what, id, name); }
