#!/bin/sh
#SBATCH --job-name=war
#SBATCH --array=1-100
#SBATCH --cpus-per-task=1
# Plays a part of a run in each task of a job array. Submit it with `sbatch slurm.sh`, and join the
# parts with `war simulate merge parts` when all tasks are done.
mkdir -p parts
exec war simulate --seed 1 --games "${GAMES:-1e9}" --shard auto --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --json "parts/$SLURM_ARRAY_TASK_ID.json"
