package dev.penstock.blackbox.contract;

import dev.penstock.filter.Fold;
import dev.penstock.schema.DataType;
import dev.penstock.tck.Values;
import dev.penstock.tck.internal.NaiveFilter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.apache.parquet.column.values.bloomfilter.XxHash;

/// Folds computed from the rule in [Fold] with another xxHash64, that of parquet-java.
final class NaiveFold {
  private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

  private NaiveFold() {}

  /// Returns whether a column of a type can be part of a key.
  static boolean takes(DataType type) {
    return NaiveFilter.isComparable(type) && !(type instanceof DataType.Floating);
  }

  static int of(Fold fold, List<DataType> types, List<Object> key) {
    ByteBuffer bytes = ByteBuffer.allocate(100_000).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(fold.seed());
    for (int i = 0; i < types.size(); i++) {
      if (key.get(i) == null) {
        bytes.put((byte) 0);
      } else {
        bytes.put((byte) 1);
        add(bytes, types.get(i), key.get(i));
      }
    }
    long hash = new XxHash().hashBytes(Arrays.copyOf(bytes.array(), bytes.position()));
    return new BigInteger(Long.toUnsignedString(hash))
        .mod(BigInteger.valueOf(fold.k()))
        .intValueExact();
  }

  private static void add(ByteBuffer bytes, DataType type, Object value) {
    switch (type) {
      case DataType.Bool _ -> bytes.putLong((Boolean) value ? 1 : 0);
      case DataType.Int _, DataType.Date _ -> bytes.putLong(Values.toLong(type, value));
      case DataType.Time(DataType.TimeUnit unit, boolean _) ->
          bytes.putLong(nanos(Values.toLong(type, value), unit));
      case DataType.Timestamp(DataType.TimeUnit unit, boolean _) ->
          bytes.putLong(nanos(Values.toLong(type, value), unit));
      case DataType.Decimal(int _, int scale) -> {
        BigInteger left = ((BigDecimal) value).setScale(scale).unscaledValue();
        for (int i = 0; i < 4; i++) {
          bytes.putLong(left.longValue());
          left = left.shiftRight(64);
        }
      }
      case DataType.Utf8 _ -> add(bytes, ((String) value).getBytes(StandardCharsets.UTF_8));
      case DataType.Uuid _ -> {
        UUID uuid = (UUID) value;
        add(
            bytes,
            ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array());
      }
      default -> add(bytes, HexFormat.of().parseHex((String) value));
    }
  }

  private static void add(ByteBuffer bytes, byte[] value) {
    bytes.putLong(value.length).put(value);
  }

  private static long nanos(long count, DataType.TimeUnit unit) {
    return BigInteger.valueOf(count)
        .multiply(BigInteger.TEN.pow(9 - unit.digits()))
        .mod(TWO_64)
        .longValue();
  }
}
