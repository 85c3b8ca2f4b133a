#!/bin/sh
# threelane compare and calibrate where there is no GPU: predictions beside recorded runs of an H200, and the device
# model from what was measured on it.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
fixtures=tests/fixtures/h200
recorded=$fixtures/compare
programs=tests/compare

# one_line NAME STATUS PATTERN COMMAND...: and nothing else is said
one_line() {
    expect "$@"
    [ "$(wc -l <"$work/out")" -eq 1 ] && ok "$1: in one line" || bad "$1: in one line"
}
compare() { "$threelane" compare "$@"; }

# ---- the numbers: programs that took no part in calibration. Without three
# of the seventy that cost as much as all the others (COMPARE=all: with them; there is one of each kind without them) ----
slow='^(inside-tiles-60|inside-grids-15|dependent-early-30) '
[ "${COMPARE:-}" != all ] || slow='^$'
grep -vE "$slow" "$programs/programs" >"$work/programs"
LIST=$work/programs THREELANE=$threelane "$programs/run" "$recorded" >"$work/out" 2>&1
holds "every program runs and is compared" [ $? -eq 0 ]
n=$(grep -cv '^#' "$work/programs")
holds "all $n of them" grep -q "^$n programs, 0 orders that CUDA forbids" "$work/out"
tail -n 1 "$work/out" | sed 's/.*median \([0-9.]*\)%, worst \([0-9.]*\)%.*/\1 \2/' >"$work/figures"
read -r median worst <"$work/figures"
if awk -v m="$median" -v w="$worst" 'BEGIN { exit !(m > 0 && m <= 3 && w >= m && w <= 10) }'; then
    ok "makespan error: median $median% (at most 3), worst $worst% (at most 10)"
else
    bad "makespan error: median ${median:-?}% (at most 3), worst ${worst:-?}% (at most 10)" 40
fi

# An H100, by the model that calibrate made there: programs of two sources, and all that need one card
# (COMPARE=all). What the host's calls and pageable copies take moves by more from one process to another.
h100=tests/fixtures/h100
kinds='^(pipeline-|course-(issue|memset|priority))'
[ "${COMPARE:-}" != all ] || kinds='^[a-z]'
grep -v '^peers-' "$programs/programs" | grep -E "$kinds" >"$work/programs"
LIST=$work/programs THREELANE=$threelane "$programs/run" "$h100/compare" --model h100 >"$work/out" 2>&1
n=$(grep -c . "$work/programs")
holds "all $n of them, recorded on an H100" grep -q "^$n programs, 0 orders that CUDA forbids" "$work/out"
tail -n 1 "$work/out" | sed 's/.*median \([0-9.]*\)%, worst \([0-9.]*\)%.*/\1 \2/' >"$work/figures"
read -r median worst <"$work/figures"
if awk -v m="$median" -v w="$worst" 'BEGIN { exit !(m > 0 && m <= 3 && w >= m && w <= 25) }'; then
    ok "makespan error on an H100: median $median% (at most 3), worst $worst% (at most 25)"
else
    bad "makespan error on an H100: median ${median:-?}% (at most 3), worst ${worst:-?}% (at most 25)" 40
fi

# ---- what compare says ----
events="$programs/events.cu 4"
expect "makespan" 0 '^makespan +1\.9[0-9] ms +1\.97 ms +[-+][0-9.]+%$' compare --against $recorded/events.lane $events
holds "overlap" grep -qE '^two engines busy +[0-9.]+% +[0-9.]+% +[-+][0-9.]+ pts$' "$work/out"
holds "starts" grep -qE '^starts +half within [0-9.]+% of the makespan, the farthest \([A-Z0-9]+\) [0-9.]+%$' "$work/out"
holds "orders that are open" grep -qE '^order +[0-9]+ pairs? of 36 operations in another order, which CUDA leaves open$' "$work/out"
holds "orders that are not" grep -qE 'no operation starts before one that CUDA puts before it has ended' "$work/out"
holds "a row for each operation" [ "$(grep -cE '^(H2D|D2H|K)[0-9]+ +stream [1-4] ' "$work/out")" -eq 36 ]
expect "more than 40 operations" 0 '^\.\.\. and 160 more \(--all lists them\)$' compare --against $recorded/small.lane $programs/small.cu 200 4 2000
expect "--all" 0 '^K199 ' compare --all --against $recorded/small.lane $programs/small.cu 200 4 2000
expect "--json" 0 '^  "makespan_ns": \{"predicted": [0-9]+, "measured": [0-9]+, "error": -?0\.[0-9]+\},$' \
    compare --json --against $recorded/events.lane $events
holds "--json: every operation" [ "$(grep -c '{"label":' "$work/out")" -eq 36 ]
scale="$programs/pipeline.cu 8 8192 2 depth memory"
expect "estimates are called so" 0 '^note: lengths of some kernels are an estimate' compare --against $recorded/pipeline-memory.lane $scale
expect "recorded kernels" 0 '^K7 .* \+0\.0$' compare --kernels-from $recorded/pipeline-memory.lane --against $recorded/pipeline-memory.lane $scale
holds "recorded kernels are no estimate" sh -c "! grep -q estimate '$work/out'"
expect "a model of another card" 0 'note: the model is of another card \(' compare --model classroom --against $recorded/events.lane $events
expect "-o keeps the predicted run" 0 makespan compare -o "$work/kept" --against $recorded/events.lane $events
expect "which can be compared again" 0 '^makespan ' compare --against $recorded/events.lane "$work/kept.sim.lane"
expect "or be what is compared with" 0 'itself a run of the virtual GPU' compare --against "$work/kept.sim.lane" "$work/kept.sim.lane"
# a schedule that CUDA forbids: the first kernel of stream 1 begins before its copy has ended
awk -F '\t' 'BEGIN { OFS = "\t" } $1 == "op" && $4 == "h2d" && !copy && measured { copy = $2 } $1 == "range" { measured = 1 }
    copy && $1 == "op" && $4 == "kernel" && !kernel { kernel = $2 }
    kernel && $1 == "start" && $2 == kernel { $3 -= 30000 } { print }' $recorded/events.lane >"$work/forbidden.lane"
expect "an order that CUDA forbids" 1 'measured: K0 started before H2D0 had ended' compare --against "$work/forbidden.lane" $events

# ---- what cannot be compared ----
: >"$work/empty.lane"
head -c 5000 $recorded/events.lane >"$work/cut.lane"
head -c 30000 /dev/zero >"$work/zero.lane"
grep -v kernel $recorded/events.lane >"$work/copies.lane"
one_line "an empty trace" 2 'empty\.lane: empty' compare --against "$work/empty.lane" $events
one_line "a cut-off trace" 7 'the first [0-9]+ are the same \(the recording has no end' compare --against "$work/cut.lane" $events
one_line "no trace" 2 'zero\.lane: not a Threelane trace' compare --against "$work/zero.lane" $events
one_line "no file" 2 'nowhere\.lane: no such file' compare --against nowhere.lane $events
one_line "a folder" 2 'compare: ' compare --against $recorded $events
one_line "another program's trace" 7 'did different things: operation 3 of a stream is a kernel spin' compare --against $recorded/barriers.lane $events
one_line "other arguments" 7 'did different things: .* 15 operations, of the measured one 12' compare --against $recorded/events.lane $programs/events.cu 5
one_line "a trace without kernels" 7 'did different things' compare --against "$work/copies.lane" $events
one_line "times from a trace without kernels" 2 'no kernel that ended' compare --against $recorded/events.lane --kernels-from "$work/copies.lane" $events
one_line "no such range" 7 'no NVTX range "nothing"' compare --range nothing --against $recorded/events.lane $events
one_line "no such source" 2 'nowhere\.cu cannot be read' compare --against $recorded/events.lane nowhere.cu
one_line "a trace alone" 2 'name the other one' compare "$work/kept.sim.lane"
one_line "an option without its value" 2 '--against needs a value' compare --against
one_line "an unknown option" 2 'does not take --fast; usage' compare --fast $events
one_line "nothing at all" 2 'usage: threelane compare' compare
expect "an unknown model" 4 'no device model "h300"; there are' compare --model h300 --against $recorded/events.lane $events
echo 'int main() { return x; }' >"$work/wrong.cu"
expect "a program with an error in it" 3 'wrong\.cu:1:.*x' compare --against $recorded/events.lane "$work/wrong.cu"
echo 'int main() { return 5; }' >"$work/five.cu"
expect "a program that fails" 4 'fails on the virtual GPU \(status 5\)' compare --against $recorded/events.lane "$work/five.cu"
if ! ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; then
    one_line "compare without a GPU" 7 'compare with a recorded run|nvcc was not found' compare $events
    one_line "calibrate without a GPU" 7 'no NVIDIA driver here' "$threelane" calibrate -o "$work/none.ini"
    holds "which writes nothing" [ ! -e "$work/none.ini" ]
fi

# ---- calibrate ----
from="--from $fixtures/calibrate/1 --from $fixtures/calibrate/2 --from $fixtures/calibrate/3"
expect "a model from kept measurements" 0 '^measured: NVIDIA H200, .* GB/s in, .* a launch: written to' \
    "$threelane" calibrate $from -o "$work/h200.ini"
deep=$work/in-a-folder-that-stands/rather-deep-in-the-tree-of-somebody/who-likes-long-names
mkdir -p "$deep"
expect "a model in a deep folder" 0 '^measured: NVIDIA H200' "$threelane" calibrate $from -o "$deep/h200.ini"
# The first two lines have the day and the path; and what the kept measurements do not have (two cards, graphs, early
# launches, the parts of the chip) is left out, with what is said of it.
kept() {
    tail -n +3 "$1" | awk '/^#/ { held = held $0 "\n"; next }
        !/^(h2d_pageable_again_bytes_per_ns|staging_again_bytes_per_ns|again_bytes|page_[a-z]*_ns|host_(read|write|set)_bytes_per_ns|host_both_share|host_latency_ns|(call_first|launch_first|launch_load)|devices_measured|p2p_[a-z_]*|event_peer|graph_[a-z_]*|[a-z]*_barrier_ns|trigger|depend|memcpy_peer[a-z_]*|set_device|gpc_sms) =/ {
            printf "%s%s\n", held, $0 }
        { held = "" }'
}
kept "$work/h200.ini" >"$work/made"
kept sim/devices/h200.ini | diff - "$work/made" >"$work/out"
holds "it is sim/devices/h200.ini" [ $? -eq 0 ]
"$threelane" calibrate --from $h100/calibrate/1 --from $h100/calibrate/2 --from $h100/calibrate/3 -o "$work/h100.ini" >"$work/out" 2>&1
tail -n +3 "$work/h100.ini" >"$work/made"
tail -n +3 sim/devices/h100.ini | diff - "$work/made" >"$work/out"
holds "and of an H100: sim/devices/h100.ini, nothing changed by hand" [ $? -eq 0 ]
# what lies between two cards: measured with two
expect "and of a machine with two" 0 '^measured: NVIDIA H200' "$threelane" calibrate $from --from $fixtures/calibrate/two -o "$work/two.ini"
links() { grep -E '^(devices_measured|p2p_[a-z_]*|event_peer|memcpy_peer[a-z_]*|set_device) =' "$1"; }
links "$work/two.ini" >"$work/made"
links sim/devices/h200.ini | diff - "$work/made" >"$work/out"
holds "the links of sim/devices/h200.ini are those" [ $? -eq 0 ]
# graphs, early launches and barriers inside kernels: measured in another session
expect "and of what later probes ask" 0 '^measured: NVIDIA H200' "$threelane" calibrate --from $fixtures/calibrate/graphs -o "$work/graphs.ini"
inside() { grep -E '^(graph_[a-z_]*|[a-z]*_barrier_ns|trigger|depend) =' "$1"; }
inside "$work/graphs.ini" >"$work/made"
inside sim/devices/h200.ini | diff - "$work/made" >"$work/out"
holds "graphs and barriers of sim/devices/h200.ini are those" [ $? -eq 0 ]
# the host's memory, first launches and kernels that reach over the bus: another one
expect "and of the host's memory" 0 '^measured: NVIDIA H200' "$threelane" calibrate --from $fixtures/calibrate/memory -o "$work/memory.ini"
of_host() { grep -E '^(h2d_pageable_again_bytes_per_ns|staging_again_bytes_per_ns|again_bytes|page_[a-z]*_ns|host_(read|write|set)_bytes_per_ns|host_both_share|host_latency_ns|(call_first|launch_first|launch_load)) =' "$1"; }
of_host "$work/memory.ini" >"$work/made"
of_host sim/devices/h200.ini | diff - "$work/made" >"$work/out"
holds "those of sim/devices/h200.ini are these" [ $? -eq 0 ]
holds "each number says where it is from" [ "$(grep -c '^# measured' "$work/h200.ini")" -ge 20 ]
expect "again: nothing moved" 0 '^nothing moved$' "$threelane" calibrate $from -o "$work/h200.ini"
expect "another measurement: what moved" 0 '^copies +h2d_bytes_per_ns +55\.26 +[0-9.]+  [-+][0-9.]+%$' \
    "$threelane" calibrate --from $fixtures/calibrate/3 -o "$work/h200.ini"
expect "programs run with it" 0 'predicted with model h200' compare --model "$work/h200.ini" --against $recorded/events.lane $events
echo 'my notes' >"$work/notes.ini"
one_line "what is no model stays" 2 'is no device model and stays' "$threelane" calibrate $from -o "$work/notes.ini"
holds "as it was" [ "$(cat "$work/notes.ini")" = 'my notes' ]
one_line "another kind of file" 2 'ends in \.ini' "$threelane" calibrate $from -o "$work/h200.txt"
one_line "where nothing can be written" 2 'cannot be written' "$threelane" calibrate $from -o "$work/nowhere/h200.ini"
one_line "no folder of measurements" 2 '--from takes a folder that --keep has filled' "$threelane" calibrate --from "$work" -o "$work/x.ini"
mkdir "$work/part" && cp $fixtures/calibrate/3/* "$work/part" && head -c 100000 $fixtures/calibrate/3/timeline.lane >"$work/part/timeline.lane"
one_line "a measurement that was cut off" 4 'the measurement lacks' "$threelane" calibrate --from "$work/part" -o "$work/x.ini"
one_line "a folder to keep that is not there" 2 'no folder that can be written' "$threelane" calibrate --keep "$work/nowhere"
holds "nothing is written" [ ! -e "$work/x.ini" ]

# ---- the facts, on the virtual GPU ----
"$tlcc" gpu/facts.cu -o "$work/facts" >"$work/out" 2>&1
holds "the facts program builds" [ $? -eq 0 ]
THREELANE_MODEL=h200 "$work/facts" >"$work/out" 2>/dev/null
holds "the h200 model differs from the card in no kind" [ $? -eq 0 ]
holds "and in four times" grep -q '^0 differences in kind, 4 times outside' "$work/out"
finish
