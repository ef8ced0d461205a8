package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.page.Page;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/// A column of booleans: one bit each, both in the file and in memory.
final class BoolColumnReader extends ColumnReader {
  private final BitRuns bits = new BitRuns();
  private final Buffer values = new Buffer(memory);
  private final Buffer shifted = new Buffer(memory);

  BoolColumnReader(Parts parts) {
    super(parts);
  }

  @Override
  void startDictionary(Page page) throws PageException {
    throw new PageException("Corrupt Parquet column: it has a dictionary page of booleans.");
  }

  @Override
  void startPage(Page page) throws PageException {
    MemorySegment bytes = data.segment();
    long start = data.start();
    long end = data.end();
    Encoding encoding = page.header().encoding();
    switch (encoding) {
      case PLAIN -> bits.startPacked(bytes, start, end, page.header().valueCount());
      case RLE -> {
        // A page of nulls may end here; no values are read from it.
        long length = end - start < 4 ? 0 : Integer.toUnsignedLong(bytes.get(Raw.INT, start));
        long from = Math.min(start + 4, end);
        bits.startRuns(bytes, from, from + Math.min(length, end - from));
      }
      default -> throw Encodings.unsupported(encoding, Type.BOOLEAN);
    }
  }

  @Override
  void decodeValues(int at, int count, int present, int most) throws PageException {
    MemorySegment target = values.grow(Bits.bytes(most), Bits.bytes(at));
    for (int done = 0; done < count; ) {
      int part = Math.min(count - done, 64 - ((at + done) & 63));
      long valid =
          present == count ? -1L >>> (64 - part) : Bits.get(validity.segment(), at + done, part);
      int ones = Long.bitCount(valid);
      // Values are dense; Long.expand moves them to the places of the valid bits.
      long word = ones == 0 ? 0 : Long.expand(bits.take(ones), valid);
      Bits.append(target, at + done, word);
      done += part;
    }
  }

  @Override
  ColumnSlice view(int from, int count, int nullCount, @Nullable MemorySegment validity) {
    MemorySegment part = Bits.view(values.segment(), from, count, shifted);
    return ColumnSlice.fixed(type, count, nullCount, validity, part);
  }
}
