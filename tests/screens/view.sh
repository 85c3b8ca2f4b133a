#!/bin/sh
# `threelane view` with real keys: view.list says what is typed, view/NAME.txt what has to be on the screen then.
#   sh tests/screens/view.sh [NAME...]                  all of the list, or some
#   SCREENS=write sh tests/screens/view.sh NAME         saves what is there now: look at it
cd "$(dirname "$0")/../.." || exit 1
. tests/screens/driver
cp tests/fixtures/traces/*.lane "$work/here"
cp tests/fixtures/h200/ex43.lane "$work/here/h200.lane"
cp tests/fixtures/h200/multi.lane tests/fixtures/h200/multi.cu tests/fixtures/h200/peers.lane "$work/here"
# 20,000 kernels in four streams, some of them long
awk 'BEGIN { OFS = "\t"; print "threelane", 1; print "meta", "unit_ns", 1000; print "device", 1, "GPU"
    print "engine", 1, 1, "compute", "Compute"; print "thread", 1, "main", "main"
    for (s = 1; s <= 4; s++) print "stream", s, 1, "blocking", 0, 0, "-", "-"
    for (i = 1; i <= 20000; i++) { t = i * 50; s = 1 + i % 4; e = t + (i % 1000 == 0 ? 20000 : 40)
        print "op", i, 0, "kernel", 1, s, t, 0, "-", "-", "1,1,1", "32,1,1", 0, 0, "step"; print "start", i, t, 1; print "end", i, e }
    print "exit", 1100000, 0 }' >"$work/here/many.lane"
# 200 streams of four devices, which take turns; two operations with three hours between
awk 'BEGIN { OFS = "\t"; print "threelane", 1; for (d = 1; d <= 4; d++) print "device", d, "GPU"
    for (d = 1; d <= 4; d++) print "engine", d, d, "compute", "Compute"; print "thread", 1, "main", "main"
    for (s = 1; s <= 200; s++) print "stream", s, 1 + int((s - 1) / 50), "blocking", 0, 0, "-", "-"
    for (i = 1; i <= 600; i++) { s = 1 + i * 7 % 200; d = 1 + int((s - 1) / 50); t = i * 30000
        print "op", i, 0, "kernel", d, s, t, 0, "-", "-", "1,1,1", "32,1,1", 0, 0, "step"; print "start", i, t, d; print "end", i, t + 50000 }
    print "exit", 20000000, 0 }' >"$work/here/streams.lane"
printf 'threelane\t1\ndevice\t1\tGPU\nengine\t1\t1\tcompute\tCompute\nthread\t1\tmain\tmain\nstream\t1\t1\tlegacy\t0\t0\t-\t-\n' >"$work/here/idle.lane"
for one in '1 0 2900' '2 10800000000000 10800000005000'; do
    # shellcheck disable=SC2086  # three words
    printf 'op\t%s\t0\tkernel\t1\t1\t%s\t0\t-\t-\t1,1,1\t32,1,1\t0\t0\tstep\nstart\t%s\t%s\t1\nend\t%s\t%s\n' \
        ${one% *} ${one% *} "${one%% *}" "${one##* }"
done >>"$work/here/idle.lane"
echo "exit	10800000006000	0" >>"$work/here/idle.lane"
head -c $(($(wc -c <"$work/here/pipeline4.lane") / 2)) "$work/here/pipeline4.lane" >"$work/here/cut.lane"

color=
screen_text() { tmux capture-pane -p $color 2>/dev/null | sed 's/ *$//'; }
# A line of the list: NAME | COLUMNSxROWS | TERM and other variables | arguments of threelane | keys as tmux names them,
# RESIZE:COLUMNSxROWS, MOUSE:what a terminal sends after "ESC [ <". A NAME that ends in -color is saved with its colours.
while IFS='|' read -r name size variables arguments keys; do
    name=$(echo "$name" | tr -d ' ') size=$(echo "$size" | tr -d ' ')
    case $name in '' | '#'*) continue ;; esac
    wanted=yes
    [ $# -eq 0 ] || { wanted=no; for one in "$@"; do [ "$one" = "$name" ] && wanted=yes; done; }
    [ $wanted = yes ] || continue
    color=
    case $name in *-color) color=-e ;; esac
    SCREEN_ENV=$variables
    screen_start "${size%x*}" "${size#*x}" "exec $threelane $arguments"
    screen_wait '[a-z]'
    set -f
    for key in $keys; do
        case $key in
        RESIZE:*) sleep 0.1; screen_resize "$(echo "${key#RESIZE:}" | cut -dx -f1)" "${key##*x}" ;;
        MOUSE:*) screen_keys -l "$(printf '\033[<%s' "${key#MOUSE:}")" ;;
        *) screen_keys -- "$key" ;;
        esac
    done
    set +f
    screen_is "$name"
    [ $# -gt 0 ] && screen_text
done <tests/screens/view.list
[ $# -eq 0 ] || screen_done
color= SCREEN_ENV=

# What was saved and exported is there, and nothing is written over.
screen_start 80 24 "exec $threelane view pipeline4.lane"
screen_wait 'H2D'
screen_keys ':' 'save-display one.txt' Enter
screen_until "a screen is saved" 'Written to one.txt'
if grep -q 'H2D' "$work/here/one.txt"; then report "as it was seen" yes; else report "as it was seen" no "$(cat "$work/here/one.txt")"; fi
screen_keys ':' 'save-display one.txt' Enter
screen_until "and not written over" 'save-display! writes over it'
screen_keys ':' 'save-display! one.txt' Enter
screen_until "unless told" 'Written to one.txt'
for form in perfetto.json html sqlite; do
    case $form in sqlite) name=nsys-sqlite ;; *) name=${form%.json} ;; esac
    screen_keys ':' "export $name" Enter
    # (without SQLite it says what is missing)
    screen_until "an export: $name" "Written to pipeline4.$form\\|built without SQLite"
done
if grep -q '^</html>' "$work/here/pipeline4.html" && [ ! -e "$work/here/pipeline4.html.part"* ]; then report "is whole" yes
else report "is whole" no "$(ls "$work/here")"; fi
screen_keys ':' 'export svg /nowhere/x.svg' Enter
screen_until "one that cannot be written" 'cannot be written: No such file'

# What Nsight Systems exported is a trace like any other.
if [ -s "$work/here/pipeline4.sqlite" ]; then
    screen_start 80 24 "exec $threelane view pipeline4.sqlite"
    screen_until "Nsight Systems: a picture" 'Memcpy'
    screen_never "Nsight Systems: which is whole" 'not ended'
fi

# A trace with a verdict beside it opens where that points to.
cp "$work/here/pipeline4.lane" "$work/here/judged.lane"
echo 18 >"$work/here/judged.point"
screen_start 80 24 "exec $threelane view judged.lane"
screen_until "it stands on what that is about, and says why" 'D2H5 waited'

# The file: it grows, it is replaced, it shrinks, it goes away.
cp "$work/here/cut.lane" "$work/here/live.lane"
screen_start 80 24 "exec $threelane view live.lane"
screen_until "a trace that has not ended" 'not ended'
tail -c +$(($(wc -c <"$work/here/cut.lane") + 1)) "$work/here/pipeline4.lane" >>"$work/here/live.lane"
screen_until "what is added is shown" '18.0 units'
cp "$work/here/hazard.lane" "$work/here/new.lane"
mv "$work/here/new.lane" "$work/here/live.lane"
screen_until "another file in its place" '9.0 units'
: >"$work/here/live.lane"
screen_until "an empty one: the old picture stays" 'still its old state'
screen_until "all of it" 'prepare'
head -n 30 "$work/here/pipeline4.lane" >"$work/here/live.lane"
screen_until "a shorter one" 'This is\|this is the new run'
rm "$work/here/live.lane"
screen_keys j
screen_until "none at all: the viewer goes on" 'H2D'

# However it ends, the terminal is as it was: its modes, its screen, its cursor, its mouse.
screen_is_back() { [ "$(tmux display -p '#{alternate_on}')" = 0 ]; }
for way in q C-c TERM HUP QUIT SEGV C-z; do
    screen_start 80 24 "exec sh"
    screen_keys "stty -g >before; $threelane view pipeline4.lane; stty -g >after; echo left" Enter
    screen_wait 'units, rows' || report "$way: shown" no
    shell=$(tmux display -p '#{pane_pid}')
    case $way in
    q | C-c) screen_keys "$way" ;;
    C-z)    # stopped: the shell is back; then it goes on
        screen_keys C-z
        screen_until "stopped" '[Ss]topped'
        screen_keys fg Enter
        screen_until "and on again" 'units, rows'
        screen_keys q
        ;;
    *) kill -s "$way" "$(ps -o pid= --ppid "$shell" | head -n 1)" ;;
    esac
    soon screen_is_back
    sleep 0.1
    [ -e "$work/here/after" ] || screen_keys "stty -g >after" Enter
    soon test -s "$work/here/after"
    good=yes
    cmp -s "$work/here/before" "$work/here/after" || good=no
    [ "$(tmux display -p '#{alternate_on} #{mouse_any_flag} #{cursor_flag}')" = "0 0 1" ] || good=no
    rm -f "$work/here/before" "$work/here/after"
    report "the terminal after $way" $good
done
screen_done
