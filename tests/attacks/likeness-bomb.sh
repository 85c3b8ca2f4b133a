# ex43 fail: default stream
# Forty hand-ins of a hundred thousand words each: all alike, and all with words of their own, for those who compare them.
set -eu
i=0
while [ $i -lt 40 ]; do
    mkdir -p "$1/$2-$i"
    { cat exercises/ex43-overlap/starter.cu; echo '/*'; awk -v i=$i 'BEGIN { for (n = 0; n < 30000; n++) printf "w%d = w%d + %d;\n", n * (i % 2), n, n + (i % 2) * i }'; echo '*/'
      echo '#if 0'; awk -v i=$i 'BEGIN { for (n = 0; n < 30000; n++) printf "w%d = w%d + %d;\n", n % 7, n, n + (i % 2) * i }'; echo '#endif'; } >"$1/$2-$i/ex43.cu"
    i=$((i + 1))
done
mkdir -p "$1/$2"
cp exercises/ex43-overlap/starter.cu "$1/$2/ex43.cu"
