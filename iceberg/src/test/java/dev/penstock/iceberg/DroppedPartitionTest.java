package dev.penstock.iceberg;

import static dev.penstock.iceberg.CountingTable.ids;
import static dev.penstock.iceberg.CountingTable.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables whose partition column was dropped, so that the values of some partitions are lost.
class DroppedPartitionTest {
  @TempDir Path folder;

  /// What is done to a table while it is partitioned.
  @FunctionalInterface
  private interface Deletes {
    void write(WrittenTable written, List<DataFile> files) throws IOException;
  }

  /// Makes a table of 31 rows. The first 30 are in partitions of a dropped column.
  private Table written(int version, boolean merged, Deletes deletes) throws IOException {
    WrittenTable written =
        WrittenTable.create(
            folder, CountingTable.SCHEMA, CountingTable.BY_CAT, version, FileFormat.PARQUET);
    Table table = written.table();
    table.updateProperties().set(TableProperties.MANIFEST_MIN_MERGE_COUNT, "2").commit();
    merge(table, false);
    List<DataFile> files = new ArrayList<>(CountingTable.write(table, 0, 15));
    files.addAll(CountingTable.write(table, 15, 30));
    AppendFiles append = table.newAppend(); // one manifest, which is not merged
    files.forEach(append::appendFile);
    append.commit();
    deletes.write(written, files);
    table.updateSpec().removeField("cat").commit();
    table.updateSchema().deleteColumn("cat").commit();
    merge(table, merged);
    GenericRecord row = GenericRecord.create(table.schema());
    row.setField("id", 30L);
    written.append(List.of(row));
    return table;
  }

  private static void merge(Table table, boolean enabled) {
    table
        .updateProperties()
        .set(TableProperties.MANIFEST_MERGE_ENABLED, String.valueOf(enabled))
        .commit();
  }

  private IcebergDataset open() {
    return IcebergDataset.metadata(folder.resolve("table").toString());
  }

  private List<Long> sorted() {
    return ids(open().dataset()).stream().sorted().toList();
  }

  private static List<Long> without(Long... gone) {
    return range(0, 31).stream().filter(id -> !List.of(gone).contains(id)).toList();
  }

  @Test
  void positionDeletesThatLostTheirPartitionDeleteWhatTheyName() throws IOException {
    Table table =
        written(
            2,
            true,
            (written, files) -> {
              for (DataFile file : files) {
                written.deletePositions(Map.of(file, new long[] {0}));
              }
            });
    assertThat(table.currentSnapshot().deleteManifests(table.io())).hasSize(1); // merged
    assertThat(sorted()).isEqualTo(without(0L, 1L, 2L, 15L, 16L, 17L));
    assertThat(ids(open().dataset().where("id < 4"))).containsExactly(3L);
    // At an older snapshot the column is there, and so are the values.
    long partitioned = table.history().get(6).snapshotId();
    assertThat(ids(open().snapshot(partitioned).dataset())).hasSize(24);
  }

  @Test
  void deletesOfSeveralFilesOfAPartitionAreNotLost() throws IOException {
    written(
        2,
        true,
        (written, files) -> {
          for (int i = 0; i < 3; i++) {
            DataFile first = files.get(i);
            DataFile second =
                files.subList(3, 6).stream()
                    .filter(file -> file.partition().equals(first.partition()))
                    .findFirst()
                    .orElseThrow();
            written.deletePositions(Map.of(first, new long[] {0}, second, new long[] {0}));
          }
        });
    assertThat(sorted()).isEqualTo(without(0L, 1L, 2L, 15L, 16L, 17L));
  }

  @Test
  void deletionVectorsThatLostTheirPartitionDeleteWhatTheyName() throws IOException {
    written(
        3,
        true,
        (written, files) -> {
          for (DataFile file : files) {
            written.deleteByVectors(Map.of(file, new long[] {0}));
          }
        });
    assertThat(sorted()).isEqualTo(without(0L, 1L, 2L, 15L, 16L, 17L));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deletesByValueNeedTheirPartition(boolean merged) throws IOException {
    Schema byId = CountingTable.SCHEMA.select("id");
    GenericRecord key = GenericRecord.create(byId);
    key.setField("id", 0L);
    written(
        2,
        merged,
        (written, files) -> {
          written.deleteEqual(byId, List.of(key), first(files, 0).partition());
          key.setField("id", 3L);
          written.deleteEqual(byId, List.of(key), first(files, 1).partition()); // which has it not
        });
    if (!merged) {
      assertThat(sorted()).isEqualTo(without(0L));
      return;
    }
    assertThatThrownBy(this::sorted)
        .hasMessageContaining("it deletes rows by their values within a partition by 'cat', whose")
        .hasMessageContaining(" the partition's value was not kept. Compact the table");
  }

  private static DataFile first(List<DataFile> files, int partition) {
    return files.stream()
        .filter(file -> ("c" + partition).equals(file.partition().get(0, String.class)))
        .findFirst()
        .orElseThrow();
  }
}
