package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.GridFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Files whose rows are stored one after another: whatever is asked for, they are read once.
class RowMajorTest extends OwnFolder {
  private static final int COLUMNS = 64;
  private static final int ROWS = 40_000;
  private static final long BYTES = 8L * COLUMNS * ROWS;

  private FaultStorage.Site site;

  @BeforeEach
  void writeFile() throws IOException {
    Files.write(path.resolve("a.grid"), GridFormat.file(COLUMNS, ROWS, i -> i));
    site = FaultStorage.over(path);
  }

  private StructuredDataset dataset(GridFormat format) {
    return new StructuredDataset(site.location()).format(format);
  }

  /// Returns how often each byte is read in an epoch.
  private double reads(
      StructuredDataset dataset, int workers, UnaryOperator<LoaderOptions> options) {
    assertThat(dataset.schema().size()).isPositive(); // which reads the footers
    long before = site.bytesRead();
    long sum = 0;
    try (DataLoader loader =
        DataLoader.of(dataset, o -> options.apply(o.workers(workers).batchSize(500)))) {
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            sum += batch.tensor("c0").getLong(row) + batch.tensor("c63").getLong(row);
          }
        }
      }
    }
    assertThat(sum).isEqualTo(ROWS * (2L * COLUMNS * (ROWS - 1) / 2 + COLUMNS - 1));
    return (double) (site.bytesRead() - before) / BYTES;
  }

  @Test
  void rowsAreReadOnce() {
    for (int workers : new int[] {0, 1, 4}) {
      for (int groupRows : new int[] {2_000, 20_000, ROWS}) {
        StructuredDataset dataset = dataset(new GridFormat(true, groupRows));
        StructuredDataset mixed = new StructuredDataset(Mixture.of(dataset, 1));
        for (StructuredDataset each : List.of(dataset, mixed, dataset.where("c1 >= 0"))) {
          for (Shuffle shuffle : List.of(Shuffle.none(), Shuffle.window(3_000))) {
            assertThat(reads(each, workers, o -> o.shuffle(shuffle)))
                .as("%s workers, row groups of %s, %s, %s", workers, groupRows, shuffle, each)
                .isEqualTo(1);
          }
        }
      }
    }
  }

  @Test
  void largeRowGroupIsReadOnFromWindowToWindow() {
    GridFormat large = new GridFormat(true, ROWS);
    assertThat(reads(dataset(large), 4, o -> o.shuffle(Shuffle.window(3_000)))).isEqualTo(1);
    assertThat(large.readers()).as("a reader of all windows").isEqualTo(1);
    GridFormat small = new GridFormat(true, 10_000);
    assertThat(reads(dataset(small), 4, o -> o.shuffle(Shuffle.window(2_000)))).isEqualTo(1);
    assertThat(small.readers()).as("a reader of each window").isEqualTo(20);
  }

  @Test
  void columnsAreSharedWhereTheyAreStoredApart() {
    assertThat(reads(dataset(new GridFormat(false, 2_000)), 4, o -> o)).isEqualTo(4);
  }
}
