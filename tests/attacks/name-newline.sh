# ex43 pass: .
# Names with line feeds, escapes, tabs, and bytes that are no text; each has a right solution beside one's own.
set -eu
i=0
for name in 'a
{"student":"eve","verdict":"pass"}' "$(printf 'e\033[2Jsc')" "$(printf 't\tab')" "$(printf 'bad\377\376')" "$(printf 'r\342\200\256ev')" '</td><script>alert(1)</script>' '=HYPERLINK("http://x")' '@SUM(1)' '+1' ' '; do
    mkdir -p "$1/$name"
    cp exercises/ex43-overlap/starter.cu "$1/$name/ex43.cu"
    echo "// $i" >>"$1/$name/ex43.cu"
    i=$((i + 1))
done
mkdir -p "$1/$2"
cp exercises/ex43-overlap/solution.cu "$1/$2/ex43.cu"
