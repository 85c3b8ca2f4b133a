# ex43 refused|absent: damaged|cannot be read
# A zip file that is cut off, one of nothing but noise, one whose numbers are all as large as they can be.
set -eu
command -v zip >/dev/null || exit 77
solution=$PWD/exercises/ex43-overlap/solution.cu
cd "$1"
mkdir -p "$2"
cp "$solution" ex43.cu
zip -q whole.zip ex43.cu
head -c 300 whole.zip >"$2/cut.zip"
{ printf 'PK\003\004'; head -c 10000 /dev/urandom; printf 'PK\005\006'; head -c 18 /dev/zero | tr '\0' '\377'; } >"$2/noise.zip"
sed 's/\x50\x4b\x01\x02\(.\{16\}\).\{8\}/\x50\x4b\x01\x02\1\xff\xff\xff\xff\xff\xff\xff\xff/' whole.zip >"$2/sizes.zip"
rm whole.zip ex43.cu
