package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.footer.PlainForm;
import dev.penstock.internal.parquet.page.Page;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/// Values of a fixed-width column in encodings other than PLAIN and dictionaries.
///
/// They are decoded to their PLAIN form, directly into their place if that is also the form in
/// memory.
final class EncodedValues {
  /// Values with another form in memory are decoded about this many bytes at a time.
  private static final long PART_BYTES = 256 << 10;

  private final PlainForm form;
  private final Type physical;
  private final int sourceWidth;
  private final int width;
  private final ScratchMemory memory;
  private final Buffer plain;

  private Encoding encoding = Encoding.PLAIN;
  private final DeltaDecoder deltas = new DeltaDecoder();
  private final ByteStreamSplit split = new ByteStreamSplit();
  private @Nullable SizedValues sized;

  EncodedValues(DataType type, PlainForm form, ScratchMemory memory) {
    this.form = form;
    this.physical = physical(type, form);
    this.sourceWidth = PlainValues.sourceWidth(form);
    this.width = PlainValues.width(form);
    this.memory = memory;
    this.plain = new Buffer(memory);
  }

  private static Type physical(DataType type, PlainForm form) {
    return switch (form) {
      case PlainForm.Copy(int width) ->
          switch (type) {
            case DataType.Floating(int bits) when bits == 32 -> Type.FLOAT;
            case DataType.Floating(int bits) when bits == 64 -> Type.DOUBLE;
            case DataType.Floating _,
                DataType.FixedBinary _,
                DataType.Uuid _,
                DataType.Interval _ ->
                Type.FIXED_LEN_BYTE_ARRAY;
            default -> width == 4 ? Type.INT32 : Type.INT64;
          };
      case PlainForm.Narrow _ -> Type.INT32;
      case PlainForm.Widen(int sourceWidth, int _) -> sourceWidth == 4 ? Type.INT32 : Type.INT64;
      case PlainForm.BigEndian _ -> Type.FIXED_LEN_BYTE_ARRAY;
      case PlainForm.SizedBigEndian _, PlainForm.Sized _ -> Type.BYTE_ARRAY;
      case PlainForm.Int96 _ -> Type.INT96;
      case PlainForm.Bits _ -> Type.BOOLEAN;
    };
  }

  void start(Page page) throws PageException {
    Encoding encoding = page.header().encoding();
    if (!Encodings.readable(physical).contains(encoding)) {
      throw Encodings.unsupported(encoding, physical);
    }
    this.encoding = encoding;
    MemorySegment data = page.values().segment();
    long start = page.values().start();
    long end = page.values().end();
    int most = page.header().valueCount();
    switch (encoding) {
      case DELTA_BINARY_PACKED -> deltas.start(data, start, end, most);
      case BYTE_STREAM_SPLIT -> split.start(data, start, end, sourceWidth, most);
      default -> {
        sized = SizedValues.of(encoding, sized, memory);
        sized.start(data, start, end, most);
      }
    }
  }

  /// Decodes `count` values into `target`, which ends with padding, from byte `at`.
  void decode(MemorySegment target, long at, int count) throws PageException {
    if (form instanceof PlainForm.SizedBigEndian) {
      decodeSizedBigEndian(target, at, count);
    } else if (form instanceof PlainForm.Copy) {
      decodePlain(target, at, count);
    } else {
      decodeAndConvert(target, at, count);
    }
  }

  private void decodeAndConvert(MemorySegment target, long at, int count) throws PageException {
    for (int done = 0; done < count; ) {
      int part = Math.clamp(PART_BYTES / sourceWidth, 1, count - done);
      long bytes = (long) part * sourceWidth;
      MemorySegment temporary = plain.ensure(bytes);
      decodePlain(temporary, 0, part);
      PlainValues.convert(form, temporary, 0, bytes, target, at + (long) done * width, part);
      done += part;
    }
  }

  private void decodePlain(MemorySegment target, long at, int count) throws PageException {
    long to = Raw.address(target, at, (long) count * sourceWidth + ByteStreamSplit.PADDING);
    switch (encoding) {
      case DELTA_BINARY_PACKED -> {
        if (physical == Type.INT32) {
          deltas.ints(to, count);
        } else {
          deltas.longs(to, count);
        }
      }
      case BYTE_STREAM_SPLIT -> split.decode(to, count);
      default -> decodeFixed(target, at, count);
    }
  }

  private void decodeFixed(MemorySegment target, long at, int count) throws PageException {
    SizedValues values = Objects.requireNonNull(sized);
    for (int done = 0; done < count; ) {
      int part = Math.min(count - done, SizedValues.WINDOW);
      MemorySegment lengths = values.lengths(part);
      for (int i = 0; i < part; i++) {
        int length = lengths.get(Raw.INT, i * 4L);
        if (length != sourceWidth) {
          throw PageException.of(
              "Corrupt Parquet page: a value has %s bytes but all of the column have %s.",
              length, sourceWidth);
        }
      }
      values.take(part, (long) part * sourceWidth, target, at + (long) done * sourceWidth);
      done += part;
    }
  }

  private void decodeSizedBigEndian(MemorySegment target, long at, int count) throws PageException {
    SizedValues values = Objects.requireNonNull(sized);
    for (int done = 0; done < count; ) {
      int part = Math.max(1, values.fit(count - done, PART_BYTES));
      MemorySegment lengths = values.lengths(part);
      long bytes = 0;
      for (int i = 0; i < part; i++) {
        bytes += lengths.get(Raw.INT, i * 4L);
      }
      MemorySegment temporary = plain.ensure(bytes);
      values.take(part, bytes, temporary, 0);
      PlainValues.bigEndian(temporary, lengths, target, at + (long) done * width, part, width);
      done += part;
    }
  }
}
