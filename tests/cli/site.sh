#!/bin/sh
# `threelane site`: every page there, every link and anchor leads somewhere, every call has its card, nothing that stands
# in a lesson becomes markup, and what is wrong with the course is said in a line. tests/cli/browser.sh opens the pages.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

none() { if [ -z "$2" ]; then ok "$1"; else bad "$1" "$2"; fi; }
site=$work/site
cp -R exercises lessons "$work"
cd "$work" || exit 1
make_site() { "$threelane" site --exercises "$work/exercises" -o "$site" "$@"; }

"$threelane" site --exercises "$work/exercises" -o "$site" >out 2>&1
if grep -q 'built without what reads Markdown' out; then
    skip everything "this was built without cmark-gfm (.ci/setup site)"
    finish
fi
mkdir traces
cd "$repository" || exit 1
ONLY='ex43-pipelined|ex54-racing|start-streams' TRACES=$work/traces BIN=$(dirname "$threelane") sh lessons/figures/draw >/dev/null 2>&1
cd "$work" || exit 1
expect 'all pages are written' 0 '/site/index.html: [0-9]+ pages, 3 figures that play, [0-9]+ as text$' make_site --figures "$work/traces"

for lesson in lessons/*.md; do [ -s "$site/$(basename "$lesson" .md).html" ] || echo "$lesson"; done >missing
for folder in exercises/ex*; do
    name=$(basename "$folder")
    [ -s "$site/${name%%-*}.html" ] || echo "$folder"
done >>missing
none 'each lesson, text and exercise has a page' "$(cat missing)"

# Where links lead: pages and anchors in them, and files beside them
(
    cd site || exit 1
    for page in *.html; do
        sed "s/ id=\"/\n id=\"/g" "$page" | sed -n "s/^ id=\"\([^\"]*\)\".*/$page#\1/p"
        echo "$page"
    done | LC_ALL=C sort >../anchors
    for page in *.html; do
        sed 's/ \(href\|src\)="/\n&/g' "$page" | sed -n 's/^ \(href\|src\)="\([^"]*\)".*/\2/p' |
            sed -e "s/^#/$page#/" -e '/^https\{0,1\}:\/\//d' -e '/^data:/d'
    done >../links
    sed -n 's/^\["\([^"]*\)".*/\1/p' search.js >>../links
    ls | sed '/html$/d' >../files
)
uniq -d anchors | sed 's/$/ is there twice/' >broken
LC_ALL=C sort -u links | LC_ALL=C comm -23 - anchors | grep -vxFf files >>broken
none 'every link and anchor leads somewhere, and no anchor is there twice' "$(head -n 20 broken)"
holds 'the search knows hundreds of places' test "$(grep -c '^\["' site/search.js)" -gt 200
none 'nothing is asked from elsewhere' "$(grep -lE '(src|href)="(https?:)?//' site/*.html | xargs -r grep -lE '<(script|link|img)[^>]*"(https?:)?//')"

# Cards: what a student reads or writes calls is explained
cat exercises/ex*/starter.cu exercises/ex*/solution.cu | grep -oE '\bcu(da)?[A-Z][A-Za-z0-9]+ *(<[a-z]+>)?\(' | grep -oE '^[A-Za-z0-9]+' | sort -u >called
sed -n 's/^\[\(.*\)\]$/\1/p' lessons/calls.ini | sort -u >cards
none 'each call of the course has a card in lessons/calls.ini' "$(comm -23 called cards)"
expect 'a card has the signature, who waits, and who uses it' 0 '' sed -n '/<section class="card" id="cudaStreamWaitEvent"/,/<\/section>/p' site/calls.html
says 'the signature is that of the table of calls' 'cudaEvent_t'
says 'lessons and exercises lead there' '<a href="ex44.html">44</a>'
expect 'a call in a text leads to its card' 0 'class="call" href="calls.html#cudaMemcpyAsync"' cat site/ex42-pinned-memory.html
expect 'and so does one in code' 0 '<a class="f" href="calls.html#cudaStreamSynchronize">' cat site/ex43-overlap.html

# What the pages have and have not
expect 'a figure is there as a recording, and as text' 0 '' cat site/ex43-overlap.html
says 'as a recording' '<section class="threelane figure">'
also 'as text' '^Kernels +█████K0'
expect 'the timeline is written once, and not into each page' 0 '' cat site/ex43-overlap.html
never 'the timeline is written once' 'function Timeline'
holds 'its code is there' grep -q 'function Timeline' site/timeline.js
expect 'the exercise says what to do' 0 'give each batch a stream of its own' cat site/ex43.html
says 'and what comes out' 't=2: [D2H0] [K1  ] [H2D2]'
never 'no solution unless it is asked for' 'A solution'
expect 'with --solutions it is there' 0 'pages' make_site --solutions
expect 'the solution' 0 'id="a-solution"' cat site/ex43.html
expect 'without traces, figures are text' 0 ', 0 figures that play, [1-9][0-9]+ as text' make_site
expect 'four things are called blocking' 0 'cudaDeviceScheduleBlockingSync' cat site/glossary.html
expect 'the map: what comes after what' 0 'after <a href="#lesson-ex42-pinned-memory">42</a>' cat site/index.html

# A copy for students has neither solutions nor wrong variants
"$threelane" pack "$work/packed/exercises" --exercises "$work/exercises" >out 2>&1 && cp -R lessons packed
expect 'a copy without solutions makes pages, too' 0 'index.html' "$threelane" site --exercises "$work/packed/exercises" -o "$work/packed/site" --solutions
holds 'without solutions' test -z "$(grep -l 'id="a-solution"' packed/site/*.html)"

# Markup in a lesson is text
cat >>lessons/ex41-streams.md <<'X'

<script>alert(1)</script>

Inline <img src=x onerror=alert(2)> and [a link](javascript:alert(3)) and [another](../../etc/passwd) and `<b>`.

| <i>cell</i> | x |
|---|---|
| "quotes" & 'more' | y |

```cuda
const char *s = "</script><script>alert(4)</script>";   /* <!-- */
```

## A <u>heading</u> & "so on"
X
printf '\n\033[2J a control character\n' >>lessons/ex41-streams.md
expect 'a lesson with markup in it' 0 'index.html' make_site
none 'none of it becomes markup' "$(sed 's/&lt;/(/g' site/ex41-streams.html | grep -nE '<(script|img|b|i|u)[ >]?[^>]*(alert|onerror|cell|heading|>&)|javascript:|etc/passwd|<script>' | head -n 5)"
holds 'and all of it can be read' grep -qF '&lt;script&gt;alert(1)&lt;/script&gt;' site/ex41-streams.html
holds 'control characters are not in it' test -z "$(grep -l "$(printf '\033')" site/ex41-streams.html)"
none 'nor in what the search knows' "$(grep -n '<' site/search.js | head -n 2)"

# What is wrong is said
wrong() {       # wrong NAME PATTERN FILE: the course with that file is told what is wrong; the file is put back
    expect "$1" 2 "$2" make_site
    holds "$1: in one line" test "$(wc -l <"$work/out")" = 1
    cp "$repository/lessons/$3" "lessons/$3" 2>/dev/null
}
sed -i 's/^after = ex42/after = ex4x/' lessons/course.ini
wrong 'a lesson after one that is not there' "course.ini:[0-9]+: 'ex4x' is no lesson above ex43-overlap" course.ini
sed -i 's/^after = 00-start/after = ex43/' lessons/course.ini
wrong 'a lesson after a later one' "course.ini:[0-9]+: 'ex43' is no lesson above ex41-streams" course.ini
sed -i '/^.lesson ex64/,/^after/d' lessons/course.ini
wrong 'an exercise that is not on the map' 'course.ini: there is no .lesson ex64-broken-captures.' course.ini
: >lessons/course.ini
wrong 'a map with nothing on it' 'course.ini: there is no lesson in it' course.ini
{ echo 'words'; cat "$repository/lessons/course.ini"; } >lessons/course.ini
wrong 'words in the map' 'course.ini:1: a line before the first' course.ini
rm lessons/course.ini
wrong 'no map' 'course.ini: No such file' course.ini
printf '[cudaNothing]\ndoes = x\n' >>lessons/calls.ini
wrong 'a card of a call that is none' 'calls.ini:[0-9]+: cudaNothing is no call' calls.ini
printf '[cudaGetErrorName]\nhost = x\n' >>lessons/calls.ini
wrong 'a card that says nothing' 'calls.ini:[0-9]+: cudaGetErrorName has no does' calls.ini
printf '[cudaMalloc]\ndoes = x\n' >>lessons/calls.ini
wrong 'two cards of one call' 'two cards of cudaMalloc' calls.ini
printf '[cudaGetErrorName]\ndose = x\n' >>lessons/calls.ini
wrong 'a word that is no key' 'calls.ini:[0-9]+: a key that is not known' calls.ini
rm lessons/glossary.md
wrong 'a text that is missing' 'glossary.md: No such file' glossary.md
cp traces/ex43-pipelined.lane cut.lane
echo 'rubbish' >traces/ex43-pipelined.lane
expect 'a trace that is none' 2 'ex43-pipelined.lane' make_site --figures "$work/traces"
head -c 3000 cut.lane >traces/ex43-pipelined.lane
expect 'a trace that was cut off is drawn as far as it goes' 0 'index.html' make_site --figures "$work/traces"
expect 'a folder that cannot be made' 2 'Not a directory|File exists' "$threelane" site --exercises "$work/exercises" -o "$work/out/site"
if [ -e /dev/full ]; then
    mkdir -p full && rm -rf full/index.html && mkdir full/index.html
    expect 'a page that cannot be written' 2 'index.html' "$threelane" site --exercises "$work/exercises" -o "$work/full"
fi
finish
