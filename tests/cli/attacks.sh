#!/bin/sh
# The attacks of tests/attacks/, graded in one batch together with good submissions: each ends in the verdict that its
# first line expects, nothing is left behind, and nobody else is affected. Then some of them again where nothing can be
# mounted (Landlock). Of those that are only sources every second one, unless it is also for Landlock; ATTACKS=all runs all
# of them, ATTACKS="name name" only these, SEED=N with other hidden parameters. Those that fill the machine with processes
# ("// alone") are bombs.sh's. A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
trap 'kill $victim 2>/dev/null; chmod -R u+rwX "$work"; rm -rf "$work"' EXIT
export NO_COLOR=1 HOME="$work"
victim=
seed=${SEED:-100009635}
limit=1
same='s/,*]*}*$//; s/"sandbox":"[^"]*"//'      # of what is told: all but its place and the sandbox

mkdir -p "$work/course" "$work/probe/ada"
: >"$work/cannot"
cp -R exercises lessons "$work/course"
# what others have compiled, as copies of its own: no attacker reaches theirs
[ -z "${SHARED_CACHE:-}" ] || { mkdir "$work/course/.threelane" && cp -R "$SHARED_CACHE" "$work/course/.threelane/cache"; }
cd "$work/course" || exit 1
# one hidden run is enough to be found out by, and so are those on the exercise's own machine
[ "${ATTACKS:-}" = all ] || one_machine "$work/course"
for file in exercises/*/hidden.ini; do sed -i 's/^runs = .*/runs = 1/' "$file"; done
cp exercises/ex43-overlap/solution.cu "$work/probe/ada/ex43.cu"
works() {       # works LEVEL: is there such a sandbox here? Its name is in $work/words then
    if ! THREELANE_SANDBOX=$1 "$threelane" grade "$work/probe" -o "$work/probe-$1" >"$work/out" 2>&1; then
        tail -n 1 "$work/out" >"$work/words"
        return 1
    fi
    sed -n 's/.*"sandbox":"\([^"]*\)".*/\1/p' "$work/probe-$1/results.json" >"$work/words"
    case $1:$(cat "$work/words") in
    namespaces:namespaces* | landlock:Landlock*) return 0 ;;
    *) return 1 ;;
    esac
}

# ---- a class of attackers, and some who only want to learn something ----
# The first line of an attack: "// EXERCISE VERDICT|VERDICT: PATTERN". PATTERN (grep -E) stands in what is said about
# it. A .sh makes the hand-in itself: sh ATTACK FOLDER NAME (77: it cannot be made here); "absent" is a verdict, too:
# nothing is graded. Then, "// never: PATTERN": what its student must not read on the page (@REPOSITORY@ and @COURSE@
# stand for the folders of the tools and of the course).
# What each of them expects, in $work/expected/NAME: the exercise, the verdicts, the pattern, what is never to be read.
mkdir "$work/expected"
awk -v to="$work/expected/" -v repository="$repository" -v course="$work/course" '
    function leave() { if (name != "") { print exercise "\n" wanted "\n" pattern "\n" never >(to name); close(to name) } }
    FNR == 1 { leave(); name = FILENAME; sub(/.*\//, "", name); sub(/\.[^.]*$/, "", name)
               exercise = wanted = pattern = never = "" }
    FNR <= 2 && exercise == "" && /^(\/\/|#) ex[0-9]+ [^:]*: / {
        sub(/^[^ ]* /, ""); exercise = wanted = pattern = $0
        sub(/ .*/, "", exercise); sub(/^[^ ]* /, "", wanted); sub(/:.*/, "", wanted); sub(/^[^:]*: /, "", pattern) }
    FNR <= 3 && never == "" && /^(\/\/|#) never: / {
        never = $0; sub(/^[^ ]* never: /, "", never)
        gsub(/@REPOSITORY@/, repository, never); gsub(/@COURSE@/, course, never) }
    END { leave() }' "$repository"/tests/attacks/*
expected() {    # expected NAME: sets exercise, wanted, pattern and never
    { read -r exercise; read -r wanted; read -r pattern; read -r never; } <"$work/expected/$1"
}
attack() {      # attack FILE CLASS
    name=${1##*/} name=${name%.*}
    expected "$name"
    [ -n "$exercise" ] || { report "$name says what is expected" no "$1"; return; }
    case $1 in
    *.cu) mkdir "$2/$name" && cp "$1" "$2/$name/$exercise.cu" ;;
    *.sh)
        sh "$1" "$2" "$name" >"$work/out" 2>&1
        case $? in
        0) ;;
        77) echo "$name" >>"$work/cannot"; skip "$name" 'there is no zip to make it with' ;;
        *) report "$name can be made" no "$(tail -n 1 "$work/out")" ;;
        esac ;;
    esac
}
good_ones() {   # good_ones CLASS: names that lie between the attacks'
    for letter in a f k s; do
        mkdir -p "$1/${letter}z-good"
        cp exercises/ex43-overlap/solution.cu "$1/${letter}z-good/ex43.cu"
    done
    mkdir -p "$1/mz-wrong"
    cp exercises/ex43-overlap/wrong/leak.cu "$1/mz-wrong/ex43.cu"
}
# told REPORT NAME [EXERCISE]: the verdict of NAME, and all that is said about it, in one line
told() {
    awk -v name="{\"student\":\"$2\"${3:+,\"exercise\":\"$3\"}" 'index($0, "{\"student\":") == 1 { on = index($0, name ",") == 1 }
        on { printf "%s", $0 } END { print "" }' "$1/results.json"
}
# handed_back REPORT NAME EXERCISE: the page of NAME, without the source, which holds whatever it likes
handed_back() {
    sed '/<summary>The source as it was handed in/,$d' "$1"/students/"$2"-[0-9a-f]*-"$3".html >"$work/page" 2>/dev/null
    echo "$work/page"
}
# verdict and words about the one whose report is in $work/told/NAME
check() {       # check LEVEL REPORT FILE
    name=${3##*/} name=${name%.*}
    case $cannot in *" $name "*) return ;; esac
    expected "$name"
    said=$work/told/$name
    [ -e "$said" ] || : >"$said"
    verdict=$(sed -n 's/^[^\n]*"path":"[^"]*","verdict":"\([^"]*\)".*/\1/p' "$said")
    case "|$wanted|" in
    *"|${verdict:-absent}|"*)
        if [ -n "$verdict" ] && [ "$pattern" != . ] && ! grep -qE -e "$pattern" "$said"; then
            report "$1: $name" no "$verdict, but no '$pattern'"
        elif [ -n "$never" ] && page=$(handed_back "$2" "$name" "$exercise") && grep -qaE -e "$never" "$page"; then
            report "$1: $name" no "its student reads '$(grep -aoE -e "$never" "$page" | head -n 1)'"
        else report "$1: $name" yes
        fi ;;
    *) report "$1: $name" no "${verdict:-absent}, not $wanted" ;;
    esac
}
# tell REPORT FILE...: what is said about each attack, in one line, in $work/told/NAME
tell() {
    rm -rf "$work/told" && mkdir "$work/told"
    report=$1
    shift
    for file in "$@"; do name=${file##*/} && name=${name%.*} && expected "$name" && echo "$name $exercise"; done >"$work/asked"
    awk -v to="$work/told/" 'FNR == NR { asked["{\"student\":\"" $1 "\",\"exercise\":\"" $2 "\""] = $1; next }
        index($0, "{\"student\":") == 1 {
            if (on != "") { print "" >>(to on); close(to on) }
            on = match($0, /^\{"student":"[^"]*","exercise":"[^"]*"/) ? asked[substr($0, 1, RLENGTH)] : "" }
        on != "" { printf "%s", $0 >>(to on) }
        END { if (on != "") print "" >>(to on) }' "$work/asked" "$report/results.json"
}
ours() {        # processes of a box of ours: what is mounted there, or run, lies in this course
    grep -ls "/$(basename "$work")/course/.threelane/" /proc/[0-9]*/mountinfo
    find /proc -mindepth 2 -maxdepth 2 -path '/proc/[0-9]*/exe' -lname "$work/course/.threelane/*" 2>/dev/null
}
files() { find "$work/course" "$work/class-$1" -path '*/.threelane' -prune -o -printf '%p %y %s %T@ %m\n' | sort; }
left() { ls -d .threelane/work-* /tmp/threelane-attack* /tmp/evil* /tmp/fill* 2>/dev/null; }

batch() {       # batch LEVEL ATTACK...
    level=$1
    shift
    mkdir -p "$work/class-$level"
    good_ones "$work/class-$level"
    for file in "$@"; do attack "$file" "$work/class-$level"; done
    files "$level" >"$work/before"
    sleep 1000 &
    victim=$!
    THREELANE_SANDBOX=$level "$threelane" grade "$work/class-$level" \
        -o "$work/report-$level" --seed $seed --timeout $limit >"$work/out" 2>&1 </dev/null
    status=$?
    holds "$level: the batch comes to its end" [ $status -eq 0 ]
    [ $status -eq 0 ] || tail -n 3 "$work/out" | sed 's/^/#   /'
    cannot=" $(tr '\n' ' ' <"$work/cannot")"
    tell "$work/report-$level" "$@"
    for file in "$@"; do check "$level" "$work/report-$level" "$file"; done
    holds "$level: no process is left" [ -z "$(ours)" ]
    holds "$level: a process beside it is still there" kill -0 $victim
    kill $victim
    files "$level" >"$work/after"
    holds "$level: no file is changed" cmp -s "$work/before" "$work/after"
    holds "$level: no file is left" [ -z "$(left)" ]
    if [ ! -d "$work/quiet" ]; then
        mkdir "$work/quiet"
        good_ones "$work/quiet"
        THREELANE_SANDBOX=$level "$threelane" grade "$work/quiet" -o "$work/reference" --seed $seed >"$work/out" 2>&1
    fi
    for student in "$work/quiet"/*; do
        student=$(basename "$student")
        told "$work/report-$level" "$student" | sed "$same" >"$work/one"
        told "$work/reference" "$student" | sed "$same" >"$work/other"
        holds "$level: $student has the verdict that it has without attackers" cmp -s "$work/one" "$work/other"
    done
    markup=$(find "$work/report-$level" -type f '(' -name '*.html' -o -name '*.xml' ')' -print0 |
        xargs -0 grep -lP '<script(?! (type="application/json" id="data" )?nonce="[0-9a-f]{32}">)|<img|\(2\)>')
    holds "$level: no markup gets through" [ -z "$markup" ]
    control=$(find "$work/report-$level" -type f ! -name '*.sqlite' -print0 |
        xargs -0 grep -lP '[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]')
    holds "$level: nothing but text gets through" [ -z "$control" ]
    # three thousand copies of a source are twenty lines and how many more there are
    most=$(( 100000 + $(find "$work/class-$level" -maxdepth 1 | wc -l) * 1000 ))
    holds "$level: nobody fills the class's page" [ "$(wc -c <"$work/report-$level/index.html")" -lt $most ]
    if command -v xmllint >/dev/null; then
        holds "$level: JUnit is well-formed" xmllint --noout "$work/report-$level/junit.xml"
    fi
    if command -v jq >/dev/null; then
        holds "$level: JSON is JSON" sh -c 'jq . "$1" >/dev/null' sh "$work/report-$level/results.json"
    fi
}

grep -l '^// also with Landlock' "$repository"/tests/attacks/*.cu >"$work/lower"
grep -l '^// alone' "$repository"/tests/attacks/*.cu >"$work/alone"
attacks=$(for file in "$repository"/tests/attacks/*; do
        name=${file##*/}
        case " ${ATTACKS:-${alone_only:+alone}} " in
        ' all ' | *" ${name%.*} "*) echo "$file" ;;
        ' alone ') echo "$file" | grep -Fxf "$work/alone" ;;
        '  ')
            ! echo "$file" | grep -qFxf "$work/alone" || continue
            number=$((${number:-0} + 1))
            if [ $((number % 2)) -eq 1 ] || [ "${name##*.}" != cu ]; then echo "$file"
            else echo "$file" | grep -Fxf "$work/lower"
            fi ;;
        esac
    done)
# shellcheck disable=SC2086  # no names with spaces there
lower=$([ -z "$attacks" ] || grep -l '^\(//\|#\) also with Landlock' $attacks)
if works namespaces; then
    echo "# sandbox: $(cat "$work/words")"
    # shellcheck disable=SC2086  # no names with spaces there
    batch namespaces $attacks
else
    for file in $attacks; do skip "namespaces: $(basename "$file")" "no namespaces here: $(cat "$work/words")"; done
fi
if works landlock; then
    echo "# sandbox: $(cat "$work/words")"
    # shellcheck disable=SC2086
    batch landlock $lower
else
    for file in $lower; do skip "landlock: $(basename "$file")" "no Landlock here: $(cat "$work/words")"; done
fi
finish
