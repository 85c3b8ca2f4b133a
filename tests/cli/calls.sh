#!/bin/sh
# The table of API calls: a row that leaves something undecided does not compile. A line per test.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
table=sim/include/threelane/calls.def
mkdir "$work/sim" && cp -R sim/include "$work/sim" || exit 1

# row NAME GOOD TEXT [FILES]: with TEXT in front of the table, the files compile (yes), or a message names the call (no)
row() {
    printf '%b\n' "$3" | cat - $table >"$work/$table"
    verdict=yes
    for file in ${4:-sim/replay/replay.c sim/replay/player.c}; do
        "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -I"$work" -I. -Wall -Wextra -Werror -fno-strict-aliasing \
            -Wmissing-prototypes -fsyntax-only "$file" >"$work/log" 2>&1 || { verdict=no; break; }
    done
    if [ $verdict = no ] && ! grep -q cudaTried "$work/log"; then verdict='no, without its name'; fi
    if [ "$verdict" = "$2" ]; then
        echo "ok - cli/calls: $1"
    else
        echo "not ok - cli/calls: $1: compiles: $verdict"
        sed 's/^/#   /' "$work/log" | head -n 10
        failed=1
    fi
}
macro='#define cudaTried(...) THREELANE_SITED(cudaTried, __VA_ARGS__)\n'
row 'a whole row' yes "${macro}TL_CALL(cudaTried, (int device), AGAIN(\"i\", I(0)), PLAIN)"
row 'one that is harmless' yes "${macro}TL_CALL(cudaTried, (int device), HARMLESS, PLAIN)"
row 'nobody has said how it is made again' no "${macro}TL_CALL(cudaTried, (int device), , PLAIN)"
row 'nor has the row a place for it' no "${macro}TL_CALL(cudaTried, (int device), PLAIN)"
row 'a way that does not exist' no "${macro}TL_CALL(cudaTried, (int device), PERHAPS, PLAIN)"
row 'never, without a reason' no "${macro}TL_CALL(cudaTried, (int device), NEVER, PLAIN)"
row 'no macro' no 'TL_CALL(cudaTried, (int device), HARMLESS, PLAIN)'
row 'a refused one without a macro' no 'TL_REFUSED(cudaTried, PLAIN)'
row 'an argument too few' no "${macro}TL_CALL(cudaTried, (int device, int flags), AGAIN(\"ii\", I(0)), PLAIN)"
row 'a pointer for a number' no "${macro}TL_CALL(cudaTried, (int device), AGAIN(\"i\", D), PLAIN)"
exit $failed
