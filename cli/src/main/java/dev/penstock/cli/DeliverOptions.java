package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.batch.NullPolicy;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.ByteSize;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Ranks;
import dev.penstock.split.Shuffle;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/// How to deliver the rows: batches, order, ranks, splits and nulls. [WorkersOption] sets the
/// workers.
final class DeliverOptions {
  static final String HEADING = "%nHow to deliver it:%n";

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      description = "Rows of a batch. Default: ${DEFAULT-VALUE}.")
  private int batchSize = 1024;

  @Option(names = "--drop-last", description = "Leave out a last batch with too few rows.")
  private boolean dropLast;

  @Option(
      names = "--shuffle",
      paramLabel = "HOW",
      description = {
        "none: file order. splits: the splits are permuted, anew each epoch.",
        "window:ROWS: the rows, too, within windows of so many, to which several splits contribute.",
        "global: each row may come at any place; needs --cache. torch: the same, in torch's order.",
        "Both go over the rows once or twice, as their size demands; global:1 or global:2 chooses.",
        "Default: ${DEFAULT-VALUE}."
      })
  private String shuffle = "none";

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the shuffle. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--epoch",
      paramLabel = "E",
      description = "Number of the first epoch. Default: 0.")
  private @Nullable Long epoch;

  @Option(
      names = "--rank",
      paramLabel = "R/W",
      description =
          "Which of how many training processes this is, counted from 0: it gets its share of the"
              + " rows. Default: by the environment, as torchrun, mpirun, srun and others set it,"
              + " else 0/1.")
  private @Nullable String rank;

  @Option(
      names = "--rank-end",
      paramLabel = "HOW",
      description = {
        "How ranks come to the same number of batches:",
        "exact: every row once, the last batch of some has a row less, or none;",
        "pad: the first rows come again; drop: the last rows are left out. Default: ${DEFAULT-VALUE}."
      })
  private String rankEnd = "exact";

  @Option(
      names = "--split-bytes",
      paramLabel = "SIZE",
      description = "Pack row groups into splits of up to this size. Default: 128MiB.")
  private @Nullable String splitBytes;

  @Option(
      names = "--split-rows",
      paramLabel = "N",
      description = "Pack row groups into splits of up to this many rows instead.")
  private @Nullable Long splitRows;

  @Option(
      names = "--nulls",
      paramLabel = "POLICY",
      description = {
        "What becomes of nulls in numeric columns:",
        "nan: NaN in floating-point columns, an error in others;",
        "fill:V: the value V; mask: zero and a mask column; error: an error.",
        "Default: ${DEFAULT-VALUE}."
      })
  private String nulls = "nan";

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "The most off-heap memory that the loader may take. Default: 512MiB and 64MiB more for"
              + " each worker.")
  private @Nullable String memory;

  @Option(
      names = "--prefetch-factor",
      paramLabel = "N",
      description = "How many batches are made ahead, for each worker. Default: 2.")
  private @Nullable Integer prefetchFactor;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description =
          "How long to wait for a batch; when the time is over, the command ends with an error."
              + " Default: 0, which waits for ever.")
  private long timeout;

  @ArgGroup(validate = false)
  private ComposeOptions compose = new ComposeOptions();

  /// Returns the loader's options; the number of workers is left at its default.
  ///
  /// @throws UsageException if an option is invalid for any data
  LoaderOptions loaderOptions() {
    UsageException.requireAtLeast("--batch-size", batchSize, 1);
    UsageException.requireAtLeast("--epoch", epoch(), 0);
    if (prefetchFactor != null) {
      UsageException.requireAtLeast("--prefetch-factor", prefetchFactor, 1);
    }
    UsageException.requireAtLeast("--timeout", timeout, 0);
    Rank found = rank();
    return UsageException.blame(() -> {
      LoaderOptions options =
          LoaderOptions.defaults()
              .rank(found)
              .rankEnd(RankEnd.parse(rankEnd))
              .batchSize(batchSize)
              .dropLast(dropLast)
              .shuffle(Shuffle.parse(shuffle))
              .seed(seed)
              .timeout(Duration.ofSeconds(timeout))
              .nulls(NullPolicy.parse(nulls));
      if (prefetchFactor != null) {
        options = options.prefetchFactor(prefetchFactor);
      }
      options = compose.apply(options);
      return memory == null ? options : options.memory(memory);
    });
  }

  /// Returns the dataset with the chosen split strategy.
  StructuredDataset split(StructuredDataset dataset) {
    if (splitBytes != null && splitRows != null) {
      throw new UsageException("Cannot use both --split-bytes and --split-rows: choose one.");
    }
    if (splitRows != null) {
      UsageException.requireAtLeast("--split-rows", splitRows, 1);
    }
    return UsageException.blame(() -> {
      if (splitBytes != null) {
        return dataset.splitBytes(splitBytes);
      }
      return splitRows != null ? dataset.splitRows(splitRows) : dataset;
    });
  }

  /// Returns the split strategy, in words.
  String strategy() {
    if (splitRows != null) {
      return "row groups packed to " + splitRows + " rows, dealt largest first";
    }
    ByteSize size =
        splitBytes == null
            ? TargetSizeSplitStrategy.DEFAULT_SPLIT_BYTES
            : ByteSize.parse(splitBytes);
    return "row groups packed to " + size + ", dealt largest first";
  }

  /// Returns the number of the first epoch.
  long epoch() {
    return epoch == null ? 0 : epoch;
  }

  /// Returns whether the user chose the first epoch.
  boolean choosesEpoch() {
    return epoch != null;
  }

  /// Returns which of the training processes this is.
  ///
  /// @throws UsageException if the user's text is not a rank
  /// @throws IllegalArgumentException if the environment is needed and is incomplete or
  ///   contradictory
  Rank rank() {
    String given = rank;
    if (given != null) {
      return UsageException.blame(() -> Rank.parse(given));
    }
    try {
      return Ranks.fromEnvironment();
    } catch (IllegalArgumentException fault) {
      throw new IllegalArgumentException(
          fault.getMessage() + " On the command line: --rank R/W.", fault);
    }
  }

  /// Returns the text form of a choice.
  static String text(RankEnd end) {
    return end.name().toLowerCase(Locale.ROOT);
  }
}
