package dev.penstock.orc;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.LittleEndian;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.TextDictionary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.orc.OrcProto;
import org.jspecify.annotations.Nullable;

/// Strings and bytes: lengths in runs and the bytes of all values one after another, or a
/// dictionary of such values and indices into it in runs.
final class StoredTexts extends StoredColumn {
  private static final int BYTES_MAX = Integer.MAX_VALUE - 64;

  private final StoredStream data;
  private final IntegerRuns codes;
  private final IntegerRuns lengths;
  private final ScratchBuffer bytes;
  private final ScratchBuffer numbers; // offsets of values, or codes
  private final ScratchBuffer starts; // offsets of the dictionary
  private boolean coded; // in this stripe
  private @Nullable TextDictionary dictionary;

  StoredTexts(OrcColumn column, Workspace work) {
    super(column, work);
    this.data = work.stream();
    this.codes = new IntegerRuns(data, false);
    this.lengths = new IntegerRuns(work.stream(), false);
    this.bytes = new ScratchBuffer(work.memory);
    this.numbers = new ScratchBuffer(work.memory);
    this.starts = new ScratchBuffer(work.memory);
  }

  @Override
  boolean isKnown(OrcProto.ColumnEncoding encoding, StripeStreams stripe) {
    dictionary = null;
    coded =
        switch (encoding.getKind()) {
          case DIRECT, DIRECT_V2 -> false;
          case DICTIONARY, DICTIONARY_V2 -> true;
        };
    return true;
  }

  @Override
  void begin() throws IOException {
    boolean second = IntegerRuns.isSecond(encoding());
    if (!coded) {
      data.open(place(OrcProto.Stream.Kind.DATA));
      lengths.open(place(OrcProto.Stream.Kind.LENGTH), second);
      return;
    }
    if (dictionary == null) {
      data.open(place(OrcProto.Stream.Kind.DICTIONARY_DATA));
      lengths.open(place(OrcProto.Stream.Kind.LENGTH), second);
      dictionary = dictionary(encoding().getDictionarySize());
    }
    codes.open(place(OrcProto.Stream.Kind.DATA), second);
  }

  /// Reads a dictionary. Its stated size is not trusted, so memory is allocated as lengths arrive.
  private TextDictionary dictionary(int size) throws IOException {
    if (size < 0) {
      throw new IOException("a dictionary has " + Integer.toUnsignedLong(size) + " values");
    }
    long total = 0;
    MemorySegment offsets = starts.ensure(4);
    offsets.set(LittleEndian.INT, 0, 0);
    for (int done = 0; done < size; ) {
      int count = Math.min(size - done, ROWS_MAX);
      lengths.read(work.dense, count);
      offsets = starts.grow(4L * (done + count + 1L));
      total = offsets(work.dense, count, total, offsets, done);
      done += count;
    }
    return new TextDictionary(size, data.read(bytes, total), offsets);
  }

  /// Turns lengths into the ends of values.
  ///
  /// @param total the end of the previous value
  /// @param to receives the offsets, after that of the value `from`
  /// @return the end of the last one
  private static long offsets(long[] lengths, int count, long total, MemorySegment to, int from)
      throws IOException {
    long end = total;
    for (int i = 0; i < count; i++) {
      long length = lengths[i];
      end += length;
      if (length < 0 || length > BYTES_MAX || end > BYTES_MAX) {
        throw new IOException(
            "values have %s bytes up to one of %s but at most %s are read at once"
                .formatted(end, length, BYTES_MAX));
      }
      to.set(LittleEndian.INT, 4L * (from + i + 1), (int) end);
    }
    return end;
  }

  @Override
  void seek(Positions positions) throws IOException {
    if (coded) {
      codes.seek(positions);
    } else {
      data.seek(positions);
      lengths.seek(positions);
    }
  }

  @Override
  void skip(long count) throws IOException {
    if (coded) {
      codes.skip(count);
      return;
    }
    for (long left = count; left > 0; left -= ROWS_MAX) {
      int some = (int) Math.min(left, ROWS_MAX);
      lengths.read(work.dense, some);
      long total = 0;
      for (int i = 0; i < some; i++) {
        long length = work.dense[i];
        if (length < 0 || length > BYTES_MAX) {
          throw new IOException("a value has " + length + " bytes");
        }
        total += length;
      }
      data.skip(total);
    }
  }

  @Override
  ColumnSlice read(int count, int present, @Nullable MemorySegment bits) throws IOException {
    TextDictionary known = dictionary;
    return coded && known != null
        ? coded(count, present, bits, known)
        : direct(count, present, bits);
  }

  private ColumnSlice direct(int count, int present, @Nullable MemorySegment bits)
      throws IOException {
    lengths.read(work.dense, present);
    long[] each = work.dense;
    if (bits != null) {
      each = spread(each, count);
      for (int i = 0; i < count; i++) {
        each[i] &= -(work.present[i >>> 6] >>> i & 1); // no bytes in a null row
      }
    }
    MemorySegment offsets = numbers.ensure(4L * (count + 1L));
    offsets.set(LittleEndian.INT, 0, 0);
    long total = offsets(each, count, 0, offsets, 0);
    MemorySegment text = data.read(bytes, total);
    return ColumnSlice.variable(type(), count, count - present, bits, text, offsets);
  }

  private ColumnSlice coded(
      int count, int present, @Nullable MemorySegment bits, TextDictionary known)
      throws IOException {
    codes.read(work.dense, present);
    int size = known.size();
    long outside = 0;
    for (int i = 0; i < present; i++) {
      outside |= work.dense[i] | (size - 1 - work.dense[i]);
    }
    if (outside < 0) {
      throw new IOException("a value is beyond the dictionary, which has " + size + " values");
    }
    long[] each = work.dense;
    if (bits != null) {
      each = spread(each, count);
      for (int i = 0; i < count; i++) {
        each[i] &= -(work.present[i >>> 6] >>> i & 1);
      }
    }
    MemorySegment to = numbers.ensure(4L * count);
    for (int i = 0; i < count; i++) {
      to.set(LittleEndian.INT, 4L * i, (int) each[i]);
    }
    return ColumnSlice.coded(type(), count, count - present, bits, to, known);
  }
}
