package dev.penstock.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.arrow.ipc.IpcColumn.Change;
import dev.penstock.arrow.ipc.IpcColumn.Layout;
import dev.penstock.arrow.ipc.IpcMetadata.Batch;
import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.TestMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Record batches that no memory holds: their files are offsets that are made up, and zeros.
class SliceBoundsTest {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long GIB = 1 << 30;
  private static final int ROWS = 1000;

  /// A buffer of 64-bit offsets, each so far behind the one before.
  private record Offsets(int count, long step) {
    long bytes() {
      return 8L * count;
    }
  }

  private static final class OffsetsFile implements StorageFile {
    private final List<Offsets> buffers;
    private long bytesRead;

    OffsetsFile(List<Offsets> buffers) {
      this.buffers = buffers;
    }

    @Override
    public Location location() {
      return new Location("memory://file");
    }

    @Override
    public long size() {
      return 16 * GIB;
    }

    @Override
    public String version() {
      return "";
    }

    @Override
    public long read(long offset, MemorySegment target) {
      long at = offset;
      for (Offsets buffer : buffers) {
        if (at < buffer.bytes()) {
          for (long i = 0; i < target.byteSize(); i += 8) {
            target.set(LONG, i, (at + i) / 8 * buffer.step);
          }
          bytesRead += target.byteSize();
          return target.byteSize();
        }
        at -= buffer.bytes();
      }
      target.fill((byte) 0);
      return target.byteSize();
    }

    @Override
    public void close() {}
  }

  private static IpcColumn column(
      DataType type, Layout layout, int width, int node, int buffer, @Nullable IpcColumn element) {
    return new IpcColumn(
        new Field("wide", type, false),
        "wide",
        new IpcColumn.Form(layout, width, Change.NONE),
        new IpcColumn.Place(node, buffer, 0),
        null,
        element == null ? List.of() : List.of(element));
  }

  /// Returns a file of one batch, and reads it: rows 0 and on, then rows 900 and on.
  private static OffsetsFile read(IpcColumn column, List<Offsets> offsets, int expectedRows)
      throws IOException {
    OffsetsFile file = new OffsetsFile(offsets);
    TestMemory memory = new TestMemory(24 << 20); // Slices have at most 16 MiB.
    try (IpcReader reader = open(file, column, memory)) {
      assertThat(reader.next(8192)).isEqualTo(expectedRows);
      reader.skip(900 - expectedRows);
      assertThat(reader.next(8192)).isEqualTo(expectedRows);
      assertThat(reader.column(0).rowCount()).isEqualTo(expectedRows);
    }
    assertThat(memory.takenBytes()).isZero();
    return file;
  }

  private static IpcReader open(OffsetsFile file, IpcColumn column, TestMemory memory)
      throws IOException {
    long[] starts = new long[6];
    long[] lengths = new long[6];
    long at = 0;
    int buffer = 1;
    for (Offsets offsets : file.buffers) {
      starts[buffer] = at;
      lengths[buffer] = offsets.bytes();
      at += offsets.bytes();
      buffer += 2;
    }
    for (int i = 0; i < starts.length; i++) {
      if (lengths[i] == 0) {
        starts[i] = at;
        lengths[i] = file.size() - at;
      }
    }
    Schema schema = Schema.of(List.of(column.field()));
    IpcMetadata.Buffers buffers =
        new IpcMetadata.Buffers(0, file.size(), starts, lengths, IpcMetadata.PLAIN);
    Batch batch = new Batch(ROWS, new long[2], new long[0], buffers, 0);
    IpcMetadata metadata =
        new IpcMetadata(
            schema, List.of(column), List.of(batch), List.of(batch.rowGroup()), List.of());
    return IpcReader.open(file, metadata, schema, 0, ROWS, memory);
  }

  private static final IpcColumn BYTES =
      column(new DataType.Binary(), Layout.VARIABLE, 8, 0, 0, null);

  private static IpcColumn list(IpcColumn element) {
    return column(new DataType.List(element.type(), false), Layout.LIST, 8, 0, 0, element);
  }

  @Test
  void valuesOfMoreThanTwoGibibytesComeInSlices() throws IOException {
    read(BYTES, List.of(new Offsets(ROWS + 1, 5 << 20)), 3);
  }

  @Test
  void offsetsAreReadOnce() throws IOException {
    OffsetsFile file = new OffsetsFile(List.of(new Offsets(ROWS + 1, 1 << 20)));
    try (IpcReader reader = open(file, BYTES, new TestMemory(24 << 20))) {
      int rows = 0;
      for (int count; (count = reader.next(500)) > 0; rows += count) {
        assertThat(count).isEqualTo(Math.min(16, 500 - rows % 500));
      }
      assertThat(rows).isEqualTo(ROWS);
    }
    assertThat(file.bytesRead).isEqualTo(8 * (ROWS + 2));
  }

  @Test
  void oneValueOfMoreThanTwoGibibytesIsRefused() throws IOException {
    OffsetsFile file = new OffsetsFile(List.of(new Offsets(ROWS + 1, 3 * GIB)));
    try (IpcReader reader = open(file, BYTES, new TestMemory(1 << 20))) {
      assertThatThrownBy(() -> reader.next(8192))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining(
              "Unsupported Arrow file: in column 'wide' the values of a row or of a dictionary have"
                  + " 3221225472 bytes.");
    }
  }

  @Test
  void widthsAndLengthsOfListsAreBoundedToo() throws IOException {
    DataType wide = new DataType.FixedBinary(3 << 20);
    read(column(wide, Layout.FIXED, 3 << 20, 0, 0, null), List.of(), 5);
    IpcColumn number = column(new DataType.Int(64, true), Layout.FIXED, 8, 1, 2, null);
    read(list(number), List.of(new Offsets(ROWS + 1, 1 << 20)), 2);
  }

  @Test
  void textsWithinListsAreBoundedToo() throws IOException {
    IpcColumn text = column(new DataType.Utf8(), Layout.VARIABLE, 8, 1, 2, null);
    // Lists of ten texts of 500,000 bytes.
    read(list(text), List.of(new Offsets(ROWS + 1, 10), new Offsets(10 * ROWS + 1, 500_000)), 3);
  }
}
