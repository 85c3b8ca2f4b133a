# ex43 refused: deeper than folders are entered
# The source lies below sixty folders.
set -eu
below=$1/$2
for i in 1 2 3 4 5 6; do below=$below/a/b/c/d/e/f/g/h/i/j; done
mkdir -p "$below"
cp exercises/ex43-overlap/solution.cu "$below/ex43.cu"
