# ex43 pass: .
# A student whose name has spaces, quotes, a dollar sign and what a shell would run: the solution is right, and passes.
set -eu
mkdir -p "$1/$2"
name='$(touch /tmp/threelane-attack-name); `id` '"'"'"; rm -rf . #'
mkdir -p "$1/$name"
cp exercises/ex43-overlap/solution.cu "$1/$name/ex43.cu"
cp exercises/ex43-overlap/solution.cu "$1/$2/ex43.cu"
