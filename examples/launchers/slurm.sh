#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=1G
#SBATCH --time=24:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -u

# Where rank 0 is, for programs whose ranks talk to each other.
MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
export MASTER_ADDR MASTER_PORT

srun --kill-on-bad-exit=1 --cpus-per-task="$SLURM_CPUS_PER_TASK" \
  java -Xmx1g --enable-native-access=ALL-UNNAMED \
  -cp "${CLASSES:-lib/*}" "${MAIN:-com.example.Train}" \
  "${DATA:-/data/flights}" "${STATE:-$SLURM_SUBMIT_DIR/state}"
status=$?

# SLURM by itself requeues only after the failure of a node, and after preemption.
if [ "$status" -ne 0 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
