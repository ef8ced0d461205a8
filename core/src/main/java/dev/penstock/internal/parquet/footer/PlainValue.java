package dev.penstock.internal.parquet.footer;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.memory.Raw;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ByteString;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/// A single value in the form of bounds and bloom filters: PLAIN, without a length before it.
///
/// Values are of the classes that [Bound] names.
public final class PlainValue {
  /// No decimal needs more; more bytes are not a decimal.
  private static final int DECIMAL_BYTES_MAX = 64;

  private static final int DECIMAL_DIGITS_MAX = 160;

  private PlainValue() {}

  /// Returns the value of some bytes; null if they are not a value of the column, for example
  /// because of their length.
  static @Nullable Comparable<?> decode(LeafColumn leaf, ByteString value) {
    byte[] bytes = value.toByteArray();
    int length = bytes.length;
    boolean fits =
        switch (leaf.physical()) {
          case BOOLEAN -> length == 1 && (bytes[0] == 0 || bytes[0] == 1);
          case INT32, FLOAT, INT64, DOUBLE -> length == leaf.plainWidth();
          case INT96 -> false;
          case BYTE_ARRAY -> true;
          case FIXED_LEN_BYTE_ARRAY ->
              leaf.isBytes() ? length > 0 && length <= leaf.width() : length == leaf.width();
        };
    if (!fits) {
      return null;
    }
    MemorySegment plain = MemorySegment.ofArray(bytes);
    return switch (leaf.type()) {
      case DataType.Bool _ -> bytes[0] == 1;
      case DataType.Int(int bits, boolean signed) ->
          bits == 64
              ? signed
                  ? (Comparable<?>) plain.get(Raw.LONG, 0)
                  : new BigInteger(Long.toUnsignedString(plain.get(Raw.LONG, 0)))
              : integer(plain.get(Raw.INT, 0), bits, signed);
      case DataType.Floating(int bits) ->
          switch (bits) {
            case 16 -> (Comparable<?>) Float.float16ToFloat(plain.get(Raw.SHORT, 0));
            case 32 -> (Comparable<?>) Float.intBitsToFloat(plain.get(Raw.INT, 0));
            default -> (Comparable<?>) Double.longBitsToDouble(plain.get(Raw.LONG, 0));
          };
      case DataType.Decimal(int _, int scale) -> decimal(leaf, bytes, plain, scale);
      case DataType.Utf8 _, DataType.Binary _, DataType.FixedBinary _, DataType.Uuid _ -> value;
      case DataType.Date _, DataType.Time _, DataType.Timestamp _ ->
          length == 4 ? (long) plain.get(Raw.INT, 0) : plain.get(Raw.LONG, 0);
      case DataType.List _, DataType.Struct _, DataType.Map _, DataType.Variant _ -> null;
      case DataType.Interval _, DataType.Null _, DataType.Unsupported _ -> null;
    };
  }

  private static @Nullable Long integer(int value, int bits, boolean signed) {
    if (bits == 32) {
      return signed ? (long) value : Integer.toUnsignedLong(value);
    }
    int narrowed =
        bits == 8
            ? (signed ? (byte) value : value & 0xff)
            : signed ? (short) value : value & 0xffff;
    return narrowed == value ? (long) value : null;
  }

  private static @Nullable BigDecimal decimal(
      LeafColumn leaf, byte[] bytes, MemorySegment plain, int scale) {
    return switch (leaf.physical()) {
      case INT32 -> BigDecimal.valueOf(plain.get(Raw.INT, 0), scale);
      case INT64 -> BigDecimal.valueOf(plain.get(Raw.LONG, 0), scale);
      default ->
          bytes.length == 0 || bytes.length > DECIMAL_BYTES_MAX
              ? null
              : new BigDecimal(new BigInteger(bytes), scale);
    };
  }

  /// Returns whether each value has only one form, so that different bytes are always different
  /// values.
  ///
  /// INT96 and decimals of any length can be written in several ways; the upper bits of an 8- or
  /// 16-bit integer, stored in 32 bits, are ignored when it is read; booleans are bits.
  public static boolean isUnique(LeafColumn leaf) {
    return switch (leaf.physical()) {
      case BOOLEAN, INT96 -> false;
      case BYTE_ARRAY -> leaf.isBytes();
      case INT32, INT64, FLOAT, DOUBLE -> isNumber(leaf.type());
      case FIXED_LEN_BYTE_ARRAY ->
          leaf.isBytes() || (isNumber(leaf.type()) && leaf.width() <= DECIMAL_BYTES_MAX);
    };
  }

  private static boolean isNumber(DataType type) {
    return switch (type) {
      case DataType.Int(int bits, boolean _) -> bits >= 32;
      case DataType.Floating _, DataType.Decimal _ -> true;
      case DataType.Date _, DataType.Time _, DataType.Timestamp _ -> true;
      default -> false;
    };
  }

  /// Returns the bytes of a value of a column that [#isUnique]; null if the column cannot hold the
  /// value, such as 2^40 in 32 bits.
  public static byte @Nullable [] encode(LeafColumn leaf, Comparable<?> value) {
    BigInteger integer =
        switch (leaf.type()) {
          case DataType.Int(int bits, boolean signed) when bits == 64 && !signed ->
              require(leaf, value, BigInteger.class);
          case DataType.Int _, DataType.Date _, DataType.Time _, DataType.Timestamp _ ->
              BigInteger.valueOf(require(leaf, value, Long.class));
          case DataType.Decimal(int _, int scale) ->
              unscaled(require(leaf, value, BigDecimal.class), scale);
          case DataType.Floating(int bits) -> floating(leaf, value, bits);
          default -> null;
        };
    if (leaf.isBytes()) {
      byte[] bytes = require(leaf, value, ByteString.class).toByteArray();
      return leaf.width() == 0 || leaf.width() == bytes.length ? bytes : null;
    }
    return integer == null ? null : integer(leaf, integer);
  }

  private static @Nullable BigInteger unscaled(BigDecimal value, int scale) {
    BigDecimal plain = value.stripTrailingZeros();
    boolean fits =
        plain.scale() <= scale && (long) plain.precision() - plain.scale() <= DECIMAL_DIGITS_MAX;
    return fits ? plain.setScale(scale).unscaledValue() : null;
  }

  /// Returns the bits of a number, as a signed integer of its width.
  private static @Nullable BigInteger floating(LeafColumn leaf, Comparable<?> value, int bits) {
    if (bits == 64) {
      return BigInteger.valueOf(Double.doubleToRawLongBits(require(leaf, value, Double.class)));
    }
    float number = require(leaf, value, Float.class);
    if (bits == 32) {
      return BigInteger.valueOf(Float.floatToRawIntBits(number));
    }
    short half = Float.floatToFloat16(number);
    return Float.float16ToFloat(half) == number ? BigInteger.valueOf(half) : null;
  }

  private static byte @Nullable [] integer(LeafColumn leaf, BigInteger value) {
    int width = leaf.plainWidth();
    if (!isInRange(leaf.type(), value, width)) {
      return null;
    }
    if (leaf.physical() == Type.FIXED_LEN_BYTE_ARRAY && leaf.type() instanceof DataType.Decimal) {
      byte[] bytes = value.toByteArray();
      byte[] wide = new byte[width];
      Arrays.fill(wide, (byte) (value.signum() < 0 ? -1 : 0));
      System.arraycopy(bytes, 0, wide, width - bytes.length, bytes.length);
      return wide;
    }
    ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    return Arrays.copyOf(buffer.putLong(value.longValue()).array(), width);
  }

  private static boolean isInRange(DataType type, BigInteger value, int width) {
    if (type instanceof DataType.Int(int bits, boolean signed)) {
      return signed ? value.bitLength() < bits : value.signum() >= 0 && value.bitLength() <= bits;
    }
    return value.bitLength() < 8 * width;
  }

  private static <T> T require(LeafColumn leaf, Comparable<?> value, Class<T> expected) {
    if (!expected.isInstance(value)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot look for '%s' in column '%s': its class is %s but expected %s for a column"
                  + " of type %s.",
              value,
              leaf.path(),
              value.getClass().getSimpleName(),
              expected.getSimpleName(),
              leaf.type()));
    }
    return expected.cast(value);
  }
}
