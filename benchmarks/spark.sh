#!/bin/sh
# Compares Spark's rows with batches, in tasks of Spark in local mode with two threads: seconds for
# adding up a matrix of all rows, medians of 7 in turns after 3.
#
#   benchmarks/spark.sh FOLDER COLUMN...
#
# FOLDER has Parquet files, the columns are numbers. JVM: the JVM's flags; default -Xmx2g.
set -eu

least=2
. "$(dirname -- "$0")/begin.sh"
(cd "$root" && ./mvnw -q -Pouter -Dmaven.test.skip=true -pl examples/spark -am package >&2)
target=$root/examples/spark/target
flags=$(sed -n 's#.*<penstock.spark.jvm>\(.*\)</penstock.spark.jvm>.*#\1#p' "$root/pom.xml")
# shellcheck disable=SC2086
exec "$JAVA_HOME/bin/java" ${JVM:--Xmx2g} $flags \
  -cp "$(cat "$root/spark/home/target/classpath.txt"):$target/penstock-examples-spark.jar:$target/lib/*" \
  dev.penstock.examples.spark.CompareWithRows "$@"
