#!/bin/sh
# Balances what 8 ranks have at each step, sequences of log-normal length, sigma 1, 16 a batch:
# first ways to deal rows to batches beside each other, in memory; then what `penstock plan` finds in
# a table of 100 million lengths, with 1 GB of heap; then what balancing costs a loader of lists, in
# turns with the same shuffle without it, rows a second.
#
#   PYTHON=path/to/python benchmarks/balance.sh DATA_DIR
#
# Needs numpy and pyarrow to make the files: 146 MB of lengths, 208 MB of lists.
#
# ROUNDS    how often a loader is run; default 3
# WINDOWS   default "65536 131072 262144"
# BUILD     0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
data=$1

build outer,jar benchmarks,cli
"${PYTHON:-python3}" "$root/benchmarks/balance.py" "$data"

"$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED \
  -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.Balancing

for window in ${WINDOWS:-65536 131072 262144}; do
  echo "plan, window:$window"
  start=$(date +%s)
  JAVA_TOOL_OPTIONS=-Xmx1g "$root/penstock" plan "$data/lengths" --balanced length \
    --batch-size 16 --rank 0/8 --shuffle "window:$window" 2>&1 | grep 'expected imbalance'
  echo "in $(($(date +%s) - start)) s"
done

for _ in $(seq "${ROUNDS:-3}"); do
  for how in 'window:65536' 'window:65536 --balanced tokens' \
    'window:8192 --bucket tokens' 'window:8192 --bucket tokens --balanced=' \
    'window:8192 --pack tokens:2048' \
    'window:8192 --pack tokens:2048 --balanced= --quadratic 0.001'; do
    # shellcheck disable=SC2086
    rows=$("$root/penstock" load "$data/lists" --batch-size 16 --epochs 3 --json \
      --shuffle $how 2>/dev/null | tail -1 |
      "${PYTHON:-python3}" -c 'import json; d = json.loads(input()); print(round(d["rows"] / d["seconds"]))')
    echo "$how: $rows rows/s"
  done
done
