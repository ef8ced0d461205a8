#!/bin/sh
# Measures what Iceberg tables cost: 1.6 million rows, 5 % of which are deleted by position and 1 % by
# value, beside the same without deletes, and planning 5,000 files.
#
#   benchmarks/iceberg.sh DATA_DIR
#
# The tables are written into DATA_DIR/iceberg if they are not there, 150 MB; the libraries that do
# so are fetched by Maven, 80 MB.
#
# ROUNDS    how often each table is opened and loaded, the first third to warm up; default 60
# CORE      the core that the JVM is pinned to, "" for all; default 0
# BUILD     0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
mkdir -p "$1"
data=$(CDPATH='' cd -- "$1" && pwd)

build outer,peers,jar benchmarks,cli,benchmarks/peers/iceberg-tables
if [ ! -f "$data/iceberg/complete" ]; then
  rm -rf "$data/iceberg"
  "$JAVA_HOME/bin/java" -Xmx2g --enable-native-access=ALL-UNNAMED \
    --sun-misc-unsafe-memory-access=allow -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
    -cp "$root/benchmarks/peers/iceberg-tables/target/lib/*" \
    dev.penstock.benchmarks.tables.Generate "$data/iceberg" >&2
  touch "$data/iceberg/complete"
fi

pin=
if [ -n "${CORE-0}" ] && command -v taskset > /dev/null; then
  pin="taskset -c ${CORE-0}"
fi
$pin "$JAVA_HOME/bin/java" -Xmx1g --enable-native-access=ALL-UNNAMED \
  --sun-misc-unsafe-memory-access=allow \
  -cp "$root/benchmarks/target/benchmarks.jar:$root/cli/target/penstock.jar" \
  dev.penstock.benchmarks.IcebergRun "$data/iceberg" "${ROUNDS:-60}"
