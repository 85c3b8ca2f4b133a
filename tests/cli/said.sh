#!/bin/sh
# What the command says, whole: tests/fixtures/said/*.txt are sessions in a small course, of which only runs.txt compiles anything. A
# line "$ COMMAND" is run by the shell; what it says, on both outputs, and [its status] has to be what stands below it.
# WRITE=1 writes the sessions anew: read what has changed.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export HOME="$work" COLUMNS=100
threelane() { "$threelane" "$@"; }
tlcc() { "$tlcc" "$@"; }

for session in "$repository"/tests/fixtures/said/*.txt; do
    name=$(basename "$session" .txt)
    mkdir -p "$work/$name"
    cp -R "$repository/tests/fixtures/exercises" "$repository/tests/fixtures/lessons" "$repository/tests/fixtures/traces" "$work/$name"
    cp "$repository/exercises/harness.h" "$work/$name/exercises"
    cd "$work/$name" || exit 1
    sed -n 's/^\$ //p' "$session" | while IFS= read -r line; do
        printf '$ %s\n' "$line"
        eval "$line" >../said 2>&1 </dev/null
        status=$?
        sed -E -e "s|$work/$name|COURSE|g; s|$repository|REPOSITORY|g" -e '/^[0-9]+ of [0-9]+ graded/d
            s/"sandbox":"[^"]*"/"sandbox":"HERE"/g; s/[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{6}/TIME/g' ../said
        echo "[$status]"
    done >"$work/got"
    if grep -q 'built without' "$work/got"; then
        skip "$name" "$(grep -o 'built without.*' "$work/got" | head -n 1)"
        continue
    fi
    [ -z "${WRITE:-}" ] || cp "$work/got" "$session"
    diff "$session" "$work/got" >"$work/out"
    holds "$name" [ ! -s "$work/out" ]
done
finish
