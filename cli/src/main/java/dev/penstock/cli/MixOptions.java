package dev.penstock.cli;

import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How several datasets, or the classes of one, are mixed.
final class MixOptions {
  @Option(
      names = "--mix",
      paramLabel = "WEIGHT=URI",
      description = {
        "Instead of URIs: a dataset and its weight, repeatable, such as --mix 0.7=web",
        "--mix 0.3=books. Each has its share of the rows. Options for files apply to all."
      })
  private List<String> sources = new ArrayList<>();

  @Option(
      names = "--balance",
      paramLabel = "COLUMN",
      description =
          "Each value of this column has the same share of the rows. Default: as the files have it.")
  private @Nullable String balance;

  @Option(
      names = "--mix-stop",
      paramLabel = "first|all|repeat",
      description = {
        "When an epoch of a mixture ends: when the first source ends, when all have ended, or",
        "when all were read, while those that end before begin anew. Default: first."
      })
  private @Nullable String stop;

  @Option(
      names = "--mix-column",
      paramLabel = "NAME",
      description = "Add a column with the number of each row's source, from 0.")
  private @Nullable String column;

  boolean isGiven() {
    return !sources.isEmpty() || balance != null;
  }

  boolean hasSources() {
    return !sources.isEmpty();
  }

  /// Mixes what is to be read.
  ///
  /// @param files gives the dataset at a location; for null that of the command's URIs
  /// @throws UsageException if an option is invalid
  StructuredDataset mixed(Function<@Nullable String, StructuredDataset> files) {
    if (balance != null && hasSources()) {
      throw new UsageException(
          "Cannot use --balance with --mix: balance one dataset, or mix some.");
    }
    String by = balance;
    Mixture mixture =
        by == null
            ? Mixture.of(sources.stream().map(each -> source(each, files)).toList())
            : UsageException.blame(() -> Mixture.balanced(files.apply(null), by));
    Mixture named = column == null ? mixture : mixture.sourceColumn(column);
    return UsageException.blame(() -> new StructuredDataset(named.stop(stop())));
  }

  private static Mixture.Source source(
      String text, Function<@Nullable String, StructuredDataset> files) {
    double weight;
    try {
      weight = Double.parseDouble(KeyValues.key("--mix", text));
    } catch (NumberFormatException e) {
      throw new UsageException(
          "Cannot use --mix '" + text + "': expected WEIGHT=URI, such as 0.7=data/web.");
    }
    StructuredDataset dataset = files.apply(KeyValues.value(text));
    return UsageException.blame(() -> new Mixture.Source(dataset, weight));
  }

  private Mixture.Stop stop() {
    if (stop == null) {
      return Mixture.Stop.FIRST;
    }
    return switch (stop.toLowerCase(Locale.ROOT)) {
      case "first" -> Mixture.Stop.FIRST;
      case "all" -> Mixture.Stop.ALL;
      case "repeat" -> Mixture.Stop.REPEAT;
      default ->
          throw new UsageException(
              "Cannot use mix-stop '" + stop + "': expected first, all or repeat.");
    };
  }

  /// Refuses options that need a mixture where there is none.
  void requireUsed() {
    if (!isGiven() && (stop != null || column != null)) {
      throw new UsageException("Cannot use --mix-stop or --mix-column without --mix or --balance.");
    }
  }
}
