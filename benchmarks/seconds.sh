#!/bin/sh
# Counts the rows that fresh processes have delivered 1, 2, 4 and 8 seconds after their start, imports
# included: Penstock in Java, plainly and as docs/how-to/start-faster.md says; Penstock in Python,
# without its start-up cache and with it; and torch's DataLoader over pyarrow. Before them stand the
# seconds until the loader was made, and until the first batch came.
#
#   PYTHON=.../venv/bin/python benchmarks/seconds.sh DATA_DIR [WORKLOAD...]
#
# DATA_DIR is that of run.sh; workloads are of w1, w2n and w3, default all.
#
# PYTHON    a Python with penstock-torch, torch, numpy and pyarrow; default that of python/test
# PEERS     the folder of the peers' side; default ../shared/bench
# SYSTEMS   default "java java-cached python python-cached torchdl"
# ROUNDS    how often everything is run, in turns; default 3
# AT        default "1 2 4 8"
# BUILD     0 to use what is built already
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
data=$1
shift
[ $# -gt 0 ] || set -- w1 w2n w3
python=${PYTHON:-$root/python/build-work/test/bin/python}
export PEERS="${PEERS:-$root/../shared/bench}"
seconds=${AT:-1 2 4 8}

build outer benchmarks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

java() {
  workload=$1
  shift
  # shellcheck disable=SC2086
  "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED "$@" \
    -cp "$root/benchmarks/target/benchmarks.jar" dev.penstock.benchmarks.FirstSeconds \
    "$workload" "$data" 2 "$(date +%s.%N)" $seconds
}

python() { # its cache
  # shellcheck disable=SC2086
  PENSTOCK_CACHE=$1 "$python" "$root/benchmarks/seconds.py" "$2" "$3" "$data" "$(date +%s.%N)" $seconds
}

run() {
  case $1 in
    java) java "$2" ;;
    java-cached)
      [ -f "$work/$2.aot" ] || java "$2" -XX:AOTCacheOutput="$work/$2.aot" >/dev/null 2>&1
      java "$2" -XX:AOTCache="$work/$2.aot" -XX:InlineSmallCode=1200
      ;;
    python) python off penstock "$2" ;;
    python-cached)
      while ! ls "$work"/penstock-torch/*.aot >/dev/null 2>&1; do
        python "$work" penstock "$2" >/dev/null
      done
      python "$work" penstock "$2"
      ;;
    torchdl) python off torchdl "$2" ;;
  esac
}

for round in $(seq "${ROUNDS:-3}"); do
  for workload; do
    for system in ${SYSTEMS:-java java-cached python python-cached torchdl}; do
      echo "| $round | $workload | $system$(run "$system" "$workload")"
    done
  done
done | sort -t '|' -k 3,4 -k 2,2 | {
  echo "| round | workload | system | loader | first batch |$(printf ' %s s |' $seconds)"
  cat
}
