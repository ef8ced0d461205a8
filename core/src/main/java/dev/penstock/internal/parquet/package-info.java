/// The Parquet decoder: pages to columns in Arrow's layout.
///
/// Open [ParquetFormat] first: it leads to the reader of rows ([ParquetReader], a [ColumnReader]
/// for each leaf) and to what rules out rows before they are read: [PageIndexReader],
/// [SplitBlockFilter], [DictionaryFilter].
///
/// What a file says of itself is in `footer`, and its pages come out of `page`.
@NullMarked
package dev.penstock.internal.parquet;

import org.jspecify.annotations.NullMarked;
