package dev.penstock.blackbox.cases;

import static dev.penstock.tck.Values.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.advice.Advice;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.files.ArrowFiles;
import dev.penstock.blackbox.files.AvroFiles;
import dev.penstock.blackbox.files.OrcFiles;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.TableWriter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The warning, at the start of the first epoch, of nulls that would end it.
class NullWarningsTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("n", DataType.int64(), true),
              new Field("day", DataType.date(), true),
              new Field("k", DataType.int64(), true),
              new Field("f", new DataType.Floating(64), true)));

  private static final List<List<List<Object>>> GROUPS =
      List.of(
          List.of(row(1L, LocalDate.EPOCH, 1L, 1.0), row(null, null, 2L, null)),
          List.of(row(null, LocalDate.EPOCH, 3L, null)));

  private static final String SAYS =
      "The first null will end the epoch, as there is no place for it";
  private static final String ADVICE =
      ". Use NullPolicy.fill() or NullPolicy.mask(), or leave the rows out by a filter such as 'n is"
          + " not null'.";

  @TempDir private Path path;

  private StructuredDataset files(TableWriter writer) throws IOException {
    Path file = path.resolve("a" + writer.extension());
    writer.write(file, SCHEMA, GROUPS, new Random(1));
    return new StructuredDataset(file.toString());
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().batchSize(1).workers(0);
  }

  private static List<String> warnings(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThat(loader.warnings()).isEmpty();
      try (EpochIterator<Batch> _ = loader.iterator()) {
        return loader.warnings().stream().map(Advice::toString).toList();
      }
    }
  }

  @Test
  void nullsThatFootersStateAreCountedByColumn() throws IOException {
    for (TableWriter writer : List.of(ParquetFiles.prunable(), new OrcFiles(), new ArrowFiles())) {
      assertThat(warnings(files(writer), options()))
          .as(writer.extension())
          .containsExactly(SAYS + ": column 'n' has 2 nulls, column 'day' has 1 null" + ADVICE);
    }
  }

  @Test
  void aColumnThatOnlyMayHaveNullsLeadsToNoWarning() throws IOException {
    assertThat(warnings(files(ParquetFiles.prunable()).columns("k", "f"), options())).isEmpty();
  }

  @Test
  void whatTheSchemaAllowsIsSaidWhereNoFooterStatesANumber() throws IOException {
    assertThat(warnings(files(new AvroFiles()).columns("n", "f"), options()))
        .containsExactly(
            SAYS + ": column 'n' may have some, by its schema, and no statistics tell" + ADVICE);
  }

  @Test
  void inferredSchemasAllowNothing() throws IOException {
    Path file = Files.writeString(path.resolve("a.csv"), "n,s\n1,x\n,y\n");
    assertThat(warnings(new StructuredDataset(file.toString()), options())).isEmpty();
  }

  @Test
  void whoeverChoseWhatBecomesOfNullsIsNotWarned() throws IOException {
    StructuredDataset files = files(ParquetFiles.prunable());
    for (NullPolicy policy : List.of(NullPolicy.mask(), NullPolicy.error(), NullPolicy.fill(7))) {
      assertThat(warnings(files, options().nulls(policy))).as(policy.toString()).isEmpty();
    }
    assertThat(warnings(files, options().nulls("n", NullPolicy.mask())).getFirst())
        .contains(": column 'day' has 1 null. Use");
    for (OutputFormat output : List.of(OutputFormat.MAP, OutputFormat.ARROW)) {
      assertThat(warnings(files, options().output(output))).as(output.toString()).isEmpty();
    }
    assertThat(warnings(files, options().output(OutputFormat.ARRAY))).hasSize(1);
    assertThat(warnings(files.columns("n"), options().features("x", "n"))).isEmpty(); // NaN
  }

  @Test
  void rowsThatAFilterLeavesOutDoNotCount() throws IOException {
    StructuredDataset files = files(ParquetFiles.prunable()).columns("n");
    assertThat(warnings(files.where("k > 2"), options()).getFirst()).contains("'n' has 1 null.");
    for (String where : List.of("n is not null", "n > 0", "k = 9", "k > 2 and n in (1, 2)")) {
      assertThat(warnings(files.where(where), options())).as(where).isEmpty();
    }
    assertThat(warnings(files.where("n > 0 or k > 0"), options())).hasSize(1);
  }

  @Test
  void aFileWithoutTheColumnHasAsManyNullsAsRows() throws IOException {
    files(ParquetFiles.prunable());
    Schema only = Schema.of(List.of(new Field("k", DataType.int64(), true)));
    ParquetFiles.prunable()
        .write(path.resolve("b.parquet"), only, List.of(List.of(row(1L))), new Random(1));
    StructuredDataset dataset =
        new StructuredDataset(path + "/*.parquet")
            .missingColumns(MissingColumns.nulls())
            .columns("n", "k");
    assertThat(warnings(dataset, options()).getFirst()).contains("'n' has 3 nulls.");
  }

  @Test
  void laterEpochsFindNothingNew() throws IOException {
    StructuredDataset files = files(ParquetFiles.prunable()).columns("n");
    try (DataLoader loader = DataLoader.of(files, options())) {
      for (int epoch = 0; epoch < 2; epoch++) {
        EpochIterator<Batch> batches = loader.iterator();
        batches.next().close();
        assertThatThrownBy(batches::next).hasMessageContaining("is null and its type");
        assertThat(loader.warnings()).hasSize(1);
      }
    }
  }
}
