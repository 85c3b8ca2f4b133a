# ex43 refused: it is a link
# A zip file with a symbolic link to the solution in it.
set -eu
command -v zip >/dev/null || exit 77
solution=$PWD/exercises/ex43-overlap/solution.cu
cd "$1"
mkdir -p "$2"
ln -s "$solution" ex43.cu
zip -qy "$2/work.zip" ex43.cu
rm ex43.cu
