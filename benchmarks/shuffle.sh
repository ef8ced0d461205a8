#!/bin/sh
# Delivers the rows of w1 (64 floats and a label) and w5 (lists of 128 floats) in random order: with
# Penstock from its cache, with torch's samplers over tensors in memory and over a memory map, and
# with Lance. Prints a Markdown table for each workload: million rows a second, medians of rounds,
# and the ratio to Penstock in file order.
#
#   PYTHON=path/to/python benchmarks/shuffle.sh DATA_DIR [w1] [w5]
#
# DATA_DIR is that of run.sh. The rows as arrays and as Lance datasets are made first, 710 MB; they
# and all files are in the page cache. Batches have 1,024 rows. The medians of each round go to
# DATA_DIR/shuffle/results-WORKLOAD.txt. Whoever delivers anything else than every row once fails the
# script. A library that Python lacks is named and left out. The machine must be quiet: torch with two
# threads becomes ten times slower where it has to wait for a processor.
#
# PYTHON    a Python with numpy, pyarrow, torch and pylance; default python3
# PEERS     the folder of checks.py; default ../shared/bench
# WORKERS   Penstock's workers; default 2
# WINDOW    the rows of Penstock's windows; default 65536
# OTHERS    the other sides, as NAME@WORKERS[xTHREADS], see shuffle.py; default all of them
# ROUNDS    how often everything is run, every other time in reverse order; default 3
# WARM_UPS  Penstock's epochs before those that count; default 40
# EPOCHS    epochs that count in each round; default 15
# SECONDS_MAX  how long those of another side may take; default 20; one is run whatever it takes
# JVM       the JVM's flags; default -Xmx1g
# BUILD     0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
data=$(CDPATH='' cd -- "$1" && pwd)
shift
python=${PYTHON:-python3}
workers=${WORKERS:-2}
window=${WINDOW:-65536}
epochs=${EPOCHS:-15}
memory="torch@0 torch-batched@0 torch-batched@0x2 torch-batched@2 torch-loop@0 torch-loop@0x2"
mapped="memmap@0 memmap-batched@0 memmap-batched@2"
lance="lance-scan@0 lance-batches@0 lance-take@0 lance-take@2 lance-safe@2"
others=${OTHERS:-$memory $mapped $lance}

build outer benchmarks

# Prints what everyone prints, a line of a table for each way.
penstock() {
  "$JAVA_HOME/bin/java" ${JVM:--Xmx1g} --enable-native-access=ALL-UNNAMED \
    -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
    -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.Turns \
    "$data" "${WARM_UPS:-40}" "$epochs" "" \
    "$1@$workers" "$1@$workers/cache" "$1:global@$workers/cache" "$1:torch@$workers/cache" \
    "$1:window:$window@$workers" "$1:window:$window@$workers/cache"
}

[ $# -gt 0 ] || set -- w1 w5
for workload in "$@"; do
  "$python" "$root/benchmarks/shuffle.py" make "$data" "$workload"
  out=$data/shuffle/results-$workload.txt
  : > "$out"
  round=1
  while [ $round -le "${ROUNDS:-3}" ]; do
    order=
    for side in penstock $others; do
      if [ $((round % 2)) = 1 ]; then order="$order $side"; else order="$side $order"; fi
    done
    for side in $order; do
      status=0
      if [ "$side" = penstock ]; then
        lines=$(penstock "$workload") || status=$?
      else
        lines=$("$python" "$root/benchmarks/shuffle.py" run "$data" "$workload" "$side" "$epochs") \
          || status=$?
      fi
      case $status in
        0) echo "$lines" | sed -n "s/^| w/$round| w/p" >> "$out" ;;
        3) echo "$side is left out." >&2 ;;
        *) exit 1 ;;
      esac
    done
    round=$((round + 1))
  done
  rows=$(tr -d '\n' < "$data/manifest.json" | sed "s/.*\"$workload\": {[^}]*\"rows\": \([0-9]*\).*/\1/")
  echo "$workload, $rows rows:"
  echo
  "$python" "$root/benchmarks/shuffle.py" report "$out" "$rows"
  echo
done
