#!/bin/sh
# The first command: what set-up says and does (with an apt-get and a sudo of ours), and what is built where none of the
# optional libraries is there. SUBSETS=all builds with every subset of them.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
unset THREELANE_HOME THREELANE_LIB MFLAGS DIR REPORT SRC MODEL CC BUILD BIN
export NO_COLOR=1

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
setup() { PATH=$work/bare SETUP_WAIT=${wait:-600} sh .ci/setup "$@"; }
asked() { [ "$(grep -c -e "$2" "$work/said")" = "$1" ]; }      # asked TIMES PATTERN
silent() { [ ! -e "$work/said" ]; }
lines() { [ "$(wc -l <"$work/out")" = "$1" ]; }
tools='gcc libc6-dev binutils libinih-dev libncurses-dev libutf8proc-dev'

machine 0
expect 'root: it is installed, and said what' 0 "^Set-up: installing $tools g\+\+ \.\.\.\$" setup run
holds 'root: just that' asked 1 "install -y --no-install-recommends $tools g++\$"
holds 'root: and once' asked 1 .
machine 0
expect 'what only shows needs no C++' 0 "^Set-up: installing $tools \.\.\.\$" setup build
machine 0
printf 'unknown\nfine\nfine\n' >"$work/play"
expect 'lists of packages that are not there are fetched' 0 installing setup run
holds 'they are fetched once' asked 1 ' update$'
holds 'and the packages installed then' asked 2 ' install '
machine 0
printf 'unknown\nunknown\nunknown\n' >"$work/play"
expect 'what cannot be installed is said' 1 '^Set-up: apt-get could not install: gcc' setup run
also 'and why' '^E: Unable to locate'
machine 0
printf 'unknown\nfine\nunknown\nfine\n' >"$work/play"
expect 'what it goes without keeps nothing from being installed' 0 '^Set-up: apt-get could not install: libcmark-gfm-dev' \
    setup run lessons
machine 0
printf 'locked\nlocked\nfine\n' >"$work/play"
expect 'another package manager is waited for, and that is said' 0 \
    'package manager, process 77 \(dpkg\), is at work here; waiting' setup run
holds 'that is said once, and no more' lines 2
machine 0
printf 'locked\nlocked\nlocked\nlocked\nlocked\n' >"$work/play"
wait=0
expect 'but it is not waited for ever' 1 'Could not get lock' setup run
wait=
machine 1000 sudo
expect 'with sudo: it is installed' 0 "installing $tools g" setup run
machine 1000 asks
expect 'sudo that asks: one line to copy' 1 "^    sudo apt-get update && sudo apt-get install -y $tools g\+\+ libcmark-gfm-dev libcmark-gfm-extensions-dev\$" \
    setup run lessons
holds 'and nothing else is said' lines 2
holds 'and nothing is done' silent
machine 1000
expect 'without sudo: one line to copy' 1 "^    su -c 'apt-get update && apt-get install -y $tools g\+\+ libseccomp-dev .*'\$" \
    setup grade
expect 'packages: what builds them' 1 "^    su -c 'apt-get .* build-essential debhelper " setup deb
missing=
for package in $(sed -n '/^Build-Depends:/,/^[A-TV-Z]/p' .ci/debian/control | grep -o 'lib[-a-z0-9]*-dev\|zlib[-a-z0-9]*'); do
    grep -q " $package " "$work/out" || missing="$missing $package"
done
report 'packages: all that they are built with' "$([ -z "$missing" ] && echo yes)" "$missing"
expect 'what it goes without is no failure' 0 'it goes without, and better with: libcmark-gfm-dev' setup lessons
rm "$work/bare/apt-get"
expect 'a system with other packages gets the names' 1 '^Threelane needs: gcc .*names as in Debian' setup run

# What make asks the compiler, it asks when there is one: set-up is in the same make.
expect 'before set-up, make says nothing of a compiler' 0 'list' make -n CC=/nowhere/gcc list
never 'nor that there is none' '/nowhere/gcc: No such file'

# ---- built without the optional libraries ----
threelane=$work/bin/threelane
objects=${OBJECTS:-build/obj}
if [ -d "$objects" ]; then      # what does not depend on them need not be compiled again
    mkdir "$work/build"
    cp -Rl "$objects" "$work/build/obj" 2>/dev/null || cp -Rp "$objects" "$work/build/obj"
    find "$work/build/obj" -name '*.d' -exec rm -f {} +
fi
cp -R exercises lessons Makefile "$work"        # a course of its own
build() {       # build GOAL [NAME=...]...: NAME= for each library that is not there
    goal=$1
    shift
    THREELANE_EXERCISES=$work/exercises make BUILD="$work/build" BIN="$work/bin" QUIETLY=yes "$@" "$goal"
}
here() { (cd "$work" && "$@"); }
says_what_is_missing() {        # says_what_is_missing NAME SQLITE SECCOMP ZIP: 'no' for what is not there
    if [ "$2" = no ]; then
        expect "$1: a class needs SQLite" 2 'built without SQLite, which keeps the gradebook: .*\.ci/setup grade' \
            here "$threelane" grade exercises
        expect "$1: a database of Nsight Systems does, too" 2 'libsqlite3-dev' \
            here "$threelane" show "$trace" --as nsys-sqlite -o "$work/t.sqlite"
    fi
    if [ "$3" = no ]; then
        expect "$1: a sandbox needs seccomp" 2 'built without libseccomp \(sudo apt-get install libseccomp-dev, then make\)' \
            here "$threelane" run ex43 --trusted --src exercises/ex43-overlap/solution.cu
    fi
    if [ "$2$3$4" = yesyesno ]; then
        printf 'PK\005\006\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >"$work/class.zip"
        expect "$1: a zip needs minizip" 2 'class.zip: there are zip files, and .* built without zip support .*libminizip-dev' \
            here "$threelane" grade class.zip -o "$work/report"
    fi
}
judged='Next: edit exercises/ex43-overlap/ex43.cu'
trace=$(find "$repository/tests/fixtures" -name '*.lane' | head -n 1)
expect 'with none of them: it is built, and judges ex43' 2 "$judged" build ex43 sqlite= seccomp= zip= cmark=
says_what_is_missing none no no no
expect 'none: pages need what reads Markdown' 2 'built without what reads Markdown: .*\.ci/setup site.*libcmark-gfm-dev' \
    here "$threelane" site
expect 'none: a lesson is shown as it is written' 0 '^## The story' here "$threelane" lesson ex43 --color always
for n in ${SUBSETS:+1 2 3 4 5 6 7}; do
    set --
    s=yes f=yes z=yes
    [ $((n & 1)) -ne 0 ] || { s=no; set -- "$@" sqlite=; }
    [ $((n & 2)) -ne 0 ] || { f=no; set -- "$@" seccomp=; }
    [ $((n & 4)) -ne 0 ] || { z=no; set -- "$@" zip=; }
    expect "without ${*:-nothing}: it is built, and judges ex43" 2 "$judged" build ex43 "$@"
    says_what_is_missing "without ${*:-nothing}" $s $f $z
done
finish
