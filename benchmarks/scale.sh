#!/bin/sh
# Measures what tables of 1,000 to 1,000,000 row groups, ten a file, cost one of 8, 512 and 4,096
# ranks before its first row: a catalog makes up the files, nothing is read.
#
#   benchmarks/scale.sh [FOLDER]
#
# Prints a table: processor seconds to list and to begin an epoch; MB of live heap of the table, and
# with the epoch; bytes of a rank's state and of all ranks' merged; processor seconds to merge them.
# With a FOLDER of Parquet files, prints what their footers cost instead.
#
# SHUFFLES  default "splits none window:65536"; all but the first only with the largest table
# JVM       the JVM's flags; default -Xmx4g
# BUILD     0 to use what is built already
set -eu

least=0
. "$(dirname -- "$0")/begin.sh"

build outer benchmarks

plan() {
  # shellcheck disable=SC2086
  "$JAVA_HOME/bin/java" ${JVM:--Xmx4g} --enable-native-access=ALL-UNNAMED \
    -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
    -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.ScalePlan "$@"
}

if [ $# -gt 0 ]; then
  plan footers "$1"
  exit
fi

echo '| row groups | shuffle | ranks | list | begin | heap, table | heap, epoch | state | merged | merge |'
echo '|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|'
largest=1000000
sizes="1000 10000 100000 $largest"
for shuffle in ${SHUFFLES:-splits none window:65536}; do
  for groups in $sizes; do
    plan "$groups" "$shuffle" 8 512 4096
  done
  sizes=$largest
done
