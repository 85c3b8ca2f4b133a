# ex43 refused: larger than 4 MiB|not a text
# A source of 1 TiB, all of it a hole.
mkdir -p "$1/$2" && truncate -s 1T "$1/$2/ex43.cu"
