#!/bin/sh
# Reads files of several formats with Penstock and its peers, on one thread and on two, each in a
# process of its own, and prints million rows a second.
#
#   PYTHON=.../venv/bin/python benchmarks/formats.sh DATA_DIR [WORKLOAD,WORKLOAD...]
#
# A workload is csv, csvgz, jsonl, orc, avro, arrow or parquet: the same 13 columns of doubles with
# nulls, integers and strings; or dlrm: 40 of 200 columns of numbers in row groups of 6,144 rows.
# Default all. Files that are not in DATA_DIR are made first, 0.6 GB, and as much for dlrm.
#
# Penstock delivers batches in order, in further epochs of one loader. Peers of Python read whole
# files, peers of the JVM fill arrays, a file at a time on each thread. pages-only reads and
# decompresses the bytes and nothing else.
#
# PYTHON    a Python with numpy, pyarrow, polars, duckdb and fastavro; default python3
# PEERS     the folder of the peers' side: formats_generate.py; default ../shared/bench
# THREADS   default "1 2"
# ROUNDS    how often everything is run; default 2
# WARM_UPS  epochs of the JVMs before those that count; default at least 30, and until the compiler
#           is quiet or 30 seconds have passed
# EPOCHS    those that count, if WARM_UPS are given; default at least 5, and for two seconds
# JVM       the JVM's flags; default -Xmx2g
# BUILD     0 to use what is built already
# OUT       where the results go, one line of JSON per run; default DATA_DIR/formats.jsonl
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
mkdir -p "$1"
data=$(CDPATH='' cd -- "$1" && pwd)
workloads=$(echo "${2:-csv,csvgz,jsonl,orc,avro,arrow,parquet,dlrm}" | tr , ' ')
python=${PYTHON:-python3}
out=${OUT:-$data/formats.jsonl}
export PEERS="${PEERS:-$root/../shared/bench}"

build outer,jar,peers benchmarks,cli,benchmarks/peers/formats
# shellcheck disable=SC2086
"$python" "$root/benchmarks/formats.py" make "$data" $workloads

show() {
  tee -a "$out" | sed -E 's/.*"system": "([^"]*)", "workload": "([^"]*)".*"rows_per_s": ([0-9]+).*"ok": (true|false).*/\2 \1 \3 \4/' \
    | awk 'NF == 4 { printf "%s %s %.2f%s\n", $1, $2, $3 / 1e6, $4 == "true" ? "" : ", wrong rows"; next } { print }'
}

java() { # class, its first arguments
  class=$1
  shift
  # shellcheck disable=SC2086
  "$JAVA_HOME/bin/java" ${JVM:--Xmx2g} --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    $vectors -cp "$root/benchmarks/target/benchmarks.jar:$libraries" \
    "dev.penstock.benchmarks.$class" "$@" "$data" "$threads" ${WARM_UPS:-} ${EPOCHS:-} | show
}

round=0
while [ $round -lt "${ROUNDS:-2}" ]; do
  for threads in ${THREADS:-1 2}; do
    for workload in $workloads; do
      case $workload in
        csv | csvgz) peers="fastcsv univocity" ;;
        jsonl) peers="jackson jackson-databind simdjson-java" ;;
        orc) peers=orc-core ;;
        avro) peers=avro-java ;;
        *) peers= ;;
      esac
      libraries=$root/cli/target/penstock.jar
      vectors=
      java LoaderRun "$workload"
      java PagesOnly "$workload"
      libraries="$root/benchmarks/peers/formats/target/lib/*"
      vectors=--add-modules=jdk.incubator.vector # for simdjson-java
      for peer in $peers; do
        java FormatRun "$peer" "$workload"
      done
    done
    # shellcheck disable=SC2086
    "$python" "$root/benchmarks/formats.py" read "$data" "$threads" $workloads | show
  done
  round=$((round + 1))
done
