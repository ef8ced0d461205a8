package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.compose.Composition;
import dev.penstock.format.MemoryLimitException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A group whose rows are more than the memory holds.
class LargeGroupTest {
  private static final int ROWS = 200_000;

  @TempDir private Path folder;

  @Tag("outer")
  @Test
  void groupThatIsLargerThanTheMemoryIsAnErrorThatSaysHowMuchIsNeeded() throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    for (long row = 0; row < ROWS; row++) {
      rows.add(List.of(1L, row));
    }
    DataType whole = new DataType.Int(64, true);
    Schema schema =
        Schema.of(List.of(new Field("key", whole, false), new Field("value", whole, false)));
    Table table = new Table(schema, List.of(new Table.DataFile("part-0", List.of(rows))));
    StructuredDataset dataset = new ParquetFiles().dataset(folder, table, new Random(1));
    try (DataLoader loader = loader(dataset, "2MiB")) {
      assertThatThrownBy(() -> count(loader))
          .isInstanceOf(MemoryLimitException.class)
          .hasMessageContaining("rows [0, 200000) of ")
          .hasMessageContaining("bytes are needed");
    }
    try (DataLoader loader = loader(dataset, "64MiB")) {
      assertThat(count(loader)).isEqualTo(ROWS / 16);
    }
  }

  private static DataLoader loader(StructuredDataset dataset, String memory) {
    return DataLoader.of(
        dataset,
        o ->
            o.rank(Rank.SINGLE)
                .workers(1)
                .memory(memory)
                .compose(Composition.windows("key", 16, 16)));
  }

  private static long count(DataLoader loader) {
    long rows = 0;
    EpochIterator<Batch> epoch = loader.iterator();
    while (epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        rows += batch.rowCount();
      }
    }
    return rows;
  }
}
