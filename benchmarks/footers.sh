#!/bin/sh
# Takes in footers of Parquet files that lie in memory, and prints what a column of a row group
# costs: its bytes in the file; microseconds of parquet-java's thrift classes, of Penstock's walk
# over the footer, and then for the place and for the statistics of a column that is asked for;
# bytes of heap. Then pyarrow, hardwood and, where there is cargo, parquet-rs on the same files.
#
#   PYTHON=path/to/python benchmarks/footers.sh DATA_DIR
#
# Files that are not in DATA_DIR are made first, 40 MB.
#
# JVM    the JVM's flags; default -Xmx2g
# BUILD  0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
mkdir -p "$1"
data=$(CDPATH='' cd -- "$1" && pwd)
python=${PYTHON:-python3}

build outer benchmarks
"$python" "$root/benchmarks/footers.py" make "$data"

echo '| File | Chunks | Bytes | thrift | walk | place | statistics | heap |'
echo '|---|---:|---:|---:|---:|---:|---:|---:|'
# shellcheck disable=SC2086
"$JAVA_HOME/bin/java" ${JVM:--Xmx2g} --enable-native-access=ALL-UNNAMED \
  -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.FooterRun "$data"/*.parquet
"$python" "$root/benchmarks/footers.py" read "$data"/*.parquet

hardwood=1.0.1.Final
peers="$root/benchmarks/target/footers"
(cd "$root" && ./mvnw -q -N dependency:copy -DoutputDirectory="$peers" \
  -Dartifact="dev.hardwood:hardwood-core:$hardwood" >&2)
# shellcheck disable=SC2086
"$JAVA_HOME/bin/java" ${JVM:--Xmx2g} -cp "$peers/hardwood-core-$hardwood.jar" \
  "$root/benchmarks/footers/Hardwood.java" "$data"/*.parquet
if command -v cargo >/dev/null; then
  cargo run -q --release --locked --manifest-path "$root/benchmarks/footers/Cargo.toml" \
    --target-dir "$peers" -- "$data"/*.parquet
fi
