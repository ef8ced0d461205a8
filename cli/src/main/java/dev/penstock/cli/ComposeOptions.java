package dev.penstock.cli;

import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.compose.SlidingWindows;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.options.LoaderOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What is made of the rows of a window before they are batched.
final class ComposeOptions {
  @Option(
      names = "--bucket",
      paramLabel = "COLUMN",
      description = {
        "Rows whose lists in this column have similar lengths come in the same batch; within a window",
        "of the shuffle, or 8192 rows."
      })
  private @Nullable String bucket;

  @Option(
      names = "--tokens",
      paramLabel = "N",
      description =
          "With --bucket: a batch has at most N elements, padded to its longest list. Default: no"
              + " bound but --batch-size.")
  private @Nullable Long tokens;

  @Option(
      names = "--pack",
      paramLabel = "COLUMN:LENGTH",
      description = {
        "The lists of this column are packed into rows of LENGTH elements; adds COLUMN.segment and",
        "COLUMN.position. Other columns are left out."
      })
  private @Nullable String pack;

  @Option(
      names = "--pack-mode",
      paramLabel = "cut|whole",
      description = {
        "cut: a list that does not fit goes on in the next row. whole: lists stay whole, by best fit",
        "within a window. Default: cut."
      })
  private @Nullable String packMode;

  @Option(
      names = "--group-by",
      paramLabel = "COLUMN",
      description =
          "All rows of a key in one batch. The files have to have all rows of a key together.")
  private @Nullable String groupBy;

  @Option(
      names = "--windows",
      paramLabel = "LENGTH:STRIDE",
      description = {
        "With --group-by: sliding windows of LENGTH rows over the rows of each key; each begins",
        "STRIDE rows after the one before. Adds COLUMN.rows, how many rows are not padding."
      })
  private @Nullable String windows;

  @Option(
      names = "--weights",
      paramLabel = "COLUMN",
      description = "Rows drawn with replacement, in proportion to their weights.")
  private @Nullable String weights;

  @Option(
      names = "--num-samples",
      paramLabel = "N",
      description = "With --weights: the draws of an epoch. Default: as many as there are rows.")
  private @Nullable Long numSamples;

  /// Adds what was chosen.
  ///
  /// @throws UsageException if an option is invalid for any data
  LoaderOptions apply(LoaderOptions options) {
    List<Composition> chosen = new ArrayList<>();
    requireBoth("--tokens", tokens, "--bucket", bucket);
    requireBoth("--pack-mode", packMode, "--pack", pack);
    requireBoth("--windows", windows, "--group-by", groupBy);
    requireBoth("--num-samples", numSamples, "--weights", weights);
    if (bucket != null) {
      chosen.add(buckets(bucket));
    }
    if (pack != null) {
      chosen.add(packs(pack));
    }
    if (groupBy != null) {
      chosen.add(windows == null ? Composition.groups(groupBy) : windows(groupBy, windows));
    }
    if (weights != null) {
      chosen.add(draws(weights));
    }
    if (chosen.size() > 1) {
      throw new UsageException(
          "Cannot use --bucket, --pack, --group-by and --weights together: choose one.");
    }
    return chosen.isEmpty() ? options : options.compose(chosen.getFirst());
  }

  private static void requireBoth(
      String name, @Nullable Object given, String needed, @Nullable Object there) {
    if (given != null && there == null) {
      throw new UsageException("Cannot use " + name + " without " + needed + ".");
    }
  }

  private WeightedDraws draws(String column) {
    WeightedDraws draws = Composition.draws(column);
    Long number = numSamples;
    return number == null ? draws : UsageException.blame(() -> draws.numSamples(number));
  }

  private static SlidingWindows windows(String key, String text) {
    String[] numbers = text.split(":", -1);
    try {
      if (numbers.length == 2) {
        int length = Integer.parseInt(numbers[0]);
        int stride = Integer.parseInt(numbers[1]);
        return UsageException.blame(() -> Composition.windows(key, length, stride));
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new UsageException(
        "Cannot use --windows '" + text + "': expected LENGTH:STRIDE, such as 64:16.");
  }

  private Buckets buckets(String column) {
    Buckets buckets = Composition.buckets(column);
    Long most = tokens;
    return most == null ? buckets : UsageException.blame(() -> buckets.tokens(most));
  }

  private Packs packs(String text) {
    int colon = text.lastIndexOf(':');
    int length;
    try {
      length = Integer.parseInt(text.substring(colon + 1));
    } catch (NumberFormatException e) {
      length = -1;
    }
    if (colon < 1 || length < 1) {
      throw new UsageException(
          "Cannot use --pack '" + text + "': expected COLUMN:LENGTH, such as tokens:2048.");
    }
    Packs packs = Composition.packs(text.substring(0, colon), length);
    return switch (packMode == null ? "cut" : packMode.toLowerCase(Locale.ROOT)) {
      case "cut" -> packs;
      case "whole" -> packs.whole();
      default ->
          throw new UsageException(
              "Cannot use pack-mode '" + packMode + "': expected cut or whole.");
    };
  }
}
