#!/bin/sh
# Measures what happens before the first batch: seconds and heap of one rank that reads 40 of 200
# columns of files of the shape of MLPerf Storage's DLRM data, 50,000 column chunks each: without a
# plan, with one that it makes, and with one that is there. Then the requests of 4,096 ranks to a
# store of 100,000 files: without a plan, with one in a folder of plans, with one that is named, and as
# a catalog's table in file order.
#
#   PYTHON=path/to/python benchmarks/start.sh DATA_DIR
#
# Files that are not there are made first, 90 MB. A few of the ranks are run, each from its start; the
# others are taken to be like them.
#
# FILES     how many files of DLRM's shape; default 16, the data set has 1,024
# LAKE      small or wide (2 or 100 columns), files, ranks, how many ranks to run, shuffle; default
#           "small 100000 4096 3 splits"
# JVM       the JVM's flags; default -Xmx4g
# BUILD     0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
data=$1

build outer benchmarks
"${PYTHON:-python3}" "$root/benchmarks/start.py" "$data" "${FILES:-16}"

run() {
  class=$1
  shift
  # shellcheck disable=SC2086
  "$JAVA_HOME/bin/java" ${JVM:--Xmx4g} --enable-native-access=ALL-UNNAMED \
    -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
    -cp "$root/benchmarks/target/benchmarks.jar" "dev.penstock.benchmarks.$class" "$@"
}

rm -rf "$data/plans"
run FirstBatch "$data/dlrm" 40
run FirstBatch "$data/dlrm" 40 "$data/plans/"
run FirstBatch "$data/dlrm" 40 "$data/plans/"
# shellcheck disable=SC2086
set -- ${LAKE:-small 100000 4096 3 splits}
file="$data/$1.parquet"
shift
for plan in '' lake://plans/ lake://plans/one; do
  run RankRequests "$file" "$@" ${plan:+"$plan"}
done
run RankRequests "$file" "$1" "$2" "$3" none catalog
