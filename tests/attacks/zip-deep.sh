# ex43 refused: deeper than folders are entered
# The same in a zip file, eighty folders deep.
set -eu
command -v zip >/dev/null || exit 77
solution=$PWD/exercises/ex43-overlap/solution.cu
cd "$1"
below=deep
for i in 1 2 3 4 5 6 7 8; do below=$below/a/b/c/d/e/f/g/h/i/j; done
mkdir -p "$below"
cp "$solution" "$below/ex43.cu"
zip -qr "$2.zip" deep
rm -r deep
