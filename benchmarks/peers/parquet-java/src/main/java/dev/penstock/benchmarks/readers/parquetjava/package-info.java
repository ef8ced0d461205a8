/// parquet-java among the readers, and as the writer of the files that are read.
@NullMarked
package dev.penstock.benchmarks.readers.parquetjava;

import org.jspecify.annotations.NullMarked;
