#!/bin/sh
# Reads lists of 128 floats in three forms: w5 (Parquet, zstd), w5h (the same in half precision), w5a
# (Arrow files with lists of fixed size), with 0, 1 and 2 workers, each in a process of its own.
# Prints million rows a second, the median of five epochs when the compiler is quiet.
#
#   PYTHON=path/to/python benchmarks/embeddings.sh DATA_DIR
#
# DATA_DIR is that of run.sh. Files that are not there are made first, 160 MB.
#
# ROUNDS    how often everything is run; default 2
# JVM       the JVM's flags; default -Xmx512m
# BUILD     0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
data=$1

build outer,jar benchmarks,cli
if ! grep -q '"w5a"' "$data/manifest.json"; then
  "${PYTHON:-python3}" "$root/benchmarks/embeddings.py" "$data"
fi

round=0
while [ $round -lt "${ROUNDS:-2}" ]; do
  for workload in w5 w5h w5a; do
    for workers in 0 1 2; do
      "$JAVA_HOME/bin/java" ${JVM:--Xmx512m} --enable-native-access=ALL-UNNAMED \
        --sun-misc-unsafe-memory-access=allow \
        -cp "$root/benchmarks/target/benchmarks.jar:$root/cli/target/penstock.jar" \
        dev.penstock.benchmarks.LoaderRun "$workload" "$data" "$workers" \
        | sed -n "s/.*\"rows_per_s\": \([0-9]*\).*\"ok\": \([a-z]*\).*/$workload $workers \1 \2/p" \
        | awk '{ printf "%s with %s workers: %.2f%s\n", $1, $2, $3 / 1e6,
          $4 == "true" ? "" : " (rows or checksum are wrong)" }'
    done
  done
  round=$((round + 1))
done
