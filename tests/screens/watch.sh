#!/bin/sh
# `threelane watch` in a terminal: a student works, saves, makes mistakes, passes, goes on.
cd "$(dirname "$0")/../.." || exit 1
. tests/screens/driver
here=$work/here
cp -R exercises lessons "$here"
: >"$here/Makefile"
folder=$here/exercises/ex43-overlap
file=$folder/ex43.cu
cat >"$work/editor" <<'X'
#!/bin/sh
echo "this is the editor"
read -r answer
case $answer in
save) cp "$(dirname "$1")/solution.cu" "$1" ;;
esac
X
chmod +x "$work/editor"
SCREEN_ENV="THREELANE_TLCC='$tlcc' EDITOR='$work/editor'"
save() { cp "$1" "$work/new.cu" && mv "$work/new.cu" "$file"; }
cp "$folder/starter.cu" "$file"

screen_start 80 24 "trap : INT; stty -g >../before; $threelane watch ex43; echo left with \$?; stty -g >../after; exec sleep 60"
screen_until 'the starter is judged' 'Not yet: 19 of 36'
screen_is starter
screen_keys h
screen_until 'the next hint' 'Hint 2 of 3'
screen_keys n
screen_until 'n asks before it leaves what is not passed' 'ex43 is not passed yet'

save "$folder/wrong/one-stream.cu"
screen_until 'a save is noticed and judged' 'Not yet: 22 of 36'
screen_is one-stream
echo 'int x = ;' >"$file"
screen_until 'a mistake of spelling is shown' 'It does not compile'
screen_until 'and the last picture stays, marked' 'as of the run before'
: >"$file"
screen_until 'an empty file, too' 'the file is empty'
screen_until 'and the last picture still stays' 'as of the run before'
rm "$file"
screen_until 'no file, too' 'No such file'
mv "$folder" "$work/away"
screen_until 'no folder, too' 'cannot be read\|No such file'
mv "$work/away" "$folder"
save "$folder/solution.cu"
screen_until 'what passes is passed' 'Passed: 36 of 36 points'
screen_is passed

# a program that never ends: the screen lives, the next save takes its place
sed 's/^{/{ volatile int on = 1; while (on) { }/' "$folder/solution.cu" >"$work/hang.cu"
save "$work/hang.cu"
screen_until 'a program that hangs runs' 'running, 1 s'
screen_keys l
screen_until 'keys work meanwhile' 'Overlapping compute'
screen_is list
screen_keys q
save "$folder/wrong/one-stream.cu"
screen_until 'the next save takes its place' 'Not yet: 22 of 36'
if pgrep -f "$here/.threelane/work" >/dev/null; then report 'nothing of it is left' no; else report 'nothing of it is left' yes; fi
save "$folder/solution.cu"
screen_until 'and so does the one after' 'Passed: 36 of 36 points'

screen_keys n
screen_until 'n goes on after a pass' 'orderByEvent() in ex44.cu'
screen_keys p
screen_until 'p goes back; what is passed is not run again' 'Passed before: 25 XP'
screen_keys L
screen_until 'the lesson' 'A laundry with one'
screen_keys Space
screen_until 'Space scrolls it' 'the next arrives and the last'
screen_is lesson
if screen_text | grep -q '^H2D     ████H2D0████▐███H2D1████▐███H2D2████▐███H2D3████$' &&
    screen_text | grep -q '^D2H                             ████D2H0████▐███D2H1████▐███D2H2████▐███D2H3████$'; then
    report 'a figure of 80 columns is whole on 80 columns' yes
else
    report 'a figure of 80 columns is whole on 80 columns' no "$(screen_text)"
fi
screen_keys Up Up Down b
screen_until 'b, and the arrows, too' 'Hard, 25 XP, for what has to be understood'
screen_keys End
screen_until 'End is the end of it' 'the next stage is the slowest'
screen_keys L
screen_until 'L goes back' 'Passed before: 25 XP'
screen_resize 100 30
screen_keys L
screen_until 'on a wider screen lines are longer' 'results are right from the start; what is judged is when things happen, and that nothing but luck$'
screen_keys q
screen_resize 80 24

screen_keys x
screen_until 'x asks' 'Replace ex43.cu by the untouched starter'
screen_keys n
screen_until 'and takes no for an answer' 'Nothing was changed'
screen_keys x y
screen_until 'x brings the starter back' 'Not yet: 19 of 36'
if cmp -s "$here"/.threelane/backup/ex43.cu.*.bak "$folder/solution.cu"; then report 'and keeps the file' yes
else report 'and keeps the file' no "$(ls -l "$here/.threelane/backup")"; fi

screen_keys e
screen_until 'e gives the terminal to the editor' 'this is the editor'
screen_keys C-c
screen_until '^C in the editor ends only that' 'Not yet: 19 of 36'
screen_keys e
screen_until 'e again' 'this is the editor'
screen_keys save Enter
screen_until 'what the editor saved is judged' 'Passed: 36 of 36 points'

screen_keys t
screen_until 't: the timeline over the whole screen' 'q back to the course'
screen_keys Tab
screen_is timeline
screen_keys q
screen_resize 60 20
screen_until 'too small a window is told so' 'This needs 80 columns and 24 rows'
screen_resize 132 40
screen_until 'and a larger one is used' 'pass    5/5   H2D, kernel and D2H'
screen_is wide
screen_keys d
screen_until 'd: the devices' 'one-copy-engine'
screen_keys 5
screen_until 'on another device a pass does not count' 'on one-copy-engine'
screen_keys q
screen_until 'q leaves' 'left with 0'
screen_never 'the screen is as it was' 'Verdict'
if cmp -s "$work/before" "$work/after"; then report 'and so is the terminal' yes; else report 'and so is the terminal' no; fi
grep -q '^exercise ex43 passed 36 ' "$here/.threelane/progress" && report 'progress is kept' yes || report 'progress is kept' no

# without UTF-8 and colours
usual=$SCREEN_ENV
SCREEN_ENV="$usual LC_ALL=C NO_COLOR=1"
screen_start 80 24 "exec $threelane watch ex43"
screen_until 'without UTF-8' 'Passed before'
screen_is ascii

# a real GPU: what was recorded on one is played again, and then there is none
cp -R tests/fakes "$work/fake"
echo "FIXTURES='$PWD/tests/fixtures/h200'" >"$work/fake/fake.ini"
cp "$folder/solution.cu" "$file"
SCREEN_ENV="$usual THREELANE_HOME='$work/fake' NVCC='$work/fake/nvcc'"
screen_start 80 24 "exec $threelane watch ex43"
screen_until 'before g' 'Passed before'
screen_keys g
screen_until 'g: on the real GPU' 'on NVIDIA H200 ──'
screen_until 'which is judged' 'Passed: 34 of 34'
screen_is card
echo "FAKE_ERROR='the card is gone'" >>"$work/fake/fake.ini"
screen_keys r
screen_until 'no card' 'Still on the virtual GPU: the card is gone'
screen_until 'and what was judged stays' 'Passed: 34 of 34'
# What if, and what is expected: of a run that has something to ask about.
cp "$folder/wrong/one-stream.cu" "$file"
SCREEN_ENV=$usual
screen_start 80 24 "exec $threelane watch ex43"
screen_until 'one more time' 'Not yet: 22 of 36\|Passed before'
screen_keys r
screen_until 'it is judged' 'Not yet: 22 of 36'
screen_keys t W
screen_until 'W asks what if' 'What if'
screen_keys Escape : 'whatif apart all' Enter
screen_until 'the answer stands above what ran' '12.0 units .* 6.0 units: 2 times as fast'
screen_until 'both are in the picture' 'what ran'
screen_keys : 'whatif off' Enter q
screen_keys y
screen_until 'y lays out what is expected' 'Still to put: H2D0'
screen_keys Enter Enter Enter Enter Down Home Right Enter Enter Down Home Right Right Enter x Enter
screen_is plan
screen_keys q
screen_until 'the run says how right it was' 'What you expected'
rm -f "$folder/predict.txt"

screen_done
