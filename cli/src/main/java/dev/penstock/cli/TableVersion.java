package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Numbers;
import dev.penstock.internal.request.SchemaJson;
import dev.penstock.split.DataFileInfo;
import java.util.List;

/// Which version of a table is read, and how many of its files' rows deletion vectors delete, in
/// words.
final class TableVersion {
  private TableVersion() {}

  /// Returns a line to print; empty if it is not a table.
  static String line(StructuredDataset dataset, List<DataFileInfo> files) {
    long deleted = SchemaJson.deletedRows(files).orElse(0);
    return dataset
        .version()
        .map(version ->
            version
                + (deleted == 0 ? "" : ", " + Numbers.count(deleted, "row") + " deleted by vectors")
                + "\n")
        .orElse("");
  }
}
