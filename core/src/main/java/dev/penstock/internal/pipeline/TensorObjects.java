package dev.penstock.internal.pipeline;

import dev.penstock.batch.Tensor;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns the elements of a tensor into the Java objects that mean the same.
final class TensorObjects {
  private TensorObjects() {}

  static List<@Nullable Object> list(DataType type, Tensor values, @Nullable Tensor mask) {
    @Nullable Object[] objects = new Object[Math.toIntExact(values.shape().dim(0))];
    for (int row = 0; row < objects.length; row++) {
      boolean present = mask == null || mask.getBoolean(row);
      objects[row] = present ? object(type, values, row) : null;
    }
    return Collections.<@Nullable Object>unmodifiableList(Arrays.<@Nullable Object>asList(objects));
  }

  private static Object object(DataType type, Tensor values, int row) {
    return switch (type) {
      case DataType.Bool _ -> values.getBoolean(row);
      case DataType.Int(int bits, boolean signed) -> integer(bits, signed, values.getLong(row));
      case DataType.Floating(int bits) when bits < 64 -> values.getFloat(row);
      case DataType.Floating _ -> values.getDouble(row);
      case DataType.Date _ -> LocalDate.ofEpochDay(values.getLong(row));
      case DataType.Time(TimeUnit unit, boolean _) ->
          LocalTime.ofNanoOfDay(values.getLong(row) * (1_000_000_000L / unit.perSecond()));
      case DataType.Timestamp(TimeUnit unit, boolean utc) ->
          timestamp(unit, utc, values.getLong(row));
      default -> throw new IllegalStateException("No tensor holds " + type);
    };
  }

  private static Object integer(int bits, boolean signed, long value) {
    if (bits < 32 || (bits == 32 && signed)) {
      return (int) value;
    }
    if (signed || bits == 32 || value >= 0) {
      return bits == 64 && !signed ? BigInteger.valueOf(value) : (Object) value;
    }
    return new BigInteger(Long.toUnsignedString(value));
  }

  private static Object timestamp(TimeUnit unit, boolean utc, long value) {
    long perSecond = unit.perSecond();
    long seconds = Math.floorDiv(value, perSecond);
    int nanos = (int) (Math.floorMod(value, perSecond) * (1_000_000_000L / perSecond));
    return utc
        ? Instant.ofEpochSecond(seconds, nanos)
        : LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC);
  }
}
