package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.options.LoaderOptions;
import dev.penstock.stats.PaddingStats;

/// How much a composition pads, in words.
final class Padding {
  private Padding() {}

  /// Returns a line; empty without a composition.
  static String text(LoaderOptions options, PaddingStats padding) {
    return options
        .batching()
        .composition()
        .map(how -> "composed: " + how + sentence(padding) + "\n")
        .orElse("");
  }

  private static String sentence(PaddingStats padding) {
    if (padding.padded() == 0) {
      return "";
    }
    return ". Padding is "
        + percent(padding.share())
        + " of the elements; it would be "
        + percent(padding.shareBefore())
        + " without.";
  }

  private static String percent(double share) {
    return Numbers.fixed(100 * share, 2) + " %";
  }
}
