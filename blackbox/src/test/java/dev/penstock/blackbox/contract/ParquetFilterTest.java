package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetFilterTest {
  @TempDir Path folder;

  @Test
  void rowGroupsAreRuledOutByTheirStatistics() throws IOException {
    Table table = Tables.counting(new int[] {20, 20}, new int[] {20}, new int[] {20, 20});
    StructuredDataset dataset =
        new StructuredDataset(
                ParquetFiles.prunable().write(folder, table, new Random(4)).toString())
            .where("id between 15 and 24 or id = 90");
    assertThat(dataset.plan(LoaderOptions.defaults(), 0).files()).hasSize(2);
    assertThat(dataset.plan(LoaderOptions.defaults(), 0).pruned())
        .extracting(pruned -> pruned.rows().toString())
        .containsExactly("[0, 20)", "[0, 20)");
    try (DataLoader loader = DataLoader.of(dataset, LoaderOptions.defaults())) {
      assertThat(Delivery.ofEpoch(loader).ids())
          .containsExactly(15L, 16L, 17L, 18L, 19L, 20L, 21L, 22L, 23L, 24L, 90L);
      assertThat(loader.stats().read().skipped().statistics()).isEqualTo(40);
      assertThat(loader.stats().read().skipped().total()).isEqualTo(89);
    }
  }

  /// An epoch that stopped at a page index which contradicts itself goes on without it.
  @Test
  void aRunGoesOnWithoutThePageIndex() throws IOException {
    Table table = Tables.counting(new int[] {300, 300});
    StructuredDataset dataset =
        new StructuredDataset(
                ParquetFiles.prunable().write(folder, table, new Random(4)).toString())
            .where("id >= 5 and id < 305");
    LoaderOptions options = LoaderOptions.defaults().batchSize(100);
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.iterator().next().close();
      state = loader.state();
    }
    StructuredDataset without = dataset.formatOption("page-index", "ignore");
    try (DataLoader loader = DataLoader.of(without, options)) {
      loader.resume(state);
      assertThat(Delivery.ofEpoch(loader).ids()).hasSize(200).startsWith(105L).endsWith(304L);
    }
  }

  @Test
  void rowGroupsAreRuledOutByTheirDictionaries() throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("name", new DataType.Utf8(), true),
                new Field("number", new DataType.Int(32, true), false)));
    List<List<List<Object>>> groups = new ArrayList<>();
    for (int group = 0; group < 3; group++) {
      List<List<Object>> rows = new ArrayList<>();
      for (int row = 0; row < 200; row++) {
        String name = row % 7 == 0 ? null : List.of("ant", "cow", "zebra").get(row % 3);
        rows.add(Arrays.asList(group == 1 && row == 9 ? "bee" : name, 2 * (row % 5)));
      }
      groups.add(rows);
    }
    Table table = new Table(schema, List.of(new Table.DataFile("part-0", groups)));
    Path path = ParquetFiles.prunable().write(folder, table, new Random(2));
    assertSkipped(path, "name = 'bee'", 1, 400);
    assertSkipped(path, "name in ('bee', 'dog') and number >= 0", 1, 400);
    assertSkipped(path, "number = 3", 0, 600);
    assertSkipped(path, "not name = 'bee'", 512, 0);
  }

  private static void assertSkipped(Path path, String where, int rows, int skipped) {
    StructuredDataset dataset = new StructuredDataset(path.toString()).where(where);
    try (DataLoader loader = DataLoader.of(dataset, LoaderOptions.defaults())) {
      loader.iterator().forEachRemaining(Batch::close);
      assertThat(loader.stats().rows()).as(where).isEqualTo(rows);
      assertThat(loader.stats().read().skipped().bloomFilters())
          .as("%s %s", where, loader.stats())
          .isEqualTo(skipped);
    }
  }
}
