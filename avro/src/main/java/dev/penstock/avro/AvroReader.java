package dev.penstock.avro;

import dev.penstock.format.LibraryException;
import dev.penstock.format.MalformedFileException;
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
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Decodes a run of rows of some columns, row by row into columns; other columns are skipped.
///
/// One block is held decompressed. Blocks outside the run are not touched.
final class AvroReader implements SliceReader {
  /// A slice ends after the row that makes it larger than this.
  private static final long SLICE_BYTES = 16 << 20;

  private final StorageFile file;
  private final AvroMetadata metadata;
  private final ReaderMemory memory;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Skip> skips;
  private final List<List<Node>> nodesByField = new ArrayList<>();
  private final long endRow;
  private final Input input = new Input();
  private final CountedBytes stored;
  private final CountedBytes contents;

  private long row;
  private int block = -1;
  private long inputRow; // the row at the input's position
  private boolean given;

  private AvroReader(
      StorageFile file,
      AvroMetadata metadata,
      List<List<Integer>> paths,
      long firstRow,
      long rowCount,
      int blockBytes,
      ScratchMemory source) {
    this.file = file;
    this.metadata = metadata;
    this.memory = new ReaderMemory(source);
    this.stored = new CountedBytes(memory, blockBytes);
    this.contents = new CountedBytes(memory, blockBytes);
    this.row = firstRow;
    this.endRow = firstRow + rowCount;
    List<org.apache.avro.Schema.Field> fields = metadata.avro().getFields();
    this.skips = fields.stream().map(field -> Skip.of(field.schema())).toList();
    fields.forEach(_ -> nodesByField.add(new ArrayList<>()));
    for (List<Integer> path : paths) {
      int top = path.getFirst();
      Node node = Nodes.part(fields.get(top).schema(), path.subList(1, path.size()), memory);
      nodes.add(node);
      nodesByField.get(top).add(node);
    }
  }

  static AvroReader open(
      StorageFile file,
      AvroMetadata metadata,
      Schema wanted,
      long firstRow,
      long rowCount,
      int blockBytes,
      ScratchMemory memory)
      throws IOException {
    ReadRequest.requireRows(metadata, firstRow, rowCount);
    List<List<Integer>> paths = new ArrayList<>();
    for (Field field : wanted.fields()) {
      FilePlace place = new FilePlace(file.location(), "column '" + field.name() + "'");
      ReadRequest.requireReadable(place, "Avro", metadata.schema(), field);
      paths.add(metadata.schema().path(field.name()));
    }
    return new AvroReader(file, metadata, paths, firstRow, rowCount, blockBytes, memory);
  }

  @Override
  public int next(int maxRows) throws IOException {
    ReadRequest.requireMost(maxRows);
    nodes.forEach(Node::clear);
    int count = 0;
    long bytes = 0;
    while (count < maxRows && row < endRow && bytes < SLICE_BYTES) {
      open();
      int start = input.at;
      try {
        readRow();
      } catch (CorruptException | IndexOutOfBoundsException e) {
        throw corrupt(e);
      }
      bytes += input.at - start;
      row++;
      count++;
      checkEnd();
    }
    given = true;
    return count;
  }

  private void readRow() {
    for (int field = 0; field < skips.size(); field++) {
      List<Node> wanted = nodesByField.get(field);
      if (wanted.isEmpty()) {
        skips.get(field).skip(input, 0);
        continue;
      }
      int start = input.at;
      for (int i = 0; i < wanted.size(); i++) {
        input.at = start;
        wanted.get(i).read(input);
      }
    }
    inputRow++;
  }

  private void skipRow() {
    for (int field = 0; field < skips.size(); field++) {
      skips.get(field).skip(input, 0);
    }
    inputRow++;
  }

  /// Checks that nothing follows the last row of a block.
  private void checkEnd() throws MalformedFileException {
    if (inputRow == metadata.firstRows()[block + 1] && input.left() > 0) {
      throw where()
          .fail(
              metadata.offsets()[block],
              "Corrupt Avro block: " + input.left() + " bytes are left behind its last row.");
    }
  }

  /// Moves the input to the next row.
  private void open() throws IOException {
    if (block < 0 || row >= metadata.firstRows()[block + 1] || row < inputRow) {
      int found = Arrays.binarySearch(metadata.firstRows(), row);
      int next = found >= 0 ? found : -found - 2;
      while (metadata.firstRows()[next + 1] == row) {
        next++; // blocks without rows
      }
      block = next;
      inputRow = metadata.firstRows()[block];
      read();
    }
    try {
      while (inputRow < row) {
        skipRow();
      }
    } catch (CorruptException | IndexOutOfBoundsException e) {
      throw corrupt(e);
    }
  }

  private void read() throws IOException {
    long offset = metadata.offsets()[block];
    input.reset(new byte[0], 0);
    try {
      byte[] packed = stored(offset, metadata.sizes()[block]);
      decompress(packed, metadata.sizes()[block], offset);
    } catch (CountedBytes.TooLongException e) {
      throw where().fail(offset, HeaderReader.tooLong("block", e), e);
    }
  }

  private byte[] stored(long offset, int size) throws IOException {
    byte[] packed = stored.room(size, 0);
    if (size > 0) {
      MemorySegment piece = memory.take(Math.min(size, 1 << 20));
      try {
        for (int done = 0; done < size; ) {
          int count = (int) Math.min(Math.min(piece.byteSize(), 1 << 20), size - done);
          file.read(offset + done, piece.asSlice(0, count));
          MemorySegment.copy(piece, ValueLayout.JAVA_BYTE, 0, packed, done, count);
          done += count;
        }
      } finally {
        memory.give(piece);
      }
    }
    return packed;
  }

  private void decompress(byte[] packed, int size, long offset) throws IOException {
    if (metadata.codec() == Codec.NULL) {
      input.reset(packed, size);
      return;
    }
    try {
      int count = metadata.codec().decompress(packed, size, contents);
      input.reset(contents.room(0, 0), count);
    } catch (LibraryException | CountedBytes.TooLongException e) {
      throw e;
    } catch (IOException e) {
      throw where()
          .fail(
              offset,
              "Corrupt Avro block: it cannot be decompressed as %s (%s)."
                  .formatted(metadata.codec().label(), e.getMessage()),
              e);
    } catch (NoClassDefFoundError e) {
      throw where()
          .fail(
              offset,
              "Unsupported Avro codec '"
                  + metadata.codec().label()
                  + "': its library is not on the class path. Add org.tukaani:xz.",
              e);
    }
  }

  private FilePlace where() {
    return new FilePlace(file.location(), "block " + block + ", row " + row);
  }

  private MalformedFileException corrupt(RuntimeException e) {
    String sentence =
        e instanceof CorruptException
            ? String.valueOf(e.getMessage())
            : "Corrupt Avro block: it ends within a row.";
    return where().fail(metadata.offsets()[block], sentence, e);
  }

  @Override
  public void skip(long rows) {
    ReadRequest.requireLeft(rows, endRow - row);
    row += rows;
  }

  @Override
  public ColumnSlice column(int index) {
    if (!given) {
      throw new IllegalStateException("Cannot give a column: next() has not been called.");
    }
    return nodes.get(index).slice();
  }

  @Override
  public void close() {
    memory.close();
  }
}
