/// The Parquet decoder: pages to columns in Arrow's layout.
///
/// Start with [ParquetFormat]. It leads to the reader of rows ([ParquetReader], with a
/// [ColumnReader] for each leaf) and to the filters that rule out rows before they are read:
/// [PageIndexReader], [SplitBlockFilter], [DictionaryFilter].
///
/// Package `footer` reads a file's metadata, `page` its pages.
@NullMarked
package dev.penstock.internal.parquet;

import org.jspecify.annotations.NullMarked;
