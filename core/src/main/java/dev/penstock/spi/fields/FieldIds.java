package dev.penstock.spi.fields;

import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileMetadata;
import java.util.List;

/// Says which column of a file is which column of the table: the one with the same number.
///
/// **Threads.** Any number at once.
@FunctionalInterface
public interface FieldIds {
  /// Returns the numbers of a file's columns.
  ///
  /// @param metadata the file
  /// @return one for each column of the file's schema, in order
  List<FieldId> of(FileMetadata metadata);
}
