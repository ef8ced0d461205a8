#!/bin/sh
# Runs loaders in turns, epoch by epoch in one JVM, and prints how their times compare with the
# first one's. For small differences: between options, or between versions of the library.
#
#   benchmarks/turns.sh DATA_DIR CASE...
#
# A case is WORKLOAD[:SHUFFLE][@WORKERS][+THREADSxTHOUSANDS][/http][/cache], as w1@2,
# w3:window:65536, w1@2/cache or w1@auto+2x7: the last is a consumer that does 7,000 operations with
# each batch on two threads. DATA_DIR is that of run.sh; of formats.sh for csv, csvgz,
# jsonl, parquet and dlrm; of embeddings.sh for w5h.
#
# /http     from a server in the same process: 40 ms for each request, 40 MB/s for each connection
# /cache    with a cache in DATA_DIR/cache; of files behind /http in DATA_DIR/cache-http, which is
#           emptied first
#
# Each loader runs an epoch first whose rows are compared with the manifest; it fails if one is wrong.
#
# JARS      jars of core, as kept from core/target after a build, joined by commas: each case is run
#           with each of them; default the one that is built
# WARM_UPS  epochs of each loader before those that count; default 60
# ROUNDS    epochs of each loader that count; default 41
# JVM       the JVM's flags; default -Xmx1g
# BUILD     0 to use what is built already
set -eu

least=2
. "$(dirname -- "$0")/begin.sh"
data=$1
shift

build outer benchmarks

exec "$JAVA_HOME/bin/java" ${JVM:--Xmx1g} --enable-native-access=ALL-UNNAMED \
  -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.Turns \
  "$data" "${WARM_UPS:-60}" "${ROUNDS:-41}" "${JARS:-}" "$@"
