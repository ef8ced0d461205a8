package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.RoundRobinSplitStrategy;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.Seeded;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Metadata's word on how many rows a file has is held against the file, and spares reading others.
class StatedRowsTest {
  @TempDir Path folder;

  private Table table() {
    return WrittenTable.create(
            folder, CountingTable.SCHEMA, CountingTable.BY_CAT, 2, FileFormat.PARQUET)
        .table();
  }

  private StructuredDataset dataset() {
    return IcebergDataset.metadata(folder.resolve("table").toString()).dataset();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4, 6, Long.MAX_VALUE})
  void fileWithAnotherNumberOfRowsIsAnError(long rows) throws IOException {
    Table table = table();
    DataFile file = CountingTable.write(table, 0, 15).getFirst();
    table
        .newAppend()
        .appendFile(DataFiles.builder(table.spec()).copy(file).withRecordCount(rows).build())
        .commit();
    assertThatThrownBy(() -> dataset().files())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageMatching(
            "Cannot read the file: it has 5 rows but the table states "
                + rows
                + "\\. Restore the file, or read an older version of the table\\. \\[.*\\.parquet]");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4, 6, 1L << 40, Long.MAX_VALUE})
  void fileWithAnotherNumberOfRowsIsAnErrorOfItsRank(long rows) throws IOException {
    Table table =
        WrittenTable.create(folder, NULLABLE, PartitionSpec.unpartitioned(), 2, FileFormat.PARQUET)
            .table();
    for (long id = 0; id < 15; id += 5) {
      DataFile written = CountingTable.write(table, id, id + 5).getFirst();
      long stated = id == 10 ? rows : 5;
      table
          .newAppend()
          .appendFile(DataFiles.builder(table.spec()).copy(written).withRecordCount(stated).build())
          .commit();
    }
    assertThatThrownBy(() -> ids(dataset(), LoaderOptions.defaults()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("it has 5 rows but the table states " + rows + ".");
  }

  private static final Schema NULLABLE =
      new Schema(
          Types.NestedField.optional(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "cat", Types.StringType.get()),
          Types.NestedField.optional(3, "n", Types.IntegerType.get()));

  /// A transform that keeps rows.
  private static final Transform SAME =
      new Transform() {
        @Override
        public ColumnBlock apply(ColumnBlock block, TransformContext context) {
          return block;
        }

        @Override
        public boolean keepsRows() {
          return true;
        }
      };

  /// Returns a dataset of a table of some files, not all of which have all columns and rows.
  private Supplier<StructuredDataset> random(Random random) throws IOException {
    FileFormat format =
        List.of(FileFormat.PARQUET, FileFormat.AVRO, FileFormat.ORC).get(random.nextInt(3));
    Path place = folder.resolve(String.valueOf(random.nextLong()));
    WrittenTable written =
        WrittenTable.create(place, NULLABLE, PartitionSpec.unpartitioned(), 2, format);
    long id = 0;
    int files = 1 + random.nextInt(6);
    for (int file = 0; file < files; file++) {
      List<Record> rows = new ArrayList<>();
      for (int left = 1 + random.nextInt(700); left > 0; left--) {
        rows.add(CountingTable.row(written.table().schema(), id++));
      }
      DataFile whole = written.append(rows).getFirst();
      if (random.nextInt(4) == 0) {
        written.deletePositions(Map.of(whole, new long[] {random.nextInt(rows.size())}));
      }
      if (random.nextInt(3) == 0) {
        written.table().updateSchema().addColumn("late" + file, Types.IntegerType.get()).commit();
      }
    }
    int cut = random.nextInt(3);
    long splitRows = 1L + random.nextInt(400);
    return () -> {
      StructuredDataset dataset =
          IcebergDataset.metadata(place.resolve("table").toString()).dataset();
      return switch (cut) {
        case 0 -> dataset;
        case 1 -> dataset.splitRows(splitRows);
        default -> dataset.splitStrategy(new RoundRobinSplitStrategy());
      };
    };
  }

  /// A batch, and the state after it.
  private record Read(String rows, String state) {}

  /// Reads the rest of an epoch.
  private static List<Read> batches(
      StructuredDataset dataset, LoaderOptions options, @Nullable LoaderState from) {
    List<Read> batches = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(dataset, options.output(OutputFormat.MAP))) {
      if (from != null) {
        loader.resume(from);
      }
      try (EpochIterator<Batch> epoch = loader.iterator()) {
        while (epoch.hasNext()) {
          try (Batch batch = epoch.next()) {
            String rows = loader.schema().names().stream().map(batch::list).toList().toString();
            batches.add(new Read(rows, loader.state().toJson()));
          }
        }
      }
    }
    return batches;
  }

  private static List<String> words(StructuredDataset dataset) {
    try (DataLoader loader =
        DataLoader.of(dataset, options -> options.strings("cat", StringEncoding.codes()))) {
      return loader.vocabulary("cat").texts();
    }
  }

  @Seeded(runs = 200)
  void footersThatAreReadLateChangeNothing(Random random) throws IOException {
    Supplier<StructuredDataset> open = random(random);
    StructuredDataset early = open.get();
    assertThat(early.files()).isNotEmpty(); // reads all footers
    Shuffle shuffle = List.of(Shuffle.none(), Shuffle.splits()).get(random.nextInt(2));
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(1 + random.nextInt(90))
            .workers(random.nextInt(3))
            .dropLast(random.nextBoolean())
            .shuffle(shuffle)
            .seed(random.nextInt(9));
    if (random.nextInt(3) == 0) {
      options = options.transform(SAME);
    }
    assertThat(words(open.get())).isEqualTo(words(early));
    int ranks = 1 + random.nextInt(3);
    for (int rank = 0; rank < ranks; rank++) {
      LoaderOptions own = options.rank(new Rank(rank, ranks));
      List<Read> expected = batches(early, own, null);
      assertThat(batches(open.get(), own, null)).isEqualTo(expected);
      assertThat(open.get().plan(own, 1)).isEqualTo(early.plan(own, 1));
      if (!expected.isEmpty()) {
        LoaderState state =
            LoaderState.parse(expected.get(random.nextInt(expected.size())).state());
        for (int world : List.of(ranks, ranks + 1)) {
          LoaderOptions other = options.rank(new Rank(Math.min(rank, world - 1), world));
          assertThat(batches(open.get(), other, state)).isEqualTo(batches(early, other, state));
        }
      }
    }
  }

  @Test
  void rankReadsOnlyFootersOfItsOwnFiles() throws IOException {
    WrittenTable written =
        WrittenTable.create(folder, NULLABLE, PartitionSpec.unpartitioned(), 2, FileFormat.PARQUET);
    List<Path> files = new ArrayList<>();
    for (int file = 0; file < 4; file++) {
      List<Record> rows = new ArrayList<>();
      for (int row = 0; row < 10; row++) {
        rows.add(CountingTable.row(NULLABLE, 10 * file + row));
      }
      String location = written.append(rows).getFirst().location();
      files.add(Path.of(location.replaceFirst("^file:", "")));
    }
    LoaderOptions options = LoaderOptions.defaults().batchSize(5).workers(1);
    files.sort(Comparator.naturalOrder());
    for (int other : List.of(2, 3)) {
      Files.writeString(files.get(other), "spoiled");
    }
    assertThat(ids(dataset(), options.rank(new Rank(1, 4)))).hasSize(10);
    assertThat(ids(dataset(), options.rank(new Rank(1, 4)).transform(SAME))).hasSize(10);
    assertThatThrownBy(() -> ids(dataset(), options.rank(new Rank(2, 4))))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(files.get(2).getFileName().toString());
    assertThatThrownBy(() -> ids(dataset(), options.rank(new Rank(1, 4)).shuffle(true)))
        .isInstanceOf(UncheckedIOException.class);
  }

  private static List<Long> ids(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader =
            DataLoader.of(dataset.columns("id"), options.output(OutputFormat.ARRAY));
        EpochIterator<Batch> batches = loader.iterator()) {
      return CountingTable.ids(batches, Integer.MAX_VALUE);
    }
  }
}
