package dev.penstock.spi.format;

import java.util.List;
import java.util.OptionalInt;

/// The number that the writer of a file gave to a column or to a part of one, by which a table
/// format knows it whatever it is called.
///
/// Immutable; share it freely among threads.
///
/// @param id the number; empty where none was given
/// @param parts the fields of a struct, the element of a list, key and value of a map, in order;
///   empty for all other types
public record FieldId(OptionalInt id, List<FieldId> parts) {
  /// Copies the list.
  public FieldId {
    parts = List.copyOf(parts);
  }
}
