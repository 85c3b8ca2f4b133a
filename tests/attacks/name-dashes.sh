# ex43 pass: .
# Names that a compiler or a tool would take for options, a response file, or a folder above.
set -eu
for name in '-o' '--help' '-Wl,-rpath' '@ex43.cu' '...' '~root' '-rf *' 'CON' 'index' '..%2f..'; do
    mkdir -p "$1/./$name"
    cp exercises/ex43-overlap/starter.cu "$1/./$name/ex43.cu"
done
cp exercises/ex43-overlap/solution.cu "$1/-rf_ex43.cu"
mkdir -p "$1/$2"
cp exercises/ex43-overlap/solution.cu "$1/$2/ex43.cu"
