/// Parquet files of columns, written by parquet-java.
///
/// Open [dev.penstock.score.parquet.PartFile] first. Only this package knows parquet-java.
@NullMarked
package dev.penstock.score.parquet;

import org.jspecify.annotations.NullMarked;
