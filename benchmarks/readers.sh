#!/bin/sh
# Compares Penstock with other Parquet readers in one JVM, on one core, and prints Markdown tables.
#
#   benchmarks/readers.sh DATA_DIR [CASE,CASE...]
#
# A case is a table and a codec; default floats-snappy,floats-zstd,floats-uncompressed,
# mixed-zstd,mixednum-zstd,emb-zstd,f32x64-snappy. Files that are not in DATA_DIR are generated
# first, 1 GB in all; the peers' libraries are fetched by Maven, 200 MB.
#
# ROWS      rows of floats and mixed; f32x64 has half, emb a tenth; default 2000000
# READERS   which to compare; default "arrow trino parquet-java penstock"; ratios are to the first
# WARM_UPS  rounds before those that count; default 4
# ROUNDS    rounds that count; default 9
# CORE      the core that the JVM is pinned to, "" for all; default 0
# JVM       more flags for the JVM; -Donly=REGEX runs only readers in whose names it is found
# BUILD     0 to use what is built already
#
# Wall times count on an idle machine only: look at the load in the first line. On a busy one the
# last column, by processor time, is more to be trusted.
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
mkdir -p "$1"
data=$(CDPATH='' cd -- "$1" && pwd)
cases=${2:-floats-snappy,floats-zstd,floats-uncompressed,mixed-zstd,mixednum-zstd,emb-zstd,f32x64-snappy}
rows=${ROWS:-2000000}
peers=$root/benchmarks/peers
version=$(sed -n 's:.*<revision>\(.*\)</revision>.*:\1:p' "$root/pom.xml")
jar=$root/benchmarks/target/penstock-benchmarks-$version.jar

build outer,peers benchmarks/peers/arrow,benchmarks/peers/trino,benchmarks/peers/parquet-java

paths=
for reader in ${READERS:-arrow trino parquet-java penstock}; do
  case $reader in
    penstock) paths="$paths $root/benchmarks/target/benchmarks.jar" ;;
    *) paths="$paths $peers/$reader/target/lib" ;;
  esac
done

pin=
if [ -n "${CORE-0}" ] && command -v taskset > /dev/null; then
  pin="taskset -c ${CORE-0}"
fi

# The heap is for the peers that decode to it: large enough that collections do not count, and
# touched before, or it would take the memory pages that one reader gave back from the next.
# Arrow needs java.nio opened, Trino decodes with the incubating vectors.
flags="-Xms4g -Xmx4g -Xmn2g -XX:+UseParallelGC -XX:-UseAdaptiveSizePolicy
  -XX:+AlwaysPreTouch --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
  --add-opens=java.base/java.nio=ALL-UNNAMED --add-modules=jdk.incubator.vector"

echo "$("$JAVA_HOME/bin/java" -version 2>&1 | sed -n '2s/ (.*//p'); $(uname -sm), $(nproc) cores;" \
  "$(sed -n 's/^model name.*: //p' /proc/cpuinfo 2> /dev/null | head -1);" \
  "load $(cut -d ' ' -f 1 /proc/loadavg 2> /dev/null); $(date -u +%Y-%m-%d)"

failed=0
for name in $(echo "$cases" | tr , ' '); do
  table=${name%%-*}
  codec=${name#*-}
  stored=$table
  count=$rows
  case $table in
    mixednum) stored=mixed ;;
    emb) count=$((rows / 10)) ;;
    f32x64) count=$((rows / 2)) ;;
  esac
  file=$data/$stored-$codec-$count.parquet
  if [ ! -f "$file" ]; then
    echo "Generating $file" >&2
    "$JAVA_HOME/bin/java" -Xmx4g --enable-native-access=ALL-UNNAMED \
      --sun-misc-unsafe-memory-access=allow \
      -cp "$jar:$peers/parquet-java/target/lib/*" \
      dev.penstock.benchmarks.readers.parquetjava.Generate "$stored" "$codec" "$count" "$file" >&2
  fi
  cat "$file" > /dev/null
  $pin "$JAVA_HOME/bin/java" $flags ${JVM:-} -cp "$jar" \
    dev.penstock.benchmarks.readers.Compare \
    "$table" "$file" "${WARM_UPS:-4}" "${ROUNDS:-9}" $paths || failed=1
done
exit $failed
