package dev.penstock.iceberg.internal.files;

import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/// Measures the schema of an Avro file before Iceberg sees it: Iceberg visits a record again
/// wherever its name is used, and forty records that each have the one before twice are 2^40.
final class AvroSchemas {
  /// How many types a schema may have, with those of records that are used again by name written
  /// out each time. Manifests have some fifty, and a few for each column of the partitions.
  static final int TYPES_MAX = 100_000;

  /// How deep types may be nested. Those of manifests are nested five deep.
  static final int DEPTH_MAX = 64;

  /// How long the schema's text may be.
  static final int BYTES_MAX = 16 << 20;

  private static final String TOO_DEEP = "its schema is nested more than " + DEPTH_MAX + " deep";

  private final IdentityHashMap<Schema, Size> known = new IdentityHashMap<>();

  private AvroSchemas() {}

  /// How much a type is.
  ///
  /// @param types the types in it, and itself
  private record Size(long types, int depth) {
    static final Size ONE = new Size(1, 1);

    Size around(Size child) {
      return new Size(
          Math.min(TYPES_MAX + 1L, types + child.types), Math.max(depth, 1 + child.depth));
    }
  }

  /// Returns what is wrong with a schema.
  ///
  /// @param text the schema as it is in the file's header
  /// @return the end of a sentence; null if it may be read
  static @Nullable String refusal(byte[] text) {
    Size size;
    try {
      Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION);
      parser.setValidateDefaults(false);
      size = new AvroSchemas().size(parser.parse(new String(text, StandardCharsets.UTF_8)));
    } catch (StackOverflowError _) {
      return TOO_DEEP;
    } catch (RuntimeException e) { // the parser may throw anything
      return "its schema cannot be parsed (" + e.getMessage() + ")";
    }
    if (size.depth > DEPTH_MAX) {
      return TOO_DEEP;
    }
    return size.types > TYPES_MAX
        ? "its schema has more than " + TYPES_MAX + " types, where reused records count each time"
        : null;
  }

  /// Measures a type. Each is visited once; in itself it counts as one.
  private Size size(Schema schema) {
    Size before = known.putIfAbsent(schema, Size.ONE);
    if (before != null) {
      return before;
    }
    List<Schema> children =
        switch (schema.getType()) {
          case RECORD -> schema.getFields().stream().map(Schema.Field::schema).toList();
          case ARRAY -> List.of(schema.getElementType());
          case MAP -> List.of(schema.getValueType());
          case UNION -> schema.getTypes();
          case ENUM, FIXED, STRING, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, NULL -> List.of();
        };
    Size size = Size.ONE;
    for (Schema child : children) {
      size = size.around(size(child));
    }
    known.put(schema, size);
    return size;
  }
}
