# lib.sh - what the scripts in tests/cli and tests/screens share. A script begins with
#
#   cd "$(dirname "$0")/../.." || exit 1
#   . tests/lib.sh
#
# and ends with `finish`. It then has $repository, $threelane and $tlcc (absolute paths), $work (a folder of its own that
# is removed when it ends), $jobs (processors that it may use), an environment without anything of the caller's that
# changes what the tools do, and
#
#   expect NAME STATUS PATTERN COMMAND...   the command ends with STATUS ("bad": 1 to 99) and says PATTERN (grep -E;
#                                           '': whatever). What it said is in $work/out
#   also NAME PATTERN                       the last output has this, too         says NAME TEXT   the same, a plain text
#   never NAME PATTERN                      it does not have this
#   holds NAME COMMAND...                   the command succeeds
#   same NAME FILE FILE                     byte for byte
#   ok NAME    bad NAME [WHY]    report NAME yes|no [WHY]    skip NAME WHY        tests of another kind
#   course FOLDER                           a copy of the course there. What is compiled of its harnesses is shared with
#                                           the other scripts of one tests/run
#   one_machine FOLDER                      in that copy of the course ex43 is not run once more with a slow host: for
#                                           scripts that judge it a hundred times for other reasons
#   soon COMMAND...                         succeeds within $PATIENCE seconds, which are many: a test does not say how
#                                           fast a busy machine is
#
# A line per test: "ok - cli/SCRIPT: NAME", or "not ok - ..." with what was said and how to run it again.
#   CASE='NAME' sh tests/cli/SCRIPT.sh      runs up to that test and shows what it said, whole; those before it prepare it
#   STOP=yes                                ends with the first that fails
# shellcheck shell=sh disable=SC2034
set -u
script=$(basename "$(dirname "$0")")/$(basename "$0" .sh)
repository=$PWD
threelane=${THREELANE:-$PWD/bin/threelane} tlcc=${TLCC:-$PWD/bin/tlcc}
case $threelane in /*) ;; *) threelane=$PWD/$threelane ;; esac
case $tlcc in /*) ;; *) tlcc=$PWD/$tlcc ;; esac
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
patience=${PATIENCE:-300}
work=$(mktemp -d) || exit 1
: >"$work/out"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
unset THREELANE_EXERCISES THREELANE_SEED THREELANE_TRACE THREELANE_CHECK THREELANE_CHECK_JSON THREELANE_MODEL \
    THREELANE_ACCESSES THREELANE_COSTS THREELANE_KERNELS NO_COLOR COLUMNS MAKEFLAGS MAKELEVEL
export LC_ALL=C TERM=xterm
failed=0 only=${CASE:-} found=

said() { if [ -n "$only" ]; then cat; else awk '{ line[NR] = $0 } END { for (i = 1; i <= NR; i++)
    if (i <= 25 || i > NR - 15) print line[i]; else if (i == 26) print "... (" NR - 40 " lines)" }'; fi; }

report() {
    if [ -n "$only" ] && [ "$only" != "$1" ]; then
        return 0
    elif [ "$2" = yes ]; then
        echo "ok - $script: $1"
    else
        failed=1
        case ${3:-} in
        *'
'*) echo "not ok - $script: $1"; printf '%s\n' "$3" | said | sed 's/^/#   /' ;;
        *) echo "not ok - $script: $1${3:+: $3}"; said <"$work/out" | sed 's/^/#   /' ;;
        esac
        [ -n "$only" ] || echo "#   again: CASE='$(printf '%s' "$1" | sed "s/'/'\\\\''/g")' ${alone:-sh tests/$script.sh}"
        [ -z "${STOP:-}" ] || exit 1
    fi
    if [ -n "$only" ]; then
        found=yes
        [ "$2" != yes ] || sed 's/^/#   /' "$work/out"
        exit $failed
    fi
}
ok() { report "$1" yes; }
bad() { report "$1" no "${2:-}"; }
skip() { [ -n "$only" ] || echo "ok - $script: $1 # skip $2"; }

expect() {
    _name=$1 _status=$2 _pattern=$3
    shift 3
    "$@" >"$work/out" 2>&1 </dev/null
    got=$?
    if [ "$_status" = bad ] && [ $got -gt 0 ] && [ $got -lt 100 ]; then _status=$got; fi
    if [ "$got" != "$_status" ]; then bad "$_name" "status $got, not $_status"
    elif [ -n "$_pattern" ] && ! grep -qE -e "$_pattern" "$work/out"; then bad "$_name" "no '$_pattern'"
    else ok "$_name"
    fi
}
also() { if grep -qE -e "$2" "$work/out"; then ok "$1"; else bad "$1" "no '$2'"; fi; }
says() { if grep -qF -e "$2" "$work/out"; then ok "$1"; else bad "$1" "no '$2'"; fi; }
never() { if grep -qE -e "$2" "$work/out"; then bad "$1" "there is '$2'"; else ok "$1"; fi; }
holds() {
    _name=$1
    shift
    if "$@" >"$work/held" 2>&1; then ok "$_name"
    elif [ -s "$work/held" ]; then bad "$_name" "$*
$(cat "$work/held")"
    else bad "$_name" "$*"
    fi
}
same() { if cmp -s "$2" "$3"; then ok "$1"; else bad "$1" "$2 and $3 differ"; fi; }
course() {
    mkdir -p "$1/.threelane" && cp -R "$repository/exercises" "$repository/lessons" "$1" || return 1
    [ -z "${SHARED_CACHE:-}" ] || ln -s "$SHARED_CACHE" "$1/.threelane/cache"
}
one_machine() {
    sed -i -e '/^\[run host\]/,/^$/d' -e '/^\[check issue\]/,/^$/d' -e '/^needs = /s/ issue,//' "$1/exercises/ex43-overlap/exercise.ini"
}
soon() {
    _tries=$((patience * 20))
    until "$@"; do
        _tries=$((_tries - 1))
        [ $_tries -gt 0 ] || { patience=10; return 1; }       # what is broken is not waited for again
        sleep 0.05
    done
}
finish() {
    [ -z "$only" ] || [ -n "$found" ] || { echo "$script: no test is called '$only'" >&2; exit 2; }
    exit $failed
}
