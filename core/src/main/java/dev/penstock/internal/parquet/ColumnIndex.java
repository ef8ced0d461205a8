package dev.penstock.internal.parquet;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.parquet.footer.FooterStatistics.Extent;
import dev.penstock.internal.parquet.footer.Thrift;
import dev.penstock.spi.format.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TField;
import shaded.parquet.org.apache.thrift.protocol.TList;
import shaded.parquet.org.apache.thrift.protocol.TProtocol;
import shaded.parquet.org.apache.thrift.protocol.TProtocolException;
import shaded.parquet.org.apache.thrift.protocol.TProtocolUtil;

/// A file's statistics of each data page of a column chunk, not yet checked.
///
/// The file also states whether the pages' bounds ascend or descend; that is not used.
final class ColumnIndex {
  /* Read field by field rather than with thrift's own class, which makes several objects for each
   * bound. Here bounds stay in the bytes that were read, and a list with more entries than pages is
   * rejected before memory is taken for it. */

  private static final int NULL_PAGES = 1;

  private static final int MIN_VALUES = 2;
  private static final int MAX_VALUES = 3;
  private static final int NULL_COUNTS = 5;
  private static final int NAN_COUNTS = 8;

  private static final byte STOP = 0;

  private static final byte VOID = 1;
  private static final byte BOOL = 2;
  private static final byte I64 = 10;
  private static final byte BINARY = 11;
  private static final byte LIST = 15;

  private final byte[] source;
  private final int pages;

  /// By field, a number for each page: 1 for true, or the range of a bound in the source.
  private final long[] @Nullable [] lists = new long[NAN_COUNTS + 1][];

  private ColumnIndex(byte[] source, int pages) {
    this.source = source;
    this.pages = pages;
  }

  /// Reads the index of a chunk of some pages; null if there is none.
  static @Nullable ColumnIndex read(FilePart part, Extent place, int pages) throws IOException {
    byte[] source = part.readIndex(place);
    if (source == null) {
      return null;
    }
    ColumnIndex index = new ColumnIndex(source, pages);
    try {
      index.parse(Thrift.protocol(source, 0, source.length));
    } catch (TException | RuntimeException e) {
      throw part.unparsable(place.offset(), e);
    }
    return index;
  }

  private void parse(TProtocol protocol) throws TException {
    protocol.readStructBegin();
    for (TField field = protocol.readFieldBegin();
        field.type != STOP;
        field = protocol.readFieldBegin()) {
      byte element =
          switch (field.id) {
            case NULL_PAGES -> BOOL;
            case MIN_VALUES, MAX_VALUES -> BINARY;
            case NULL_COUNTS, NAN_COUNTS -> I64;
            default -> VOID;
          };
      if (element == VOID) {
        TProtocolUtil.skip(protocol, field.type);
      } else if (field.type != LIST) {
        throw new TProtocolException("field " + field.id + " is no list");
      } else {
        lists[field.id] = list(protocol, element);
      }
      protocol.readFieldEnd();
    }
    protocol.readStructEnd();
    for (int field = NULL_PAGES; field <= MAX_VALUES; field++) {
      if (lists[field] == null) {
        throw new TProtocolException("it lacks field " + field);
      }
    }
  }

  private long[] list(TProtocol protocol, byte element) throws TException {
    TList header = protocol.readListBegin();
    if (header.size != pages || (header.size > 0 && header.elemType != element)) {
      throw new TProtocolException(
          Sentence.of(
              "a list has %s elements of type %s but expected %s of type %s",
              header.size, header.elemType, pages, element));
    }
    long[] list = new long[pages];
    for (int i = 0; i < pages; i++) {
      list[i] =
          switch (element) {
            case BOOL -> protocol.readBool() ? 1 : 0;
            case I64 -> protocol.readI64();
            default -> range(protocol.readBinary());
          };
    }
    protocol.readListEnd();
    return list;
  }

  /// Returns the range of bytes in the source: the start in the upper half, the length in the
  /// lower.
  private static long range(ByteBuffer bytes) {
    return (long) (bytes.arrayOffset() + bytes.position()) << 32 | bytes.remaining();
  }

  private long number(int field, int page) {
    long[] list = lists[field];
    return list == null ? -1 : list[page];
  }

  private ByteString bytes(int field, int page) {
    long range = number(field, page);
    int start = (int) (range >> 32);
    return ByteString.of(Arrays.copyOfRange(source, start, start + (int) range));
  }

  boolean isNullPage(int page) {
    return number(NULL_PAGES, page) == 1;
  }

  /// Returns the least value of a page; no bytes if all are null.
  ByteString min(int page) {
    return bytes(MIN_VALUES, page);
  }

  /// Returns the greatest value of a page; no bytes if all are null.
  ByteString max(int page) {
    return bytes(MAX_VALUES, page);
  }

  /// Returns how many nulls a page has, or a negative number if not stated.
  long nulls(int page) {
    return number(NULL_COUNTS, page);
  }

  /// Returns how many NaNs a page has, or a negative number if not stated.
  long nans(int page) {
    return number(NAN_COUNTS, page);
  }
}
