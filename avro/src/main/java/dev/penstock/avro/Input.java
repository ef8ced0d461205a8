package dev.penstock.avro;

/// The bytes of a block and a position in them. Arrays check every access.
final class Input {
  /// Values without bytes cost nothing in the file; a block may have at most this many in lists.
  private static final int EMPTY_VALUES_MAX = 1 << 20;

  byte[] bytes = {};
  int at;
  private int end;
  private int empty;

  void reset(byte[] block, int length) {
    bytes = block;
    at = 0;
    end = length;
    empty = 0;
  }

  /// Counts a value without bytes.
  void countEmpty() {
    if (++empty > EMPTY_VALUES_MAX) {
      throw new CorruptException(
          "Corrupt Avro block: more than " + EMPTY_VALUES_MAX + " values without bytes.");
    }
  }

  int left() {
    return end - at;
  }

  int next() {
    if (at >= end) {
      throw truncated();
    }
    return bytes[at++];
  }

  /// Reads a number in Avro's zigzag form.
  long number() {
    int first = next();
    if (first >= 0) {
      return (first >>> 1) ^ -(first & 1L);
    }
    long value = first & 0x7f;
    for (int shift = 7; shift < 70; shift += 7) {
      int next = next();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new CorruptException("Corrupt Avro block: a number has more than 10 bytes.");
  }

  int int32() {
    long number = number();
    if (number != (int) number) {
      throw new CorruptException(
          "Corrupt Avro block: " + number + " stands where a number of 32 bits is expected.");
    }
    return (int) number;
  }

  /// Reads the index of an enum's symbol.
  int symbol(int symbols) {
    long symbol = number();
    if (symbol < 0 || symbol >= symbols) {
      throw new CorruptException(
          "Corrupt Avro block: symbol " + symbol + " of an enum of " + symbols + ".");
    }
    return (int) symbol;
  }

  /// Reads how many bytes follow, and checks that they exist.
  int length() {
    long length = number();
    if (length < 0 || length > left()) {
      throw new CorruptException(
          "Truncated Avro block: a value has " + length + " bytes but " + left() + " are left.");
    }
    return (int) length;
  }

  void skip(int count) {
    if (count > left()) {
      throw truncated();
    }
    at += count;
  }

  private CorruptException truncated() {
    return new CorruptException("Truncated Avro block: it ends at byte " + end + " within a row.");
  }
}
