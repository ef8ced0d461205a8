package dev.penstock.internal.table;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import java.util.List;

/// The metadata of an empty file: among other files, it has no rows and takes its columns from
/// them; `alone` is the error if there are no others.
record NoBytes(MalformedFileException alone) implements FileMetadata {
  private static final Schema NO_COLUMNS = Schema.of(List.of());

  @Override
  public Schema schema() {
    return NO_COLUMNS;
  }

  @Override
  public List<RowGroup> rowGroups() {
    return List.of();
  }
}
