#!/bin/sh
# Delivers lists of 16 to 2,048 tokens in file order, in buckets and in packs, with 1 and 2 workers;
# beside torch with a collate function and beside Grain. Prints tables, medians of several rounds in
# turns.
#
#   PYTHON=path/to/python benchmarks/tokens.sh DATA_DIR
#
# Needs numpy and pyarrow to make the files, torch and grain for the other sides.
#
# ROUNDS    how often everything is run; default 9
# JVM       the JVM's flags; default -Xmx512m
# BUILD     0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
data=$1

build outer,jar benchmarks,cli
if [ ! -d "$data/tokens" ]; then
  "${PYTHON:-python3}" "$root/benchmarks/tokens.py" make "$data"
fi

for workers in 1 2; do
  echo "With $workers workers:"
  "$JAVA_HOME/bin/java" ${JVM:--Xmx512m} --enable-native-access=ALL-UNNAMED \
    --sun-misc-unsafe-memory-access=allow \
    -cp "$root/benchmarks/target/benchmarks.jar:$root/cli/target/penstock.jar" \
    dev.penstock.benchmarks.ComposeRun "$data/tokens" "$workers" "${ROUNDS:-9}"
done
for side in torch grain; do
  "${PYTHON:-python3}" "$root/benchmarks/tokens.py" "$side" "$data" || echo "$side could not run"
done
