# ex43 refused: no source file
# The hand-in is a folder named like a source, with a folder named like a source in it.
mkdir -p "$1/$2/ex43.cu/ex43.cu/ex43.cu"
