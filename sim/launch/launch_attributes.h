/* launch_attributes.h - cudaLaunchAttribute: of launches, of streams, of the kernel nodes of
 * graphs. */
#ifndef THREELANE_LAUNCH_ATTRIBUTES_H
#define THREELANE_LAUNCH_ATTRIBUTES_H
#include "sim/include/driver_types.h"
#include "sim/runtime/operation.h"

/* More attributes than there are kinds of them, twice over, are nothing that a program means. */
enum { LAUNCH_MOST_ATTRIBUTES = 32 };

/* Whose attribute it is: not all go everywhere. */
typedef enum LaunchAttributePlace {
    LAUNCH_OF_LAUNCH,
    LAUNCH_OF_STREAM,
    LAUNCH_OF_NODE
} LaunchAttributePlace;

/* The list of a launch. Of two with one id, the later one counts. What it returns is what the
 * launch returns; *to is then {0}. */
cudaError_t launch_attributes_read(const Call *, const Model *, const cudaLaunchAttribute *list,
                                   unsigned n, LaunchAttributes *to);

/* Adds one attribute to those that there are. */
cudaError_t launch_attribute_add(const Call *, const Model *, LaunchAttributePlace,
                                 cudaLaunchAttributeID, const cudaLaunchAttributeValue *,
                                 LaunchAttributes *to);

/* A stream's attribute: what it is, and setting it for what the stream gets from now on. */
cudaError_t launch_stream_attribute(const Stream *, cudaLaunchAttributeID,
                                    cudaLaunchAttributeValue *to);
cudaError_t launch_stream_set_attribute(const Call *, Stream *, cudaLaunchAttributeID,
                                        const cudaLaunchAttributeValue *);
#endif
