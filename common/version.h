/* version.h - which Threelane this is: `threelane --version`, the name of a tarball, what a
 * gradebook was made with. */
#ifndef THREELANE_VERSION_H
#define THREELANE_VERSION_H

#define THREELANE_VERSION "0.2"
#endif
