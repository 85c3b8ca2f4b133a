#!/bin/sh
# What is installed: `make install`, the folder that `threelane init` makes of it, and `make uninstall`. (As packages, in
# bare roots: tests/fresh.)
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
unset THREELANE_HOME THREELANE_TLCC THREELANE_LIB THREELANE TLCC MFLAGS SRC MODEL BIN SOLUTIONS STUDENT DESTDIR PREFIX
export NO_COLOR=1 HOME="$work/home" XDG_STATE_HOME="$work/state"
root=$work/a-root-of-a-package
mkdir "$HOME"
# (the whole course takes a quarter of a minute to pack: PACKED=all does, as tests/fresh does)
packed=$work/packed
if [ "${PACKED:-}" = all ]; then
    packed=build/course
else
    mkdir -p "$packed" "$work/one/exercises" &&
        cp -R exercises/harness.h exercises/ex43-overlap exercises/ex52-two-pipelines "$work/one/exercises" &&
        (cd "$work/one" && "$threelane" pack "$packed/exercises") >/dev/null && touch "$packed/.made"
fi
unset PACKED
into() { make install DESTDIR="$root" PREFIX=/usr PACKED="$packed" "$@"; }
in_course() { (cd "$work/mine" && "$@"); }
own=exercises/ex43-overlap/ex43.cu

expect 'make install' 0 '^Installed in ' into
installed=$root/usr/bin/threelane
holds 'no solution is installed' sh -c '! find "$0" -name solution.cu -o -name hidden.ini -o -name wrong -o -name right | grep .' "$root"
holds 'nor anything that was typed here' sh -c '! find "$0" -name predict.txt -o -name .threelane | grep .' "$root"
for command in $("$threelane" help commands); do [ -s "$root/usr/share/man/man1/threelane-$command.1" ] || echo "$command"; done >"$work/out"
report 'a manual page for every command' "$([ ! -s "$work/out" ] && echo yes)"
for link in $(cd "$root/usr/share/doc/threelane" && grep -o '](docs/[a-z/]*.md' README.md | cut -c3-); do
    [ -e "$root/usr/share/doc/threelane/$link" ] || echo "$link"
done >"$work/out"
report 'the documents that README names' "$([ ! -s "$work/out" ] && echo yes)"

version=$("$threelane" --version | sed -n 's/^threelane //p')
report 'the changelog begins with this version' "$([ "$(sed -n 's/^## //p' docs/CHANGELOG.md | head -n 1)" = "$version" ] && echo yes)" "$version"

# ---- a folder of one's own ----
: >"$work/ex43-notes.txt"       # is no course
expect 'without a folder of their own, nobody runs' 2 'threelane init FOLDER' sh -c 'cd "$1" && "$2" run ex43' sh "$work" "$installed"
expect 'but reads' 0 'Overlapping' sh -c 'cd "$1" && "$2" list' sh "$work" "$installed"
expect 'and runs another file' 0 '^36 of 36' sh -c 'cd "$1" && "$2" run ex43 --src "$3"' sh "$work" "$installed" \
    "$repository/exercises/ex43-overlap/solution.cu"
holds 'what is remembered of that is the user'\''s' [ -e "$work/state/threelane/ex43.lane" ]
holds 'and not in what is installed' sh -c '! find "$0" -name .threelane | grep .' "$root"
expect 'init' 0 '^Next: cd .*/mine && make ex43' "$installed" init "$work/mine"
expect 'make ex43 there: the starter fails' 2 '^Next: edit exercises/ex43-overlap/ex43.cu' in_course make ex43
cp exercises/ex43-overlap/solution.cu "$work/mine/$own"
expect 'a solution passes' 0 '^36 of 36' in_course make ex43
expect 'with other input' 0 '^36 of 36' in_course make ex43 INPUT=7
expect 'make list' 0 'passed' in_course make list
expect 'make help' 0 'make ex43-hint' in_course make help
never 'for students' 'Author|bin/threelane'
expect 'make alone says the same' 0 'make ex43-hint' in_course make
expect 'an exercise that is not there' 2 "no exercise 'ex99'" in_course make ex99
expect 'what needs the sources' 2 'needs the sources' in_course make test
expect 'no GPU, or no command for one' 2 'threelane' in_course make ex43 GPU=1 NVCC=/nowhere/nvcc

# ---- again: an update ----
expect 'init again changes nothing' 0 'is as the installed course is' "$installed" init "$work/mine"
echo '/* mine */' >>"$work/mine/$own"
echo 'a note' >>"$work/mine/lessons/00-start.md"
rm "$work/mine/exercises/ex43-overlap/starter.cu"
expect 'what is not as installed is brought' 0 '2 files brought, [0-9]+ of yours left' "$installed" init "$work/mine"
holds 'ours as they were' cmp lessons/00-start.md "$work/mine/lessons/00-start.md"
holds 'what was there is kept' sh -c 'grep -q "a note" "$0"/.threelane/replaced-*/lessons/00-start.md' "$work/mine"
holds 'the own file is as it was' grep -q '/\* mine \*/' "$work/mine/$own"
expect 'from inside' 0 'is as the installed course is' in_course "$installed" init .
expect 'progress stays' 0 'passed' in_course make list

# ---- in an editor ----
# EDITOR=all looks at every starter, solution and harness here (half a minute); without, at some, and at what is installed.
edited() {      # edited FILE...: what clangd says of them
    for file in "$@"; do
        (cd "$(dirname "$file")" && clangd --check="$(basename "$file")" --check-lines=1-1 2>&1 | grep '^E' | grep -v 'tweak:' | sed "s,^,$file: ,")
    done
}
silent() {      # silent NAME FILE...
    name=$1
    shift
    edited "$@" >"$work/out"
    report "$name" "$([ ! -s "$work/out" ] && echo yes)"
}
if command -v clangd >/dev/null; then
    silent 'clangd understands launches' exercises/ex43-overlap/solution.cu
    silent 'and what goes on inside kernels' exercises/ex52-two-pipelines/solution.cu
    [ "${EDITOR:-}" != all ] || silent 'and all others' exercises/*/starter.cu exercises/*/solution.cu exercises/*/harness.cu
    silent 'and the tools' grader/start/start.c
    cp exercises/ex43-overlap/solution.cu "$work/mine/$own"
    silent 'in a folder of their own, too' "$work/mine/$own"
    sed -i 's/cudaStreamCreate(/cudaStreemCreate(/; s/stream\[i\]>>>/strem[i]>>>/' "$work/mine/$own"
    edited "$work/mine/$own" >"$work/out"
    also 'mistakes are seen' 'cudaStreemCreate'
    also 'at a launch, too' "'strem'"
else
    skip 'clangd understands the exercises' 'no clangd here'
fi

# ---- where it cannot ----
mkdir "$work/full" && echo x >"$work/full/file"
expect 'a folder with something else in it' 2 'is not empty, and no course' "$installed" init "$work/full"
holds 'is left alone' [ "$(ls "$work/full")" = file ]
expect 'a file' 2 'Not a directory' "$installed" init "$work/full/file"
expect 'no solutions there' 2 'threelane-solutions' "$installed" init "$work/teacher" --solutions
expect 'nothing is installed beside the sources' 2 'no installed course' "$threelane" init "$work/other"
holds 'and nothing is made' [ ! -e "$work/teacher" ] && [ ! -e "$work/other" ]
mv "$root/usr/lib/threelane/course.mk" "$work/course.mk"
expect 'when the tools are gone' 2 'no longer in' in_course make ex43
mv "$work/course.mk" "$root/usr/lib/threelane/course.mk"

# ---- for who teaches ----
expect 'with solutions, when asked' 0 '^Installed in ' into SOLUTIONS=1
expect 'init --solutions' 0 'make ex43' "$installed" init "$work/teacher" --solutions
holds 'they are there' [ -e "$work/teacher/exercises/ex43-overlap/solution.cu" ]
holds 'and what is hidden' [ -e "$work/teacher/exercises/ex43-overlap/hidden.ini" ]
holds 'the files to edit are starters' cmp "$work/teacher/$own" exercises/ex43-overlap/starter.cu
holds 'and only files that are files of the course' sh -c 'cd "$1/share/threelane" && find exercises -type f | sed "/predict.txt$/d" |
    while read -r file; do [ -e "$2/$file" ] || { echo "$file"; exit 1; }; done' sh "$root/usr" "$repository"
expect 'without it, none' 0 'make ex43' "$installed" init "$work/student"
holds 'as before' [ ! -e "$work/student/exercises/ex43-overlap/solution.cu" ]
expect 'installing again without takes them away' 0 '^Installed in ' into
holds 'all of them' sh -c '! find "$0" -name solution.cu | grep .' "$root"

echo other >"$root/usr/bin/other"
expect 'make uninstall' 0 '' make uninstall DESTDIR="$root" PREFIX=/usr
find "$root" ! -type d >"$work/left"
echo "$root/usr/bin/other" | cmp -s - "$work/left"
report 'leaves nothing of ours, and what is not ours' "$([ $? = 0 ] && echo yes)" "$(cat "$work/left")"
finish
