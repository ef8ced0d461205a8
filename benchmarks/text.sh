#!/bin/sh
# Reads CSV, lines of JSON and ORC with Penstock and with pyarrow on one thread, taking turns, and
# prints the median of seconds by the clock and of the processor.
#
#   PYTHON=path/to/python benchmarks/text.sh DATA_DIR
#
# A pass of Penstock is a new dataset and a loader without workers: the count of records, the types
# and all batches. "again" is a further epoch. Files that are not in DATA_DIR are made first, 190 MB.
#
# ROWS     rows of ten doubles; half as many records of JSON; default 500000
# TURNS    how often both are started; default 3
# ROUNDS   passes in each start, the last three of which count; default 8
# WORKERS  workers of Penstock; default 0
# BUILD    0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
mkdir -p "$1"
data=$(CDPATH='' cd -- "$1" && pwd)
python=${PYTHON:-python3}
rounds=${ROUNDS:-8}

build outer,jar benchmarks,cli
"$python" "$root/benchmarks/text.py" make "$data" "${ROWS:-500000}"

for file in doubles.csv records.jsonl doubles.orc; do
  results=$(mktemp)
  turn=0
  while [ $turn -lt "${TURNS:-3}" ]; do
    "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
      -cp "$root/benchmarks/target/benchmarks.jar:$root/cli/target/penstock.jar" dev.penstock.benchmarks.TextRun \
      "$data/$file" "$rounds" "${WORKERS:-0}" | tail -n 6 >> "$results"
    "$python" "$root/benchmarks/text.py" read "$data/$file" "$rounds" | tail -n 3 >> "$results"
    turn=$((turn + 1))
  done
  echo "$file, $(wc -c < "$data/$file") bytes"
  for reader in $(cut -d ' ' -f 1 "$results" | sort -u); do
    for column in 2 3; do
      grep "^$reader " "$results" | cut -d ' ' -f $column | sort -n \
        | awk -v name="$reader" -v what=$column '{v[NR] = $1} END {
            printf "%s%s %.3f s", what == 2 ? "  " name : "", what == 2 ? ": clock" : ", processor",
              v[int((NR + 1) / 2)]}'
    done
    echo
  done
  rm "$results"
done
