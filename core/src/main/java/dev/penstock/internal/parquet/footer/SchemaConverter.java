package dev.penstock.internal.parquet.footer;

import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.internal.variant.VariantColumn;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/// Turns Parquet's schema, a tree written in depth-first order, into our columns.
///
/// The types follow the specification's `LogicalTypes.md`: the logical type applies if there is
/// one, else the older converted type. A column that cannot be read is [DataType.Unsupported] and
/// does not affect others.
final class SchemaConverter {
  private static final int DEPTH_MAX = 64;

  /// The most bytes of a fixed-width value: every row takes its full width, even nulls, however few
  /// bytes the file has.
  private static final int FIXED_BYTES_MAX = 16 << 20;

  private record Leaf(DataType type, PlainForm form) {}

  /// An element of the schema with its descendants. The leaf is the place of its chunks in a row
  /// group; -1 for a group.
  private record Node(SchemaElement element, int leaf, List<Node> children) {
    String name() {
      return Objects.requireNonNull(element.getName());
    }

    OptionalInt id() {
      return element.isSetField_id() ? OptionalInt.of(element.getField_id()) : OptionalInt.empty();
    }

    boolean is(FieldRepetitionType repetition) {
      return element.getRepetition_type() == repetition;
    }

    /// Returns whether the element is required; hyparquet-writer then omits the repetition.
    boolean isThere() {
      return element.getRepetition_type() == null || is(FieldRepetitionType.REQUIRED);
    }
  }

  private final List<SchemaElement> elements;
  private int next = 1;
  private int leaves;

  private SchemaConverter(List<SchemaElement> elements) {
    this.elements = elements;
  }

  static List<Column> convert(List<SchemaElement> elements) throws PageException {
    if (elements.isEmpty()) {
      throw new PageException("Corrupt Parquet file: its schema has no elements.");
    }
    SchemaConverter converter = new SchemaConverter(elements);
    List<Column> columns = new ArrayList<>();
    for (Node node : converter.children(elements.getFirst(), 0)) {
      Column column = field(node, 0, 0);
      columns.add(column == null ? unreadable(node) : column);
    }
    return ColumnNames.distinct(
        List.copyOf(columns), column -> column.field().name(), SchemaConverter::unreadable);
  }

  private List<Node> children(SchemaElement parent, int depth) throws PageException {
    if (depth > DEPTH_MAX) {
      throw new PageException(
          "Corrupt Parquet file: its schema is nested more than " + DEPTH_MAX + " deep.");
    }
    List<Node> children = new ArrayList<>();
    for (int i = 0; i < parent.getNum_children(); i++) {
      if (next >= elements.size()) {
        throw new PageException(
            "Corrupt Parquet file: its schema has "
                + elements.size()
                + " elements but their groups have more children.");
      }
      SchemaElement element = elements.get(next++);
      children.add(
          element.isSetType()
              ? new Node(element, leaves++, List.of())
              : new Node(element, -1, children(element, depth + 1)));
    }
    return List.copyOf(children);
  }

  private static Column unreadable(Node node) {
    Field field = new Field(node.name(), new DataType.Unsupported(describe(node)), !node.isThere());
    return new Column(field, node.id(), -1, null, 0, 0, List.of());
  }

  private static Column unreadable(Column column, DataType.Unsupported type) {
    Field field = new Field(column.field().name(), type, column.field().nullable());
    return new Column(field, OptionalInt.empty(), -1, null, 0, 0, List.of());
  }

  /* From here on, null means: cannot be read. `definition` and `repetition` are the levels at which
   * the node's parent is present. */

  /// Converts a node that may be optional or repeated.
  private static @Nullable Column field(Node node, int definition, int repetition) {
    return switch (node.element.getRepetition_type()) {
      case null -> value(node, false, definition, repetition);
      case REQUIRED -> value(node, false, definition, repetition);
      case OPTIONAL -> value(node, true, definition + 1, repetition);
      // Without an enclosing list or map, it is itself one, which cannot be null.
      case REPEATED ->
          isEntry(node)
              ? map(node, node, false, definition, repetition)
              : list(
                  node,
                  false,
                  value(node, false, definition + 1, repetition + 1),
                  definition,
                  repetition);
    };
  }

  /// Converts a node as if it occurred once, at the given levels.
  private static @Nullable Column value(
      Node node, boolean nullable, int definition, int repetition) {
    SchemaElement element = node.element;
    if (node.leaf >= 0) {
      Leaf leaf = leaf(element);
      if (leaf == null) {
        return null;
      }
      // A required column cannot be always null, whatever its annotation.
      boolean isWrong = leaf.type instanceof DataType.Null && !nullable;
      Leaf physical = isWrong ? fromPhysical(element) : leaf;
      if (physical == null) {
        return null;
      }
      Field field = new Field(node.name(), physical.type, nullable);
      return new Column(field, node.id(), node.leaf, leaf.form, definition, repetition);
    }
    return switch (annotation(element)) {
      case NONE -> struct(node, nullable, definition, repetition);
      case VARIANT -> variant(node, nullable, definition, repetition);
      case LIST ->
          list(node, nullable, element(node, definition, repetition), definition, repetition);
      case MAP -> map(node, repeatedChild(node), nullable, definition, repetition);
      case OTHER -> null;
    };
  }

  private enum Annotation {
    NONE,
    LIST,
    MAP,
    VARIANT,
    OTHER
  }

  private static Annotation annotation(SchemaElement group) {
    LogicalType logical = group.getLogicalType();
    // parquet-java writes MAP_KEY_VALUE with the logical type UNKNOWN.
    if (logical != null
        && logical.isSet()
        && !(logical.isSetUNKNOWN() && group.getConverted_type() != null)) {
      return switch (logical.getSetField()) {
        case LIST -> Annotation.LIST;
        case MAP -> Annotation.MAP;
        case VARIANT -> Annotation.VARIANT;
        default -> Annotation.OTHER;
      };
    }
    return switch (group.getConverted_type()) {
      case null -> Annotation.NONE;
      case LIST -> Annotation.LIST;
      case MAP, MAP_KEY_VALUE -> Annotation.MAP;
      default -> Annotation.OTHER;
    };
  }

  private static @Nullable Column struct(
      Node node, boolean nullable, int definition, int repetition) {
    List<Column> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Node child : node.children) {
      Column column = field(child, definition, repetition);
      if (!names.add(child.name())) {
        return null;
      }
      columns.add(column == null ? unreadable(child) : column);
    }
    if (columns.isEmpty()) {
      return null;
    }
    DataType type = new DataType.Struct(columns.stream().map(Column::field).toList());
    return group(node, type, nullable, definition, repetition, columns);
  }

  private static @Nullable Column variant(
      Node node, boolean nullable, int definition, int repetition) {
    Column stored = struct(node, nullable, definition, repetition);
    if (stored == null || !VariantColumn.isStored(stored.field().type())) {
      return null;
    }
    DataType type = new DataType.Variant();
    return group(node, type, nullable, definition, repetition, stored.children());
  }

  private static Column group(
      Node node,
      DataType type,
      boolean nullable,
      int definition,
      int repetition,
      List<Column> children) {
    Field field = new Field(node.name(), type, nullable);
    return new Column(field, node.id(), -1, null, definition, repetition, List.copyOf(children));
  }

  private static @Nullable Column list(
      Node node, boolean nullable, @Nullable Column element, int definition, int repetition) {
    if (element == null) {
      return null;
    }
    DataType type = new DataType.List(element.field().type(), element.field().nullable());
    return group(node, type, nullable, definition, repetition, List.of(element));
  }

  /// Converts the element of a list: in legacy files the repeated child itself, else its child.
  private static @Nullable Column element(Node list, int definition, int repetition) {
    Node repeated = repeatedChild(list);
    if (repeated == null) {
      return null;
    }
    String name = repeated.name();
    boolean itself =
        repeated.children.size() != 1
            || repeated.children.getFirst().is(FieldRepetitionType.REPEATED)
            || name.equals("array")
            || name.equals(list.name() + "_tuple");
    return itself
        ? value(repeated, false, definition + 1, repetition + 1)
        : field(repeated.children.getFirst(), definition + 1, repetition + 1);
  }

  private static @Nullable Node repeatedChild(Node group) {
    boolean fits =
        group.children.size() == 1 && group.children.getFirst().is(FieldRepetitionType.REPEATED);
    return fits ? group.children.getFirst() : null;
  }

  /// Returns whether a repeated group is marked as the entries of a map: old writers do not mark
  /// the group around it.
  private static boolean isEntry(Node repeated) {
    return repeated.element.getConverted_type() == ConvertedType.MAP_KEY_VALUE
        && repeated.leaf < 0
        && repeatedChild(repeated) == null;
  }

  /// Converts a map; one without values is a list of its keys. The entry is the repeated group of
  /// key and value; the node itself if no group is around it.
  private static @Nullable Column map(
      Node node, @Nullable Node entry, boolean nullable, int definition, int repetition) {
    if (entry == null || entry.children.isEmpty() || entry.children.size() > 2) {
      return null;
    }
    // Presto and Athena mark keys as optional although none is null.
    Node keys = entry.children.getFirst();
    Column key =
        keys.is(FieldRepetitionType.REPEATED) ? null : field(keys, definition + 1, repetition + 1);
    if (entry.children.size() == 1) {
      return list(node, nullable, key, definition, repetition);
    }
    Column value = field(entry.children.getLast(), definition + 1, repetition + 1);
    if (key == null || value == null) {
      return null;
    }
    DataType.Map type =
        new DataType.Map(key.field().type(), value.field().type(), value.field().nullable());
    Column pair =
        group(entry, type.entry(), false, definition + 1, repetition + 1, List.of(key, value));
    return group(node, type, nullable, definition, repetition, List.of(pair));
  }

  private static String describe(Node node) {
    String text = node.leaf >= 0 ? describe(node.element) : describeGroup(node);
    return node.is(FieldRepetitionType.REPEATED) ? "list<" + text + ">" : text;
  }

  private static String describe(SchemaElement element) {
    Leaf leaf = leaf(element);
    return leaf == null ? describeLeaf(element) : leaf.type.toString();
  }

  private static String describeGroup(Node node) {
    String fields =
        node.children.stream()
            .map(child -> child.name() + ": " + describe(child))
            .collect(Collectors.joining(", "));
    return switch (annotation(node.element)) {
      case NONE -> "struct<" + fields + ">";
      case LIST, MAP, VARIANT, OTHER -> describeAnnotation(node.element) + "<" + fields + ">";
    };
  }

  private static String describeAnnotation(SchemaElement element) {
    LogicalType logical = element.getLogicalType();
    return logical != null && logical.isSet()
        ? String.valueOf(logical.getSetField())
        : String.valueOf(element.getConverted_type());
  }

  private static String describeLeaf(SchemaElement element) {
    Object annotation =
        element.isSetLogicalType() ? element.getLogicalType() : element.getConverted_type();
    return String.valueOf(element.getType()).toLowerCase(Locale.ROOT)
        + (element.isSetType_length() ? "(" + element.getType_length() + ")" : "")
        + (annotation == null ? "" : " (" + annotation + ")");
  }

  static DataType leafType(SchemaElement element) {
    Leaf leaf = leaf(element);
    return leaf == null ? new DataType.Unsupported(describeLeaf(element)) : leaf.type;
  }

  /// Converts a leaf. An annotation that does not fit the physical type is ignored, together with
  /// the statistics.
  private static @Nullable Leaf leaf(SchemaElement element) {
    return isMisfit(element) ? fromPhysical(element) : annotated(element);
  }

  /// Returns whether a leaf's annotation does not fit its physical type: the format says to ignore
  /// it (parquet-format, pull request 607).
  static boolean isMisfit(SchemaElement element) {
    Type type = element.getType();
    LogicalType logical = element.getLogicalType();
    ConvertedType converted = element.getConverted_type();
    if (logical != null && logical.isSet() && !(logical.isSetUNKNOWN() && converted != null)) {
      return switch (logical.getSetField()) {
        case STRING, ENUM, JSON, BSON, GEOMETRY, GEOGRAPHY -> type != Type.BYTE_ARRAY;
        case UUID, FLOAT16 -> annotated(element) == null;
        case DECIMAL -> !isForDecimals(type);
        case DATE, TIME, TIMESTAMP, INTEGER -> annotated(element) == null;
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
    return type == Type.INT32
        || type == Type.INT64
        || type == Type.BYTE_ARRAY
        || type == Type.FIXED_LEN_BYTE_ARRAY;
  }

  private static @Nullable Leaf annotated(SchemaElement element) {
    LogicalType logical = element.getLogicalType();
    ConvertedType converted = element.getConverted_type();
    // parquet-java writes an interval as the logical type UNKNOWN and the converted type INTERVAL.
    if (logical != null && logical.isSet() && !(logical.isSetUNKNOWN() && converted != null)) {
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
        yield element.getType() == Type.INT96 ? int96(type) : copy(element, Type.INT64, type);
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

  private static Leaf int96(DataType.Timestamp type) {
    return new Leaf(type, new PlainForm.Int96((int) (1_000_000_000 / type.unit().perSecond())));
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
