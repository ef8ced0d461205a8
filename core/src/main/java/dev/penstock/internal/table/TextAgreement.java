package dev.penstock.internal.table;

import dev.penstock.format.SchemaMismatchException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.schema.SchemaFrom;
import dev.penstock.spi.format.TextMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Decides which types text files are read with, before they are joined like all other files.
///
/// The user's choice comes first: the given schema, then lossless casts, whose types text is
/// decoded to directly. Other types come from samples: of the first file, or of all files together.
final class TextAgreement {
  private final SchemaRules rules;
  private final TextMetadata reader;
  private final Map<String, Field> columns = new LinkedHashMap<>();

  private TextAgreement(SchemaRules rules, TextMetadata reader) {
    this.rules = rules;
    this.reader = reader;
  }

  /// Returns the files with their types; files that are not text are unchanged.
  ///
  /// @throws SchemaMismatchException if text cannot be read as a stated type
  static List<TableFile> agreed(List<TableFile> files, SchemaRules rules) throws IOException {
    List<TableFile> some = files.stream().filter(file -> !file.hasNoBytes()).toList();
    if (some.isEmpty() || !some.getFirst().footer().facts().isText()) {
      return files;
    }
    TextMetadata first = (TextMetadata) some.getFirst().metadata();
    TextAgreement agreement = new TextAgreement(rules, first);
    if (rules.given().isPresent()) {
      agreement.requireReadable(rules.given().get());
      agreement.add(rules.given().get());
    } else {
      for (TableFile file : rules.from() == SchemaFrom.FIRST ? some.subList(0, 1) : some) {
        agreement.add(file.footer().schema());
      }
    }
    return files.stream().map(file -> file.hasNoBytes() ? file : agreement.in(file)).toList();
  }

  private void requireReadable(Schema given) throws SchemaMismatchException {
    for (Field field : given.fields()) {
      if (!reader.reads(field.type())) {
        throw new SchemaMismatchException(
            Sentence.of(
                "Cannot read column '%s' as %s: these are files of text, which cannot be read in"
                    + " that type. State another.",
                field.name(), field.type()));
      }
    }
  }

  private void add(Schema schema) {
    for (Field field : schema.fields()) {
      columns.merge(
          rules.names().key(field.name()),
          field,
          (a, b) -> new Field(a.name(), reader.joined(a.type(), b.type()), true));
    }
  }

  private TableFile in(TableFile file) {
    FileSchema text = file.footer().facts();
    Map<String, Field> left = new LinkedHashMap<>(columns);
    List<Field> fields = new ArrayList<>();
    for (Field own : text.columns().fields()) {
      Field agreed = left.remove(rules.names().key(own.name()));
      if (agreed != null) {
        Field named = new Field(own.name(), named(agreed.type(), own.type()), agreed.nullable());
        fields.add(decided(own.name(), named));
      } else if (!text.mayLackColumns()) {
        fields.add(decided(own.name(), own));
      }
    }
    if (text.mayLackColumns()) {
      // Columns that the sample lacks are null, or the user's default.
      left.values().stream()
          .filter(field -> rules.defaultOf(field.name()).isEmpty())
          .forEach(field -> fields.add(decided(field.name(), field)));
    }
    return file.as(Schema.of(fields), reader);
  }

  /// Returns a type whose struct parts have the file's own names, by which they are read.
  private DataType named(DataType agreed, DataType own) {
    return switch (agreed) {
      case DataType.List(DataType element, boolean nullable)
          when own instanceof DataType.List(DataType inFile, boolean _) ->
          new DataType.List(named(element, inFile), nullable);
      case DataType.Struct(List<Field> parts)
          when own instanceof DataType.Struct(List<Field> inFile) ->
          new DataType.Struct(parts.stream().map(part -> named(part, inFile)).toList());
      default -> agreed;
    };
  }

  private Field named(Field part, List<Field> inFile) {
    String key = rules.names().key(part.name());
    return inFile.stream()
        .filter(own -> rules.names().key(own.name()).equals(key))
        .findFirst()
        .map(own -> new Field(own.name(), named(part.type(), own.type()), part.nullable()))
        .orElse(part);
  }

  private Field decided(String name, Field agreed) {
    return new Field(name, cast(name, agreed.type()), agreed.nullable());
  }

  /// Returns the type of a column, or of a part of it, after the casts that decoding text does
  /// directly.
  private DataType cast(String path, DataType type) {
    return switch (type) {
      case DataType.Struct(List<Field> parts) ->
          new DataType.Struct(
              parts.stream()
                  .map(part ->
                      new Field(
                          part.name(),
                          cast(path + "." + part.name(), part.type()),
                          part.nullable()))
                  .toList());
      case DataType.List(DataType element, boolean nullable) ->
          new DataType.List(cast(path, element), nullable);
      default ->
          rules
              .cast(path)
              .filter(cast -> !cast.lossy())
              .map(cast ->
                  cast.type() instanceof DataType.List(DataType e, boolean _) ? e : cast.type())
              .filter(reader::reads)
              .orElse(type);
    };
  }
}
