#!/bin/sh
# Reads data of the shapes of MLPerf Storage's DLRM and Flux with Penstock and its peers, on one core
# and on two, each in a process of its own, in turns, and prints rows a second and memory.
#
#   PYTHON=.../venv/bin/python benchmarks/mlperf.sh DATA_DIR [KIND,KIND...]
#
# A kind is dlrm, dlrm-dictionary, criteo or flux; default all. Files that are not in DATA_DIR are made first; their
# sizes are said before, and nothing is made that does not fit. mlperf.py says where the shapes are
# from.
#
# Systems: dlio is DLIO's way, torch's DataLoader with 4 or 8 workers over single samples, which are
# constants; pyarrow the row groups that it decodes and drops, and nothing else, in a process for
# each core; pyarrow-batches makes batches of them, on two cores of what two threads read ahead;
# penstock-python and penstock-java make batches with a worker for each core.
#
# PYTHON    a Python with penstock-torch, torch, numpy and pyarrow; default that of python/test
# SCALE     part of the public sizes; default 1/64: 22 GB of dlrm, 24 with dictionaries, 13 of
#           criteo, 37 of flux. 1/512 makes an eighth of that, whose figures are on the page
# SYSTEMS   default all, "dlio pyarrow pyarrow-batches penstock-python penstock-java"
# CORES     default "1 2"
# WARM_UP   seconds of Penstock that do not count, while the JVM compiles; default 20; others have 1
# SECONDS   those that count; default 8
# ROUNDS    how often everything is run, in alternating order; default 1
# JVM       the JVM's flags; default -Xmx512m
# BUILD     0 to use what is built already
# OUT       where the results go, one line of JSON per run; default DATA_DIR/mlperf.jsonl
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
mkdir -p "$1"
data=$(CDPATH='' cd -- "$1" && pwd)
python=${PYTHON:-$root/python/build-work/test/bin/python}

build outer benchmarks

export JAVA="$JAVA_HOME/bin/java ${JVM:--Xmx512m} --enable-native-access=ALL-UNNAMED -cp $root/benchmarks/target/benchmarks.jar"
# shellcheck disable=SC2046
"$python" "$root/benchmarks/mlperf.py" run "$data" $(echo "${2:-}" | tr , ' ')
