#!/bin/sh
# A study as a SLURM array: each task makes its part of the runs, all into one folder that all nodes see. The last to end writes the
# table and the page of all. A task that is requeued goes on where it was: no finished run is made again.
#
#     sbatch --array=1-8 slurm.sh study.toml /shared/study
#
#SBATCH --job-name=carom-study
#SBATCH --cpus-per-task=1
#SBATCH --requeue
set -eu
study=$1
out=$2
parts=${SLURM_ARRAY_TASK_COUNT:?start me with sbatch --array=1-PARTS}
exec carom sweep "$study" --out "$out" --jobs "${SLURM_CPUS_PER_TASK:-1}" --shard "$SLURM_ARRAY_TASK_ID/$parts" -q
