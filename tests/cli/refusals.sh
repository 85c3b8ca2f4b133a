#!/bin/sh
# Options of `threelane` that mean nothing together: each pair is refused by name, in one line, before anything is judged,
# made or written.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
solution=exercises/ex41-streams/solution.cu

refused() { # refused WORDS OPTIONS...
    words=$1
    shift
    name=$(echo "$*" | sed "s|$work/||")
    expect "$name" 2 "^threelane: $words" "$threelane" "$@"
    holds "$name: in a line" [ "$(wc -l <"$work/out")" -eq 1 ]
}

# ---- one file and a folder ----
mkdir "$work/class"
one="grade --exercise ex41"
# shellcheck disable=SC2086  # words on purpose
{
    for option in '--amend a.csv' '--due d.csv' '--roster r.csv' '--again Ada' --anonymous --feedback '--earlier e'; do
        refused '.* are for a folder' $one "$solution" $option
    done
    refused '.* are for a folder; one file has --seed and --attempt' $one "$solution" --renew
    refused '.* are for a folder; one file has --seed and --attempt' $one "$solution" --same-draw
    refused '--gpu is for a folder; one file on a card: threelane run ex41 --gpu --src FILE' $one "$solution" --gpu
    refused 'usage: threelane grade --exercise ex43 FILE' $one "$solution" "$solution"
    refused '.*no exercise .ex99.' grade --exercise ex99 "$solution"
    for option in --json --gradescope; do refused '.* are for one file' grade "$work/class" $option; done
    for option in '--attempt 2' --teacher; do refused '.* are for one file' grade "$work/class" $option; done
    for option in '--shared x' '--partition p' '--gpu-partition p' '--account a' '--time 1:00' '--sbatch x' '--cpus 2' '--chunk 3' \
        '--tries 2'; do
        refused "${option%% *} is for --slurm" grade "$work/class" $option
    done
}
holds 'nothing was written' [ -z "$(ls -A "$work/class")" ]
finish
