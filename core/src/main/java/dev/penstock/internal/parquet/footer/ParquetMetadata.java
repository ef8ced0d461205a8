package dev.penstock.internal.parquet.footer;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The footer of a Parquet file, whose column chunks are decoded when they are asked for, because
/// loaders keep it for thousands of files.
///
/// @param stored the schema, which many files share
/// @param isOwner whether the schema was made for this file, so that it counts here
/// @param chunks the bytes of the row groups
/// @param footerStart where the footer starts, the latest possible end of all pages
/// @param footerStatistics the statistics of the values, by row group, then by leaf
public record ParquetMetadata(
    StoredSchema stored,
    boolean isOwner,
    List<RowGroup> rowGroups,
    StoredChunks chunks,
    long footerStart,
    FooterStatistics footerStatistics)
    implements FileMetadata {
  private static final long FILE_BYTES = 500;
  private static final long GROUP_BYTES = 40;

  @Override
  public Schema schema() {
    return stored.schema();
  }

  /// Returns how the top-level columns are stored, in the schema's order.
  public List<Column> columns() {
    return stored.columns();
  }

  /// Returns where the bytes of a leaf are in a row group.
  public Chunk chunk(int rowGroup, int leaf) {
    return chunks.chunk(rowGroup, leaf);
  }

  /// Returns whether any chunk cannot be read, see [Chunk#refusal].
  public boolean isAnyRefused() {
    return chunks.isRefused;
  }

  /// Returns the latest possible end of a chunk's pages: the start of the next chunk or of the
  /// footer. parquet-mr before 1.2.9 stated too few bytes (PARQUET-246).
  public long latestEnd(Chunk chunk) {
    return Math.min(chunks.nextOffset(chunk.offset()), footerStart);
  }

  @Override
  public ColumnStatistics statistics(int rowGroup, String column) {
    Objects.checkIndex(rowGroup, rowGroups.size());
    return footerStatistics.statistics(rowGroup, leaf(column));
  }

  @Override
  public long heapBytes() {
    return FILE_BYTES
        + (isOwner ? stored.heapBytes() : 0)
        + GROUP_BYTES * rowGroups.size()
        + chunks.heapBytes();
  }

  @Override
  public List<FieldId> fieldIds() {
    return columns().stream().map(Column::fieldId).toList();
  }

  /// Returns the place of the chunks of a leaf in a row group, or -1 if there is no such leaf. The
  /// column is a column or a part of a struct, as [Schema#find] takes it; else the path of a leaf
  /// in lists or maps, with all names as in the file.
  public int leaf(String column) {
    Optional<Column> found = find(column);
    return found.isEmpty()
        ? footerStatistics.findInLists(column)
        : found.get().children().isEmpty() ? found.get().leaf() : -1;
  }

  @Override
  public OptionalLong valueCount(int rowGroup, String column) {
    Column found = find(column).orElse(null);
    long sum = found == null ? -1 : 0;
    for (Column leaf : found == null ? List.<Column>of() : found.leaves()) {
      long values = chunk(rowGroup, leaf.leaf()).values();
      sum = sum < 0 || values < 0 || values > Long.MAX_VALUE - sum ? -1 : sum + values;
    }
    return sum < 0 ? OptionalLong.empty() : OptionalLong.of(sum); // none if the counts are nonsense
  }

  @Override
  public OptionalLong decodingWork(int rowGroup, String column) {
    Column found = find(column).orElse(null);
    if (found == null) {
      return OptionalLong.empty();
    }
    double work = 0;
    for (Column leaf : found.leaves()) {
      work += work(rowGroup, leaf);
    }
    return OptionalLong.of((long) work);
  }

  private double work(int rowGroup, Column leaf) {
    boolean isFull =
        leaf.definition() == 0
            || (leaf.repetition() == 0
                && footerStatistics.stated(rowGroup, leaf.leaf()).nulls() == 0);
    return chunk(rowGroup, leaf.leaf()).work(!isFull);
  }

  /// Looks up a column, or a part of a struct, as [Schema#find] does.
  public Optional<Column> find(String name) {
    Column found = null;
    for (int index : schema().path(name)) {
      found = (found == null ? columns() : found.children()).get(index);
    }
    return Optional.ofNullable(found);
  }

  /// How a column, or a part of one, is stored: a tree whose leaves have values.
  ///
  /// @param field name and type; its nullability does not include that of columns around it
  /// @param leaf the place of its chunks in a row group, or -1 if it has parts or cannot be read
  /// @param form how its values lie in pages; null if it has parts or cannot be read
  /// @param definition the lowest definition level at which it is not null; the elements of a list
  ///   or map exist from the next level on
  /// @param repetition how many lists and maps it is in
  /// @param children the fields of a struct, the element of a list, the entry of a map
  public record Column(
      Field field,
      OptionalInt id,
      int leaf,
      @Nullable PlainForm form,
      int definition,
      int repetition,
      List<Column> children) {
    FieldId fieldId() {
      // Key and value of a map are in a struct, which callers do not see as a part.
      List<Column> parts =
          field.type() instanceof DataType.Map ? children.getFirst().children() : children;
      return new FieldId(id, parts.stream().map(Column::fieldId).toList());
    }

    /// Returns whether it has parts that are there once in each row: it is a struct, or variants
    /// that are stored as one.
    public boolean isStruct() {
      return field.type() instanceof DataType.Struct || field.type() instanceof DataType.Variant;
    }

    /// Returns the leaves below it that can be read, or itself, in the order of their chunks.
    public List<Column> leaves() {
      if (children.isEmpty()) {
        return leaf < 0 ? List.of() : List.of(this);
      }
      List<Column> leaves = new ArrayList<>();
      for (Column child : children) {
        leaves.addAll(child.leaves());
      }
      return leaves;
    }
  }

  /// Where the values of one column in one row group are.
  ///
  /// @param offset the first page, in bytes from the start of the file
  /// @param bytes the size of all pages with their headers, compressed
  /// @param uncompressedBytes the same, decompressed, as stated in the file
  /// @param values how many values it has, including nulls and one for each list that is null or
  ///   empty
  /// @param codedPages how many data pages there are, if the file states that all values are in the
  ///   dictionary; else 0
  /// @param refusal why it cannot be read, as a sentence; null if it can
  public record Chunk(
      long offset,
      long bytes,
      long uncompressedBytes,
      long values,
      Codec codec,
      long codedPages,
      @Nullable String refusal) {
    public boolean coded() {
      return codedPages > 0;
    }

    /// A value is as much work as this many bytes of a thorough codec.
    private static final double VALUE_WORK = 2;

    private static final double NULLS_WORK = 1.5; // the factor if there are nulls

    /// How many times faster codecs are that only look for repeated bytes.
    private static final double FAST_CODEC = 4;

    /// Returns the chunk's part of [FileMetadata#decodingWork]. The figures are from
    /// docs/design/speed-log.md.
    double work(boolean hasNulls) {
      double bytes = Math.max(0, uncompressedBytes);
      double each = hasNulls ? VALUE_WORK + NULLS_WORK : VALUE_WORK;
      return each * Math.max(0, values) + (codec.thorough() ? bytes : bytes / FAST_CODEC);
    }
  }
}
