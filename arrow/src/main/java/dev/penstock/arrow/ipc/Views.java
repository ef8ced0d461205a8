package dev.penstock.arrow.ipc;

import static dev.penstock.spi.format.LittleEndian.INT;

import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Reads texts and bytes that are stored as views. A view has 16 bytes: the length, and either the
/// value itself, if at most 12 bytes, or its first 4 bytes and its position in one of the batch's
/// data buffers.
///
/// Views may point anywhere, even several to the same bytes, so the size of the result is bounded
/// here. Values that lie close together are read together, whatever the order of the rows.
///
/// Source: Arrow columnar format 1.4, "Variable-size Binary View Layout".
///
/// **Ownership.** Owns the memory of its slices; each call reuses it.
final class Views {
  private static final int VIEW_BYTES = 16;
  private static final int INLINE_BYTES_MAX = 12;

  private static final int ALL_BYTES_MAX = Integer.MAX_VALUE - 64;

  /// Values are read together if at most this many bytes lie between them.
  private static final long GAP_BYTES = 4 << 10;

  private static final long READ_BYTES_MAX = 1 << 20;

  private final IpcColumn column;
  private final RowBuffer views;
  private final ScratchBuffer piece;
  private final ScratchBuffer values;
  private final ScratchBuffer offsets;

  Views(IpcColumn column, ScratchMemory memory) {
    this.column = column;
    this.views = new RowBuffer(column, VIEW_BYTES, 0, memory);
    this.piece = new ScratchBuffer(memory);
    this.values = new ScratchBuffer(memory);
    this.offsets = new ScratchBuffer(memory);
  }

  /// Returns how many of the rows fit into one slice: at least one.
  int limit(Body body, long from, int count) throws IOException {
    int rows = views.limit(body, from, count);
    MemorySegment stored = stored(body, from, rows);
    long bytes = 0;
    for (int i = 0; i < rows; i++) {
      bytes += Math.max(0, length(stored, i)); // a null may have any length
      if (bytes > ColumnReader.SLICE_BYTES_MAX) {
        return Math.max(1, i);
      }
    }
    return rows;
  }

  /// Reads rows.
  ///
  /// @param isNull which rows are null, counted from the first one
  /// @param validity the same as bits; null if there are no nulls
  ColumnSlice read(
      Body body,
      long from,
      int count,
      IntPredicate isNull,
      int nulls,
      @Nullable MemorySegment validity)
      throws IOException {
    MemorySegment stored = stored(body, from, count);
    MemorySegment ends = offsets.ensure(4L * count + 4);
    ends.set(INT, 0, 0);
    long bytes = 0;
    int outside = 0;
    int known = -1;
    long knownBytes = 0;
    for (int i = 0; i < count; i++) {
      int length = isNull.test(i) ? 0 : length(stored, i);
      if (length < 0) {
        throw corrupt(body, "a value has " + length + " bytes");
      }
      bytes += length;
      if (bytes > ALL_BYTES_MAX) {
        throw body.fail(
            column,
            "Unsupported Arrow file",
            "the values of a row or of a dictionary have " + bytes + " bytes.");
      }
      ends.set(INT, 4L * i + 4, (int) bytes);
      if (length > INLINE_BYTES_MAX) {
        outside++;
        int buffer = buffer(stored, i);
        if (buffer != known) {
          knownBytes = body.length(index(body, buffer));
          known = buffer;
        }
        int offset = offset(stored, i);
        if (offset < 0 || offset > knownBytes - length) {
          throw corrupt(
              body,
              "a value needs bytes [%s, %s) of a buffer of %s"
                  .formatted(offset, (long) offset + length, knownBytes));
        }
      }
    }
    MemorySegment target = values.ensure(bytes);
    int[] rows = new int[outside];
    int found = 0;
    for (int i = 0; i < count; i++) {
      int start = ends.get(INT, 4L * i);
      int length = ends.get(INT, 4L * i + 4) - start;
      if (length > INLINE_BYTES_MAX) {
        rows[found++] = i;
      } else {
        MemorySegment.copy(stored, (long) VIEW_BYTES * i + 4, target, start, length);
      }
    }
    copy(body, stored, inFile(stored, rows), ends, target);
    return ColumnSlice.variable(
        column.type(), count, nulls, validity, target.asSlice(0, bytes), ends);
  }

  private MemorySegment stored(Body body, long from, int count) throws IOException {
    return views.read(body, body.batch().buffer(column) + 1, from, count, "views");
  }

  private static int length(MemorySegment stored, int row) {
    return stored.get(INT, (long) VIEW_BYTES * row);
  }

  private static int buffer(MemorySegment stored, int row) {
    return stored.get(INT, (long) VIEW_BYTES * row + 8);
  }

  private static int offset(MemorySegment stored, int row) {
    return stored.get(INT, (long) VIEW_BYTES * row + 12);
  }

  // --- Values outside of their views

  /// Returns the rows sorted by where their values are in the file.
  private static int[] inFile(MemorySegment stored, int[] rows) {
    for (int i = 1; i < rows.length; i++) {
      if (compare(stored, rows[i - 1], rows[i]) > 0) {
        return Arrays.stream(rows)
            .boxed()
            .sorted((left, right) -> compare(stored, left, right))
            .mapToInt(Integer::intValue)
            .toArray();
      }
    }
    return rows;
  }

  private static int compare(MemorySegment stored, int left, int right) {
    int buffers = Integer.compare(buffer(stored, left), buffer(stored, right));
    return buffers != 0 ? buffers : Integer.compare(offset(stored, left), offset(stored, right));
  }

  /// Copies values to their rows, reading values that lie close together at once.
  private void copy(
      Body body, MemorySegment stored, int[] rows, MemorySegment ends, MemorySegment target)
      throws IOException {
    int first = 0;
    while (first < rows.length) {
      int buffer = buffer(stored, rows[first]);
      long start = offset(stored, rows[first]);
      long end = start + length(stored, rows[first]);
      int next = first + 1;
      while (next < rows.length && buffer(stored, rows[next]) == buffer) {
        long offset = offset(stored, rows[next]);
        long nextEnd = Math.max(end, offset + length(stored, rows[next]));
        if (offset > end + GAP_BYTES || nextEnd > start + READ_BYTES_MAX) {
          break;
        }
        end = nextEnd;
        next++;
      }
      MemorySegment bytes =
          body.bytes(column, index(body, buffer), start, end - start, piece, "values");
      for (int i = first; i < next; i++) {
        int row = rows[i];
        long at = offset(stored, row) - start;
        if (bytes.get(INT, at) != stored.get(INT, (long) VIEW_BYTES * row + 4)) {
          throw corrupt(body, "a value does not begin as its view says");
        }
        MemorySegment.copy(bytes, at, target, ends.get(INT, 4L * row), length(stored, row));
      }
      first = next;
    }
  }

  /// Returns the index of a data buffer among the batch's buffers.
  private int index(Body body, int buffer) throws MalformedFileException {
    long buffers = body.batch().views()[column.place().views()];
    if (buffer < 0 || buffer >= buffers) {
      throw corrupt(body, "a value is in buffer " + buffer + " of " + buffers);
    }
    return body.batch().buffer(column) + 2 + buffer;
  }

  private MalformedFileException corrupt(Body body, String what) {
    return body.fail(column, "Corrupt Arrow file", what + ".");
  }
}
