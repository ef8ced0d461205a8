#!/bin/sh
# Measures what it takes to name the rows of a step, on all of 512 ranks, of an epoch of a thousand
# million rows that is mixed from three tables of 10,000 files together: catalogs make up the files,
# nothing is read.
#
#   benchmarks/steps.sh
#
# Prints a table: rows named; seconds for the first step, with listing the files; for the next step;
# for one rank of another; MB of live heap.
#
# SHUFFLES  default "none window:65536 global"
# JVM       the JVM's flags; default -Xmx200m
# BUILD     0 to use what is built already
set -eu

least=0
. "$(dirname -- "$0")/begin.sh"

build outer benchmarks

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo '| shuffle | rows | first step | next step | one rank | heap |'
echo '|---|---:|---:|---:|---:|---:|'
for shuffle in ${SHUFFLES:-none window:65536 global}; do
  # shellcheck disable=SC2086
  "$JAVA_HOME/bin/java" ${JVM:--Xmx200m} --enable-native-access=ALL-UNNAMED \
    -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
    -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.NamedSteps \
    "$folder" "$shuffle"
done
