#!/bin/sh
# Shuffles all rows of a table that is four times as large as the memory: that of a control group,
# with the page cache in it. Prints seconds, seconds to the first batch, million rows and megabytes of
# decoded rows a second, and the sum of a column, which all lines must share; beside them the disk's
# sequential rate, cold.
#
#   benchmarks/shuffle-disk.sh DATA_DIR
#
# DATA_DIR is that of run.sh. Copies of w1 are made there first, 2.1 GB; the caches take 4 GB while it
# runs. Needs the right to make a control group (root) and to drop the page cache.
#
# LIMIT     the memory of the group in MiB; default 512
# MEMORY    the memory of the loader; default 128MiB
# WORKERS   its workers; default 2
# EPOCHS    the epochs of each way; default 2
# SHUFFLES  the ways; default "none global global:1"
# JVM       the JVM's flags; default -Xmx128m
# BUILD     0 to use what is built already
set -eu

if [ $# -ne 1 ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi

least=0
. "$(dirname -- "$0")/begin.sh"
data=$(CDPATH='' cd -- "$1" && pwd)
limit=${LIMIT:-512}

build outer benchmarks

files=$data/shuffle-disk/files
cache=$data/shuffle-disk/cache
mkdir -p "$files"
copies=$((limit / 64))
copy=1
while [ $copy -le $copies ]; do
  for part in "$data"/w1/*.parquet; do
    target=$files/$copy-$(basename "$part")
    [ -e "$target" ] || cp "$part" "$target"
  done
  copy=$((copy + 1))
done

if [ -d /sys/fs/cgroup/memory ]; then
  group=/sys/fs/cgroup/memory/penstock-$$
  mkdir "$group"
  echo $((limit << 20)) > "$group/memory.limit_in_bytes"
else
  group=/sys/fs/cgroup/penstock-$$
  mkdir "$group"
  echo $((limit << 20)) > "$group/memory.max"
fi
trap 'rmdir "$group"; rm -rf "$cache"' EXIT

sync
echo 3 > /proc/sys/vm/drop_caches
cat "$files"/*.parquet | dd of=/dev/null bs=1M 2>&1 | tail -n 1

echo "| way | s | first batch, s | M rows/s | MB/s | sum |"
echo "|---|---|---|---|---|---|"
for shuffle in ${SHUFFLES:-none global global:1}; do
  for kept in - "$cache"; do
    case $shuffle$kept in
      global*-) continue ;;
    esac
    sync
    echo 3 > /proc/sys/vm/drop_caches
    # The shell enters the group and becomes the JVM.
    sh -c 'echo $$ > "$0/cgroup.procs" && exec "$@"' "$group" \
      "$JAVA_HOME/bin/java" ${JVM:--Xmx128m} --enable-native-access=ALL-UNNAMED \
      -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
      -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.ShuffleDisk \
      "$files" "$kept" "${MEMORY:-128MiB}" "${WORKERS:-2}" "${EPOCHS:-2}" "$shuffle"
  done
done
