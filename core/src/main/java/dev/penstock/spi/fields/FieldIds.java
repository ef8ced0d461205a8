package dev.penstock.spi.fields;

import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileMetadata;
import java.util.List;

/// Says which column of a file is which column of the table: the one with the same number.
///
/// **Threads.** Any number at once.
@FunctionalInterface
public interface FieldIds {
  /// {@return the numbers of a file's columns, one for each column of its schema, in order}
  ///
  /// @param metadata the file
  List<FieldId> of(FileMetadata metadata);
}
