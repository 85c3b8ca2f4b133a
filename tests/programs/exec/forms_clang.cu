// out: forms, 0 unseen
// compiler: clang++
#include "forms.h"
// hazard: out-of-bounds 82
