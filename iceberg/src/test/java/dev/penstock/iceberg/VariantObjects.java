package dev.penstock.iceberg;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.variants.VariantArray;
import org.apache.iceberg.variants.VariantObject;
import org.apache.iceberg.variants.VariantPrimitive;
import org.apache.iceberg.variants.VariantValue;
import org.jspecify.annotations.Nullable;

/// Iceberg's variants as the objects that the loader makes of variants.
final class VariantObjects {
  private VariantObjects() {}

  static @Nullable Object of(VariantValue value) {
    return switch (value) {
      case VariantObject object -> {
        Map<String, @Nullable Object> map = new TreeMap<>();
        object.fieldNames().forEach(name -> map.put(name, of(object.get(name))));
        yield map;
      }
      case VariantArray array -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = 0; i < array.numElements(); i++) {
          list.add(of(array.get(i)));
        }
        yield list;
      }
      default -> of((VariantPrimitive<?>) value);
    };
  }

  private static @Nullable Object of(VariantPrimitive<?> value) {
    Object object = value.get();
    return switch (value.type()) {
      case INT8, INT16, INT32, INT64 -> ((Number) object).longValue();
      case DATE -> LocalDate.ofEpochDay((Integer) object);
      case TIMESTAMPTZ -> Instant.EPOCH.plus((Long) object, ChronoUnit.MICROS);
      case TIMESTAMPNTZ -> local(Instant.EPOCH.plus((Long) object, ChronoUnit.MICROS));
      case TIMESTAMPTZ_NANOS -> Instant.EPOCH.plusNanos((Long) object);
      case TIMESTAMPNTZ_NANOS -> local(Instant.EPOCH.plusNanos((Long) object));
      case TIME -> LocalTime.ofNanoOfDay((Long) object * 1_000);
      case BINARY -> {
        byte[] bytes = new byte[((ByteBuffer) object).remaining()];
        ((ByteBuffer) object).duplicate().get(bytes);
        yield bytes;
      }
      default -> object;
    };
  }

  private static LocalDateTime local(Instant time) {
    return LocalDateTime.ofInstant(time, ZoneOffset.UTC);
  }
}
