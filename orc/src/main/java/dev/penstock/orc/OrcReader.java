package dev.penstock.orc;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ReadRequest;
import dev.penstock.spi.format.ReaderMemory;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcProto;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.orc.StripeInformation;
import org.apache.orc.TypeDescription;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.StructColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;
import org.jspecify.annotations.Nullable;

/// Decodes a run of rows of some columns: most directly from their streams, see [StoredColumn]; the
/// others are copied from batches that orc-core decodes.
///
/// A slice never crosses a stripe. Stripes outside the run are not touched.
final class OrcReader implements SliceReader {
  /* A batch or slice fails as a whole, but the rows before the faulty row must be delivered, and
   * which row is faulty must not depend on where batches start. So a failed batch is read again row
   * by row. */

  private static final int BATCH_ROWS_MAX = 4096;

  /// The most list elements decoded at once, except for a single row.
  private static final int BATCH_ELEMENTS_MAX = 1 << 24;

  private static final int ELEMENTS_MAX = 1 << 26;

  /// The most elements per byte of a stream: two bytes encode a run of 130 bytes, which are 1040
  /// null bits.
  private static final long ELEMENTS_PER_BYTE = 520;

  /// The most bytes of a batch, by the stripe's average row size; wider rows give batches of fewer
  /// rows.
  private static final long BATCH_BYTES = 4 << 20;

  /// Without configuration files: no defaults are loaded.
  private static final Configuration CONFIGURATION = new Configuration(false);

  /// The name that ORC requires for messages; our errors use the file's location.
  private static final Path NAME = new Path("orc");

  private final StorageFile file;
  private final OrcMetadata metadata;
  private final List<List<OrcColumn>> paths;
  private final VectorCopy[] copies;

  /// The decoder of each column that can be decoded without ORC, if a stripe's encoding is known.
  private final @Nullable StoredColumn[] columns;

  /// The columns that are decoded that way in this stripe; ORC decodes the others.
  private final boolean[] stored;

  private final StoredColumn.Workspace work;
  private final ReaderMemory memory;

  private final ColumnSlice[] slices;
  private @Nullable Reader reader; // made when ORC must decode something
  private final boolean[] included;
  private final long endRow;

  /// The most list elements of a stripe.
  private final long elementsMax;

  private long row; // the next row to return
  private int stripe = -1;
  private long stripeStart;
  private long stripeEnd;
  private OrcProto.@Nullable StripeFooter stripeFooter; // if it was already read
  private @Nullable RecordReader records;
  private VectorizedRowBatch batch = new VectorizedRowBatch(0, 0);
  private boolean[] batchColumns = {}; // the columns that the batch was made for
  private int batchSize; // the number of decoded rows
  private long batchStart; // the first row of the batch
  private long singleTo; // before this row, rows are decoded one at a time

  private OrcReader(
      StorageFile file,
      OrcMetadata metadata,
      List<List<OrcColumn>> paths,
      long firstRow,
      long rowCount,
      ScratchMemory source)
      throws IOException {
    this.file = file;
    this.memory = new ReaderMemory(source);
    this.metadata = metadata;
    this.paths = paths;
    this.row = firstRow;
    this.endRow = firstRow + rowCount;
    long stripeBytes =
        metadata.stripes().stream().mapToLong(OrcMetadata.Stripe::streamBytes).max().orElse(0);
    this.elementsMax = ELEMENTS_PER_BYTE * metadata.unpackedBytesMax(stripeBytes);
    this.slices = new ColumnSlice[paths.size()];
    this.copies =
        paths.stream()
            .map(path -> new VectorCopy(path.getLast(), memory))
            .toArray(VectorCopy[]::new);
    this.included = new boolean[metadata.tail().getSchema().getMaximumId() + 1];
    this.stored = new boolean[paths.size()];
    this.columns = new StoredColumn[paths.size()];
    this.work = new StoredColumn.Workspace(file, metadata, Math.max(1, paths.size()), memory);
    for (int i = 0; i < columns.length; i++) {
      if (paths.get(i).size() == 1) {
        columns[i] = StoredColumn.of(metadata, paths.get(i).getLast(), work);
      }
    }
  }

  private Reader reader() throws IOException {
    Reader made = reader;
    if (made == null) {
      made =
          OrcFile.createReader(
              NAME,
              OrcFile.readerOptions(CONFIGURATION)
                  .orcTail(metadata.tail())
                  .useUTCTimestamp(true)
                  .convertToProlepticGregorian(metadata.isConverted()));
      reader = made;
    }
    return made;
  }

  static OrcReader open(
      StorageFile file,
      OrcMetadata metadata,
      Schema wanted,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    ReadRequest.requireRows(metadata, firstRow, rowCount);
    List<List<OrcColumn>> paths = new ArrayList<>();
    for (Field field : wanted.fields()) {
      paths.add(find(file, metadata, field));
    }
    FilePlace where = new FilePlace(file.location(), "file tail");
    try {
      return new OrcReader(file, metadata, paths, firstRow, rowCount, memory);
    } catch (IOException | RuntimeException e) {
      throw StoredBytes.explained(e, where, "its tail");
    }
  }

  private static List<OrcColumn> find(StorageFile file, OrcMetadata metadata, Field wanted)
      throws IOException {
    FilePlace place = new FilePlace(file.location(), "column '" + wanted.name() + "'");
    ReadRequest.requireReadable(place, "ORC", metadata.schema(), wanted);
    return metadata.path(wanted.name());
  }

  @Override
  public int next(int maxRows) throws IOException {
    ReadRequest.requireMost(maxRows);
    if (row == endRow) {
      return 0;
    }
    if (row >= batchStart + batchSize) {
      read();
    }
    int from = (int) (row - batchStart);
    int count = (int) Math.min(Math.min(maxRows, endRow - row), batchSize - from);
    count = row < singleTo ? 1 : count;
    try {
      slices(from, count);
    } catch (IOException | IndexOutOfBoundsException | OutOfMemoryError e) {
      if (count == 1) {
        throw StoredBytes.explained(e, where(), "a row");
      }
      singleTo = row + count;
      count = 1;
      for (StoredColumn column : columns) {
        if (column != null) {
          column.lose();
        }
      }
      try {
        slices(from, 1);
      } catch (IOException | IndexOutOfBoundsException | OutOfMemoryError again) {
        throw StoredBytes.explained(again, where(), "a row");
      }
    }
    row += count;
    return count;
  }

  private void slices(int from, int count) throws IOException {
    for (int i = 0; i < slices.length; i++) {
      StoredColumn column = stored[i] ? columns[i] : null;
      slices[i] = column == null ? slice(i, from, count) : column.slice(row - stripeStart, count);
    }
  }

  private ColumnSlice slice(int index, int from, int count) throws IOException {
    List<OrcColumn> path = paths.get(index);
    boolean isRoot = metadata.tail().getSchema().getCategory() != TypeDescription.Category.STRUCT;
    ColumnVector vector = batch.cols[isRoot ? 0 : path.getFirst().index()];
    boolean absent = false;
    for (OrcColumn part : path.subList(1, path.size())) {
      absent |= VectorCopy.isAllNull(vector);
      vector = ((StructColumnVector) vector).fields[part.index()];
    }
    String label = path.stream().map(part -> part.field().name()).collect(Collectors.joining("."));
    FilePlace where = where().and("column '" + label + "'");
    try {
      return copies[index].copy(vector, from, count, absent, where);
    } catch (IndexOutOfBoundsException | NullPointerException | ClassCastException e) {
      // Not out-of-memory errors, which are not the file's fault.
      throw StoredBytes.corrupt(where, "a value", e);
    }
  }

  private FilePlace where() {
    return new FilePlace(file.location(), "stripe " + stripe).and("row " + row);
  }

  /// Decodes the batch that starts with the next row.
  private void read() throws IOException {
    int rows = row >= singleTo ? batchRows() : 1;
    try {
      decode(rows);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      closeRecords();
      dropBatch(); // It may be what used up the memory.
      if (rows == 1) {
        throw StoredBytes.explained(e, where(), "a row");
      }
      singleTo = Math.min(row + rows, stripeEnd);
      try {
        decode(1);
      } catch (IOException | RuntimeException | OutOfMemoryError again) {
        dropBatch();
        throw StoredBytes.explained(again, where(), "a row");
      }
    }
  }

  private void dropBatch() {
    batch = new VectorizedRowBatch(0, 0);
    batchSize = 0;
  }

  private int batchRows() {
    openStripe();
    RowGroup group = metadata.rowGroups().get(stripe);
    long rowBytes = Math.max(1, group.bytes() / Math.max(1, group.rowCount()));
    int most = included[0] ? BATCH_ROWS_MAX : StoredColumn.ROWS_MAX;
    return Math.clamp(BATCH_BYTES / rowBytes, 2, most);
  }

  /// Finds the stripe of the next row.
  private void openStripe() {
    while (row >= stripeEnd) {
      stripe++;
      stripeStart = stripeEnd;
      stripeEnd += metadata.rowGroups().get(stripe).rowCount();
      closeRecords();
      if (row < stripeEnd) {
        include();
      }
    }
  }

  /// Chooses the columns of the stripe that ORC decodes.
  private void include() {
    Arrays.fill(stored, false);
    stripeFooter = null;
    if (Arrays.stream(columns).anyMatch(Objects::nonNull)) {
      boolean[] wanted = StreamRanges.included(metadata, paths);
      boolean isWithIndex = row != stripeStart;
      try (StoredBytes bytes = new StoredBytes(file, metadata, stripe, wanted, isWithIndex, null)) {
        OrcProto.StripeFooter footer = bytes.expected(bytes.footer());
        StripeStreams streams = new StripeStreams(file, metadata, stripe, footer);
        for (int i = 0; i < columns.length; i++) {
          StoredColumn column = columns[i];
          stored[i] = column != null && column.open(streams);
        }
        stripeFooter = footer;
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        Arrays.fill(stored, false); // ORC reports the problem when it reads the footer.
      }
    }
    Arrays.fill(included, false);
    for (int i = 0; i < stored.length; i++) {
      if (!stored[i]) {
        List<OrcColumn> path = paths.get(i);
        included[0] = true;
        path.forEach(column -> included[column.id()] = true);
        Arrays.fill(included, path.getLast().id(), path.getLast().lastId() + 1, true);
      }
    }
    // Without columns there are still rows, which ORC counts.
    included[0] |= stored.length == 0;
  }

  private void decode(int rows) throws IOException {
    openStripe();
    batchSize = 0;
    if (!included[0]) {
      batchStart = row;
      batchSize = (int) Math.min(rows, stripeEnd - row);
      return;
    }
    if (batch.getMaxSize() != rows || !Arrays.equals(batchColumns, included)) {
      batch = batch(rows);
      batchColumns = included.clone();
    }
    batch.size = 0;
    if (records == null) {
      Reader orc = reader();
      StripeInformation place = orc.getStripes().get(stripe);
      records =
          orc.rows(
              orc.options()
                  .include(included)
                  .range(place.getOffset(), 1)
                  .dataReader(
                      new StoredBytes(
                          file, metadata, stripe, included, row != stripeStart, stripeFooter)));
      if (row != stripeStart) {
        records.seekToRow(row);
      }
    }
    long start = records.getRowNumber();
    if (start != row || !records.nextBatch(batch) || batch.size < 1) {
      throw new IOException("row " + row + " was expected but " + start + " is the next");
    }
    batchStart = row;
    batchSize = batch.size;
  }

  /// Makes a batch in which only the columns to read take memory.
  private VectorizedRowBatch batch(int rows) {
    TypeDescription root = metadata.tail().getSchema();
    boolean isStruct = root.getCategory() == TypeDescription.Category.STRUCT;
    List<TypeDescription> types = isStruct ? root.getChildren() : List.of(root);
    VectorizedRowBatch made = new VectorizedRowBatch(types.size(), rows);
    ColumnVector unused = new LongColumnVector(1);
    long elements = Math.min(elementsMax, rows == 1 ? ELEMENTS_MAX : BATCH_ELEMENTS_MAX);
    BoundedVectors vectors = new BoundedVectors((int) Math.max(rows, elements));
    for (int i = 0; i < types.size(); i++) {
      TypeDescription type = types.get(i);
      made.cols[i] = included[type.getId()] ? vectors.create(type, rows) : unused;
    }
    return made;
  }

  @Override
  public void skip(long rows) throws IOException {
    ReadRequest.requireLeft(rows, endRow - row);
    long target = row + rows;
    long decoded = batchStart + batchSize;
    if (target <= decoded) {
      row = target;
      return;
    }
    row = target;
    batchSize = 0;
    batchStart = target;
    if (records == null || target >= stripeEnd || target == endRow) {
      closeRecords();
      return;
    }
    try {
      records.seekToRow(target);
    } catch (IOException | RuntimeException e) {
      closeRecords(); // The problem is reported when the row is decoded.
    }
  }

  @Override
  public ColumnSlice column(int index) {
    return ReadRequest.given(slices[index]);
  }

  private void closeRecords() {
    if (records != null) {
      try {
        records.close();
      } catch (IOException e) {
        // There is no file to close; this only returns a codec.
      }
      records = null;
    }
  }

  @Override
  public void close() {
    closeRecords();
    memory.close();
    Chunks chunks = work.chunks;
    if (chunks != null) {
      chunks.release();
    }
  }
}
