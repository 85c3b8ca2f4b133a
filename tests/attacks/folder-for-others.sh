# ex43 fail: default stream
# Files and folders that name other students, as each platform would write them, in one's own folder: all are this student's.
set -eu
starter=exercises/ex43-overlap/starter.cu
for other in az-good kz-good sz-good; do
    mkdir -p "$1/$2/${other}_7_assignsubmission_file_" "$1/$2/$other"
    cp "$starter" "$1/$2/${other}_7_assignsubmission_file_/ex43.cu"
    cp "$starter" "$1/$2/$other/ex43.cu"
    cp "$starter" "$1/$2/${other}_ex43.cu"
    cp "$starter" "$1/$2/${other}_LATE_1_2_ex43-9.cu"
done
