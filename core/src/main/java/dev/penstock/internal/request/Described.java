package dev.penstock.internal.request;

import dev.penstock.compose.Balance;
import dev.penstock.compose.Balanced;
import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Groups;
import dev.penstock.compose.Packs;
import dev.penstock.compose.SlidingWindows;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.request.LoadRequest.Compose;
import dev.penstock.options.LoaderOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a loader does that was made in Java, as a request would say it.
public final class Described {
  private Described() {}

  /// Returns the options of a loader, by name, as texts.
  @SuppressWarnings("unchecked") // of a Loader are those of LoaderOptions, and of datasets
  public static Map<String, String> options(LoaderOptions options) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Option<?, ?> option : OptionTable.of("Loader")) {
      Object value = ((Option<Object, ?>) option).get().apply(options);
      if (value != null && !Boolean.FALSE.equals(value) && !Map.of().equals(value)) {
        texts.put(option.name(), text(option.shown(value)));
      }
    }
    return texts;
  }

  /// Returns a value as JSON has it, but a text, or what holds for all columns, as such.
  private static String text(Object value) {
    return value instanceof Map<?, ?> columns && columns.keySet().equals(Set.of(""))
        ? text(columns.values().iterator().next())
        : value instanceof String text ? text : RequestJson.json(value);
  }

  static @Nullable Compose compose(LoaderOptions options) {
    Composition composition = options.batching().composition().orElse(null);
    return switch (composition) {
      case null -> null;
      case Balanced how ->
          new Compose.Balanced(how.column(), how.balance().quadratic(), how.balance().accumulate());
      case Buckets how ->
          new Compose.Buckets(
              how.column(),
              given(how.tokens()),
              how.balance().map(_ -> true).orElse(null),
              how.balance().map(Balance::quadratic).orElse(null),
              how.balance().map(Balance::accumulate).orElse(null));
      case Packs how ->
          new Compose.Packs(
              how.column(),
              how.length(),
              how.mode(),
              how.tooLong(),
              how.balance().map(_ -> true).orElse(null),
              how.balance().map(Balance::quadratic).orElse(null),
              how.balance().map(Balance::accumulate).orElse(null));
      case Groups how -> new Compose.Groups(how.column());
      case SlidingWindows how -> new Compose.Windows(how.column(), how.length(), how.stride());
      case WeightedDraws how -> new Compose.Draws(how.column(), given(how.numSamples()));
    };
  }

  static @Nullable Long given(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }
}
