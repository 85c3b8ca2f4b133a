# ex43 fail: default stream
# A zip file with folders named like other students, and bad work in them: it is all this student's.
set -eu
command -v zip >/dev/null || exit 77
starter=$PWD/exercises/ex43-overlap/starter.cu
cd "$1"
for student in az-good kz-good sz-good nobody-else; do
    mkdir -p "forged/$student"
    cp "$starter" "forged/$student/ex43.cu"
done
(cd forged && zip -qr "../$2.zip" .)
rm -r forged
