package dev.penstock.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.LoaderOptions;
import dev.penstock.StructuredDataset;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ParquetFilterTest extends FilterContract {
  @Override
  TableWriter writer() {
    return new ParquetFiles();
  }

  @Test
  void rowGroupsAreRuledOutByTheirStatistics() throws IOException {
    Table table = Table.counting(new int[] {20, 20}, new int[] {20}, new int[] {20, 20});
    StructuredDataset dataset =
        new StructuredDataset(writer().write(folder, table, new Random(4)).toString())
            .where("id between 15 and 24 or id = 90");
    assertThat(dataset.plan(LoaderOptions.defaults(), 0).files()).hasSize(2);
    assertThat(dataset.plan(LoaderOptions.defaults(), 0).pruned())
        .extracting(pruned -> pruned.rows().toString())
        .containsExactly("[0, 20)", "[0, 20)");
    try (DataLoader loader = new DataLoader(dataset, LoaderOptions.defaults())) {
      assertThat(Delivery.ofEpoch(loader).ids())
          .containsExactly(15L, 16L, 17L, 18L, 19L, 20L, 21L, 22L, 23L, 24L, 90L);
      assertThat(loader.stats().skipped().statistics()).isEqualTo(40);
      assertThat(loader.stats().skipped().total()).isEqualTo(89);
    }
  }
}
