// out: forms, 0 unseen
// compiler: g++
#include "forms.h"
// hazard: out-of-bounds 83
