// A quarter of the fixed cost: the best number of pieces is another one.
// run: THREELANE_MODEL=bytes+h2d_fixed_ns=250000+d2h_fixed_ns=250000+fixed_ns=250000
// out: 24.75 17 13.5 12.5 13.5; 3 pieces of 2.67: 14.58; by the clock 2 + 0.25; set 1 + 2
#include "chunks.cu"
