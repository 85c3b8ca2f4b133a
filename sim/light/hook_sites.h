/* hook_sites.h - the hooks in the program's text (threelane/hooks.h), switched off and on again.
 *
 * Switched off they only count. Only where hooks are in line: sites_known says whether there are
 * any that can be switched.
 */
#ifndef THREELANE_HOOK_SITES_H
#define THREELANE_HOOK_SITES_H
#include <stdbool.h>

/* Prepares it when asked for the first time. */
bool sites_known(void);
void sites_skip(bool);
#endif
