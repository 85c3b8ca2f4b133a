#!/bin/sh
# `threelane grade --slurm` with a real Slurm of two nodes: the same gradebook as on one machine, byte for byte, whatever
# dies. KILLS=50 kills the controller or a node that often at random (none). What Slurm itself does takes its time, but
# hardly any of the processor's. A line per test: "ok - NAME" or "not ok - NAME".
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
. tests/fakes/cluster.sh
export NO_COLOR=1 HOME="$work"

has() { grep -qF -e "$2" "$work/$1"; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }

"$threelane" grade >"$work/out" 2>&1
if grep -q 'built without SQLite' "$work/out"; then
    skip everything "Threelane was built without SQLite"
    finish
fi
course "$work/course"
cd "$work/course" || exit 1
sed -i 's/^runs = .*/runs = 1/' exercises/*/hidden.ini
ex41=exercises/ex41-streams

# ---- without a cluster ----
class=$work/class
people=${PEOPLE:-6}
for i in $(seq "$people"); do
    mkdir -p "$class/$i"
    kind=solution
    [ $((i % 3)) -ne 0 ] || kind=wrong/no-sync
    { cat $ex41/$kind.cu; echo "// $i"; } >"$class/$i/ex41.cu"
done
ln -s /etc/passwd "$class/mallory_ex41.cu"
expect "an option of --slurm's without it" 2 '--partition is for --slurm' "$threelane" grade "$class" --partition p -o "$work/r"
expect "one file" 2 '--slurm is for a folder' "$threelane" grade --exercise ex41 "$class/1/ex41.cu" --slurm
mkdir "$work/bare"
expect "a machine without Slurm" 7 'sbatch of Slurm is not in PATH' \
    env PATH="$work/bare" "$threelane" grade "$class" --slurm -o "$work/r"

why=$(cluster_why)
if [ -z "$why" ] && ! cluster_start; then why="Slurm does not come up: $(tail -n 1 "$cluster"/*.log "$cluster"/*.said | tr '\n' ' ')"; fi
if [ -n "$why" ]; then
    skip "a class on two nodes" "$why"
    finish
fi
"$threelane" grade "$class" -o "$work/whole" --seed 9 >"$work/out" 2>&1
if grep -q 'no sandbox works here' "$work/out"; then
    skip "a class on two nodes" "no sandbox works here"
    finish
fi
# on_slurm REPORT [OPTION VALUE [OPTION VALUE]]
on_slurm() { "$threelane" grade "$class" -o "$work/$1" --seed 9 --slurm --chunk 2 --shared "$work" ${2:+"$2" "$3"} ${4:+"$4" "$5"}; }
as_whole() { same "$1" "$work/whole/gradebook.sqlite" "$work/$2/gradebook.sqlite"; }

# ---- a class ----
expect "a class on two nodes" 0 "^$((people + 1)) graded now, 0 known before; seed 9" on_slurm first
as_whole "the gradebook is that of one machine, byte for byte" first
holds "and so is the whole report" diff -r "$work/whole" "$work/first"
holds "the shared folder is left as it was" [ -z "$(ls -d "$work"/threelane-* 2>/dev/null)" ]
expect "again: nothing to do, and no job" 0 "^0 graded now, $((people + 1)) known before" on_slurm first

# ---- what cannot be ----
expect "a partition that there is not" 7 'Slurm does not take the jobs: .*partition' on_slurm none --partition nowhere
expect "nodes with other tools" 7 'no node can judge. n[12]: Threelane is another build here' \
    on_slurm none --sbatch --export=ALL,THREELANE_TLCC=/bin/true
also "each is named" 'node n1 is not used'
echo '#include <signal.h>
__attribute__((constructor)) static void dies(void) { raise(SIGKILL); }' >"$work/dies.c"
cc -shared -fPIC -o "$work/dies.so" "$work/dies.c"
# (of a larger class it gives up before: so many jobs that bring nothing have another reason)
if [ "$people" -le 12 ]; then
    expect "jobs that come to nothing: nobody's zero, and the last words of one" 7 "$((people + 1)) submissions: 0 passed, 1 not, $people GRADER ERRORS" \
        on_slurm none --sbatch "--export=ALL,LD_PRELOAD=$work/dies.so" --tries 1
    holds "they say what happened" has none/results.json 'It was not graded: the job of the cluster that was to do it was lost'
fi
mkdir "$work/small"
if mount -t tmpfs -o size=24k none "$work/small" 2>/dev/null; then
    expect "a full disk is told, and nothing is lost" 7 'small.*: No space left' \
        "$threelane" grade "$class" -o "$work/full" --seed 9 --slurm --chunk 2 --shared "$work/small"
    umount "$work/small"
    expect "and the same command goes on" 0 "^$((people + 1)) submissions" \
        "$threelane" grade "$class" -o "$work/full" --seed 9 --slurm --chunk 2 --shared "$work/small"
    as_whole "to the same gradebook" full
else
    skip "a full disk is told, and nothing is lost" "nothing can be mounted"
fi
controller_die
expect "a controller that is not there" 7 'Slurm does not take the jobs: .*[Uu]nable to contact' on_slurm away
controller_live
soon nodes_ready

# ---- stopped ----
: >"$work/out"
begun() { ls "$work"/threelane-*/*.*/????????????????????????????????* >/dev/null 2>&1; }
on_slurm stopped >"$work/out" 2>&1 &
grader=$!
soon begun
# (the shell runs the function in a process of its own: the command is its child)
kill -INT "$(pgrep -P $grader)"
wait $grader
holds "stopped: it says that the same command goes on" has out 'the same command goes on'
no_jobs() { [ -z "$(squeue --noheader)" ]; }
holds "its jobs are cancelled" soon no_jobs

# ---- killed: its jobs go on, and are found again ----
on_slurm stopped >"$work/out" 2>&1 &
grader=$!
soon begun
kill -KILL "$(pgrep -P $grader)"
wait $grader 2>/dev/null

# ---- a node and the controller die while it waits ----
on_slurm stopped >"$work/out" 2>&1 &
grader=$!
node_die 1
controller_die
sleep 1
controller_live
node_live 1
wait $grader
says "after all that it comes to its end" "$((people + 1)) submissions"
as_whole "and the gradebook is that of a class that nobody disturbed" stopped

# ---- killed at random (KILLS=50 PEOPLE=40 sh tests/cli/slurm.sh: a quarter of an hour) ----
chance() { od -An -N2 -tu2 /dev/urandom | awk -v n="$1" '{ print $1 % n }'; }
tenths() { sleep "$(($1 / 10)).$(($1 % 10))"; }
begin() {
    nodes_ready || soon nodes_ready
    "$threelane" grade "$class" -o "$work/torn" --seed 9 --slurm --chunk 4 --shared "$work" >>"$work/torn.said" 2>&1 &
    grader=$!
}
: >"$work/torn.said"
kills=0 classes=0 whole=yes
[ "${KILLS:-0}" -eq 0 ] || begin
while [ $kills -lt "${KILLS:-0}" ] && [ "$whole" = yes ]; do
    tenths $((10 + $(chance 60)))
    if is_gone $grader; then
        wait $grader || { whole="it ended with status $?: $(tail -n 3 "$work/torn.said")"; break; }
        classes=$((classes + 1))
        diff -r "$work/whole" "$work/torn" >"$work/out" || whole="class $classes differs"
        rm -rf "$work/torn"
        begin
        continue
    fi
    kills=$((kills + 1))
    victim=$(chance 7)
    case $victim in
    0 | 1) controller_die; tenths "$(chance 40)"; controller_live ;;
    2 | 3 | 4 | 5)
        node_die $((victim % 2 + 1))
        tenths "$(chance 40)"
        # half the time somebody tells Slurm, which finds out by itself in a minute
        [ $((victim / 2)) -eq 1 ] || scontrol update NodeName=n$((victim % 2 + 1)) State=DOWN Reason=dead 2>/dev/null
        node_live $((victim % 2 + 1))
        [ $((victim / 2)) -eq 1 ] || scontrol update NodeName=n$((victim % 2 + 1)) State=RESUME 2>/dev/null ;;
    6) kill -KILL $grader; wait $grader 2>/dev/null; begin ;;
    esac
done
if [ "${KILLS:-0}" -gt 0 ]; then
    if [ "$whole" = yes ]; then
        wait $grader || whole="it ended with status $?: $(tail -n 3 "$work/torn.said")"
        diff -r "$work/whole" "$work/torn" >"$work/out" || whole="the last class differs"
    fi
    grep -oE 'was lost with|does not answer|answers again' "$work/torn.said" | sort | uniq -c | sed 's/^/# /'
    report "$kills kills of controller, node or the command, in $((classes + 1)) classes: equal bytes" \
        "$([ "$whole" = yes ] && echo yes || echo no)" "$whole"
    [ -z "${KEEP:-}" ] || cp -r "$work/torn.said" "$cluster"/*.log "$KEEP"
fi
finish
