#!/bin/sh
#SBATCH --job-name=war
#SBATCH --array=1-100
#SBATCH --cpus-per-task=1
# Plays a part of a run in each task of a job array. Submit it with `sbatch slurm.sh`, and join the
# parts with `war simulate merge parts` when all tasks are done. Options such as `--rules household`
# go to each part. A task that is started again goes on with its part.
mkdir -p parts
exec war simulate --seed 1 --games "${GAMES:-1e9}" --shard auto --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --resume "parts/$SLURM_ARRAY_TASK_ID.json" "$@"
