#!/bin/sh
# Trains boosted trees on two executors of one core each, by Penstock's ranks and by
# xgboost4j-spark, over ten copies of the bundled flights: seconds for reading and training, and the
# most memory that each executor has taken.
#
#   benchmarks/xgboost-spark.sh [ROUNDS]
#
# JAVA17    a JDK 17, which Spark 3.5 runs on
# HEAP      the heap of an executor of xgboost4j-spark, in MB; default 1024, as Penstock's
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
: "${JAVA17:?Set JAVA17 to the home of a JDK 17.}"
. "$root/.mvn/find-jdk.sh"
rounds=${1:-10}
work=$root/benchmarks/target/xgboost-spark
peer=$root/benchmarks/peers/xgboost-spark
mkdir -p "$work/spark/jars" "$work/classes"

flights=$root/cli/src/main/resources/dev/penstock/cli/demo/flights
rm -rf "$work/flights" "$work/held-out"
mkdir "$work/flights" "$work/held-out"
for copy in 0 1 2 3 4 5 6 7 8 9; do
  for part in 0 1 2 3 4 5; do
    cp "$flights/part-$part.parquet" "$work/flights/part-$copy-$part.parquet"
  done
done
cp "$flights/part-6.parquet" "$flights/part-7.parquet" "$work/held-out"

TABLE=$work/flights HELD_OUT=$work/held-out "$root/examples/run" xgboost-spark 2 "$rounds"

"$root/mvnw" -q -f "$peer/pom.xml" dependency:3.7.0:build-classpath \
  -Dmdep.outputFile="$work/classpath.txt" >&2
"$JAVA17/bin/javac" -nowarn -d "$work/classes" -cp "$(cat "$work/classpath.txt")" \
  "$peer/XgboostPeer.java"
tr ':' '\n' <"$work/classpath.txt" | xargs -I{} ln -sf {} "$work/spark/jars"
"$JAVA17/bin/jar" cf "$work/spark/jars/peer.jar" -C "$work/classes" .
opens=
for package in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util \
  java.util.concurrent java.util.concurrent.atomic jdk.internal.ref sun.nio.ch sun.nio.cs \
  sun.security.action sun.util.calendar; do
  opens="$opens --add-opens=java.base/$package=ALL-UNNAMED"
done
# shellcheck disable=SC2086
JAVA_HOME=$JAVA17 SPARK_HOME=$work/spark SPARK_SCALA_VERSION=2.12 SPARK_LOCAL_IP=127.0.0.1 \
  "$JAVA17/bin/java" -Xmx1g $opens -cp "$work/spark/jars/*" XgboostPeer \
  "$work/flights" 2 "$rounds" "${HEAP:-1024}" 2>"$work/peer.log" || {
  echo "The peer failed, see $work/peer.log" >&2
  exit 1
}
