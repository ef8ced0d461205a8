package dev.penstock.cli.output;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Writes values as fields of a CSV, with the quotes of RFC 4180: a null is an empty field, an
/// empty text is `""`.
///
/// A null in the only column is `""`, too, because readers skip empty lines.
public final class CsvBuffer extends OutputBuffer {
  private final boolean isOnlyColumn;

  /// Makes a buffer in front of a stream, for rows of a schema.
  ///
  /// @throws IllegalArgumentException if a column's values have parts, for which a CSV has no form
  public CsvBuffer(OutputStream out, Schema schema) {
    super(out);
    this.isOnlyColumn = schema.size() == 1;
    schema.fields().stream()
        .filter(field -> !isFlat(field))
        .findFirst()
        .ifPresent(nested -> {
          List<String> flat = schema.fields().stream().flatMap(each -> flat("", each)).toList();
          throw new IllegalArgumentException(
              "Cannot print column '"
                  + nested.name()
                  + "' as CSV, which has no form for "
                  + nested.type()
                  + ". "
                  + (flat.isEmpty()
                      ? "Print JSON, without --csv."
                      : "Choose columns that have one, --columns "
                          + String.join(",", flat)
                          + ", or print JSON, without --csv."));
        });
  }

  private static boolean isFlat(Field field) {
    return switch (field.type()) {
      case DataType.List _, DataType.Map _, DataType.Struct _, DataType.Variant _ -> false;
      default -> true;
    };
  }

  /// Returns the column, or what is flat in a struct.
  private static Stream<String> flat(String before, Field field) {
    return field.type() instanceof DataType.Struct(List<Field> fields)
        ? fields.stream().flatMap(each -> flat(before + field.name() + ".", each))
        : isFlat(field) ? Stream.of(before + field.name()) : Stream.empty();
  }

  /// Returns the first line.
  public static byte[] header(List<String> names) {
    String line = names.stream().map(CsvBuffer::field).collect(Collectors.joining(",", "", "\n"));
    return line.getBytes(StandardCharsets.UTF_8);
  }

  private static String field(String text) {
    boolean isPlain =
        !text.isEmpty()
            && text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  @Override
  void none() {
    if (isOnlyColumn) {
      ascii("\"\"");
    }
  }

  @Override
  void quote() {}

  @Override
  void string(String text) {
    write(field(text).getBytes(StandardCharsets.UTF_8));
  }
}
