#!/bin/sh
# Scores a table of an id and 64 floats on two cores, in turns, each system in a process of its own,
# and prints million rows a second, medians of the rounds, beside the model alone; and the most memory
# that the process had. memory-AxB is the model's own library over batches that are in memory, A
# sessions of B threads: nothing is read, nothing written. penstock reads the file and writes the scores
# and their ids as Parquet; spark does so with ONNX Runtime in a function over partitions, local[2].
#
#   PYTHON=path/to/python benchmarks/score.sh DATA_DIR [WORK...]
#
# A work is onnx-small (64-16-1), onnx (64-128-64-1), onnx-large (64-512-256-1) or xgboost (100 trees
# of depth 6); default "onnx xgboost".
#
# PYTHON    a Python with numpy, pyarrow, onnx and xgboost
# ROWS      of the table that is made on first use; default 10000000, 2.6 GB
# SYSTEMS   default "memory-1x2 memory-2x1 penstock spark"
# BATCH     rows that a model gets at a time; default 4096
# WORKERS   of Penstock; default 2
# RUNS      of each process, of which the best but for the first counts; default 2
# ROUNDS    default 3
# JVM       the JVM's flags; default -Xmx1g, Spark's -Xmx2g; its tasks need a stack of more than the usual 1 MB
# BUILD     0 to use what is built already
# OUT       where the results go, one line of JSON per process; default DATA_DIR/score.jsonl
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
data=$1
shift

build outer,peers benchmarks/peers/score,spark/home
if [ ! -f "$data/rows" ]; then
  "${PYTHON:-python3}" "$root/benchmarks/score.py" make "$data" "${ROWS:-10000000}"
fi

lib=$root/benchmarks/peers/score/target/lib
flags=$(sed -n 's#.*<penstock.spark.jvm>\(.*\)</penstock.spark.jvm>.*#\1#p' "$root/pom.xml")
spark=$(cat "$root/spark/home/target/classpath.txt")
onnx=$(echo "$lib"/penstock-benchmarks-score-*.jar "$lib"/onnxruntime-*.jar "$lib"/jspecify-*.jar | tr ' ' ':')
export JAVA="$JAVA_HOME/bin/java ${JVM:--Xmx1g} --enable-native-access=ALL-UNNAMED -cp $lib/*"
export SPARK="$JAVA_HOME/bin/java ${JVM:--Xmx2g} -Xss8m $flags -cp $spark:$onnx"
[ $# -gt 0 ] || set -- onnx xgboost
"${PYTHON:-python3}" "$root/benchmarks/score.py" run "$data" "$@"
