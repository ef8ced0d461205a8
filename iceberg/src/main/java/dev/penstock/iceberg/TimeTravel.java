package dev.penstock.iceberg;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/// The choice of a table's snapshot.
sealed interface TimeTravel {
  /// The snapshot that is current when the table is opened.
  record Newest() implements TimeTravel {}

  /// The snapshot with an id.
  record ToSnapshot(long id) implements TimeTravel {}

  /// The snapshot that was current at a time.
  record AsOf(Instant time) implements TimeTravel {}

  /// The snapshot of a branch or tag.
  record ToRef(String name) implements TimeTravel {}

  /// Returns the choice in words.
  default String asked() {
    return switch (this) {
      case Newest _ -> "current snapshot";
      case ToSnapshot(long id) -> "snapshot " + id;
      case AsOf(Instant time) -> "snapshot as of " + time;
      case ToRef(String name) -> "snapshot of " + name;
    };
  }

  /// A snapshot and the schema of its rows.
  ///
  /// @param snapshot null for a table without snapshots
  /// @param schemaId its number among the table's schemas
  record Found(@Nullable Snapshot snapshot, Schema schema, int schemaId) {}

  /// Finds the snapshot.
  ///
  /// @param called the user's name of the table
  /// @throws IllegalArgumentException if there is none; the message lists the existing ones
  default Found in(Table table, String called) {
    return switch (this) {
      case Newest _ -> found(table.currentSnapshot(), table.schema());
      case ToSnapshot(long id) -> at(table, table.snapshot(id), called);
      case AsOf(Instant time) -> {
        Long id = SnapshotUtil.nullableSnapshotIdAsOfTime(table, time.toEpochMilli());
        yield at(table, id == null ? null : table.snapshot(id), called);
      }
      case ToRef(String name) -> {
        SnapshotRef ref = table.refs().get(name);
        if (ref == null && name.equals(SnapshotRef.MAIN_BRANCH)) {
          yield found(table.currentSnapshot(), table.schema());
        }
        if (ref == null) {
          throw new IllegalArgumentException(
              "Cannot read table '%s': no branch or tag '%s'. There are: %s."
                  .formatted(called, name, table.refs().keySet().stream().sorted().toList()));
        }
        yield found(table.snapshot(ref.snapshotId()), SnapshotUtil.schemaFor(table, name));
      }
    };
  }

  private static Found found(@Nullable Snapshot snapshot, Schema schema) {
    return new Found(snapshot, schema, schema.schemaId());
  }

  private Found at(Table table, @Nullable Snapshot snapshot, String called) {
    if (snapshot == null) {
      List<String> there = new ArrayList<>();
      table
          .snapshots()
          .forEach(each ->
              there.add(each.snapshotId() + " of " + Instant.ofEpochMilli(each.timestampMillis())));
      int more = Math.max(0, there.size() - 5);
      throw new IllegalArgumentException(
          "Cannot read table '%s': no %s. Snapshots are: %s%s"
              .formatted(
                  called,
                  asked(),
                  there.subList(more, there.size()),
                  more > 0 ? " and " + more + " older ones." : "."));
    }
    return found(snapshot, SnapshotUtil.schemaFor(table, snapshot.snapshotId()));
  }

  /// Returns a snapshot with the columns of one of the table's schemas.
  static Found with(Found found, int schemaId, Table table, String called) {
    Map<Integer, Schema> schemas = table.schemas();
    Schema schema = schemas.get(schemaId);
    if (schema == null) {
      throw new IllegalArgumentException(
          "Cannot read table '%s': no schema %s. Schemas are: %s."
              .formatted(called, schemaId, schemas.keySet().stream().sorted().toList()));
    }
    return new Found(found.snapshot(), schema, schemaId);
  }
}
