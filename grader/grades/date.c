/* date.c - dates as people and platforms write them. */
#include <string.h>
#include <time.h>
#include "grader/grades/grades.h"

bool grades_time(const char *text, long long *seconds)
{
    static const struct {
        const char *format;
        bool zone, day;
    } forms[] = {
        {"%Y-%m-%d %H:%M:%S %z", true, false},    {"%Y-%m-%dT%H:%M:%S%z", true, false},
        {"%Y-%m-%dT%H:%M%z", true, false},        {"%Y-%m-%d %H:%M:%S", false, false},
        {"%Y-%m-%dT%H:%M:%S", false, false},      {"%Y-%m-%d %H:%M", false, false},
        {"%Y-%m-%dT%H:%M", false, false},         {"%Y-%m-%d", false, true},
        {"%A, %d %B %Y, %I:%M %p", false, false}, /* Moodle */
        {"%A, %d %B %Y, %H:%M", false, false},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct tm tm = {.tm_isdst = -1};
        const char *end = strptime(text, forms[i].format, &tm);
        if (!end || end[strspn(end, " ")]) continue;
        if (forms[i].day) {
            tm.tm_hour = 23;
            tm.tm_min = 59;
            tm.tm_sec = 59;
        }
        long zone = tm.tm_gmtoff;
        time_t at = forms[i].zone ? timegm(&tm) - zone : mktime(&tm);
        if (at == (time_t)-1) return false;
        *seconds = at;
        return true;
    }
    return false;
}
