package dev.penstock.internal.parquet.footer;

import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.internal.variant.VariantColumn;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;

/// Turns Parquet's schema, a tree written in depth-first order, into our columns.
///
/// A column that cannot be read is [DataType.Unsupported] and does not affect others.
final class SchemaConverter {
  private static final int DEPTH_MAX = 64;

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

  /// The levels at which the parent of a node is present.
  private record Levels(int definition, int repetition) {
    Levels inOptional() {
      return new Levels(definition + 1, repetition);
    }

    Levels inList() {
      return new Levels(definition + 1, repetition + 1);
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
      Column column = field(node, new Levels(0, 0));
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

  /* From here on, null means: cannot be read. */

  /// Converts a node that may be optional or repeated.
  private static @Nullable Column field(Node node, Levels levels) {
    return switch (node.element.getRepetition_type()) {
      case null -> value(node, false, levels);
      case REQUIRED -> value(node, false, levels);
      case OPTIONAL -> value(node, true, levels.inOptional());
      // Without an enclosing list or map, it is itself one, which cannot be null.
      case REPEATED ->
          isEntry(node)
              ? map(node, node, false, levels)
              : list(node, false, value(node, false, levels.inList()), levels);
    };
  }

  /// Converts a node as if it occurred once, at the given levels.
  private static @Nullable Column value(Node node, boolean nullable, Levels levels) {
    SchemaElement element = node.element;
    if (node.leaf >= 0) {
      LeafConverter.Leaf leaf = LeafConverter.leaf(element);
      if (leaf == null) {
        return null;
      }
      // A required column cannot be always null, whatever its annotation.
      boolean isWrong = leaf.type() instanceof DataType.Null && !nullable;
      LeafConverter.Leaf physical = isWrong ? LeafConverter.fromPhysical(element) : leaf;
      if (physical == null) {
        return null;
      }
      Field field = new Field(node.name(), physical.type(), nullable);
      return new Column(
          field,
          node.id(),
          node.leaf,
          leaf.form(),
          levels.definition,
          levels.repetition,
          List.of());
    }
    return switch (annotation(element)) {
      case NONE -> struct(node, nullable, levels);
      case VARIANT -> variant(node, nullable, levels);
      case LIST -> list(node, nullable, element(node, levels.inList()), levels);
      case MAP -> map(node, repeatedChild(node), nullable, levels);
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
    LogicalType logical = LeafConverter.logical(group);
    if (logical != null) {
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

  private static @Nullable Column struct(Node node, boolean nullable, Levels levels) {
    List<Column> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Node child : node.children) {
      Column column = field(child, levels);
      if (!names.add(child.name())) {
        return null;
      }
      columns.add(column == null ? unreadable(child) : column);
    }
    if (columns.isEmpty()) {
      return null;
    }
    DataType type = new DataType.Struct(columns.stream().map(Column::field).toList());
    return group(node, type, nullable, levels, columns);
  }

  private static @Nullable Column variant(Node node, boolean nullable, Levels levels) {
    Column stored = struct(node, nullable, levels);
    return stored == null || !VariantColumn.isStored(stored.field().type())
        ? null
        : group(node, new DataType.Variant(), nullable, levels, stored.children());
  }

  private static Column group(
      Node node, DataType type, boolean nullable, Levels levels, List<Column> children) {
    return new Column(
        new Field(node.name(), type, nullable),
        node.id(),
        -1,
        null,
        levels.definition,
        levels.repetition,
        List.copyOf(children));
  }

  private static @Nullable Column list(
      Node node, boolean nullable, @Nullable Column element, Levels levels) {
    if (element == null) {
      return null;
    }
    DataType type = new DataType.List(element.field().type(), element.field().nullable());
    return group(node, type, nullable, levels, List.of(element));
  }

  /// Converts the element of a list: in legacy files the repeated child itself, else its child.
  private static @Nullable Column element(Node list, Levels levels) {
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
    return itself ? value(repeated, false, levels) : field(repeated.children.getFirst(), levels);
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
      Node node, @Nullable Node entry, boolean nullable, Levels levels) {
    if (entry == null || entry.children.isEmpty() || entry.children.size() > 2) {
      return null;
    }
    // Presto and Athena mark keys as optional although none is null.
    Node keys = entry.children.getFirst();
    Levels inside = levels.inList();
    Column key = keys.is(FieldRepetitionType.REPEATED) ? null : field(keys, inside);
    if (entry.children.size() == 1) {
      return list(node, nullable, key, levels);
    }
    Column value = field(entry.children.getLast(), inside);
    if (key == null || value == null) {
      return null;
    }
    DataType.Map type =
        new DataType.Map(key.field().type(), value.field().type(), value.field().nullable());
    Column pair = group(entry, type.entry(), false, inside, List.of(key, value));
    return group(node, type, nullable, levels, List.of(pair));
  }

  private static String describe(Node node) {
    String text = node.leaf >= 0 ? describe(node.element) : describeGroup(node);
    return node.is(FieldRepetitionType.REPEATED) ? "list<" + text + ">" : text;
  }

  private static String describe(SchemaElement element) {
    LeafConverter.Leaf leaf = LeafConverter.leaf(element);
    return leaf == null ? LeafConverter.describe(element) : leaf.type().toString();
  }

  private static String describeGroup(Node node) {
    String fields =
        node.children.stream()
            .map(child -> child.name() + ": " + describe(child))
            .collect(Collectors.joining(", "));
    LogicalType logical = node.element.getLogicalType();
    Object name =
        annotation(node.element) == Annotation.NONE
            ? "struct"
            : logical != null && logical.isSet()
                ? logical.getSetField()
                : node.element.getConverted_type();
    return name + "<" + fields + ">";
  }
}
