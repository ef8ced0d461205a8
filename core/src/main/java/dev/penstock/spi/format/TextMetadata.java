package dev.penstock.spi.format;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;

/// What is known of a file whose values are text, so that their types are a choice and not a fact.
///
/// [#schema()] has the types that a sample of the file suggests. Before files become one table
/// their suggestions are joined, or replaced by what the user states, and every file is then read
/// in the types of the table, from the text itself: `007` in a column of strings stays `007`,
/// whatever a sample took it for.
///
/// Immutable; share it freely among threads.
public interface TextMetadata extends FileMetadata {
  /// Returns the type in which the values of two samples are read.
  ///
  /// @param a what one sample suggests
  /// @param b what another suggests
  /// @return the narrowest type for both; string where there is no other
  DataType joined(DataType a, DataType b);

  /// Returns whether text can be read in a type.
  ///
  /// @param type the type
  /// @return false if no text is ever such a value
  boolean reads(DataType type);

  /// Returns whether rows may lack any column, as objects of JSON may: then a column that no sample
  /// of the file has can be read, as nulls or as what later rows have.
  ///
  /// @return false if the file has the columns of [#schema()] and no others
  default boolean mayLackColumns() {
    return false;
  }

  /// Returns the same file, read in other types.
  ///
  /// @param columns the file's columns in their order, with the types to read them in; all columns
  ///   of the table if the file [may lack][#mayLackColumns] some. In a column that is not nullable
  ///   a null is an error when it is read. A type that no sample could tell becomes string
  /// @return the changed metadata
  TextMetadata as(Schema columns);
}
