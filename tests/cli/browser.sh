#!/bin/sh
# The pages that are made, in a headless Chromium: those of the course, and the timeline of a run. tests/browser/*.mjs has
# the cases. Needs a Chromium or Chrome, node (18 or newer), and puppeteer-core (.ci/setup browser, tests/browser/setup).
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

browser=
for name in ${BROWSER:-chromium chromium-browser google-chrome google-chrome-stable}; do
    [ -n "$browser" ] || browser=$(command -v "$name")
done
modules=
for folder in "${PUPPETEER:-}" build/browser; do
    [ -z "$folder" ] || [ ! -e "$folder/node_modules/puppeteer-core/package.json" ] || modules=${modules:-$folder}
done
if [ -z "$browser" ]; then skip everything "there is no chromium (.ci/setup browser)"; finish; fi
if ! command -v node >/dev/null 2>&1; then skip everything "there is no node (.ci/setup browser)"; finish; fi
if [ "$(node -p 'parseInt(process.versions.node)')" -lt 18 ]; then skip everything "node $(node --version) is older than 18"; finish; fi
if [ -z "$modules" ]; then skip everything "puppeteer-core is not installed (tests/browser/setup)"; finish; fi

mkdir "$work/traces" "$work/site"
ONLY='ex43-pipelined|ex54-racing' TRACES=$work/traces BIN=$(dirname "$threelane") sh lessons/figures/draw >"$work/out" 2>&1
"$threelane" site -o "$work/site" --figures "$work/traces" >"$work/out" 2>&1
if grep -q 'built without what reads Markdown' "$work/out"; then skip everything "this was built without cmark-gfm (.ci/setup site)"; finish; fi
holds 'the pages are made' test -s "$work/site/index.html"
"$threelane" show "$work/traces/ex43-pipelined.lane" --as html -o "$work/site/timeline.html" >"$work/out" 2>&1
holds 'and a timeline' test -s "$work/site/timeline.html"

"$threelane" show tests/fixtures/h200/compare/peers-pipeline.lane --as html -o "$work/site/gpus.html" >"$work/out" 2>&1
holds 'and one of two GPUs' test -s "$work/site/gpus.html"

course "$work/course"
(cd "$work/course" && export THREELANE_TLCC="$tlcc" && "$threelane" run ex43 --src exercises/ex43-overlap/starter.cu >/dev/null 2>&1
 "$threelane" show .threelane/ex43.lane --range pipelined --as html -o "$work/site/asked.html") >"$work/out" 2>&1
holds 'and one with answers' grep -q data-question= "$work/site/asked.html"

# the page of a class of 2,000, where the unit tests are built
[ ! -x build/tests/test_class ] || mkdir "$work/site/class"
[ ! -x build/tests/test_class ] || KEEP=$work/site/class/index.html build/tests/test_class two_thousand_students_fit >/dev/null 2>&1

HOME=$work node tests/browser/run.mjs "$modules" "$browser" "$work/site" ${only:+"$only"} >"$work/said" 2>"$work/errors"
status=$? tab=$(printf '\t')
while IFS= read -r line; do
    case $line in
    'ok - '*) : >"$work/out"; ok "${line#ok - }" ;;
    'not ok - '*) : >"$work/out"; line=${line#not ok - }; bad "${line%%"$tab"*}" "${line#*"$tab"}" ;;
    esac
done <"$work/said"
cp "$work/errors" "$work/out"
if [ $status -gt 1 ] || ! grep -q '^ok' "$work/said"; then bad 'the browser comes up' "status $status"; fi
finish
