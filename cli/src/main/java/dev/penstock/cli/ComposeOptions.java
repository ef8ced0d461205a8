package dev.penstock.cli;

import dev.penstock.LoaderOptions;
import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
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

  /// Adds what was chosen.
  ///
  /// @throws UsageException if an option is invalid for any data
  LoaderOptions apply(LoaderOptions options) {
    if (bucket != null && pack != null) {
      throw new UsageException("Cannot use --bucket with --pack: choose one.");
    }
    if (tokens != null && bucket == null) {
      throw new UsageException("Cannot use --tokens without --bucket.");
    }
    if (packMode != null && pack == null) {
      throw new UsageException("Cannot use --pack-mode without --pack.");
    }
    if (bucket != null) {
      return options.compose(buckets(bucket));
    }
    return pack == null ? options : options.compose(packs(pack));
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
