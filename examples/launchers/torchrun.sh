#!/bin/sh
# Starts the ranks of this machine: torchrun.sh COMMAND [ARGUMENT...]. With several machines, run it
# on each, with NODES and FIRST_NODE.
set -eu

# Else torch 2.15 finds ranks of the try before when it starts again, and waits for them.
export TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1

exec torchrun \
  --nnodes="${NODES:-1}" \
  --nproc-per-node="${RANKS:-2}" \
  --max-restarts=3 \
  --rdzv-backend=c10d \
  --rdzv-endpoint="${FIRST_NODE:-localhost}:${RENDEZVOUS_PORT:-29500}" \
  --rdzv-id="${JOB:-train}" \
  --no-python "$@"
