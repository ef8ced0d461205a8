package dev.penstock.internal.request;

import dev.penstock.StructuredDataset;
import dev.penstock.schema.Field;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileDetails;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import tools.jackson.core.JsonGenerator;

/// The columns of a dataset, and the version of a table, as JSON, the same at all doors: fields of
/// the object that is open.
public final class SchemaJson {
  private SchemaJson() {}

  public static void columns(JsonGenerator json, StructuredDataset dataset) {
    List<String> partitions = dataset.partitionColumns();
    json.writeArrayPropertyStart("columns");
    for (Field field : dataset.schema().fields()) {
      json.writeStartObject()
          .writeStringProperty("name", field.name())
          .writeStringProperty("type", field.type().toString())
          .writeBooleanProperty("nullable", field.nullable());
      if (partitions.contains(field.name())) {
        json.writeBooleanProperty("partition", true);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /// Writes the version of a table; nothing for files in folders.
  public static void table(
      JsonGenerator json, StructuredDataset dataset, List<DataFileInfo> files) {
    dataset.version().ifPresent(version -> json.writeStringProperty("table", version));
    deletedRows(files).ifPresent(rows -> json.writeNumberProperty("deletedRows", rows));
  }

  /// Returns how many rows of files are deleted; empty if no file's catalog tells.
  public static OptionalLong deletedRows(List<DataFileInfo> files) {
    long[] told =
        files.stream()
            .flatMap(file -> file.details().stream())
            .mapToLong(FileDetails::deletedRows)
            .filter(rows -> rows >= 0)
            .toArray();
    return told.length == 0 ? OptionalLong.empty() : OptionalLong.of(LongStream.of(told).sum());
  }
}
