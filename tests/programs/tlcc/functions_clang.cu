// The API's functions are values to clang, too.
// compiler: clang++
// run: THREELANE_MODEL=h200
// out: ok functions
#include "../../conformance/functions.cu"
