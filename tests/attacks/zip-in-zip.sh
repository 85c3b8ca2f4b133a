# ex43 refused: an archive in an archive
# A zip file in a zip file in a zip file, and at the bottom a large one: nobody digs there.
set -eu
command -v zip >/dev/null || exit 77
cd "$1"
mkdir "$2"
head -c 50000000 /dev/zero >ex43.cu
zip -q 0.zip ex43.cu
for i in 1 2 3 4 5; do
    for copy in a b c; do cp "$((i - 1)).zip" "$copy.zip"; done
    zip -q "$i.zip" a.zip b.zip c.zip
done
mv 5.zip "$2/work.zip"
rm -f ex43.cu ?.zip
