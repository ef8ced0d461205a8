package dev.penstock.cli;

import dev.penstock.LoaderOptions;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.NullPolicy;
import dev.penstock.split.ByteSize;
import dev.penstock.split.Shuffle;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How to deliver it: batches, order, splits and nulls. Workers are [WorkersOption].
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
      description =
          "none: file order. splits: the splits are permuted, anew each epoch. Default: ${DEFAULT-VALUE}.")
  private String shuffle = "none";

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the shuffle. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--epoch",
      paramLabel = "E",
      description = "Number of the first epoch. Default: ${DEFAULT-VALUE}.")
  private long epoch;

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

  /// Returns the loader's options; the number of workers is left at its default.
  ///
  /// @throws UsageException if an option makes no sense whatever the data
  LoaderOptions loaderOptions() {
    UsageException.requireAtLeast("--batch-size", batchSize, 1);
    UsageException.requireAtLeast("--epoch", epoch, 0);
    return UsageException.blame(() ->
        LoaderOptions.defaults()
            .batchSize(batchSize)
            .dropLast(dropLast)
            .shuffle(Shuffle.parse(shuffle))
            .seed(seed)
            .nulls(nullPolicy(nulls)));
  }

  /// Returns the dataset with the chosen way to cut files.
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

  /// Returns the way files are cut, in words.
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

  long epoch() {
    return epoch;
  }

  static NullPolicy nullPolicy(String text) {
    return switch (text) {
      case "nan" -> NullPolicy.nan();
      case "mask" -> NullPolicy.mask();
      case "error" -> NullPolicy.error();
      default -> {
        if (!text.startsWith("fill:")) {
          throw new IllegalArgumentException(
              "Cannot treat nulls as '" + text + "': expected nan, fill:VALUE, mask or error.");
        }
        yield NullPolicy.fill(number(text.substring("fill:".length())));
      }
    };
  }

  private static Number number(String text) {
    if (text.matches("[+-]?[0-9]+")) {
      BigInteger integer = new BigInteger(text);
      return integer.bitLength() < Long.SIZE ? (Number) integer.longValue() : integer;
    }
    if (text.matches("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|NaN|[+-]?Infinity")) {
      return Double.valueOf(text);
    }
    throw new IllegalArgumentException(
        "Cannot fill nulls with '" + text + "': expected a number, such as fill:0 or fill:-1.5.");
  }
}
