#!/bin/sh
# A trace as other tools' files, and other tools' files as traces. THREELANE names the command.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
fixtures=tests/fixtures/h200

expect "one of the forms" 2 "svg, html, perfetto or nsys-sqlite" "$threelane" show "$fixtures/multi.lane" --as picture
holds "html" "$threelane" show "$fixtures/multi.lane" --as html -o "$work/multi.html"
holds "html: a page" grep -q '^<!DOCTYPE html>' "$work/multi.html"
holds "html: whole" grep -q '^</html>' "$work/multi.html"
holds "html: nothing from elsewhere" sh -c "! grep -qE '(src|href)=|https?://|@import' '$work/multi.html'"
holds "html: the schedule as text is in it" grep -q 'Why everything started when it did' "$work/multi.html"
holds "html of one range" "$threelane" show "$fixtures/multi.lane" --as html --range pipeline --by stream -o "$work/range.html"
holds "html of one range is shorter" [ "$(wc -c <"$work/range.html")" -lt "$(wc -c <"$work/multi.html")" ]
expect "html to a full disk" 2 "cannot be written" "$threelane" show "$fixtures/multi.lane" --as html -o /dev/full
expect "a report of Nsight Systems" 1 "nsys export --type sqlite" sh -c "echo x >'$work/a.nsys-rep'; '$threelane' show '$work/a.nsys-rep'"

"$threelane" show "$fixtures/multi.lane" --as nsys-sqlite -o "$work/multi.sqlite" >"$work/out" 2>&1
if grep -q libsqlite3-dev "$work/out"; then
    skip "Nsight Systems" "no SQLite when it was built"
    holds "no SQLite: nothing is written" [ ! -e "$work/multi.sqlite" ]
else
    "$threelane" show "$fixtures/multi.lane" --width 90 >"$work/there"
    "$threelane" show "$work/multi.sqlite" --width 90 >"$work/back"
    holds "Nsight Systems: there and back" cmp -s "$work/there" "$work/back"
    expect "Nsight Systems: reasons are inferred" 0 "waited .* for .*inferred" "$threelane" show "$work/multi.sqlite" --as waits
    expect "Nsight Systems: to a full disk" 2 "cannot be written" "$threelane" show "$fixtures/multi.lane" --as nsys-sqlite -o /dev/full
    head -c 20000 "$work/multi.sqlite" >"$work/cut.sqlite"
    expect "Nsight Systems: a file cut off" 1 "cut.sqlite: .*malformed" "$threelane" show "$work/cut.sqlite"
fi
finish
