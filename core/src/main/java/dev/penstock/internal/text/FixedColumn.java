package dev.penstock.internal.text;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.UUID;

/// Parses values of a fixed width. Blanks around a value are ignored.
final class FixedColumn extends TextColumn {
  /// Longer texts are not accepted as decimals: a few bytes can stand for billions of digits.
  private static final int DECIMAL_BYTES_MAX = 200;

  private final Buffer values;
  private final int width;
  private long base;

  /// How values are decoded. Fixed by the type, so that the switch is one predictable jump.
  private enum Kind {
    BOOL,
    INT,
    UINT64,
    FLOAT64,
    FLOAT,
    DECIMAL,
    DATE,
    TIME,
    TIMESTAMP,
    UUID
  }

  private final Kind kind;
  private final long least;
  private final long most;
  private final TimeUnit unit;
  private final boolean utc;

  FixedColumn(DataType type, ScratchMemory memory) {
    super(type, memory);
    this.values = new Buffer(memory);
    this.width = type.byteWidth();
    this.kind = kind(type);
    int bits = type instanceof DataType.Int(int b, boolean signed) ? (signed ? b : b + 1) : 64;
    boolean signed = !(type instanceof DataType.Int(int _, boolean s)) || s;
    this.most = bits > 64 ? Long.MAX_VALUE : Long.MAX_VALUE >> (64 - bits);
    this.least = signed ? -most - 1 : 0;
    this.unit =
        switch (type) {
          case DataType.Time(TimeUnit u, boolean _) -> u;
          case DataType.Timestamp(TimeUnit u, boolean _) -> u;
          default -> TimeUnit.MICROS;
        };
    this.utc = type instanceof DataType.Timestamp(TimeUnit _, boolean u) && u;
  }

  private static Kind kind(DataType type) {
    return switch (type) {
      case DataType.Bool _ -> Kind.BOOL;
      case DataType.Int(int bits, boolean signed) -> bits == 64 && !signed ? Kind.UINT64 : Kind.INT;
      case DataType.Floating(int bits) -> bits == 64 ? Kind.FLOAT64 : Kind.FLOAT;
      case DataType.Decimal _ -> Kind.DECIMAL;
      case DataType.Date _ -> Kind.DATE;
      case DataType.Time _ -> Kind.TIME;
      case DataType.Timestamp _ -> Kind.TIMESTAMP;
      case DataType.Uuid _ -> Kind.UUID;
      default -> throw new IllegalArgumentException("Cannot read text as " + type + ".");
    };
  }

  @Override
  protected void grow(int kept, int rows) {
    boolean bits = kind == Kind.BOOL;
    long bytes = bits ? (rows + 7L) / 8 : (long) width * rows;
    MemorySegment grown = values.grow(bytes, bits ? (kept + 7L) / 8 : (long) width * kept);
    // Room for all rows is checked here, once; [#set] only writes to rows below the capacity.
    base = Raw.address(grown, 0, bytes);
  }

  @Override
  public boolean set(int row, long from, long to) {
    return decode(row, from, to) || decodeTrimmed(row, from, to);
  }

  @Override
  public int setPlain(FieldPlaces fields, int column, int row, int rows) {
    return kind == Kind.FLOAT64
        ? setFloats(fields, column, row, rows)
        : super.setPlain(fields, column, row, rows);
  }

  /// Does the same as `set` in one small loop: decoding text spends most of its time here.
  private int setFloats(FieldPlaces fields, int column, int row, int rows) {
    for (int next = row; next < rows; next++) {
      long from = fields.from(column, next);
      long to = fields.to(column, next);
      boolean plain = fields.marks(column, next) == 0;
      if (plain && from == to) {
        setNull(next);
        continue;
      }
      long bits = plain ? FloatText.bits(from, to) : FloatText.NONE;
      if (bits == FloatText.NONE) {
        return next;
      }
      Raw.ALL.set(Raw.LONG, base + 8L * next, bits);
    }
    return rows;
  }

  private boolean decodeTrimmed(int row, long from, long to) {
    long first = Swar.blanksEnd(from, to);
    long end = Swar.blanksStart(first, to);
    return (first > from || end < to) && decode(row, first, end);
  }

  private boolean decode(int row, long from, long to) {
    return switch (kind) {
      case FLOAT64 -> {
        long bits = FloatText.bits(from, to);
        Raw.ALL.set(Raw.LONG, base + 8L * row, bits);
        yield bits != FloatText.NONE;
      }
      case INT -> {
        long value = WholeText.signed(from, to);
        if (value == WholeText.NONE && WholeText.isNone(from, to)) {
          yield false;
        }
        put(row, value);
        yield value >= least && value <= most;
      }
      case UINT64 -> {
        String text = number(from, to);
        BigInteger value = text.isEmpty() ? BigInteger.ONE.negate() : new BigInteger(text);
        put(row, value.longValue());
        yield value.signum() >= 0 && value.bitLength() <= 64;
      }
      case FLOAT -> {
        int bits = width == 4 ? FloatText.floatBits(from, to) : FloatText.halfBits(from, to);
        put(row, bits);
        yield bits != -1;
      }
      case BOOL -> {
        int value = BoolText.value(from, to);
        byte old = Raw.ALL.get(Raw.BYTE, base + (row >> 3));
        int mask = 1 << (row & 7);
        Raw.ALL.set(Raw.BYTE, base + (row >> 3), (byte) (value > 0 ? old | mask : old & ~mask));
        yield value >= 0;
      }
      case DATE -> {
        long value = TimeText.date(from, to);
        put(row, value);
        yield value != TimeText.NONE;
      }
      case TIME -> {
        long value = TimeText.time(from, to, unit);
        put(row, value);
        yield value != TimeText.NONE;
      }
      case TIMESTAMP -> {
        long value = TimeText.timestamp(from, to, unit, utc);
        put(row, value);
        yield value != TimeText.NONE;
      }
      case DECIMAL -> decimal(row, from, to);
      case UUID -> uuid(row, from, to);
    };
  }

  private void put(int row, long value) {
    long at = base + (long) width * row;
    switch (width) {
      case 1 -> Raw.ALL.set(Raw.BYTE, at, (byte) value);
      case 2 -> Raw.ALL.set(Raw.SHORT, at, (short) value);
      case 4 -> Raw.ALL.set(Raw.INT, at, (int) value);
      default -> Raw.ALL.set(Raw.LONG, at, value);
    }
  }

  /// Returns the text of a whole number without a plus sign, or an empty text if it is not one.
  private static String number(long from, long to) {
    return to - from > DECIMAL_BYTES_MAX || !WholeText.isWhole(from, to) ? "" : text(from, to);
  }

  private boolean decimal(int row, long from, long to) {
    DataType.Decimal decimal = (DataType.Decimal) type();
    // Java parses the digits of all scripts.
    if (to - from > DECIMAL_BYTES_MAX || !Swar.isAscii(from, to)) {
      return false;
    }
    BigInteger unscaled;
    try {
      BigDecimal value = new BigDecimal(text(from, to));
      if (Math.abs((long) value.scale()) > DECIMAL_BYTES_MAX) {
        return false;
      }
      unscaled = value.setScale(decimal.scale()).unscaledValue();
    } catch (ArithmeticException | NumberFormatException _) {
      return false;
    }
    if (unscaled.abs().compareTo(BigInteger.TEN.pow(decimal.precision())) >= 0) {
      return false;
    }
    for (int word = 0; word < width / 8; word++) {
      Raw.ALL.set(Raw.LONG, base + (long) width * row + 8L * word, unscaled.longValue());
      unscaled = unscaled.shiftRight(64);
    }
    return true;
  }

  private boolean uuid(int row, long from, long to) {
    if (to - from != 36) {
      return false;
    }
    try {
      UUID uuid = DataType.Uuid.parse(text(from, to));
      long at = base + 16L * row;
      Raw.ALL.set(Raw.LONG, at, Long.reverseBytes(uuid.getMostSignificantBits()));
      Raw.ALL.set(Raw.LONG, at + 8, Long.reverseBytes(uuid.getLeastSignificantBits()));
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  @Override
  public ColumnSlice slice(int rows) {
    return ColumnSlice.fixed(type(), rows, nulls(), validity(), values.segment());
  }
}
