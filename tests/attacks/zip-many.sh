# ex43 fail: default stream
# A zip file with three thousand sources in it.
set -eu
command -v zip >/dev/null || exit 77
starter=$PWD/exercises/ex43-overlap/starter.cu
cd "$1"
mkdir -p "$2" many
cp "$starter" many/ex43.cu
i=0
while [ $i -lt 3000 ]; do ln many/ex43.cu "many/$i-ex43.cu"; i=$((i + 1)); done
(cd many && zip -qr0 "../$2/work.zip" .)
rm -r many
