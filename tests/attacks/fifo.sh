# ex43 refused: not a regular file
# The hand-in is a pipe that nobody ever writes to.
mkdir -p "$1/$2" && mkfifo "$1/$2/ex43.cu"
