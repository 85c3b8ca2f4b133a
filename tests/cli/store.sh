#!/bin/sh
# What has been compiled once is not compiled again (grader/build/store.h): by whom and where it was does not matter, what
# it is made from does. A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
unset SHARED_CACHE
export HOME="$work" NO_COLOR=1 LOG="$work/log" REAL="$tlcc"
case $tlcc in "$repository"/bin/*) export THREELANE_HOME="$repository/build/lib/threelane" ;; esac

# two copies of a course of one exercise, with one cache
mkdir -p "$work/one/exercises" "$work/cache" "$work/one/.threelane"
cp -R exercises/harness.h exercises/ex41-* "$work/one/exercises" && cp -R lessons "$work/one"
ln -s "$work/cache" "$work/one/.threelane/cache"
cp -R "$work/one" "$work/two"
cat >"$work/tlcc" <<'END'
#!/bin/sh
# notes the sources that it is asked to compile
for word; do case $word in *.cu) echo "${word##*/}" >>"$LOG" ;; esac; done
exec "$REAL" "$@"
END
chmod +x "$work/tlcc"
export THREELANE_TLCC="$work/tlcc"
cp exercises/ex41-*/solution.cu "$work/mine.cu"

# compiles NAME TIMES COURSE [OPTION...]: run there, mine.cu passes, and is compiled so many times
compiles() {
    _name=$1 _times=$2 _course=$3
    shift 3
    : >"$LOG"
    cd "$work/$_course" || exit 1
    "$threelane" run ex41 --src ../mine.cu "$@" >"$work/out" 2>&1 </dev/null
    _status=$? _got=$(grep -c '^mine.cu$' "$LOG")
    if [ $_status -ne 0 ]; then bad "$_name" "status $_status"
    elif [ "$_got" -ne "$_times" ]; then bad "$_name" "it was compiled $_got times, not $_times"
    else ok "$_name"
    fi
}
compiles 'a new source is compiled' 1 one
compiles 'the same one is not compiled again' 0 one
compiles 'nor in a copy of the course' 0 two
says 'which is as good' 'All checks passed'
echo >>"$work/mine.cu"
compiles 'a changed one is' 1 one
cp "$work/mine.cu" "$work/yours.cu"
: >"$LOG" && "$threelane" run ex41 --src ../yours.cu >"$work/out" 2>&1
holds 'messages name a source, so one of another name is compiled' grep -q '^yours.cu$' "$LOG"
echo '/* changed */' >>"$work/two/exercises/ex41-streams/ex41.h"
compiles 'a changed header makes it another one' 1 two
compiles 'there, and not elsewhere' 0 one

# what is damaged
for entry in "$work"/cache/part-*; do cp "$entry" "$work/entry" && head -c 5000 "$work/entry" >"$entry"; done
compiles 'half an entry is none' 1 one
for entry in "$work"/cache/part-*; do : >"$entry"; done
compiles 'nor is an empty one' 1 one
compiles 'and another one takes its place' 0 one

# what depends on more than is known of it
cp "$work/mine.cu" "$work/plain.cu"
{ echo '#include "own.h"' && cat "$work/plain.cu"; } >"$work/mine.cu"
echo '#define OWN 1' >"$work/own.h"
compiles 'one that includes a file' 1 one
compiles 'is compiled each time' 1 one
{ cat "$work/plain.cu" && echo 'const char *made() { return __TIME__; }'; } >"$work/mine.cu"
compiles 'one that asks for the time' 1 one
compiles 'is compiled each time, too' 1 one
cp "$work/plain.cu" "$work/mine.cu"
cp "$work/one/exercises/ex41-streams/ex41.h" "$work/ex41.h"
compiles 'a header beside it of the name of the exercise has the say' 1 one
compiles 'and is not followed' 1 one
rm "$work/ex41.h"
CPATH=$work compiles 'with folders of headers in the environment nothing is known' 1 one
{ cat "$work/plain.cu" && echo 'static int unused() { int i; return i; }  int used = unused();'; } >"$work/mine.cu"
compiles 'a warning' 1 one
cp "$work/out" "$work/warned"
compiles 'is given each time' 1 one
same 'in the same words' "$work/out" "$work/warned"

# in a box: what is kept there is what the compiler made of this source there
export THREELANE_TLCC="$tlcc"
cp "$work/plain.cu" "$work/mine.cu"
cd "$work/one" || exit 1
if "$threelane" run ex41 --trusted --src ../mine.cu >"$work/out" 2>&1; then
    stamps() { stat -c '%n %i' "$work"/cache/part-* | sort >"$work/$1"; }
    stamps before
    expect 'a hand-in is judged from what another judging compiled' 0 'All checks passed' \
        "$threelane" run ex41 --trusted --src ../mine.cu
    stamps after
    same 'and nothing is compiled for it' "$work/before" "$work/after"
    echo >>"$work/mine.cu"
    expect 'another one' 0 'All checks passed' "$threelane" run ex41 --trusted --src ../mine.cu
    stamps after
    holds 'is compiled' sh -c '! cmp -s "$1" "$2"' sh "$work/before" "$work/after"
else
    skip 'in a box' "$(tail -n 1 "$work/out")"
fi
finish
