package dev.penstock.internal.planfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.fetch.FooterReads;
import dev.penstock.internal.fetch.VirtualThreads;
import dev.penstock.internal.local.LocalStorage;
import dev.penstock.internal.parquet.ParquetFormat;
import dev.penstock.internal.table.FooterMemory;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.split.PartitionValue;
import dev.penstock.storage.Location;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;

class TablePlanTest {
  @TempDir Path folder;

  @Seeded(runs = 20)
  void planHasWhatTheFootersHave(Random random) throws IOException {
    List<FoundFile> listed = new ArrayList<>();
    Table table = TestTables.random(random, 4, 200);
    for (int i = 0; i < 3; i++) {
      Path path = folder.resolve("part-" + i + ".parquet");
      TestTables.write(table, Layout.random(random, 200), path);
      listed.add(found(path, i == 1));
    }
    List<TableFile> read =
        FooterReads.readAll(
            listed,
            new FooterMemory(new VirtualThreads()),
            (_, error) -> {
              throw error;
            });
    List<String> columns = table.schema().names();
    PlanOrigin origin =
        new PlanOrigin(
            List.of(folder.toString()),
            "",
            "parquet",
            new TreeMap<>(),
            new TreeMap<>(),
            columns,
            "");

    PlanFile plan = TablePlan.of(origin, listed, read);
    PlanDetails details = TablePlan.details(read, List.of());
    byte[] bytes = PlanFileWriter.write(plan, details);

    PlanFileReader reader = PlanFileReader.open(new BytesFile(bytes));
    assertThat(reader.plan()).isEqualTo(plan);
    for (int file = 0; file < read.size(); file++) {
      TableFile footer = read.get(file);
      PlannedFile planned = reader.plan().files().get(file);
      FoundFile found = TablePlan.found(planned, listed.get(file).storage(), new ParquetFormat());
      assertThat(found.entry())
          .isEqualTo(
              new FileEntry(footer.location(), footer.info().bytes(), false, footer.version()));
      assertThat(found.partition()).isEqualTo(footer.info().partition());
      assertThat(planned.left()).isEqualTo(footer.info().rowGroups());
      assertThat(planned.stored()).isEqualTo(footer.metadata().rowGroups());
      assertThat(plan.schemas().get(planned.schema()).columns())
          .isEqualTo(footer.metadata().schema());
      for (int group = 0; group < planned.stored().size(); group++) {
        for (String column : columns) {
          assertThat(reader.details().statistics(file, group, column))
              .isEqualTo(footer.metadata().statistics(group, column));
        }
      }
    }
    assertThat(plan.files().get(1).left().stream().mapToLong(RowGroup::rowCount).sum())
        .isEqualTo(199);
  }

  /// Returns a file as it is listed; if `deletes`, its row 7 was deleted.
  private static FoundFile found(Path path, boolean deletes) throws IOException {
    FileEntry entry = new FileEntry(Location.of(path), Files.size(path), false);
    Storage storage = new LocalStorage();
    return new FoundFile(
        entry,
        storage,
        new ParquetFormat(),
        List.of(new PartitionValue("day", "7"), new PartitionValue("hour", null)),
        Map.of(),
        Optional.empty(),
        deletes
            ? Optional.of(
                (_, metadata) -> Optional.of(RowSet.allBut(metadata.rowCount(), LongStream.of(7))))
            : Optional.empty(),
        OptionalLong.empty(),
        Map.of(),
        Optional.empty());
  }
}
