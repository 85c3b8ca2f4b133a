# ex43 refused: no source file
# Handed in as a document.
set -eu
mkdir "$1/$2"
echo 'my solution' >"$1/$2/ex43.docx"
