// ex43 crashed: signal
// Prints what is no character: lone surrogates, the ends of planes, controls; as the name of a range, too.
#include <stdio.h>
#include <stdlib.h>
#include "ex43.h"
#include <nvtx3/nvToolsExt.h>
void asyncPipeline(const float *, float *, float *, float *)
{
    const char *text = "\xef\xbf\xbf\xef\xbf\xbe\xef\xb7\x90\xed\xa0\x80\xf0\x9f\xbf\xbe\x1b]0;x\x07\xe2\x80\xa8]]>";
    nvtxRangePushA(text);
    puts(text);
    fflush(stdout);
    abort();
}
