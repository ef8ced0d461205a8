#!/bin/sh
# Measures what deletion vectors of Delta tables cost: 1.6 million rows, 5 % of which are deleted,
# beside a table that has only the rows that are left.
#
#   PYTHON=path/to/python benchmarks/delta.sh DATA_DIR
#
# The tables are written into DATA_DIR/delta if they are not there, 260 MB; Python has numpy and
# pyarrow.
#
# ROUNDS    how often each table is opened and loaded, the first third to warm up; default 60
# CORE      the core that the JVM is pinned to, "" for all; default 0
# BUILD     0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
mkdir -p "$1"
data=$(CDPATH='' cd -- "$1" && pwd)

build outer,jar benchmarks,cli
if [ ! -f "$data/delta/complete" ]; then
  rm -rf "$data/delta"
  "${PYTHON:-python3}" "$root/benchmarks/delta.py" "$data/delta"
  touch "$data/delta/complete"
fi

pin=
if [ -n "${CORE-0}" ] && command -v taskset > /dev/null; then
  pin="taskset -c ${CORE-0}"
fi
$pin "$JAVA_HOME/bin/java" -Xmx1g --enable-native-access=ALL-UNNAMED \
  --sun-misc-unsafe-memory-access=allow -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
  -cp "$root/benchmarks/target/benchmarks.jar:$root/cli/target/penstock.jar" \
  dev.penstock.benchmarks.DeltaRun "$data/delta" "${ROUNDS:-60}"
