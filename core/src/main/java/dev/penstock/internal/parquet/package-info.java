/// The Parquet decoder: pages to columns in Arrow's layout.
///
/// Open [ParquetFormat] first.
@NullMarked
package dev.penstock.internal.parquet;

import org.jspecify.annotations.NullMarked;
