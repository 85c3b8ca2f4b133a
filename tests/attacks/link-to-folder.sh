# ex43 refused: a link, which is not followed
# The student's folder is a symbolic link to the folder of the solution, and another one to the root.
mkdir -p "$1/x-$2" && ln -s "$PWD/exercises/ex43-overlap" "$1/$2" && ln -s / "$1/x-$2/root"
