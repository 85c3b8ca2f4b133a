#!/bin/sh
# What is written down: links lead somewhere, the index knows every page, the README is short, keys are those that the
# viewer has. `DOCS=write sh tests/cli/docs.sh` writes the keys into docs/viewer.md anew.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

none() {        # none WHAT TEXT: there are none
    if [ -z "$2" ]; then ok "$1"; else bad "$1" "$2"; fi
}

pages=$(find . -name '*.md' ! -path './build/*' ! -path './tests/fixtures/*' ! -path './.git/*' ! -path './exercises/.threelane/*' ! -path './dist/*' |
        sed 's|^\./||' | LC_ALL=C sort)

# [words](page#part): the page is there, from where it is named; of a part, a heading of the page is called so
for page in $pages; do
    awk '{ while (match($0, /\]\([^)]*\)/)) { print substr($0, RSTART + 2, RLENGTH - 3); $0 = substr($0, RSTART + RLENGTH) } }' \
        "$page" | grep -v -e '^https\{0,1\}:' -e '^mailto:' >"$work/links"
    while IFS= read -r link; do
        file=${link%%#*}
        target=$page
        [ -z "$file" ] || target=$(dirname "$page")/$file
        if [ ! -e "$target" ]; then echo "$page: $link"; continue; fi
        case $link in
        *'#'*)
            sed -n 's/^#\{1,6\} //p' "$target" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' | grep -qx -- "${link#*#}" ||
                echo "$page: $link (no such heading)" ;;
        esac
    done <"$work/links"
done >"$work/broken"
none 'every link leads to something that is there' "$(cat "$work/broken")"

for page in $pages; do
    case $page in
    docs/README.md | lessons/ex* | tests/* | exercises/*) ;;
    docs/*) grep -qF "(${page#docs/})" docs/README.md || echo "$page" ;;
    *) grep -qF "(../$page)" docs/README.md || echo "$page" ;;
    esac
done >"$work/unknown"
none 'docs/README.md names every page' "$(cat "$work/unknown")"

# Code in a lesson below <!-- listing: NAME --> is of lessons/listings/NAME.cu, line by line and in its order; and that
# program compiles, runs, is right and races nowhere.
for lesson in lessons/*.md; do
    awk -v lesson="$lesson" '
        /^<!-- listing: / { name = $3; next }
        /^```/ { if (name != "" && !inside) { inside = 1; file = "lessons/listings/" name ".cu"; next }
                 if (inside) { inside = 0; name = ""; close(file) } next }
        inside { found = 0
                 while ((getline line <file) > 0) if (line == $0) { found = 1; break }
                 if (!found) print lesson ": " name ": " $0 }' "$lesson"
done >"$work/unlisted"
none 'what a lesson lists is in the program, in that order' "$(cat "$work/unlisted")"

for program in lessons/listings/*.cu; do
    name=$(basename "$program" .cu)
    grep -qs "listing: $name -->" lessons/*.md || echo "$program: no lesson shows it"
    if ! "$tlcc" "$program" -o "$work/listing" 2>"$work/said"; then sed 1q "$work/said"; continue; fi
    [ "$(THREELANE_CHECK=all "$work/listing" 2>&1)" = right ] || echo "$program: $("$work/listing" 2>&1 | sed 1q)"
done >"$work/broken"
none 'the programs of the lessons compile, run and are right' "$(cat "$work/broken")"

lines=$(wc -l <README.md)
if [ "$lines" -le 200 ]; then ok 'README.md has at most 200 lines'
else bad 'README.md has at most 200 lines' "$lines lines: the rest belongs into docs/"; fi

"$threelane" help keys >"$work/keys"
if [ "${DOCS:-}" = write ]; then
    awk -v keys="$work/keys" '{ if (!(on == 2 && !/^```/)) print } /^<!-- threelane help keys -->$/ { on = 1 }
        /^```/ && on { if (on++ == 1) while ((getline line <keys) > 0) print line; else on = 0 }' docs/viewer.md >"$work/page"
    cat "$work/page" >docs/viewer.md
fi
awk '/^<!-- threelane help keys -->$/ { on = 1; next } on && /^```/ { if (on++ == 2) exit; next } on { print }' \
    docs/viewer.md >"$work/shown"
if [ -s "$work/keys" ] && cmp -s "$work/keys" "$work/shown"; then ok 'docs/viewer.md has the keys of the viewer'
else bad 'docs/viewer.md has the keys of the viewer (DOCS=write sh tests/cli/docs.sh)' "$(diff "$work/shown" "$work/keys")"; fi

finish
