// The classroom card keeps to the documented bounds as the textbook does.
// run: THREELANE_MODEL=classroom
// out: as documented
#include "documented_bounds.cu"
