# ex43 refused: not a text
# The hand-in is a program.
mkdir -p "$1/$2" && cp /bin/true "$1/$2/ex43.cu"
