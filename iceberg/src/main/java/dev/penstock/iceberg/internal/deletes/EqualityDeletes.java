package dev.penstock.iceberg.internal.deletes;

import dev.penstock.format.MalformedFileException;
import dev.penstock.iceberg.internal.fields.IcebergTypes;
import dev.penstock.spi.fields.StoredField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.StructLikeWrapper;
import org.jspecify.annotations.Nullable;

/// The rows that are deleted by their values. Delete files are grouped by scope: a partition or the
/// whole table, and the same key columns.
///
/// All delete files of a scope form one set of keys, each with the highest sequence number of its
/// delete files, so that data files of all ages share the set.
///
/// **Threads.** Any number at once.
final class EqualityDeletes {
  private final DeleteFiles files;
  private final Table table;
  private final Map<Integer, Types.NestedField> fields = new LinkedHashMap<>();
  private final Map<Key, Scope> scopes = new ConcurrentHashMap<>();

  /// Where delete files apply.
  ///
  /// @param spec the partition spec; -1 for the whole table
  /// @param partition the partition; null for the whole table
  private record Key(List<Integer> ids, int spec, @Nullable StructLikeWrapper partition) {}

  /// Makes it.
  ///
  /// @param schema the columns that are read; keys may be dropped columns
  EqualityDeletes(DeleteFiles files, Table table, org.apache.iceberg.Schema schema) {
    this.files = files;
    this.table = table;
    table.schemas().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> fields.putAll(TypeUtil.indexById(entry.getValue().asStruct())));
    fields.putAll(TypeUtil.indexById(schema.asStruct()));
    fields.putAll(TypeUtil.indexById(table.schema().asStruct()));
  }

  /// Returns the scopes of a data file, and registers its delete files.
  List<Scope> scopes(FileScanTask task) {
    List<Scope> found = new ArrayList<>();
    for (DeleteFile file : task.deletes()) {
      if (file.content() == FileContent.EQUALITY_DELETES) {
        Scope scope = scopes.computeIfAbsent(key(file), key -> new Scope(columns(file, key)));
        scope.add(file);
        if (!found.contains(scope)) {
          found.add(scope);
        }
      }
    }
    return List.copyOf(found);
  }

  private Key key(DeleteFile file) {
    List<Integer> ids = file.equalityFieldIds().stream().sorted().distinct().toList();
    PartitionSpec spec = table.specs().get(file.specId());
    if (spec == null) {
      throw new IllegalArgumentException(
          "Cannot apply delete file %s: it is of partition spec %s but the table has %s."
              .formatted(file.location(), file.specId(), table.specs().keySet()));
    }
    return spec.isUnpartitioned()
        ? new Key(ids, -1, null)
        : new Key(
            ids,
            spec.specId(),
            StructLikeWrapper.forType(spec.partitionType()).copyFor(file.partition()));
  }

  private List<KeyColumn> columns(DeleteFile file, Key key) {
    List<KeyColumn> columns = new ArrayList<>();
    for (int id : key.ids) {
      Types.NestedField field = fields.get(id);
      if (field == null || !field.type().isPrimitiveType()) {
        throw new IllegalArgumentException(
            "Cannot apply delete file %s: it deletes by field %s%s"
                .formatted(
                    file.location(),
                    id,
                    field == null
                        ? ", which no schema of the table has."
                        : ", which is " + field.type() + " but must be a value without parts."));
      }
      columns.add(new KeyColumn(id, IcebergTypes.type(field.type())));
    }
    return List.copyOf(columns);
  }

  /// Returns the value of a field that a file lacks, in Iceberg's form; null for null.
  @Nullable Object defaultOf(int id) {
    Types.NestedField field = fields.get(id);
    return field == null ? null : field.initialDefault();
  }

  /// Delete files that apply to the same data files, if these are old enough.
  final class Scope {
    private final List<KeyColumn> columns;
    private final Map<String, DeleteFile> deletes = new LinkedHashMap<>();
    private Shared<DeletedKeys> keys = new Shared<>();

    private Scope(List<KeyColumn> columns) {
      this.columns = columns;
    }

    List<KeyColumn> columns() {
      return columns;
    }

    private synchronized void add(DeleteFile file) {
      if (deletes.putIfAbsent(file.location(), file) == null) {
        keys = new Shared<>();
      }
    }

    /// Returns the deleted keys, which are read on first use.
    DeletedKeys keys() throws IOException {
      Shared<DeletedKeys> shared;
      List<DeleteFile> all;
      synchronized (this) {
        shared = keys;
        all = List.copyOf(deletes.values());
      }
      return shared.get(() -> load(all));
    }

    private DeletedKeys load(List<DeleteFile> all) throws IOException {
      DeletedKeys made =
          KeyRows.areLongs(columns) ? new DeletedKeys.Longs() : new DeletedKeys.Bytes();
      for (DeleteFile file : all) {
        long sequence = Objects.requireNonNullElse(file.dataSequenceNumber(), Long.MAX_VALUE);
        List<KeyRows.Part> parts = new ArrayList<>();
        List<StoredField> wanted = new ArrayList<>();
        KeyRows[] rows = new KeyRows[1];
        files.read(
            file,
            stored -> {
              for (KeyColumn column : columns) {
                parts.add(part(file, column, stored, wanted));
              }
              rows[0] = new KeyRows(parts);
              return wanted;
            },
            (reader, count) -> {
              rows[0].take(reader, count);
              rows[0].addTo(made, sequence, count);
            });
      }
      return made;
    }

    private KeyRows.Part part(
        DeleteFile file, KeyColumn column, List<StoredField> stored, List<StoredField> wanted)
        throws MalformedFileException {
      StoredField found = StoredField.find(stored, column.id()).orElse(null);
      if (found == null || !column.takes(found.field().type())) {
        throw DeleteFiles.fail(
            file,
            ("Corrupt equality delete file: it deletes by field %s but has no column of that"
                    + " field id and of %s. Columns are: %s.")
                .formatted(
                    column.id(), column.type(), stored.stream().map(StoredField::field).toList()),
            null);
      }
      return new KeyRows.Part(column, KeyRows.place(wanted, found), null);
    }
  }
}
