# ex43 pass: .
# Two thousand files of which nobody knows which exercise they are for, and two thousand copies of one source.
set -eu
mkdir "$1/$2"
cp exercises/ex43-overlap/solution.cu "$1/$2/ex43.cu"
cd "$1/$2"
i=0
while [ $i -lt 2000 ]; do
    echo "int x$i;" >"what-$i.cu"
    ln ex43.cu "copy-$i-ex43.cu"
    i=$((i + 1))
done
