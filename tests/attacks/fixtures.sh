# ex43 pass: .
# A student who is called like a folder of the course: the hand-in is right, and passes.
mkdir -p "$1/$2" && cp exercises/ex43-overlap/solution.cu "$1/$2/ex43.cu"
