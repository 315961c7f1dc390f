#!/bin/bash
# many_rows.sh FROM TO N - the sessions of a folder of results, N times, under other names: to see what many rows cost
#
# The copies are of other years, so that each session keeps its own name.
set -eu
from=$1 to=$2 n=$3
mkdir -p "$to"
for ((i = 0; i < n; i++)); do
    for file in "$from"/2*.csv "$from"/2*.env.txt; do
        name=$(basename "$file")
        session=${name%%.*}
        copy=$((3000 + i))${session:4}
        sed "s/$session/$copy/g" "$file" >"$to/$copy${name#"$session"}"
    done
done
