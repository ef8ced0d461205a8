#!/bin/sh
# Runs Penstock in Python beside Penstock in Java and the loaders of Python, and prints the table.
#
#   PYTHON=.../venv/bin/python benchmarks/python.sh DATA_DIR [WORKLOAD,WORKLOAD...]
#
# PYTHON    a Python with penstock-torch, torch, numpy and pyarrow; default that of python/test
# JOLLY     a Python with jollyjack, which wants a pyarrow of its own; left out if not given
# PEERS     the folder of the peers' side: generate.py, run_all.py; default ../shared/bench
# WORKERS   numbers of workers; default "1 2"
# WARM_UPS  epochs in Java, WARM_UP seconds in Python before those that count; see run.sh and python.py
# BUILD     0 to use what is built already
# ROUNDS    how often everything is run, in alternating order; default 3
# OUT       where the results go, one line of JSON per run; default DATA_DIR/python.jsonl
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
data=$(CDPATH='' cd -- "$1" && pwd)
workloads=${2:-w1,w2n,w3,w5}
peers=${PEERS:-$root/../shared/bench}
python=${PYTHON:-$root/python/build-work/test/bin/python}
out=${OUT:-$data/python.jsonl}
export PEERS="$peers"

build outer benchmarks

java="$JAVA_HOME/bin/java -Xmx512m --enable-native-access=ALL-UNNAMED -cp $root/benchmarks/target/benchmarks.jar"
only=penstock,${ONLY:-torchdl:2}
set --
for workers in ${WORKERS:-1 2}; do
  set -- "$@" \
    --extra "penstock:$workers=$java dev.penstock.benchmarks.LoaderRun {workload} {data} $workers ${WARM_UPS:-}" \
    --extra "penstock-python:$workers=$python $root/benchmarks/python.py {workload} {data} $workers"
done
if [ -n "${JOLLY:-}" ]; then
  only=$only,jolly
  set -- "$@" --extra "jolly:2=$JOLLY $peers/peers.py jolly {workload} --n 2 --data {data}"
fi

"$python" "$peers/run_all.py" --python "$python" --data "$data" --out "$out" \
  --workloads "$workloads" --rounds "${ROUNDS:-3}" --only "$only" "$@"
"$python" "$peers/report.py" "$out"
