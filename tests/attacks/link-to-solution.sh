# ex43 refused: it is a link
# The hand-in is a symbolic link to the course's solution.
mkdir -p "$1/$2" && ln -s "$PWD/exercises/ex43-overlap/solution.cu" "$1/$2/ex43.cu"
