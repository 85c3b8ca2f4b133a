# ex43 refused: larger than 4 MiB
# A zip file of some kilobytes with a source of 200 MiB in it.
set -eu
command -v zip >/dev/null || exit 77
cd "$1"
mkdir "$2"
head -c 209715200 /dev/zero | tr '\0' ' ' >ex43.cu
zip -q "$2/work.zip" ex43.cu
rm ex43.cu
