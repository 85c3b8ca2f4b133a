#!/bin/sh
# The first command: what set-up says and does (with an apt-get and a sudo of ours), and what is built where none of the
# optional libraries is there. SUBSETS=all builds with every subset of them. A line per test: "ok - NAME" or
# "not ok - NAME".
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
unset THREELANE_EXERCISES THREELANE_HOME THREELANE_LIB COLUMNS MAKEFLAGS MAKELEVEL MFLAGS DIR REPORT SRC MODEL CC BUILD BIN
export LC_ALL=C NO_COLOR=1
failed=0

report() {      # report NAME GOOD [WHY]
    if [ "$2" = yes ]; then
        echo "ok - cli/setup: $1"
    else
        echo "not ok - cli/setup: $1: ${3:-}"
        failed=1
    fi
}
# expect NAME STATUS WORDS: how the last command ended, and a line of what it said in $work/out (WORDS: grep -E)
expect() {
    if [ "$status" != "$2" ]; then report "$1" no "status $status, not $2: $(tail -n 3 "$work/out")"
    elif ! grep -qE -e "$3" "$work/out"; then report "$1" no "no '$3': $(tail -n 3 "$work/out")"
    else report "$1" yes; fi
}

# ---- set-up, on a machine with nothing but what every Debian has ----
machine() {     # machine USER [sudo|asks]: its commands are in $work/bare
    rm -rf "$work/bare" "$work/said"
    mkdir "$work/bare"
    for name in sh env sed grep head tail date mktemp rm cat make; do ln -s "$(command -v $name)" "$work/bare/$name"; done
    printf '#!/bin/sh\necho %s\n' "$1" >"$work/bare/id"
    printf '#!/bin/sh\n' >"$work/bare/sleep"
    # shellcheck disable=SC2016  # for that sh to expand
    case ${2:-} in
    sudo) printf '#!/bin/sh\n[ "$1" = -n ] || exit 9\nshift\n[ "$1" = true ] || exec "$@"\n' >"$work/bare/sudo" ;;
    asks) printf '#!/bin/sh\nexit 1\n' >"$work/bare/sudo" ;;
    esac
    # apt-get: what it is asked for is in $work/said; what it does the first times, stands in $work/play (a line a time)
    : >"$work/play"
    cat >"$work/bare/apt-get" <<END
#!/bin/sh
echo "\$*" >>"$work/said"
read -r now <"$work/play" || now=fine
sed -i 1d "$work/play"
case \$now in
locked) echo 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 77 (dpkg)' >&2; exit 100 ;;
unknown) echo 'E: Unable to locate package' >&2; exit 100 ;;
esac
END
    chmod +x "$work/bare"/*
}
setup() {
    PATH=$work/bare sh .ci/setup "$@" >"$work/out" 2>&1
    status=$?
}
asked() { grep -c -e "$1" "$work/said"; }
tools='gcc libc6-dev binutils libinih-dev libncurses-dev libutf8proc-dev'

machine 0
setup run
expect 'root: it is installed, and said what' 0 "^Set-up: installing $tools g\+\+ \.\.\.\$"
report 'root: just that, and once' "$([ "$(asked .)" = 1 ] && [ "$(asked "install -y --no-install-recommends $tools g++\$")" = 1 ] &&
    echo yes)" "$(cat "$work/said")"
machine 0
setup build
expect 'what only shows needs no C++' 0 "^Set-up: installing $tools \.\.\.\$"
machine 0
printf 'unknown\nfine\nfine\n' >"$work/play"
setup run
expect 'lists of packages that are not there are fetched' 0 "installing"
report 'lists of packages are fetched once' "$([ "$(asked ' update$')" = 1 ] && [ "$(asked ' install ')" = 2 ] && echo yes)" \
    "$(cat "$work/said")"
machine 0
printf 'unknown\nunknown\nunknown\n' >"$work/play"
setup run
expect 'what cannot be installed is said' 1 '^Set-up: apt-get could not install: gcc'
expect 'and why' 1 '^E: Unable to locate'
machine 0
printf 'unknown\nfine\nunknown\nfine\n' >"$work/play"
setup run lessons
expect 'what it goes without keeps nothing from being installed' 0 '^Set-up: apt-get could not install: lowdown'
machine 0
printf 'locked\nlocked\nfine\n' >"$work/play"
setup run
expect 'another package manager is waited for, and that is said' 0 'package manager, process 77 \(dpkg\), is at work here; waiting'
report 'that is said once' "$([ "$(grep -c waiting "$work/out")" = 1 ] && ! grep -q '^E:' "$work/out" && echo yes)" "$(cat "$work/out")"
machine 0
printf 'locked\nlocked\nlocked\nlocked\nlocked\n' >"$work/play"
SETUP_WAIT=0 setup run
expect 'but not for ever' 1 'Could not get lock'
machine 1000 sudo
setup run
expect 'with sudo: it is installed' 0 "installing $tools g"
machine 1000 asks
setup run lessons
expect 'sudo that asks: one line to copy' 1 "^    sudo apt-get update && sudo apt-get install -y $tools g\+\+ lowdown\$"
report 'and nothing else is done' "$([ ! -e "$work/said" ] && [ "$(wc -l <"$work/out")" = 2 ] && echo yes)" "$(cat "$work/out")"
machine 1000
setup grade
expect 'without sudo: one line to copy' 1 "^    su -c 'apt-get update && apt-get install -y $tools g\+\+ libseccomp-dev .*'\$"
machine 1000
setup lessons
expect 'what it goes without is no failure' 0 'it goes without, and better with: lowdown'
rm "$work/bare/apt-get"
setup run
expect 'a system with other packages gets the names' 1 '^Threelane needs: gcc .*names as in Debian'

# ---- built without the optional libraries ----
threelane=$work/bin/threelane
objects=${OBJECTS:-build/obj}
if [ -d "$objects" ]; then      # what does not depend on them need not be compiled again
    mkdir "$work/build"
    cp -Rl "$objects" "$work/build/obj" 2>/dev/null || cp -Rp "$objects" "$work/build/obj"
    find "$work/build/obj" -name '*.d' -exec rm -f {} +
fi
cp -R exercises lessons Makefile "$work"        # (a course of its own)
build() {       # build GOAL [NAME=...]...: NAME= for each library that is not there
    goal=$1
    shift
    THREELANE_EXERCISES=$work/exercises make BUILD="$work/build" BIN="$work/bin" QUIETLY=yes "$@" "$goal" >"$work/out" 2>&1 </dev/null
    status=$?
}
here() { (cd "$work" && "$@") >"$work/out" 2>&1 </dev/null; status=$?; }
says_what_is_missing() {        # says_what_is_missing NAME SQLITE SECCOMP ZIP: 'no' for what is not there
    if [ "$2" = no ]; then
        here "$threelane" grade exercises
        expect "$1: a class needs SQLite" 2 'built without SQLite, which keeps the gradebook: .*libsqlite3-dev|\.ci/setup grade'
        here "$threelane" show "$trace" --as nsys-sqlite -o "$work/t.sqlite"
        expect "$1: a database of Nsight Systems does, too" 2 'libsqlite3-dev'
    fi
    if [ "$3" = no ]; then
        here "$threelane" run ex43 --trusted --src exercises/ex43-overlap/solution.cu
        expect "$1: a sandbox needs seccomp" 2 'built without libseccomp \(sudo apt-get install libseccomp-dev, then make\)'
    fi
    if [ "$2" = yes ] && [ "$3" = yes ] && [ "$4" = no ]; then
        printf 'PK\005\006\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >"$work/class.zip"
        here "$threelane" grade class.zip -o "$work/report"
        expect "$1: a zip needs minizip" 2 'class.zip: there are zip files, and .* built without zip support .*libminizip-dev'
    fi
}
trace=$(find "$PWD/tests/fixtures" -name '*.lane' | head -n 1)
build ex43 sqlite= seccomp= zip=
expect 'with none of them: it is built, and judges ex43' 2 'Next: edit exercises/ex43-overlap/ex43.cu'
says_what_is_missing none no no no
if [ "${SUBSETS:-}" = all ]; then
    for n in 1 2 3 4 5 6 7; do
        set --
        s=yes f=yes z=yes
        [ $((n & 1)) -ne 0 ] || { s=no; set -- "$@" sqlite=; }
        [ $((n & 2)) -ne 0 ] || { f=no; set -- "$@" seccomp=; }
        [ $((n & 4)) -ne 0 ] || { z=no; set -- "$@" zip=; }
        build ex43 "$@"
        expect "without ${*:-none}: it is built, and judges ex43" 2 'Next: edit exercises/ex43-overlap/ex43.cu'
        says_what_is_missing "without ${*:-none}" $s $f $z
    done
fi
exit $failed
