# ex43 refused|pass: .
# The longest name that there may be, in folders as deep as they may be.
set -eu
long=$(printf '%0250d' 7)
mkdir -p "$1/$long"
cp exercises/ex43-overlap/solution.cu "$1/$long/ex43.cu"
path=$1/$2
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do path=$path/deep; done
mkdir -p "$path"
cp exercises/ex43-overlap/solution.cu "$path/ex43.cu"
cp exercises/ex43-overlap/solution.cu "$1/$2/ex43.cu"
