#!/bin/sh
# Plays the parts of a run, one on each processor at a time, and joins them. Options such as
# `--rules household` go to each part. Started again, it goes on with the parts that are not complete.
parts=${PARTS:-100}
mkdir -p parts
seq "$parts" | parallel --quote --halt now,fail=1 war simulate --seed 1 --games "${GAMES:-1e9}" \
    --shard "{}/$parts" --jobs 1 --resume parts/{}.json "$@" >/dev/null &&
    war simulate merge parts
