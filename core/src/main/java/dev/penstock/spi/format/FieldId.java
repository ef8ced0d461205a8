package dev.penstock.spi.format;

import java.util.List;
import java.util.OptionalInt;

/// The number that a file's writer gave to a column or to a part of one, by which a table format
/// identifies it regardless of its name.
///
/// Immutable; share it freely among threads.
///
/// @param id the number; empty if none was given
/// @param parts the fields of a struct, the element of a list, key and value of a map, in order;
///   empty for all other types
public record FieldId(OptionalInt id, List<FieldId> parts) {
  /// Copies the list.
  public FieldId {
    parts = List.copyOf(parts);
  }
}
