# ex43 refused: password
# A zip file that is locked.
set -eu
command -v zip >/dev/null || exit 77
solution=$PWD/exercises/ex43-overlap/solution.cu
cd "$1"
mkdir -p "$2"
cp "$solution" ex43.cu
zip -q -P secret "$2/work.zip" ex43.cu
rm ex43.cu
