# ex43 refused: empty
# There is nothing in it.
mkdir -p "$1/$2" && : >"$1/$2/ex43.cu"
