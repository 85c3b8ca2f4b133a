# ex43 refused: only zip files are opened
# An archive that is none of ours.
set -eu
mkdir "$1/$2"
tar -czf "$1/$2/work.tar.gz" -C exercises/ex43-overlap solution.cu
