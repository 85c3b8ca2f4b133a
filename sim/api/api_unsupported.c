/* api_unsupported.c - the end of a program that makes a call which is not simulated (the REFUSED
 * rows of sim/include/threelane/calls.def). */
#include "sim/api/api.h"

cudaError_t threelane_unsupported(const char *name, ThreelaneSite site)
{
    runtime_start();
    host_fatal(HOST_STATUS_UNSUPPORTED, (TraceSite){site.file, (uint32_t)site.line},
               "%s is not simulated by this virtual GPU; the program ends here", name);
}
