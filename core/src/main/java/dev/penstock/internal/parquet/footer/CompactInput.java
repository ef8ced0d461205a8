package dev.penstock.internal.parquet.footer;

import java.nio.charset.StandardCharsets;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TProtocolException;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/// Reads thrift's compact protocol from bytes that may be hostile, without objects: a footer has
/// some 40 numbers for each column chunk, of most of which nothing is kept, and small row groups
/// have a page header for a few thousand values.
///
/// A field is `id << 4 | type`, a range of bytes `start << 32 | length`. Bytes that end too early
/// are an [IndexOutOfBoundsException] or a [TException].
final class CompactInput {
  // Thrift's numbers for the types of fields.
  static final int TRUE = 1;
  static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  static final int I32 = 5;
  static final int I64 = 6;
  private static final int DOUBLE = 7;
  static final int BINARY = 8;
  static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  static final int STRUCT = 12;
  private static final int UUID = 13;

  private static final int DEPTH_MAX = 56; // of what is skipped; few structures are around it

  private final byte[] bytes;
  private final int end;
  private int position;

  CompactInput(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  byte[] bytes() {
    return bytes;
  }

  int position() {
    return position;
  }

  void moveTo(int place) {
    position = place;
  }

  /// Returns the next field of a structure, 0 at its end; `previous` is the one before, or 0.
  int field(int previous) {
    int header = bytes[position++];
    int type = header & 0xf;
    if (type == 0) {
      return 0;
    }
    int more = header >> 4 & 0xf;
    int id = more == 0 ? (short) number() : (short) ((previous >> 4) + more);
    return id << 4 | type;
  }

  long number() {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  private long varint() {
    byte part = bytes[position++];
    if (part >= 0) {
      return part;
    }
    long value = part & 0x7f;
    for (int shift = 7; ; shift += 7) {
      part = bytes[position++];
      value |= (part & 0x7fL) << shift;
      if (part >= 0) {
        return value;
      }
    }
  }

  /// Returns the range of the next bytes and skips them.
  long range() throws TException {
    long length = varint();
    int start = position;
    skipBytes(length);
    return (long) start << 32 | length;
  }

  /// Returns the text that the next bytes are.
  String text() throws TException {
    long range = range();
    return new String(bytes, (int) (range >> 32), (int) range, StandardCharsets.UTF_8);
  }

  /// Returns how many elements the list has that begins here.
  int list() throws TException {
    return listSize(bytes[position++]);
  }

  /// Skips a list of numbers, whatever the type of its elements is said to be.
  void skipNumbers() throws TException {
    for (int i = list(); i > 0; i--) {
      varint();
    }
  }

  private int listSize(int header) throws TException {
    int type = header & 0xf;
    if (type > STRUCT) {
      throw new TProtocolException("a list of the unknown type " + type);
    }
    int few = header >> 4 & 0xf;
    long size = few == 0xf ? varint() : few;
    if (size < 0 || size > end - position) {
      throw new TTransportException(
          TTransportException.END_OF_FILE,
          "a list of " + size + " elements in " + (end - position) + " remaining bytes");
    }
    return (int) size;
  }

  private void skipBytes(long count) throws TException {
    if (count < 0 || count > end - position) {
      throw new TTransportException(
          TTransportException.END_OF_FILE,
          count + " bytes are needed but " + (end - position) + " are left");
    }
    position += (int) count;
  }

  void skip(int field) throws TException {
    skip(field & 0xf, DEPTH_MAX);
  }

  private void skip(int type, int depth) throws TException {
    if (depth == 0) {
      throw new TProtocolException("structures nested too deep");
    }
    switch (type) {
      case TRUE, FALSE -> {} // the type is the value
      case BYTE -> skipBytes(1);
      case I16, I32, I64 -> varint();
      case DOUBLE -> skipBytes(8);
      case BINARY -> range();
      case UUID -> skipBytes(16);
      case LIST, SET -> {
        int header = bytes[position++];
        int size = listSize(header);
        for (int i = 0; i < size; i++) {
          skipElement(header & 0xf, depth - 1);
        }
      }
      case MAP -> {
        long size = varint();
        int types = size == 0 ? 0 : bytes[position++];
        for (long i = 0; i < size; i++) {
          skipElement(types >> 4 & 0xf, depth - 1);
          skipElement(types & 0xf, depth - 1);
        }
      }
      case STRUCT -> {
        for (int field = field(0); field != 0; field = field(field)) {
          skip(field & 0xf, depth - 1);
        }
      }
      default -> throw new TProtocolException("a field of the unknown type " + type);
    }
  }

  private void skipElement(int type, int depth) throws TException {
    if (type == TRUE || type == FALSE) {
      skipBytes(1);
    } else {
      skip(type, depth);
    }
  }
}
