package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.ParquetMetadata.Column;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/// Turns Parquet's schema, a tree written in depth-first order, into our columns.
///
/// The types follow the specification's `LogicalTypes.md`: the logical type counts where there is
/// one, else the older converted type. An annotation that does not fit its physical type makes the
/// column [DataType.Unsupported], as does every nested column.
final class SchemaConverter {
  private static final int DEPTH_MAX = 64;

  /// Every row of a fixed-width column takes this much memory, nulls too, whatever the file holds.
  private static final int FIXED_BYTES_MAX = 16 << 20;

  /// A leaf's type and how it is stored.
  private record Leaf(DataType type, PlainForm form) {}

  private final List<SchemaElement> elements;
  private int next = 1;
  private int leaves;

  private SchemaConverter(List<SchemaElement> elements) {
    this.elements = elements;
  }

  /// What a schema holds: its top-level columns, and how many leaf columns they have in all.
  record Result(List<Column> columns, int leaves) {}

  static Result convert(List<SchemaElement> elements) throws PageException {
    if (elements.isEmpty()) {
      throw new PageException("Corrupt Parquet file: its schema has no elements.");
    }
    SchemaConverter converter = new SchemaConverter(elements);
    int children = elements.getFirst().getNum_children();
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < children; i++) {
      columns.add(converter.column());
    }
    return new Result(List.copyOf(columns), converter.leaves);
  }

  private Column column() throws PageException {
    SchemaElement element = element();
    boolean nullable = element.getRepetition_type() != FieldRepetitionType.REQUIRED;
    boolean flat =
        isLeaf(element)
            && element.isSetRepetition_type()
            && element.getRepetition_type() != FieldRepetitionType.REPEATED;
    if (!flat) {
      return unreadable(element, nullable, describe(element, 0));
    }
    int index = leaves++;
    Leaf leaf = leaf(element);
    if (leaf == null) {
      return unreadable(element, nullable, describeLeaf(element));
    }
    return new Column(new Field(name(element), leaf.type, nullable), index, leaf.form);
  }

  private static Column unreadable(SchemaElement element, boolean nullable, String description) {
    DataType type = new DataType.Unsupported(description);
    return new Column(new Field(name(element), type, nullable), -1, null);
  }

  private SchemaElement element() throws PageException {
    if (next >= elements.size()) {
      throw new PageException(
          "Corrupt Parquet file: its schema has "
              + elements.size()
              + " elements but their groups have more children.");
    }
    return elements.get(next++);
  }

  private static String name(SchemaElement element) {
    return Objects.requireNonNull(element.getName());
  }

  private static boolean isLeaf(SchemaElement element) {
    return element.isSetType();
  }

  private String describe(SchemaElement element, int depth) throws PageException {
    if (depth > DEPTH_MAX) {
      throw new PageException(
          "Corrupt Parquet file: its schema is nested more than " + DEPTH_MAX + " deep.");
    }
    boolean repeated = element.getRepetition_type() == FieldRepetitionType.REPEATED;
    if (isLeaf(element)) {
      leaves++;
      Leaf leaf = leaf(element);
      String text = leaf == null ? describeLeaf(element) : leaf.type.toString();
      return repeated ? "list<" + text + ">" : text;
    }
    String text = describeGroup(element, depth);
    return repeated ? "list<" + text + ">" : text;
  }

  private String describeGroup(SchemaElement element, int depth) throws PageException {
    ConvertedType annotation = element.getConverted_type();
    if (element.getNum_children() == 1) {
      if (annotation == ConvertedType.LIST) {
        return describeList(element(), depth);
      }
      if (annotation == ConvertedType.MAP || annotation == ConvertedType.MAP_KEY_VALUE) {
        return "map<" + describeChildren(element(), depth) + ">";
      }
    }
    return "struct<" + describeChildren(element, depth) + ">";
  }

  /// Describes a list by its repeated child, which is the element itself in files of old.
  private String describeList(SchemaElement repeated, int depth) throws PageException {
    boolean wrapped = !isLeaf(repeated) && repeated.getNum_children() == 1;
    return wrapped ? "list<" + describe(element(), depth + 2) + ">" : describe(repeated, depth + 1);
  }

  private String describeChildren(SchemaElement element, int depth) throws PageException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < element.getNum_children(); i++) {
      SchemaElement child = element();
      text.append(i == 0 ? "" : ", ").append(name(child)).append(": ");
      text.append(describe(child, depth + 1));
    }
    return text.toString();
  }

  private static String describeLeaf(SchemaElement element) {
    Object annotation =
        element.isSetLogicalType() ? element.getLogicalType() : element.getConverted_type();
    return String.valueOf(element.getType()).toLowerCase(Locale.ROOT)
        + (element.isSetType_length() ? "(" + element.getType_length() + ")" : "")
        + (annotation == null ? "" : " (" + annotation + ")");
  }

  private static @Nullable Leaf leaf(SchemaElement element) {
    LogicalType logical = element.getLogicalType();
    ConvertedType converted = element.getConverted_type();
    // parquet-java writes an interval as the logical type UNKNOWN and the converted type INTERVAL.
    boolean known = logical != null && logical.isSet() && !logical.isSetUNKNOWN();
    if (logical != null && known) {
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
      case TIMESTAMP ->
          copy(
              element,
              Type.INT64,
              new DataType.Timestamp(
                  unit(Objects.requireNonNull(logical.getTIMESTAMP().getUnit())),
                  logical.getTIMESTAMP().isIsAdjustedToUTC()));
      case INTEGER ->
          integer(element, logical.getINTEGER().getBitWidth(), logical.getINTEGER().isIsSigned());
      case UUID -> fixed(element, 16, new DataType.Uuid());
      case FLOAT16 -> fixed(element, 2, new DataType.Floating(16));
      case UNKNOWN -> fromPhysical(element);
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

  private static @Nullable Leaf fromPhysical(SchemaElement element) {
    return switch (Objects.requireNonNull(element.getType())) {
      case BOOLEAN -> new Leaf(new DataType.Bool(), new PlainForm.Bits());
      case INT32 -> new Leaf(new DataType.Int(32, true), new PlainForm.Copy(4));
      case INT64 -> new Leaf(new DataType.Int(64, true), new PlainForm.Copy(8));
      case INT96 -> new Leaf(new DataType.Timestamp(TimeUnit.NANOS, false), new PlainForm.Int96());
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
          element.getType_length() < 1
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
