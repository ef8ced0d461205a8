package dev.penstock.internal.parquet;

import dev.penstock.format.FileMetadata;
import dev.penstock.format.RowGroup;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The footer of a Parquet file, as small as it can be: loaders keep it for thousands of files.
///
/// @param schema the top-level columns
/// @param columns how each of them is stored, in the schema's order
/// @param rowGroups the row groups with rows and bytes
/// @param chunks by row group, then by leaf column: where the bytes are
record ParquetMetadata(
    Schema schema, List<Column> columns, List<RowGroup> rowGroups, List<List<Chunk>> chunks)
    implements FileMetadata {

  /// How a top-level column is stored.
  ///
  /// @param field name and type
  /// @param leaf the place of its chunks in a row group, or -1 when it cannot be read
  /// @param form how its values lie in pages; null when it cannot be read
  record Column(Field field, int leaf, @Nullable PlainForm form) {}

  /// Where the values of one column in one row group are.
  ///
  /// @param offset the first page, in bytes from the start of the file
  /// @param bytes the size of all pages with their headers, compressed
  /// @param uncompressedBytes the same, decompressed, as the file states it
  /// @param codec the compression
  /// @param refusal why it cannot be read, as a sentence; null when it can
  record Chunk(
      long offset, long bytes, long uncompressedBytes, Codec codec, @Nullable String refusal) {}
}
