#!/bin/sh
# A trace as other tools' files, and other tools' files as traces. THREELANE names the command.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
fixtures=tests/fixtures/h200

expect "one of the forms" 2 "svg, html, perfetto, csv, dot or nsys-sqlite" "$threelane" show "$fixtures/multi.lane" --as picture
holds "html" "$threelane" show "$fixtures/multi.lane" --as html -o "$work/multi.html"
holds "html: a page" grep -q '^<!DOCTYPE html>' "$work/multi.html"
holds "html: whole" grep -q '^</html>' "$work/multi.html"
holds "html: nothing from elsewhere" sh -c "! grep -qE '(src|href)=|https?://|@import' '$work/multi.html'"
holds "html: what it is worked with is in it" grep -qF '<canvas tabindex="0"' "$work/multi.html"
holds "html: the schedule as text is in it" grep -q 'Why everything started when it did' "$work/multi.html"
holds "html of one range" "$threelane" show "$fixtures/multi.lane" --as html --range pipeline --by stream -o "$work/range.html"
holds "html of one range is shorter" [ "$(wc -c <"$work/range.html")" -lt "$(wc -c <"$work/multi.html")" ]
expect "a short option takes no =" 2 "does not take -o;" "$threelane" show "$fixtures/multi.lane" --as html -o=a.html
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
op,label,kind,stream,engine,issued_ns,start_ns,end_ns,bytes,from,to,line,waited_for,by,launch,launched_at
2,"H2D0","h2d","stream in, out","",6,9,12,64,"pinned","device","'=a""b.cu:7","stream","K0","",""
1,"K0","kernel","stream in, out","",5,9,,0,"","","'=a""b.cu:7","","","",""
END
tr -d '\r' <"$work/odd.csv" >"$work/out"
holds "csv: a line for each operation" cmp -s "$work/out" "$work/wanted.csv"
holds "csv: lines end as RFC 4180 says" [ "$(grep -c "$(printf '\r')$" "$work/odd.csv")" -eq 3 ]
"$threelane" show "$fixtures/multi.lane" --as csv --range pipeline >"$work/out" 2>/dev/null
holds "csv: of one range" [ "$(wc -l <"$work/out")" -gt 1 -a "$(wc -l <"$work/out")" -lt "$("$threelane" show "$fixtures/multi.lane" --as csv 2>/dev/null | wc -l)" ]
expect "csv: to a full disk" 2 "cannot be written" "$threelane" show "$fixtures/multi.lane" --as csv -o /dev/full
expect "as text, where there is no terminal" 0 "Why not earlier|waited" "$threelane" view --text tests/fixtures/traces/pipeline4.lane
# whole: tests/fixtures/exports/NAME-text.txt (WRITE=1 writes them anew)
for one in traces/pipeline4 traces/hazard traces/graph h200/multi h200/killed; do
    kept=tests/fixtures/exports/${one#*/}-text.txt
    "$threelane" view --text "tests/fixtures/$one.lane" >"$work/text" 2>&1 </dev/null
    [ -z "${WRITE:-}" ] || cp "$work/text" "$kept"
    same "as text, whole: $one" "$kept" "$work/text"
done
"$threelane" view --text tests/fixtures/traces/pipeline4.lane --range pipelined >"$work/text" 2>&1 </dev/null
[ -z "${WRITE:-}" ] || cp "$work/text" tests/fixtures/exports/pipeline4-range-text.txt
same "as text, whole: of one range" tests/fixtures/exports/pipeline4-range-text.txt "$work/text"
expect "as text: to a full disk" 2 "cannot be written" sh -c "'$threelane' view --text tests/fixtures/traces/pipeline4.lane >/dev/full"

# A picture as it was looked at (again: threelane show --as svg, and look at it): rows, spans, ruler, frame and colours.
for one in pipeline4 race; do
    "$threelane" show tests/fixtures/traces/$one.lane --as svg >"$work/$one.svg" 2>/dev/null
    holds "svg: $one" diff tests/fixtures/traces/$one.svg "$work/$one.svg"
done

# The same as a graph: a quote and a backslash in a name end no string of Graphviz's, and what a range does not hold is
# an arrow's other end only.
sed 's/in, out/in" \\\\n]/' "$work/odd.lane" >"$work/quoted.lane"
"$threelane" show "$work/quoted.lane" --as dot >"$work/odd.dot" 2>/dev/null
sed -n 's/, tooltip=".*"\]/]/; /op/p' "$work/odd.dot" >"$work/out"
cat >"$work/wanted.dot" <<'END'
  subgraph cluster_1 { label="stream in\" \\n]"; op2 [label="H2D0\n0.0 ms - 3 ns\n=a\"b.cu:7"]; }
  subgraph cluster_1 { op1 [label="K0\n0.0 ms - never ended\n=a\"b.cu:7"]; }
  op1 -> op2 [label="stream", penwidth=2];
END
holds "dot: operations, streams and what was waited for" diff "$work/wanted.dot" "$work/out"
holds "dot: whole" [ "$(tail -n 1 "$work/odd.dot")" = '}' ]
if command -v dot >/dev/null; then
    holds "dot: Graphviz reads it" sh -c "[ \"\$(dot -Tplain '$work/odd.dot' | grep -c '^node ')\" = 2 ]"
else
    skip "dot: Graphviz reads it" "no dot here"
fi
{ cat "$work/odd.lane"; printf 'range\t1\t1\t20\tlater\nop\t3\t1\td2h\t1\t1\t21\t64\tdevice\tpinned\t-\t-\t0\t0\t-\n'
  printf 'why\t3\tstream\t2\t22\nstart\t3\t22\t0\nend\t3\t23\n'; } >"$work/later.lane"
"$threelane" show "$work/later.lane" --as dot --range later >"$work/out" 2>/dev/null
holds "dot: of one range" sh -c "grep -q 'op3 .label=\"D2H0' '$work/out' && ! grep -q 'op1' '$work/out'"
holds "dot: what a range waited for outside it" grep -q 'op2 .style=dashed, label="an earlier H2D' "$work/out"
expect "dot: to a full disk" 2 "cannot be written" "$threelane" show "$fixtures/multi.lane" --as dot -o /dev/full
for form in $("$threelane" show "$fixtures/multi.lane" --as picture 2>&1 | sed 's/.*waits, //;s/, not.*//;s/ or /, /;s/,//g'); do
    holds "EXPORTS.md has $form" grep -q "^| \`$form\` |" timeline/EXPORTS.md
done
"$threelane" show "$fixtures/multi.lane" --as nsys-sqlite -o "$work/multi.sqlite" >"$work/out" 2>&1
if grep -q libsqlite3-dev "$work/out"; then
    skip "Nsight Systems" "no SQLite when it was built"
    holds "no SQLite: nothing is written" [ ! -e "$work/multi.sqlite" ]
else
    "$threelane" show "$fixtures/multi.lane" --width 90 >"$work/there"
    # (the recording is older than launches of graphs in traces; what comes back has them)
    "$threelane" show "$work/multi.sqlite" --width 90 >"$work/banded"
    holds "Nsight Systems: the launches of graphs" grep -q "^Graphs " "$work/banded"
    grep -v "^Graphs " "$work/banded" >"$work/back"
    holds "Nsight Systems: there and back" cmp -s "$work/there" "$work/back"
    expect "Nsight Systems: reasons are inferred" 0 "waited .* for .*inferred" "$threelane" show "$work/multi.sqlite" --as waits
    expect "Nsight Systems: to a full disk" 2 "cannot be written" "$threelane" show "$fixtures/multi.lane" --as nsys-sqlite -o /dev/full
    head -c 20000 "$work/multi.sqlite" >"$work/cut.sqlite"
    expect "Nsight Systems: a file cut off" 1 "cut.sqlite: .*malformed" "$threelane" show "$work/cut.sqlite"
fi
finish
