package dev.penstock.internal.parquet.page;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import java.lang.foreign.MemorySegment;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;

/// A decompressed page. It is valid until its reader reads the next header.
///
/// Levels in the deprecated packing, which has the first level in the highest bits, have the bits
/// of each byte reversed. Their part is empty if the column has none.
public record Page(PageHeader header, Part repetition, Part definition, Part values) {
  /// Bytes `[start, end)` of a segment, followed by padding.
  public record Part(MemorySegment segment, long start, long end) {
    public static final Part EMPTY = new Part(MemorySegment.NULL, 0, 0);

    /// Returns how many bytes there are, without padding.
    public long bytes() {
      return end - start;
    }

    private Part from(long start) {
      return new Part(segment, start, end);
    }
  }

  /// Makes a page. The stored bytes have the levels of version 2; `body` is the decompressed bytes,
  /// or if not compressed the stored bytes after these levels.
  static Page of(
      PageHeader header, MemorySegment stored, Part body, int maxRepetition, int maxDefinition)
      throws PageException {
    PageHeader.LevelForm form = header.levels();
    if (header.type() != PageType.DATA_PAGE) {
      MemorySegment levels = form.bytes() == 0 ? body.segment : stored; // drop `stored` if unused
      long edge = form.repetitionBytes();
      Part repetition = maxRepetition == 0 ? Part.EMPTY : new Part(levels, 0, edge);
      Part definition = maxDefinition == 0 ? Part.EMPTY : new Part(levels, edge, form.bytes());
      return new Page(header, repetition, definition, body);
    }
    Part repetition = Part.EMPTY;
    Part definition = Part.EMPTY;
    Part rest = body;
    if (maxRepetition > 0) {
      repetition = levels(rest, form.repetition(), maxRepetition, header.valueCount());
      rest = rest.from(repetition.end);
    }
    if (maxDefinition > 0) {
      definition = levels(rest, form.definition(), maxDefinition, header.valueCount());
      rest = rest.from(definition.end);
    }
    return new Page(header, repetition, definition, rest);
  }

  /// Returns the levels of one kind from the start of the rest of a page of version 1.
  private static Part levels(Part rest, Encoding encoding, int max, int count)
      throws PageException {
    long start = encoding == Encoding.RLE ? rest.start + 4 : rest.start;
    if (start > rest.end) {
      throw new PageException("Truncated Parquet page: it ends before its levels.");
    }
    long bytes =
        switch (encoding) {
          case RLE -> Integer.toUnsignedLong(rest.segment.get(Raw.INT, rest.start));
          case BIT_PACKED -> ((long) count * width(max) + 7) / 8;
          default ->
              throw new PageException(
                  "Unsupported Parquet encoding: the column's levels are "
                      + encoding
                      + " but only RLE and BIT_PACKED can be read.");
        };
    if (bytes > rest.end - start) {
      throw PageException.of(
          "Corrupt Parquet page: its levels claim %s bytes but %s are left.",
          bytes, rest.end - start);
    }
    Part levels = new Part(rest.segment, start, start + bytes);
    if (encoding == Encoding.BIT_PACKED) {
      turnBits(levels);
    }
    return levels;
  }

  /// Returns how many bits a level in `[0, max]` takes.
  public static int width(int max) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(max);
  }

  /// Reverses the bits of each byte in place; the page is not shared.
  private static void turnBits(Part levels) {
    for (long i = levels.start; i < levels.end; i++) {
      int reversed = Integer.reverse(levels.segment.get(Raw.BYTE, i)) >>> 24;
      levels.segment.set(Raw.BYTE, i, (byte) reversed);
    }
  }
}
