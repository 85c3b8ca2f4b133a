# ex43 pass|refused: .
# The hand-in may be read by nobody. (Root reads it all the same.)
mkdir -p "$1/$2" && cp exercises/ex43-overlap/solution.cu "$1/$2/ex43.cu" && chmod 0 "$1/$2/ex43.cu"
