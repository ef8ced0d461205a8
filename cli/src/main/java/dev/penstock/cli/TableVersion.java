package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Numbers;
import dev.penstock.delta.DeltaFileDetails;
import dev.penstock.split.DataFileInfo;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// Which version of a table is read, and how many of its files' rows deletion vectors delete.
///
/// @param version what the catalog calls it; empty if it is not a table
/// @param deleted rows that vectors delete in the files that are read; -1 if it is not a Delta
///   table
record TableVersion(String version, long deleted) {
  static TableVersion of(StructuredDataset dataset, List<DataFileInfo> files) {
    long deleted = -1;
    for (DataFileInfo file : files) {
      if (file.details().orElse(null) instanceof DeltaFileDetails details) {
        deleted = Math.max(0, deleted) + details.deletedRows();
      }
    }
    return new TableVersion(dataset.version().orElse(""), deleted);
  }

  /// Returns a line to print; empty if it is not a table.
  String line() {
    return version.isEmpty()
        ? ""
        : version
            + (deleted <= 0 ? "" : ", " + Numbers.count(deleted, "row") + " deleted by vectors")
            + "\n";
  }

  /// Writes the fields of a table; none if it is not one.
  void write(JsonGenerator json) {
    if (!version.isEmpty()) {
      json.writeStringProperty("table", version);
    }
    if (deleted >= 0) {
      json.writeNumberProperty("deletedRows", deleted);
    }
  }
}
