package dev.penstock.iceberg.internal.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Follows the blocks of an Avro file as its bytes are read, to know where it may end, and hands
/// out its schema before anybody can have read all of the header.
///
/// Avro's own reader silently drops an incomplete last block. Files that do not start like Avro
/// files are not checked.
final class AvroBlocks {
  private static final byte[] MAGIC = {'O', 'b', 'j', 1};
  private static final int MARKER_BYTES = 16;
  private static final int NUMBER_BITS_MAX = 63;
  private static final byte[] SCHEMA = "avro.schema".getBytes(StandardCharsets.US_ASCII);

  /// Looks at a schema.
  interface SchemaCheck {
    /// Takes the text of the schema as it is in the header.
    ///
    /// @param text the text; null if it is longer than [AvroSchemas#BYTES_MAX]
    /// @throws IOException if the file must not be read on
    void check(byte @Nullable [] text) throws IOException;
  }

  /// The next part. The header is a map in pieces, followed by blocks.
  private enum Part {
    MAGIC,
    ENTRIES,
    ENTRIES_BYTES,
    KEY_LENGTH,
    KEY,
    VALUE_LENGTH,
    VALUE,
    MARKER,
    ROWS,
    LENGTH,
    DATA,
    END,
    /// The file is not Avro, or is damaged; Avro's reader reports the problem.
    OTHER;

    boolean isNumber() {
      return switch (this) {
        case ENTRIES, ENTRIES_BYTES, KEY_LENGTH, VALUE_LENGTH, ROWS, LENGTH -> true;
        case MAGIC, KEY, VALUE, MARKER, DATA, END, OTHER -> false;
      };
    }
  }

  private Part part = Part.MAGIC;
  private long left = MAGIC.length; // of the part, unless it is a number
  private long number;
  private int shift;
  private long entries;
  private long rows;
  private final byte[] kept = new byte[MARKER_BYTES]; // the last bytes of short parts
  private byte[] marker = {};
  private final SchemaCheck check;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream(); // a key, or the schema
  private boolean isSchema; // the value behind the key

  AvroBlocks(SchemaCheck check) {
    this.check = check;
  }

  /// Takes the next bytes of the file.
  ///
  /// @throws IOException if the schema is refused
  void take(byte[] bytes, int from, int to) throws IOException {
    int at = from;
    while (at < to && part != Part.OTHER) {
      if (part.isNumber()) {
        byte next = bytes[at++];
        number |= (next & 0x7fL) << shift;
        shift += 7;
        if (next >= 0) {
          long value = (number >>> 1) ^ -(number & 1);
          number = 0;
          shift = 0;
          read(value);
        } else if (shift > NUMBER_BITS_MAX) {
          part = Part.OTHER;
        }
        continue;
      }
      int count = (int) Math.min(left, to - at);
      if (part == Part.MAGIC || part == Part.MARKER || part == Part.END) {
        int place = (part == Part.MAGIC ? MAGIC.length : MARKER_BYTES) - (int) left;
        System.arraycopy(bytes, at, kept, place, count);
      } else if ((part == Part.KEY && left + text.size() <= SCHEMA.length)
          || (part == Part.VALUE && isSchema)) {
        text.write(bytes, at, count);
      }
      at += count;
      left -= count;
      if (left == 0) {
        passed();
      }
    }
  }

  private void read(long value) throws IOException {
    switch (part) {
      case ENTRIES -> {
        entries = Math.abs(value);
        if (value == 0) {
          go(Part.MARKER, MARKER_BYTES);
        } else {
          part = value < 0 ? Part.ENTRIES_BYTES : Part.KEY_LENGTH;
        }
      }
      case ENTRIES_BYTES -> part = Part.KEY_LENGTH;
      case KEY_LENGTH -> go(Part.KEY, value);
      case VALUE_LENGTH -> {
        if (isSchema && value > AvroSchemas.BYTES_MAX) {
          check.check(null);
        }
        go(Part.VALUE, value);
      }
      case ROWS -> {
        rows += value;
        part = Part.LENGTH;
      }
      case LENGTH -> go(Part.DATA, value);
      case MAGIC, KEY, VALUE, MARKER, DATA, END, OTHER -> throw new IllegalStateException();
    }
  }

  private void go(Part next, long length) throws IOException {
    part = length < 0 ? Part.OTHER : next;
    left = length;
    if (length == 0) {
      passed();
    }
  }

  private void passed() throws IOException {
    switch (part) {
      case MAGIC ->
          part =
              Arrays.equals(kept, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
                  ? Part.ENTRIES
                  : Part.OTHER;
      case KEY -> {
        isSchema = Arrays.equals(text.toByteArray(), SCHEMA);
        text.reset();
        part = Part.VALUE_LENGTH;
      }
      case VALUE -> {
        if (isSchema) {
          check.check(text.toByteArray());
          isSchema = false;
          text.reset();
        }
        entries--;
        part = entries > 0 ? Part.KEY_LENGTH : Part.ENTRIES;
      }
      case MARKER -> {
        marker = kept.clone();
        part = Part.ROWS;
      }
      case DATA -> go(Part.END, MARKER_BYTES);
      case END -> part = Arrays.equals(kept, marker) ? Part.ROWS : Part.OTHER;
      case ENTRIES, ENTRIES_BYTES, KEY_LENGTH, VALUE_LENGTH, ROWS, LENGTH, OTHER ->
          throw new IllegalStateException();
    }
  }

  private boolean isAvro() {
    return part != Part.MAGIC && part != Part.OTHER;
  }

  /// Returns whether the file may end here.
  boolean mayEnd() {
    return !isAvro() || (part == Part.ROWS && shift == 0);
  }

  /// Returns the number of rows that the blocks state; -1 if the file is not Avro.
  long rows() {
    return isAvro() ? rows : -1;
  }
}
