package dev.penstock.iceberg;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.JsonUtil;

/// Partition fields whose column was dropped.
///
/// When manifests are merged after that, Iceberg writes null for such a partition. Delete files are
/// then in another partition than their data files: Iceberg refuses the table, or misses the
/// deletes of a delete file for several data files.
///
/// Position deletes name their data files, so they do not need that field. Equality deletes do.
final class DroppedPartitions {
  private final BaseTable table;
  private final Schema schema;
  private final Map<Integer, List<PartitionField>> dropped = new TreeMap<>(); // by spec

  private DroppedPartitions(BaseTable table, Schema schema) {
    this.table = table;
    this.schema = schema;
    table
        .specs()
        .forEach((id, spec) -> {
          List<PartitionField> fields =
              spec.fields().stream()
                  .filter(field ->
                      !field.transform().isVoid() && schema.findField(field.sourceId()) == null)
                  .toList();
          if (!fields.isEmpty()) {
            dropped.put(id, fields);
          }
        });
  }

  /// Returns the table that finds the delete files of each data file.
  ///
  /// @throws IllegalArgumentException if equality deletes apply to a partition whose value is lost
  static Table plannable(Table table, Schema schema, Snapshot snapshot) throws IOException {
    if (!(table instanceof BaseTable base) || base.getClass() != BaseTable.class) {
      return table; // Its server plans.
    }
    DroppedPartitions partitions = new DroppedPartitions(base, schema);
    List<ManifestFile> deletes =
        partitions.dropped.isEmpty()
            ? List.of()
            : partitions.affected(snapshot.deleteManifests(table.io()));
    if (deletes.isEmpty()) {
      return table;
    }
    Optional<DeleteFile> byValue = partitions.byValue(deletes);
    if (byValue.isEmpty()) {
      return partitions.without();
    }
    partitions.requireValues(snapshot, deletes, byValue.get());
    return table;
  }

  private List<ManifestFile> affected(List<ManifestFile> manifests) {
    return manifests.stream()
        .filter(manifest -> dropped.containsKey(manifest.partitionSpecId()))
        .toList();
  }

  private Optional<DeleteFile> byValue(List<ManifestFile> deletes) throws IOException {
    for (ManifestFile manifest : deletes) {
      try (CloseableIterable<DeleteFile> files = deletes(manifest)) {
        for (DeleteFile file : files) {
          if (file.content() == FileContent.EQUALITY_DELETES) {
            return Optional.of(file.copy());
          }
        }
      }
    }
    return Optional.empty();
  }

  private CloseableIterable<DeleteFile> deletes(ManifestFile manifest) {
    return ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs());
  }

  private void requireValues(Snapshot snapshot, List<ManifestFile> deletes, DeleteFile byValue)
      throws IOException {
    for (ManifestFile manifest : deletes) {
      try (CloseableIterable<DeleteFile> files = deletes(manifest)) {
        requireValues(files, byValue);
      }
    }
    for (ManifestFile manifest : affected(snapshot.dataManifests(table.io()))) {
      try (CloseableIterable<DataFile> files =
          ManifestFiles.read(manifest, table.io(), table.specs())) {
        requireValues(files, byValue);
      }
    }
  }

  private void requireValues(Iterable<? extends ContentFile<?>> files, DeleteFile byValue) {
    for (ContentFile<?> file : files) {
      PartitionSpec spec = Objects.requireNonNull(table.specs().get(file.specId()));
      for (PartitionField field : dropped.getOrDefault(file.specId(), List.of())) {
        int place = spec.fields().indexOf(field);
        if (file.partition().get(place, Object.class) == null) {
          throw new IllegalArgumentException(
              ("Cannot apply delete file %s: it deletes rows by their values within a"
                      + " partition by '%s', whose column was dropped, and of %s the partition's value"
                      + " was not kept. Compact the table (rewrite_data_files) with the engine that"
                      + " dropped the column, or read an older snapshot.")
                  .formatted(byValue.location(), field.name(), file.location()));
        }
      }
    }
  }

  /// Returns the table as if it had never been partitioned by the dropped columns.
  private Table without() {
    Map<Integer, PartitionSpec> specs = new HashMap<>(table.specs());
    dropped.forEach((id, fields) -> specs.computeIfPresent(id, (_, spec) -> without(spec, fields)));
    return new BaseTable(table.operations(), table.name(), table.reporter()) {
      private static final long serialVersionUID = 1;

      @Override
      public Map<Integer, PartitionSpec> specs() {
        return specs;
      }
    };
  }

  /// Goes through JSON, the only way to give a spec the number of another.
  private PartitionSpec without(PartitionSpec spec, List<PartitionField> fields) {
    String json =
        JsonUtil.generate(
            to -> {
              to.writeStartObject();
              to.writeNumberField("spec-id", spec.specId());
              to.writeArrayFieldStart("fields");
              for (PartitionField field : spec.fields()) {
                if (!fields.contains(field)) {
                  to.writeStartObject();
                  to.writeStringField("name", field.name());
                  to.writeStringField("transform", field.transform().toString());
                  to.writeNumberField("source-id", field.sourceId());
                  to.writeNumberField("field-id", field.fieldId());
                  to.writeEndObject();
                }
              }
              to.writeEndArray();
              to.writeEndObject();
            },
            false);
    return PartitionSpecParser.fromJson(schema, json);
  }
}
