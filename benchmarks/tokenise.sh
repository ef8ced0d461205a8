#!/bin/sh
# Tokenises the same texts on two threads, in turns, each system in a process of its own, and prints
# MB of text a second, medians of the rounds. encode_batch is that of Python's tokenizers, on texts in
# memory; datasets is the map of Hugging Face's datasets with two processes; Penstock reads the file
# with two workers.
#
#   PYTHON=path/to/python benchmarks/tokenise.sh DATA_DIR [TOKENIZER,TOKENIZER...]
#
# A tokenizer is byte-bpe, byte-bpe-split, wordpiece, unigram or fallback-bpe; default the first, the
# third and the fourth.
#
# PYTHON    a Python with tokenizers, datasets, pyarrow and penstock-torch[tokens]
# TEXTS     how many are made; default 20000, 26 MB
# SYSTEMS   default "encode_batch datasets penstock-python penstock-java"; ratios are to the first
# EPOCHS    of each process, of which the first does not count; default 3
# ROUNDS    default 3
# JVM       the JVM's flags; default -Xmx512m
# BUILD     0 to use what is built already
# OUT       where the results go, one line of JSON per run; default DATA_DIR/tokenise.jsonl
set -eu

least=1
. "$(dirname -- "$0")/begin.sh"
data=$1
names=${2:-byte-bpe,wordpiece,unigram}

build outer,jar benchmarks,cli
if [ ! -f "$data/texts.parquet" ]; then
  "${PYTHON:-python3}" "$root/benchmarks/tokenise.py" make "$data" "${TEXTS:-20000}"
fi

export JAVA="$JAVA_HOME/bin/java ${JVM:--Xmx512m} --enable-native-access=ALL-UNNAMED -cp $root/benchmarks/target/benchmarks.jar:$root/cli/target/penstock.jar"
# shellcheck disable=SC2046
"${PYTHON:-python3}" "$root/benchmarks/tokenise.py" run "$data" $(echo "$names" | tr , ' ')
