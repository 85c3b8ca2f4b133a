# ex43 fail: default stream
# A zip file with twenty thousand sources in it.
set -eu
command -v zip >/dev/null || exit 77
starter=$PWD/exercises/ex43-overlap/starter.cu
cd "$1"
mkdir -p "$2" many
cp "$starter" many/ex43.cu
(cd many && i=0 && while [ $i -lt 20000 ]; do ln ex43.cu "$i-ex43.cu"; i=$((i + 1)); done && zip -qr0 "../$2/work.zip" .)
rm -r many
