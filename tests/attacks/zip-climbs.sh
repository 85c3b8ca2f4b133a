# ex43 refused: climbs out
# Names in a zip file that lead out of it: to the grader's own files, and to another student's.
set -eu
command -v zip >/dev/null || exit 77
cd "$1"
mkdir -p "$2" x1/x2/az-good
cp "$2"/../az-good/ex43.cu x1/x2/az-good/ex43.cu
echo 'int stolen = ;' >>x1/x2/az-good/ex43.cu
(cd x1 && zip -q "../$2/work.zip" x2/az-good/ex43.cu && cd .. && rm -r x1)
sed -i 's,x2/az-good,../az-good,g' "$2/work.zip"
