#!/bin/sh
# Runs Penstock beside its rivals and prints the table.
#
#   PYTHON=.../venv/bin/python benchmarks/run.sh DATA_DIR [WORKLOAD,WORKLOAD...]
#
# PYTHON    a Python with numpy, pyarrow, torch, polars and duckdb; default python3
# PEERS     the folder of the rivals' side: generate.py, run_all.py; default ../shared/bench
# ONLY      the rivals, as parts of their names; default torchdl:0:prefetch,polars:2
# WORKERS   Penstock's numbers of workers; default "0 1 2"
# ROUNDS    how often everything is run, in alternating order; default 2
# WARM_UPS  epochs of Penstock before those that count; default 30 or more, until the compiler is quiet
# JOLLY     a Python with jollyjack, which wants a pyarrow of its own; left out if not given
# HARDWOOD  a class path with Hardwood, its codecs and PEERS/java/HwLoop; left out if not given
# JVM       the JVM's flags; default -Xmx512m
# BUILD     0 to use what is built already
# OUT       where the results go, one line of JSON per run; default DATA_DIR/results.jsonl
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
mkdir -p "$1"
data=$(CDPATH='' cd -- "$1" && pwd)
workloads=${2:-w1,w1b,w3,w4a,w4b,w2n,w2,w5}
peers=${PEERS:-$root/../shared/bench}
python=${PYTHON:-python3}
out=${OUT:-$data/results.jsonl}

if ! grep -qs '"w5"' "$data/manifest.json"; then
  "$python" "$peers/generate.py" "$data"
fi

build outer benchmarks

java="$JAVA_HOME/bin/java ${JVM:--Xmx512m} --enable-native-access=ALL-UNNAMED -cp $root/benchmarks/target/benchmarks.jar"
only=${ONLY:-torchdl:0:prefetch,polars:2},penstock,pages-only
set --
for workers in ${WORKERS:-0 1 2}; do
  set -- "$@" --extra "penstock:$workers=$java dev.penstock.benchmarks.LoaderRun {workload} {data} $workers ${WARM_UPS:-}"
done
for threads in 1 2; do
  set -- "$@" --extra "pages-only:$threads=$java dev.penstock.benchmarks.PagesOnly {workload} {data} $threads ${WARM_UPS:-}"
done
if [ -n "${JOLLY:-}" ]; then
  only=$only,jolly
  set -- "$@" --extra "jolly:2=$JOLLY $peers/peers.py jolly {workload} --n 2 --data {data}"
fi
if [ -n "${HARDWOOD:-}" ]; then
  only=$only,hardwood
  set -- "$@" --extra "hardwood:2=$java:$HARDWOOD -Xmx2g --add-modules jdk.incubator.vector HwLoop {workload} {data} 0"
fi

"$python" "$peers/run_all.py" --python "$python" --data "$data" --out "$out" \
  --workloads "$workloads" --rounds "${ROUNDS:-2}" --only "$only" "$@"
"$python" "$peers/report.py" "$out"
