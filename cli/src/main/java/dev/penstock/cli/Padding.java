package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.options.LoaderOptions;
import dev.penstock.stats.PaddingStats;
import tools.jackson.core.JsonGenerator;

/// How much a composition pads, in words and as JSON.
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

  /// Writes the padding as a field, where there is a composition.
  static void write(JsonGenerator json, LoaderOptions options, PaddingStats padding) {
    if (options.batching().composition().isPresent()) {
      json.writeObjectPropertyStart("padding")
          .writeNumberProperty("elements", padding.elements())
          .writeNumberProperty("padded", padding.padded())
          .writeNumberProperty("paddedWithout", padding.before())
          .writeNumberProperty("dropped", padding.dropped())
          .writeEndObject();
    }
  }
}
