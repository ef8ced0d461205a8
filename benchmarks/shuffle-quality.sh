#!/bin/sh
# Says how random the orders of shuffles are: Penstock's, torch's randperm, and those of MosaicML's
# StreamingDataset with its default options on one node (block size, canonical nodes, partitions),
# computed by its own functions. Prints a Markdown table for each size of rows: mean and standard
# deviation over the seeds of
#
#   rank      Spearman's rank correlation of place and row, times the root of n - 1
#   serial    the correlation of a row with the next one, times the root of n
#   ascents   how often the next row is a later one
#   runs      how often rows change between the first and the second half of the files
#   cells     chi-squared of 64 parts of the epoch by 64 parts of the files
#
# as standard normal numbers: of 20 orders that are equally likely, a mean is within 0.67 of 0 in 997
# of 1,000 cases, and a deviation between 0.5 and 1.5. Fails if an order lacks a row or has one twice,
# or if Shuffle.torch() is not the order of torch.
#
#   PYTHON=path/to/python benchmarks/shuffle-quality.sh DATA_DIR
#
# The size of a row decides how many rows a shard of MosaicML's has, 64 MiB by default. Penstock reads
# files of as many rows, in row groups of 65,536 at most.
#
# PYTHON     a Python with numpy, pyarrow, torch and mosaicml-streaming, of which only modules that
#            need nothing but numpy are imported (pip install --no-deps); default python3
# ROWS       a multiple of 64; default 1000000. MosaicML's default block is 4,000,000 rows on one node
# ROW_BYTES  default "260 4096 65536": shards of 254,200, 16,368 and 1,023 rows; the first is w1's
# SEEDS      default 20
# SHUFFLES   default "global torch window:65536 window:262144"; the last is MosaicML's smallest block
# BUILD      0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
mkdir -p "$1/quality"
data=$(CDPATH='' cd -- "$1/quality" && pwd)
python=${PYTHON:-python3}
rows=${ROWS:-1000000}
seeds=${SEEDS:-20}

build outer benchmarks

for bytes in ${ROW_BYTES:-260 4096 65536}; do
  files=$data/rows-$rows-$bytes
  if [ ! -d "$files" ]; then
    rm -rf "$files.part"
    "$python" "$root/benchmarks/shuffle-quality.py" make "$files.part" "$rows" "$bytes"
    mv "$files.part" "$files"
  fi
  rm -rf "$data/orders"
  "$JAVA_HOME/bin/java" -Xmx1g --enable-native-access=ALL-UNNAMED \
    -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
    -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.ShuffleOrders \
    "$files" "$data/orders" "$seeds" ${SHUFFLES:-global torch window:65536 window:262144}
  "$python" "$root/benchmarks/shuffle-quality.py" report "$data/orders" "$rows" "$bytes" "$seeds"
  echo
done
rm -rf "$data/orders"
