package dev.penstock.spi.format;

import dev.penstock.advice.Advice;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.Map;
import java.util.Optional;

/// The metadata of a file whose values are text, so that their types are a choice.
///
/// [#schema()] has the types that a sample of the file suggests. When files become one table, their
/// suggestions are joined, or replaced by the user's types. Every file is then parsed in the types
/// of the table: `007` in a column of strings stays `007`, even if a sample suggested a number.
///
/// Immutable; share it freely among threads.
public interface TextMetadata extends FileMetadata {
  /// {@return the narrowest type for the values of two samples; string if there is no other}
  ///
  /// @param a what one sample suggests
  /// @param b what another suggests
  DataType joined(DataType a, DataType b);

  /// {@return whether text can be parsed in a type; false if no text is a value of it}
  ///
  /// @param type the type
  boolean reads(DataType type);

  /// {@return what the user should know of the sample, as a sentence each, by the column or the
  /// dotted path of a part of it; "" for what is about the whole file}
  default Map<String, Advice> doubts() {
    return Map.of();
  }

  /// {@return the columns as the sample suggests them, whatever [#as] was told, if values show
  /// whether they are numbers, texts or others} Files that differ in that are a doubt. Empty if any
  /// text may be any value, as in CSV.
  default Optional<Schema> sampled() {
    return Optional.empty();
  }

  /// {@return whether rows may lack any column of [#schema()], and have others, as JSON objects
  /// may} Then a column can be read even if no sample of the file has it: as nulls, or as the
  /// values of later rows.
  default boolean mayLackColumns() {
    return false;
  }

  /// {@inheritDoc}
  ///
  /// In columns that are not nullable, a null is an error.
  @Override
  default String decodingChoices() {
    return schema().fields().stream().filter(field -> !field.nullable()).map(Field::name).toList()
        + "";
  }

  /// {@return the same file, read in other types}
  ///
  /// @param columns the file's columns in their order, with the types to read them in; all columns
  ///   of the table if the file [may lack][#mayLackColumns] some. In a column that is not nullable
  ///   a null is an error when it is read. A type that no sample could determine becomes string
  TextMetadata as(Schema columns);
}
