package dev.penstock.internal.parquet.footer;

import dev.penstock.schema.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/// A leaf of the schema's tree, which statistics, page index and bloom filter refer to.
///
/// @param path the names from the top-level column to the leaf, with dots between
/// @param width the bytes of a value of [Type#FIXED_LEN_BYTE_ARRAY]; 0 for others
/// @param ordered whether the format defines an order of the values, so that bounds are meaningful
/// @param nullable whether the leaf or a column around it may be null or empty
/// @param repeated whether it is in a list or a map, so that the numbers of rows and values differ
public record LeafColumn(
    String path,
    DataType type,
    Type physical,
    int width,
    boolean ordered,
    boolean nullable,
    boolean repeated) {
  /// Returns the leaves in the order of their chunks, of a schema that [SchemaConverter] has
  /// checked to be a tree.
  static List<LeafColumn> of(List<SchemaElement> schema) {
    List<LeafColumn> leaves = new ArrayList<>();
    int next = 1;
    for (int i = 0; i < schema.getFirst().getNum_children(); i++) {
      next = add(schema, next, null, false, false, leaves);
    }
    return List.copyOf(leaves);
  }

  /// Adds the leaves of the subtree that starts at an element and returns where the next one
  /// starts.
  private static int add(
      List<SchemaElement> schema,
      int index,
      @Nullable String parent,
      boolean nullable,
      boolean repeated,
      List<LeafColumn> leaves) {
    SchemaElement element = schema.get(index);
    String name = Objects.requireNonNull(element.getName());
    String path = parent == null ? name : parent + "." + name;
    boolean mayLack =
        nullable
            || element.getRepetition_type() == FieldRepetitionType.OPTIONAL
            || element.getRepetition_type() == FieldRepetitionType.REPEATED;
    boolean many = repeated || element.getRepetition_type() == FieldRepetitionType.REPEATED;
    if (element.isSetType()) {
      leaves.add(leaf(element, path, mayLack, many));
      return index + 1;
    }
    int next = index + 1;
    for (int i = 0; i < element.getNum_children(); i++) {
      next = add(schema, next, path, mayLack, many, leaves);
    }
    return next;
  }

  private static LeafColumn leaf(
      SchemaElement element, String path, boolean nullable, boolean repeated) {
    DataType type = LeafConverter.leafType(element);
    Type physical = Objects.requireNonNull(element.getType());
    boolean fixed = physical == Type.FIXED_LEN_BYTE_ARRAY;
    return new LeafColumn(
        path,
        type,
        physical,
        fixed ? element.getType_length() : 0,
        isOrdered(element, type),
        nullable,
        repeated);
  }

  /// Writers do not agree on an order of intervals and INT96, and that of geometries and future
  /// types is not known here.
  private static boolean isOrdered(SchemaElement element, DataType type) {
    if (type instanceof DataType.Interval
        || type instanceof DataType.Unsupported
        || element.getType() == Type.INT96
        || LeafConverter.isMisfit(element)) {
      return false;
    }
    LogicalType logical = element.getLogicalType();
    if (logical == null) {
      return true;
    }
    return logical.isSet()
        && !logical.isSetUNKNOWN()
        && !logical.isSetGEOMETRY()
        && !logical.isSetGEOGRAPHY();
  }

  /// Returns whether values are ordered as bytes: text, binaries, UUIDs.
  boolean isBytes() {
    return type instanceof DataType.Utf8
        || type instanceof DataType.Binary
        || type instanceof DataType.FixedBinary
        || type instanceof DataType.Uuid;
  }

  /// Returns whether the values are stored as bytes, whatever they mean.
  boolean isStoredAsBytes() {
    return physical == Type.BYTE_ARRAY || physical == Type.FIXED_LEN_BYTE_ARRAY;
  }

  /// Returns the bytes of a value in PLAIN; 0 if they differ.
  public int plainWidth() {
    return switch (physical) {
      case INT32, FLOAT -> 4;
      case INT64, DOUBLE -> 8;
      default -> width;
    };
  }

  boolean isFloating() {
    return type instanceof DataType.Floating;
  }

  boolean isUnsigned() {
    return type instanceof DataType.Int(int _, boolean signed) && !signed;
  }

  /// Returns whether values are booleans or signed numbers of 4 or 8 bytes.
  boolean isSignedNumber() {
    return ordered && !isUnsigned() && !isStoredAsBytes();
  }
}
