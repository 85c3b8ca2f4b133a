/* version.h - which Threelane this is: `threelane --version`, the name of a tarball or a package,
 * manual pages, what a gradebook was made with. Nothing else says it; docs/CHANGELOG.md begins with
 * it, and says what the numbers mean. */
#ifndef THREELANE_VERSION_H
#define THREELANE_VERSION_H

#define THREELANE_VERSION "0.3"
#define THREELANE_DATE "2026-11-22"
#endif
