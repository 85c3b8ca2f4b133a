# ex43 refused: larger than 4 MiB
# A source of 100 MiB.
mkdir -p "$1/$2" && { cat exercises/ex43-overlap/solution.cu; yes '// x' | head -c 104857600; } >"$1/$2/ex43.cu"
