package dev.penstock.internal.parquet;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.internal.parquet.footer.PlainForm;
import dev.penstock.internal.parquet.footer.Where;
import dev.penstock.internal.parquet.page.PageFile;
import dev.penstock.internal.parquet.page.PageReader;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decodes a run of rows of some columns, slice by slice.
///
/// A slice never crosses a row group. Row groups outside the run are not touched.
final class ParquetReader implements SliceReader {
  /// All columns together read about this much at a time, so that bytes are still in the cache when
  /// they are decoded; each column reads at least the number below.
  private static final long READ_BYTES_TOTAL = 1 << 20;

  private static final long READ_BYTES_MIN = 32 << 10;

  /// In chunks of up to this many bytes, pages are found through the headers of the pages before
  /// them.
  static final long JUMP_BYTES_MIN = 64 << 10;

  private final ParquetMetadata metadata;
  private final StorageFile file;
  private final PageFile pageFile;
  private final int leafCount;
  private final List<Leaf> leaves;
  private final List<Source> sources;
  private final ColumnSlice[] slices;

  private int rowGroup = -1;
  private long groupRowsLeft;
  private long skipRows;
  private long rowsLeft;

  /// A leaf that is read. The label is the requested column, and the path from there.
  private record Leaf(Column column, String label, ColumnReader reader) {}

  private interface Source {
    ColumnSlice slice(int count) throws MalformedFileException;
  }

  ParquetReader(
      StorageFile file,
      ParquetMetadata metadata,
      Schema wanted,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    ReadRequest.requireRows(metadata, firstRow, rowCount);
    List<Column> columns = new ArrayList<>();
    for (Field field : wanted.fields()) {
      FilePlace place = new FilePlace(file.location(), "footer, column '" + field.name() + "'");
      ReadRequest.requireReadable(place, "Parquet", metadata.schema(), field);
      columns.add(metadata.find(field.name()).orElseThrow());
    }
    this.file = file;
    this.metadata = metadata;
    this.pageFile = new PageFile(file, metadata, memory);
    this.leafCount = columns.stream().mapToInt(column -> column.leaves().size()).sum();
    this.skipRows = firstRow;
    this.rowsLeft = rowCount;
    this.slices = new ColumnSlice[columns.size()];
    this.leaves = new ArrayList<>();
    this.sources = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      int first = leaves.size();
      addLeaves(column, List.of(), wanted.fields().get(i).name());
      if (column.children().isEmpty()) {
        sources.add(leaves.getLast().reader::slice);
      } else {
        List<ColumnReader> readers =
            leaves.subList(first, leaves.size()).stream().map(Leaf::reader).toList();
        sources.add(new NestedColumn(column, readers, pageFile.memory)::slice);
      }
    }
    checkReadable(firstRow, rowCount);
  }

  /// Rejects unsupported codecs and encryption before anything is read.
  private void checkReadable(long firstRow, long rowCount) throws MalformedFileException {
    long groupStart = 0;
    int groups = metadata.isAnyRefused() ? metadata.rowGroups().size() : 0;
    for (int group = 0; group < groups; group++) {
      long groupEnd = groupStart + metadata.rowGroups().get(group).rowCount();
      if (groupStart < firstRow + rowCount && groupEnd > firstRow) {
        for (Leaf leaf : leaves) {
          Chunk chunk = metadata.chunk(group, leaf.column.leaf());
          if (chunk.refusal() != null) {
            throw where(group, leaf.label).fail(-1, chunk.refusal());
          }
        }
      }
      groupStart = groupEnd;
    }
  }

  private Where where(int group, String label) {
    return new Where(file.location(), group, label);
  }

  /// Adds the leaves of a column, or of a part of it; `above` is the requested column and the
  /// columns between it and the part.
  private void addLeaves(Column part, List<Column> above, String label) {
    if (part.children().isEmpty()) {
      leaves.add(new Leaf(part, label, reader(part, above, label)));
      return;
    }
    List<Column> path = new ArrayList<>(above);
    path.add(part);
    for (Column child : part.children()) {
      addLeaves(child, path, part.isStruct() ? label + "." + child.field().name() : label);
    }
  }

  private ColumnReader reader(Column leaf, List<Column> above, String label) {
    DataType type = leaf.field().type();
    long readBytes = Math.max(READ_BYTES_TOTAL / leafCount, READ_BYTES_MIN);
    PageReader pages = new PageReader(pageFile, leaf.repetition(), leaf.definition(), readBytes);
    boolean flat = above.isEmpty() && leaf.definition() <= 1;
    boolean optional = leaf.definition() > 0;
    ScratchMemory memory = pageFile.memory;
    Levels nested = flat ? null : new Levels(leaf, above, type.byteWidth(), leafCount, memory);
    ColumnReader.Parts parts =
        new ColumnReader.Parts(type, optional, nested, pages, memory, where(0, label));
    return switch (leaf.form()) {
      case PlainForm.Bits _ -> new BoolColumnReader(parts);
      case PlainForm.Sized _ -> new VariableColumnReader(parts);
      case PlainForm form -> new FixedColumnReader(parts, form);
      case null -> throw new IllegalArgumentException("Cannot read " + type);
    };
  }

  @Override
  public int next(int maxRows) throws IOException {
    ReadRequest.requireMost(maxRows);
    if (rowsLeft == 0) {
      return 0;
    }
    while (groupRowsLeft == 0) {
      openRowGroup();
    }
    int most = (int) Math.min(maxRows, Math.min(rowsLeft, groupRowsLeft));
    int want = leaves.isEmpty() ? most : leaves.getFirst().reader.toPageEnd(most);
    int count = want;
    for (Leaf leaf : leaves) {
      if (leaf.reader.available() == 0) {
        leaf.reader.decode(want);
      }
      count = Math.min(count, leaf.reader.available());
    }
    for (int i = 0; i < slices.length; i++) {
      slices[i] = sources.get(i).slice(count);
    }
    rowsLeft -= count;
    groupRowsLeft -= count;
    return count;
  }

  @Override
  public void skip(long rows) throws IOException {
    ReadRequest.requireLeft(rows, rowsLeft);
    long here = Math.min(rows, groupRowsLeft);
    if (here < groupRowsLeft) {
      for (Leaf leaf : leaves) {
        leaf.reader.skip(here);
      }
    }
    groupRowsLeft -= here;
    skipRows += rows - here;
    rowsLeft -= rows;
  }

  private void openRowGroup() throws IOException {
    rowGroup++;
    long rows = metadata.rowGroups().get(rowGroup).rowCount();
    long skip = Math.min(skipRows, rows);
    skipRows -= skip;
    groupRowsLeft = rows - skip;
    if (groupRowsLeft == 0) {
      return;
    }
    long end = Math.min(rows, skip + rowsLeft);
    List<Chunk> chunks = new ArrayList<>();
    List<@Nullable OffsetIndex> places = new ArrayList<>();
    List<ByteRange> ranges = new ArrayList<>();
    for (Leaf leaf : leaves) {
      Chunk chunk = metadata.chunk(rowGroup, leaf.column.leaf());
      chunks.add(chunk);
      boolean far = skip > 0 && chunk.bytes() > JUMP_BYTES_MIN;
      OffsetIndex known = far ? places(leaf) : null;
      places.add(known);
      if (known != null) {
        ReadRanges.addPages(chunk, known, skip, end, ranges);
        lastPage(leaf).addRange(known, ranges);
      }
    }
    AheadFile.expect(file, ranges);
    pageFile.open(skip == 0 ? chunks : List.of());
    for (int i = 0; i < leaves.size(); i++) {
      Leaf leaf = leaves.get(i);
      OffsetIndex known = places.get(i);
      boolean isRight =
          known != null && lastPage(leaf).contradiction(known, pageFile.memory) == null;
      OffsetIndex right = isRight ? known : null;
      leaf.reader.open(where(rowGroup, leaf.label), chunks.get(i), rows, skip, end, right);
    }
  }

  private LastPage lastPage(Leaf leaf) {
    Column column = leaf.column;
    return new LastPage(file, metadata, rowGroup, column.leaf(), column.repetition());
  }

  /// Returns where the pages of a leaf are; null if the file does not state it or the index is
  /// damaged: pages can be found without it.
  private @Nullable OffsetIndex places(Leaf leaf) throws IOException {
    try {
      return PageIndexReader.places(file, metadata, rowGroup, leaf.column.leaf());
    } catch (MalformedFileException e) {
      return null;
    }
  }

  @Override
  public ColumnSlice column(int index) {
    return ReadRequest.given(slices[index]);
  }

  @Override
  public void close() {
    pageFile.close();
  }
}
