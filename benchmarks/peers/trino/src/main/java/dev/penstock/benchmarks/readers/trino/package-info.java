/// Trino's Parquet reader among the readers.
@NullMarked
package dev.penstock.benchmarks.readers.trino;

import org.jspecify.annotations.NullMarked;
