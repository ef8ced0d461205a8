package dev.penstock.benchmarks;

import dev.penstock.Mixture;
import dev.penstock.RowsOfSteps;
import dev.penstock.StructuredDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.steps.Steps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// What it takes to name the rows of a step on 512 ranks, of an epoch of a thousand million rows
/// from three made-up tables of 10,000 files together: a line of a Markdown table for each shuffle.
final class NamedSteps {
  private static final long STEP = 1_000;
  private static final long GROUP_BYTES = 100_000L * 1_024; // 100,000 rows of 1 KiB
  private static final int[] FILES = {5_000, 3_000, 2_000};

  private NamedSteps() {}

  /// Runs `FOLDER SHUFFLE`; the folder is for a cache, in which nothing is put.
  public static void main(String[] args) throws IOException {
    Path cache = Files.createDirectories(Path.of(args[0]));
    LoaderOptions options =
        LoaderOptions.defaults()
            .seed(1)
            .batchSize(1_024)
            .workers(1)
            .memory("4GiB")
            .shuffle(Shuffle.parse(args[1]))
            .rank(new Rank(0, 512));
    long start = System.nanoTime();
    RowsOfSteps steps = RowsOfSteps.of(dataset(cache), options, 3);
    long rows = steps.rows(Steps.of(STEP)).count();
    double first = seconds(start);
    double heap = ProcessCosts.heap();
    start = System.nanoTime();
    rows += steps.rows(Steps.of(STEP + 1)).count();
    double next = seconds(start);
    start = System.nanoTime();
    rows += steps.rows(Steps.of(STEP + 2), 300).count();
    System.out.printf(
        "| %s | %,d | %.2f | %.2f | %.3f | %.0f |%n",
        args[1], rows, first, next, seconds(start), heap);
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static StructuredDataset dataset(Path cache) {
    Mixture mixture = null;
    for (int files : FILES) {
      StructuredDataset table =
          new StructuredDataset(new MadeUpTable(files, 1, GROUP_BYTES))
              .cache(cache.toString(), "64MiB");
      mixture = mixture == null ? Mixture.of(table, files) : mixture.and(table, files);
    }
    return new StructuredDataset(Objects.requireNonNull(mixture).stop(Mixture.Stop.ALL));
  }
}
