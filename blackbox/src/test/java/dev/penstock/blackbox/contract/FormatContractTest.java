package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.files.TableWriter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.tck.FileFormatContract;
import dev.penstock.tck.Table;
import dev.penstock.testing.Ring;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The contract that formats of others are tested by, with each of our formats and stores.
///
/// What is promised of their order, ranks and compositions does not depend on the format; the other
/// contracts show that with few of them.
@ParameterizedClass(name = "{0}")
@MethodSource("files")
@ExtendWith(FileContract.Replay.class)
class FormatContractTest extends FileFormatContract {
  private static final int SEEDS = 30;

  @Parameter private ContractFiles files;
  @TempDir Path formsFolder;

  static List<ContractFiles> files() {
    return ContractFiles.ofFormats();
  }

  @BeforeParameterizedClassInvocation
  static void open(ContractFiles files) throws IOException {
    files.open();
  }

  @Override
  protected TableWriter writer() {
    return files.writer();
  }

  @Override
  protected LongStream seeds() {
    int count = Math.min(files.mostSeeds(), Ring.NIGHT.isRunning() ? SEEDS : 2);
    long first = Long.getLong("penstock.seeds.from", 0);
    return LongStream.range(first, first + count);
  }

  /// Nulls, nested columns and all types that the format has among them.
  @Seeded(runs = SEEDS)
  void rowsAreThoseThatWereWrittenInEveryFormOfBatch(Random random) throws IOException {
    Table table = Table.random(random, 3, writer());
    StructuredDataset dataset = writer().dataset(formsFolder, table, random);
    int batchSize = 1 + random.nextInt(150);
    for (OutputFormat output : OutputFormat.values()) {
      LoaderOptions options =
          LoaderOptions.defaults()
              .nulls(NullPolicy.mask())
              .workers(2)
              .batchSize(batchSize)
              .output(output);
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        assertThat(Delivery.ofEpoch(loader).rows())
            .as("%s as %s", table, output)
            .isEqualTo(table.rows());
      }
    }
  }
}
