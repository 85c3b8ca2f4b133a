# ex43 refused: not a plain path
# A name in a zip file that begins at the root.
set -eu
command -v zip >/dev/null || exit 77
cd "$1"
mkdir -p "$2" xtmp
echo 'int x;' >xtmp/ex43.cu
zip -q "$2/work.zip" xtmp/ex43.cu
rm -r xtmp
sed -i 's,xtmp/ex43,/tmp/ex43,g' "$2/work.zip"
