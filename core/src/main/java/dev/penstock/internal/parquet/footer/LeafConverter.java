package dev.penstock.internal.parquet.footer;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import java.util.Locale;
import java.util.Objects;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/// The types of the leaves of Parquet's schema, and how they are stored.
///
/// They follow the specification's `LogicalTypes.md`: the logical type applies if there is one,
/// else the older converted type. Null means: cannot be read.
final class LeafConverter {
  /// The most bytes of a fixed-width value: every row takes its full width, even nulls, however few
  /// bytes the file has.
  private static final int FIXED_BYTES_MAX = 16 << 20;

  record Leaf(DataType type, PlainForm form) {}

  private LeafConverter() {}

  /// Returns an element's logical type, if it is what applies. parquet-java writes an interval, and
  /// the entries of a map, as the logical type UNKNOWN beside the converted type.
  static @Nullable LogicalType logical(SchemaElement element) {
    LogicalType logical = element.getLogicalType();
    return logical != null
            && logical.isSet()
            && !(logical.isSetUNKNOWN() && element.getConverted_type() != null)
        ? logical
        : null;
  }

  static String describe(SchemaElement element) {
    Object annotation =
        element.isSetLogicalType() ? element.getLogicalType() : element.getConverted_type();
    return String.valueOf(element.getType()).toLowerCase(Locale.ROOT)
        + (element.isSetType_length() ? "(" + element.getType_length() + ")" : "")
        + (annotation == null ? "" : " (" + annotation + ")");
  }

  static DataType leafType(SchemaElement element) {
    Leaf leaf = leaf(element);
    return leaf == null ? new DataType.Unsupported(describe(element)) : leaf.type;
  }

  /// Converts a leaf. An annotation that does not fit the physical type is ignored, together with
  /// the statistics.
  static @Nullable Leaf leaf(SchemaElement element) {
    return isMisfit(element) ? fromPhysical(element) : annotated(element);
  }

  /// Returns whether a leaf's annotation does not fit its physical type: the format says to ignore
  /// it (parquet-format, pull request 607).
  static boolean isMisfit(SchemaElement element) {
    Type type = element.getType();
    LogicalType logical = logical(element);
    ConvertedType converted = element.getConverted_type();
    if (logical != null) {
      return switch (logical.getSetField()) {
        case STRING, ENUM, JSON, BSON, GEOMETRY, GEOGRAPHY -> type != Type.BYTE_ARRAY;
        case DECIMAL -> !isForDecimals(type);
        case UUID, FLOAT16, DATE, TIME, TIMESTAMP, INTEGER -> annotated(element) == null;
        case UNKNOWN -> false;
        case MAP, LIST, VARIANT -> true;
      };
    }
    return switch (converted) {
      case null -> false;
      case UTF8, ENUM, JSON, BSON -> type != Type.BYTE_ARRAY;
      case DECIMAL -> !isForDecimals(type);
      default -> annotated(element) == null;
    };
  }

  private static boolean isForDecimals(@Nullable Type type) {
    return switch (type) {
      case INT32, INT64, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> true;
      case null, default -> false;
    };
  }

  private static @Nullable Leaf annotated(SchemaElement element) {
    LogicalType logical = logical(element);
    ConvertedType converted = element.getConverted_type();
    if (logical != null) {
      return fromLogical(element, logical);
    }
    return converted == null ? fromPhysical(element) : fromConverted(element, converted);
  }

  private static @Nullable Leaf fromLogical(SchemaElement element, LogicalType logical) {
    return switch (logical.getSetField()) {
      case STRING, ENUM, JSON -> bytes(element, new DataType.Utf8());
      case BSON, GEOMETRY, GEOGRAPHY -> bytes(element, new DataType.Binary());
      case DECIMAL ->
          decimal(element, logical.getDECIMAL().getPrecision(), logical.getDECIMAL().getScale());
      case DATE -> copy(element, Type.INT32, new DataType.Date());
      case TIME -> {
        TimeUnit unit = unit(Objects.requireNonNull(logical.getTIME().getUnit()));
        yield copy(
            element,
            unit == TimeUnit.MILLIS ? Type.INT32 : Type.INT64,
            new DataType.Time(unit, logical.getTIME().isIsAdjustedToUTC()));
      }
      case TIMESTAMP -> {
        DataType.Timestamp type =
            new DataType.Timestamp(
                unit(Objects.requireNonNull(logical.getTIMESTAMP().getUnit())),
                logical.getTIMESTAMP().isIsAdjustedToUTC());
        long perSecond = type.unit().perSecond();
        yield element.getType() == Type.INT96
            ? new Leaf(type, new PlainForm.Int96((int) (1_000_000_000 / perSecond)))
            : copy(element, Type.INT64, type);
      }
      case INTEGER ->
          integer(element, logical.getINTEGER().getBitWidth(), logical.getINTEGER().isIsSigned());
      case UUID -> fixed(element, 16, new DataType.Uuid());
      case FLOAT16 -> fixed(element, 2, new DataType.Floating(16));
      case UNKNOWN -> {
        Leaf physical = fromPhysical(element);
        yield physical == null ? null : new Leaf(new DataType.Null(), physical.form);
      }
      case MAP, LIST, VARIANT -> null;
    };
  }

  private static @Nullable Leaf fromConverted(SchemaElement element, ConvertedType converted) {
    return switch (converted) {
      case UTF8, ENUM, JSON -> bytes(element, new DataType.Utf8());
      case BSON -> bytes(element, new DataType.Binary());
      case DECIMAL -> decimal(element, element.getPrecision(), element.getScale());
      case DATE -> copy(element, Type.INT32, new DataType.Date());
      case TIME_MILLIS -> copy(element, Type.INT32, new DataType.Time(TimeUnit.MILLIS, true));
      case TIME_MICROS -> copy(element, Type.INT64, new DataType.Time(TimeUnit.MICROS, true));
      case TIMESTAMP_MILLIS ->
          copy(element, Type.INT64, new DataType.Timestamp(TimeUnit.MILLIS, true));
      case TIMESTAMP_MICROS ->
          copy(element, Type.INT64, new DataType.Timestamp(TimeUnit.MICROS, true));
      case INT_8 -> integer(element, 8, true);
      case INT_16 -> integer(element, 16, true);
      case INT_32 -> integer(element, 32, true);
      case INT_64 -> integer(element, 64, true);
      case UINT_8 -> integer(element, 8, false);
      case UINT_16 -> integer(element, 16, false);
      case UINT_32 -> integer(element, 32, false);
      case UINT_64 -> integer(element, 64, false);
      case INTERVAL -> fixed(element, 12, new DataType.Interval());
      case MAP, MAP_KEY_VALUE, LIST -> null;
    };
  }

  static @Nullable Leaf fromPhysical(SchemaElement element) {
    return switch (Objects.requireNonNull(element.getType())) {
      case BOOLEAN -> new Leaf(new DataType.Bool(), new PlainForm.Bits());
      case INT32 -> new Leaf(new DataType.Int(32, true), new PlainForm.Copy(4));
      case INT64 -> new Leaf(new DataType.Int(64, true), new PlainForm.Copy(8));
      case INT96 -> new Leaf(new DataType.Timestamp(TimeUnit.NANOS, false), new PlainForm.Int96(1));
      case FLOAT -> new Leaf(new DataType.Floating(32), new PlainForm.Copy(4));
      case DOUBLE -> new Leaf(new DataType.Floating(64), new PlainForm.Copy(8));
      case BYTE_ARRAY -> new Leaf(new DataType.Binary(), new PlainForm.Sized());
      case FIXED_LEN_BYTE_ARRAY -> {
        int width = element.getType_length();
        yield width < 1 || width > FIXED_BYTES_MAX
            ? null
            : new Leaf(new DataType.FixedBinary(width), new PlainForm.Copy(width));
      }
    };
  }

  private static @Nullable Leaf bytes(SchemaElement element, DataType type) {
    return element.getType() == Type.BYTE_ARRAY ? new Leaf(type, new PlainForm.Sized()) : null;
  }

  private static @Nullable Leaf copy(SchemaElement element, Type physical, DataType type) {
    return element.getType() == physical
        ? new Leaf(type, new PlainForm.Copy(type.byteWidth()))
        : null;
  }

  private static @Nullable Leaf fixed(SchemaElement element, int width, DataType type) {
    boolean fits =
        element.getType() == Type.FIXED_LEN_BYTE_ARRAY && element.getType_length() == width;
    return fits ? new Leaf(type, new PlainForm.Copy(width)) : null;
  }

  private static @Nullable Leaf integer(SchemaElement element, int bits, boolean signed) {
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      return null;
    }
    if (bits >= 32) {
      return copy(element, bits == 64 ? Type.INT64 : Type.INT32, new DataType.Int(bits, signed));
    }
    return element.getType() == Type.INT32
        ? new Leaf(new DataType.Int(bits, signed), new PlainForm.Narrow(bits / 8, signed))
        : null;
  }

  private static @Nullable Leaf decimal(SchemaElement element, int precision, int scale) {
    if (precision < 1 || precision > 76 || scale < 0 || scale > precision) {
      return null;
    }
    DataType type = new DataType.Decimal(precision, scale);
    int width = type.byteWidth();
    return switch (Objects.requireNonNull(element.getType())) {
      case INT32 -> new Leaf(type, new PlainForm.Widen(4, width));
      case INT64 ->
          new Leaf(type, width == 8 ? new PlainForm.Copy(8) : new PlainForm.Widen(8, width));
      case FIXED_LEN_BYTE_ARRAY ->
          element.getType_length() < 1 || element.getType_length() > FIXED_BYTES_MAX
              ? null
              : new Leaf(type, new PlainForm.BigEndian(element.getType_length(), width));
      case BYTE_ARRAY -> new Leaf(type, new PlainForm.SizedBigEndian(width));
      case BOOLEAN, INT96, FLOAT, DOUBLE -> null;
    };
  }

  private static TimeUnit unit(org.apache.parquet.format.TimeUnit unit) {
    return unit.isSetMILLIS()
        ? TimeUnit.MILLIS
        : unit.isSetMICROS() ? TimeUnit.MICROS : TimeUnit.NANOS;
  }
}
