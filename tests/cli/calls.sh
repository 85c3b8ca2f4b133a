#!/bin/sh
# The table of API calls: a row that leaves something undecided does not compile, and says which it is.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

table=sim/include/threelane/calls.def
mkdir "$work/sim" && cp -R sim/include "$work/sim" || exit 1

# with TEXT in front of the table: what is made of it compiles
with_row() {
    printf '%b\n' "$1" | cat - $table >"$work/$table"
    for file in sim/replay/replay.c sim/replay/player.c; do
        "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -I"$work" -I. -Wall -Wextra -Werror -Wmissing-prototypes \
            -fno-strict-aliasing -fsyntax-only $file || return 1
    done
}
macro='#define cudaTried(...) THREELANE_SITED(cudaTried, __VA_ARGS__)\n'
expect 'a whole row' 0 '' with_row "${macro}TL_CALL(cudaTried, (int device), AGAIN(\"i\", I(0)), PLAIN)"
expect 'one that is harmless' 0 '' with_row "${macro}TL_CALL(cudaTried, (int device), HARMLESS, PLAIN)"
undecided() { expect "$1" 1 cudaTried with_row "$2"; }
undecided 'nobody has said how it is made again' "${macro}TL_CALL(cudaTried, (int device), , PLAIN)"
undecided 'nor has the row a place for it' "${macro}TL_CALL(cudaTried, (int device), PLAIN)"
undecided 'a way that does not exist' "${macro}TL_CALL(cudaTried, (int device), PERHAPS, PLAIN)"
undecided 'never, without a reason' "${macro}TL_CALL(cudaTried, (int device), NEVER, PLAIN)"
undecided 'no macro' 'TL_CALL(cudaTried, (int device), HARMLESS, PLAIN)'
undecided 'a refused one without a macro' 'TL_REFUSED(cudaTried, PLAIN)'
undecided 'an argument too few' "${macro}TL_CALL(cudaTried, (int device, int flags), AGAIN(\"ii\", I(0)), PLAIN)"
undecided 'a pointer for a number' "${macro}TL_CALL(cudaTried, (int device), AGAIN(\"i\", D), PLAIN)"
finish
