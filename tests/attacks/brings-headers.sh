# ex43 fail: default stream
# Headers and sources of its own beside the hand-in, in the place of the course's: nobody looks at them.
set -eu
mkdir -p "$1/$2/exercises/ex43-overlap" "$1/$2/threelane"
cp exercises/ex43-overlap/starter.cu "$1/$2/ex43.cu"
for file in ex43.h harness.h cuda_runtime.h harness.cu stdio.h golden.txt exercise.ini hidden.ini \
            Makefile .threelane; do
    echo '#error not this one' >"$1/$2/$file"
    echo '#error not this one' >"$1/$2/exercises/ex43-overlap/$file"
done
