#!/bin/sh
# A trace as other tools' files, and other tools' files as traces. THREELANE names the command.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
fixtures=tests/fixtures/h200

expect "one of the forms" 2 "svg, html, perfetto, csv or nsys-sqlite" "$threelane" show "$fixtures/multi.lane" --as picture
holds "html" "$threelane" show "$fixtures/multi.lane" --as html -o "$work/multi.html"
holds "html: a page" grep -q '^<!DOCTYPE html>' "$work/multi.html"
holds "html: whole" grep -q '^</html>' "$work/multi.html"
holds "html: nothing from elsewhere" sh -c "! grep -qE '(src|href)=|https?://|@import' '$work/multi.html'"
holds "html: the schedule as text is in it" grep -q 'Why everything started when it did' "$work/multi.html"
holds "html of one range" "$threelane" show "$fixtures/multi.lane" --as html --range pipeline --by stream -o "$work/range.html"
holds "html of one range is shorter" [ "$(wc -c <"$work/range.html")" -lt "$(wc -c <"$work/multi.html")" ]
expect "html to a full disk" 2 "cannot be written" "$threelane" show "$fixtures/multi.lane" --as html -o /dev/full
expect "a report of Nsight Systems" 1 "nsys export --type sqlite" sh -c "echo x >'$work/a.nsys-rep'; '$threelane' show '$work/a.nsys-rep'"

# Names with commas and quotes, a formula, an operation that never ended.
printf '%s\t%s\n' threelane 1 >"$work/odd.lane"
printf 'stream\t1\t1\tblocking\t0\t0\t-\tin, out\n' >>"$work/odd.lane"
printf 'call\t1\t1\tcudaLaunchKernel\t0\t=a"b.cu:7\nop\t1\t1\tkernel\t1\t1\t5\t0\t-\t-\t1,1,1\t1,1,1\t0\t0\tk\n' >>"$work/odd.lane"
printf 'start\t1\t9\t0\nop\t2\t1\th2d\t1\t1\t6\t64\tpinned\tdevice\t-\t-\t0\t0\t-\nwhy\t2\tstream\t1\t9\n' >>"$work/odd.lane"
printf 'start\t2\t9\t0\nend\t2\t12\n' >>"$work/odd.lane"
"$threelane" show "$work/odd.lane" --as csv >"$work/odd.csv" 2>/dev/null
cat >"$work/wanted.csv" <<'END'
op,label,kind,stream,engine,issued_ns,start_ns,end_ns,bytes,from,to,line,waited_for,by
2,"H2D0","h2d","stream in, out","",6,9,12,64,"pinned","device","'=a""b.cu:7","stream","K0"
1,"K0","kernel","stream in, out","",5,9,,0,"","","'=a""b.cu:7","",""
END
tr -d '\r' <"$work/odd.csv" >"$work/out"
holds "csv: a line for each operation" cmp -s "$work/out" "$work/wanted.csv"
holds "csv: lines end as RFC 4180 says" [ "$(grep -c "$(printf '\r')$" "$work/odd.csv")" -eq 3 ]
"$threelane" show "$fixtures/multi.lane" --as csv --range pipeline >"$work/out" 2>/dev/null
holds "csv: of one range" [ "$(wc -l <"$work/out")" -gt 1 -a "$(wc -l <"$work/out")" -lt "$("$threelane" show "$fixtures/multi.lane" --as csv 2>/dev/null | wc -l)" ]
expect "csv: to a full disk" 2 "cannot be written" "$threelane" show "$fixtures/multi.lane" --as csv -o /dev/full
for form in $("$threelane" show "$fixtures/multi.lane" --as picture 2>&1 | sed 's/.*waits, //;s/, not.*//;s/ or /, /;s/,//g'); do
    holds "EXPORTS.md has $form" grep -q "^| \`$form\` |" timeline/EXPORTS.md
done
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
