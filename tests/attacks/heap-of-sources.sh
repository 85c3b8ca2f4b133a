# ex43 pass: .
# Two thousand files of which nobody knows which exercise they are for, and two thousand copies of one source.
set -eu
mkdir "$1/$2"
cp exercises/ex43-overlap/solution.cu "$1/$2/ex43.cu"
cd "$1/$2"
awk '{ source = source $0 "\n" }
    END { for (i = 0; i < 2000; i++) {
              print "int x" i ";" >("what-" i ".cu"); close("what-" i ".cu")
              printf "%s", source >("copy-" i "-ex43.cu"); close("copy-" i "-ex43.cu") } }' ex43.cu
