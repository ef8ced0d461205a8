#!/bin/sh
# Measures planning at the scale of a lake: a catalog makes up the files, nothing is read.
#
#   benchmarks/lake.sh [FILES [GROUPS_PER_FILE [MIB_PER_GROUP [RANKS [window]]]]]
#
# Defaults: 1,000,000 files of 20 row groups of 6 MiB, 4,096 ranks, splits in random order; with
# "window" rows in windows of 65,536 besides. Prints seconds and live heap for each step of a rank.
#
# JVM       the JVM's flags; default -Xmx2g
# BUILD     0 to use what is built already
set -eu

least=0
. "$(dirname -- "$0")/begin.sh"

build outer benchmarks

exec "$JAVA_HOME/bin/java" ${JVM:--Xmx2g} --enable-native-access=ALL-UNNAMED \
  -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
  -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.LakePlan \
  "${1:-1000000}" "${2:-20}" "${3:-6}" "${4:-4096}" ${5:+"$5"}
