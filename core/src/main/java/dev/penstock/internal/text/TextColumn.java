package dev.penstock.internal.text;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// A column that is parsed from texts, row by row, in Arrow's layout.
///
/// Rows are set in order, each once: [#begin], then [#set] or [#setNull] for rows 0, 1, 2 ..., then
/// [#slice]. Addresses must be checked by the caller, with the padding of [Swar].
public abstract class TextColumn extends ColumnBuilder {
  protected TextColumn(DataType type, ScratchMemory memory) {
    super(type, memory);
  }

  /// Makes a column, without memory yet, of a type for which [TextTypes#reads] is true.
  public static TextColumn of(DataType type, ScratchMemory memory) {
    return type instanceof DataType.Utf8
        ? new StringColumn(type, memory)
        : new FixedColumn(type, memory);
  }

  /// Sets a value from the text between two addresses; false if it is not a value of the type. The
  /// row may then be set again.
  public abstract boolean set(int row, long from, long to);

  /// Sets rows from the fields of a column, up to one that is quoted or not a value, and returns
  /// its row, or `rows`. An empty field is null.
  public int setPlain(FieldPlaces fields, int column, int row, int rows) {
    int next = row;
    while (next < rows && fields.marks(column, next) == 0) {
      long from = fields.from(column, next);
      long to = fields.to(column, next);
      if (from == to) {
        setNull(next);
      } else if (!set(next, from, to)) {
        break;
      }
      next++;
    }
    return next;
  }

  /// Returns the first rows as a slice; valid until the next [#begin].
  public abstract ColumnSlice slice(int rows);

  /// Returns in a few words why [#set] rejected the text between two addresses.
  public String refusal(long from, long to) {
    return "no such value";
  }

  private static final class StringColumn extends TextColumn {
    private final Buffer values;
    private final Buffer offsets;
    private long used;

    StringColumn(DataType type, ScratchMemory memory) {
      super(type, memory);
      this.values = new Buffer(memory);
      this.offsets = new Buffer(memory);
    }

    @Override
    public void begin(int rows) {
      used = 0;
      super.begin(rows);
      offsets.segment().set(Raw.INT, 0, 0);
    }

    @Override
    protected void grow(int kept, int rows) {
      offsets.grow(4L * (rows + 1L), kept == 0 ? 0 : 4L * (kept + 1L));
    }

    @Override
    public boolean set(int row, long from, long to) {
      if (!Swar.isAscii(from, to) && utf8End(from, to) < to) {
        return false;
      }
      long length = to - from;
      if (used + length > Integer.MAX_VALUE - 64) {
        throw new IllegalStateException(
            "Cannot hold the strings of "
                + (row + 1)
                + " rows together: they have more than 2 GiB. Read fewer rows at once.");
      }
      MemorySegment target = values.grow(used + length, used);
      // Copies whole words, which need up to 7 bytes of padding on both sides.
      long at = Raw.address(target, used, length + 8);
      for (long i = 0; i < length; i += 8) {
        Raw.ALL.set(Raw.LONG, at + i, Swar.word(from + i));
      }
      used += length;
      offsets.segment().set(Raw.INT, 4L * (row + 1L), (int) used);
      return true;
    }

    /// Returns up to where bytes are valid UTF-8: complete characters, without overlong encodings
    /// and surrogates.
    private static long utf8End(long from, long to) {
      long at = from;
      while (at < to) {
        int first = Swar.load(at);
        if (first >= 0) {
          at++;
          continue;
        }
        int more = first >= (byte) 0xf0 ? 3 : first >= (byte) 0xe0 ? 2 : 1;
        if (first < (byte) 0xc2 || first > (byte) 0xf4 || to - at <= more) {
          return at;
        }
        int code = first & (0x3f >> more);
        for (int i = 1; i <= more; i++) {
          int next = Swar.load(at + i);
          if ((next & 0xc0) != 0x80) {
            return at;
          }
          code = (code << 6) | (next & 0x3f);
        }
        boolean tooLong = code < (more == 3 ? 0x10000 : more == 2 ? 0x800 : 0x80);
        if (tooLong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
          return at;
        }
        at += more + 1;
      }
      return at;
    }

    @Override
    public void setNull(int row) {
      super.setNull(row);
      offsets.segment().set(Raw.INT, 4L * (row + 1L), (int) used);
    }

    @Override
    public ColumnSlice slice(int rows) {
      values.ensure(0);
      return ColumnSlice.variable(
          type(), rows, nulls(), validity(), values.segment(), offsets.segment());
    }

    @Override
    public String refusal(long from, long to) {
      long end = utf8End(from, to);
      return String.format(
          Locale.ROOT, "not UTF-8 from its byte %d on, 0x%02x", end - from, Swar.load(end) & 0xff);
    }
  }

  /// Returns bytes as text, to show it or to pass it to Java's own parsers. Invalid UTF-8 is
  /// replaced.
  public static String text(long from, long to) {
    byte[] bytes = Raw.ALL.asSlice(from, to - from).toArray(Raw.BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
