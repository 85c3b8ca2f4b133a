# ex43 pass: .
# The source lies in a folder, and beside files, whose names are no text.
set -eu
odd=$(printf '\357\277\277\357\267\220\355\240\200\001\033[2J')
mkdir -p "$1/$2/$odd"
cp exercises/ex43-overlap/solution.cu "$1/$2/$odd/ex43.cu"
echo 'int x;' >"$1/$2/$odd/what$odd.cu"
mkdir -p "$1/$2-$odd" && echo none >"$1/$2-$odd/ex43.txt"
