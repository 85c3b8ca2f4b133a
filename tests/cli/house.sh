#!/bin/sh
# The rooms of the house (tests/house): nothing is wrong with them, CONTRIBUTING.md shows them as they are, and each kind
# of fault is seen in a house that has it.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

faults=$(tests/house check)
status=$?
if [ $status -eq 0 ] && [ -z "$faults" ]; then ok 'nothing is wrong with the includes'
else bad 'faults in the includes (tests/house has the list of rooms)' "$faults"; fi

tests/house >"$work/drawn"
awk '/^<!-- make house -->$/ { on = 1; next } on && /^```/ { if (on++ == 2) exit; next } on { print }' CONTRIBUTING.md >"$work/shown"
if [ -s "$work/drawn" ] && cmp -s "$work/drawn" "$work/shown"; then ok 'CONTRIBUTING.md shows the house as it is'
else bad 'CONTRIBUTING.md shows another house; `make house WRITE=1` draws it anew' "$(diff "$work/shown" "$work/drawn")"; fi

# A small house without a fault; each fault is added to a copy of it.
file() { mkdir -p "$house/$(dirname "$1")" && printf '%s\n' "$2" >>"$house/$1"; }
new_house() {
    house=$work/house
    rm -rf "$house"
    file common/text.h ''
    file common/text.c '#include "common/text.h"'
    file grader/box/box_internal.h ''
    file grader/box/box.c '#include "grader/box/box_internal.h"'
    file grader/build/build.c '#include "common/text.h"'
}
seen() {        # seen WHAT FAULT: the fault is told, and nothing else but what is known of our own house
    faults=$(tests/house check "$house" | grep -v "^no longer so: " | LC_ALL=C sort)
    if [ "$faults" = "$2" ]; then ok "$1"; else bad "$1: '$2' expected" "$faults"; fi
}
new_house
seen 'a house without faults' ''
new_house
file common/text.c '#include "grader/box/box.h"'
file grader/box/box.h ''
seen 'an arrow upward' 'arrow common grader/box'
new_house
file timeline/viewer/view.c '#include "timeline/exports/svg.h"'
file timeline/exports/svg.h ''
seen 'an arrow that the list does not have' 'arrow timeline/viewer timeline/exports'
new_house
file sim/api/api_copy.c '#include "sim/hazard/hazard.h"'
file sim/hazard/hazard.h ''
seen 'a call that speaks to the checker itself' 'arrow sim/api sim/hazard'
new_house
file sim/api/api_copy.c '#include "timeline/trace/trace_write.h"'
file timeline/trace/trace_write.h ''
seen 'a call that writes the trace itself' 'arrow sim/api timeline/trace'
new_house
file grader/box/one.h '#include "grader/box/two.h"'
file grader/box/two.c '#include "grader/box/one.h"'
file grader/box/two.h ''
seen 'a circle of two' 'circle grader/box/one grader/box/two'
new_house
for pair in one:two two:three three:one; do
    file "grader/box/${pair%:*}.h" ''
    file "grader/box/${pair%:*}.c" "#include \"grader/box/${pair#*:}.h\""
done
seen 'a circle of three' 'circle grader/box/one
circle grader/box/three
circle grader/box/two'
new_house
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do file "common/file$i.c" ''; done
seen 'a full room' 'full common'
new_house
file grader/build/text.h ''
seen 'a file name in two rooms' 'name text.h common grader/build'
new_house
file grader/build/build.c '#include "grader/box/box_internal.h"'
seen 'a private header in another room' 'private grader/build/build.c grader/box/box_internal.h'
new_house
file grader/attic/old.c ''
seen 'a folder that is no room' 'no room grader/attic'
new_house
file grader/build/build.c '#include "common/gone.h"'
seen 'a header that is not there' 'nowhere grader/build/build.c common/gone.h'
new_house
{ printf 'static void lasts(int n,\n                  int m)\n{\n'; yes '    work();' | head -56; printf '}\n'; } >"$house/common/lasts.c"
seen 'a function of 60 lines' ''
{ printf '\nAPI(cudaLast, 0)\n{\n'; yes '    if (work()) {\n    }' | head -58; printf '}\n'; } >>"$house/common/lasts.c"
seen 'a function of 61 lines' 'long common/lasts.c API 61'

# what `make mutate` asks about code that runs in boxes
while read -r prefix tests; do
    [ -n "$(ls -d "$prefix"* 2>/dev/null)" ] || echo "$prefix"
    for one in $tests; do
        case $one in
        cli:*) [ -e "tests/cli/${one#*:}.sh" ] || echo "$one" ;;
        lint:*) ls -d "exercises/${one#*:}"-* >/dev/null 2>&1 || echo "$one" ;;
        *) echo "$one" ;;
        esac
    done
done <<END >"$work/out"
$(grep -v '^#' tests/mutate/unseen)
END
holds 'tests/mutate/unseen names code and tests that there are' [ ! -s "$work/out" ]

# what stands behind `finish` is never run
for one in tests/cli/*.sh tests/screens/*.sh; do
    ! grep -q '^finish' "$one" || [ "$(tail -n 1 "$one")" = finish ] || echo "$one"
done >"$work/out"
holds 'the last line of a script that finishes is finish' [ ! -s "$work/out" ]

finish
