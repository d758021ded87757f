#!/bin/sh
# Plays the parts of a run, one on each processor at a time, and joins them.
parts=${PARTS:-100}
mkdir -p parts
seq "$parts" | parallel --halt now,fail=1 war simulate --seed 1 --games "${GAMES:-1e9}" \
    --shard "{}/$parts" --jobs 1 --json parts/{}.json '>' parts/{}.txt &&
    war simulate merge parts
