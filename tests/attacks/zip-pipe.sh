# ex43 refused: not a regular file
# A pipe in the place of a zip file: whoever opens it waits for ever.
set -eu
mkdir "$1/$2"
mkfifo "$1/$2/work.zip"
