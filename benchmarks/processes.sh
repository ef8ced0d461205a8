#!/bin/sh
# Runs a workload in many processes, one after the other, and prints how far the slowest is from the
# median: in milliseconds of an epoch, and in its processor time. A process with slow code has more of
# both; one that waited for other programs, only of the first.
#
#   benchmarks/processes.sh DATA_DIR [WORKLOAD...]
#
# DATA_DIR is that of run.sh; workloads are w1 and w2n by default, which take turns.
#
# PROCESSES  of each workload; default 100, which take an hour
# WORKERS    default 2
# WARM_UPS, EPOCHS  those that do not count, and those that do; default as for run.sh
# JVM        the JVM's flags; default -Xmx512m
# BUILD      0 to use what is built already
# OUT        where the results go, one line of JSON per process; default DATA_DIR/processes.jsonl
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
data=$1
out=${OUT:-$data/processes.jsonl}
shift
[ $# -gt 0 ] || set -- w1 w2n

build outer benchmarks

for _ in $(seq "${PROCESSES:-100}"); do
  for workload; do
    # shellcheck disable=SC2086
    "$JAVA_HOME/bin/java" ${JVM:--Xmx512m} --enable-native-access=ALL-UNNAMED \
      -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.LoaderRun \
      "$workload" "$data" "${WORKERS:-2}" ${WARM_UPS:-} ${EPOCHS:-}
  done
done >"$out"

echo "| | processes | ms, median | slowest | processor ms, median | most |"
echo "|---|---|---|---|---|---|"
for workload; do
  printf '| %s | %s |' "$workload" "$(grep -c "\"workload\": \"$workload\"" "$out")"
  for time in seconds cpu_s; do
    sed -n "s/.*\"workload\": \"$workload\".*\"$time\": \([0-9.]*\).*/\1/p" "$out" | sort -n | awk '
      { ms[NR] = 1000 * $1 }
      END { printf " %.1f | %.1f (%.2f) |", ms[int((NR + 1) / 2)], ms[NR], ms[NR] / ms[int((NR + 1) / 2)] }'
  done
  echo
done
