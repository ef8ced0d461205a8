package dev.penstock.internal.request;

import static dev.penstock.internal.request.OptionTable.BALANCE;
import static dev.penstock.internal.request.OptionTable.CACHE;
import static dev.penstock.internal.request.OptionTable.SHARED_CACHE;
import static dev.penstock.internal.request.OptionTable.SOURCES;

import com.google.errorprone.annotations.FormatMethod;
import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.request.LoadRequest.Balance;
import dev.penstock.internal.request.LoadRequest.Dataset;
import dev.penstock.internal.request.LoadRequest.Mixed;
import dev.penstock.internal.request.LoadRequest.Source;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Which options go together.
public final class Rules {
  /// Options of which a dataset takes at most one, and why.
  private record OneOf(String why, List<? extends Option<?, ?>> options) {
    OneOf(String why, String... names) {
      this(why, Stream.of(names).map(name -> OptionTable.of("Dataset", name)).toList());
    }
  }

  private static final List<OneOf> ONE_OF =
      List.of(
          new OneOf("choose one", "version", "asOf", "ref"),
          new OneOf("name what to read in one way", "locations", "name", "metadata"),
          new OneOf("the metadata is read without a catalog", "catalog", "metadata"),
          new OneOf("a table knows its files", "name", "format"),
          new OneOf("a table knows its files", "name", "partitioning"),
          new OneOf("a table knows its files", "metadata", "format"),
          new OneOf("a table knows its files", "metadata", "partitioning"),
          new OneOf("balance one dataset, or mix some", List.of(SOURCES, BALANCE)));

  private Rules() {}

  /// Checks what can be told without opening anything.
  ///
  /// @throws IllegalArgumentException if options do not go together
  public static void check(LoadRequest request) {
    check(request.dataset());
  }

  private static void check(Dataset dataset) {
    Set<Option<?, ?>> given = given(dataset);
    require(given);
    if (given.contains(SHARED_CACHE) && !given.contains(CACHE)) {
      throw wrong(
          SHARED_CACHE,
          "Cannot use %s without %s: name the folder.",
          named(SHARED_CACHE),
          named(CACHE));
    }
    Mixed mixture = dataset.mixture();
    if (mixture == null) {
      return;
    }
    for (Option<?, ?> option : given) {
      if (option.owner().equals("Dataset") && option.part() != LoadRequest.Selection.class) {
        throw wrong(
            option,
            "Cannot use %s beside a mixture: give it to each of its sources.",
            named(option));
      }
    }
    if (mixture.sources() != null) {
      mixture.sources().stream().map(Source::dataset).forEach(Rules::check);
    }
    Balance balance = mixture.balance();
    if (balance != null) {
      check(balance.dataset());
    }
  }

  private static void require(Set<Option<?, ?>> given) {
    for (OneOf rule : ONE_OF) {
      List<? extends Option<?, ?>> several = rule.options.stream().filter(given::contains).toList();
      if (several.size() > 1) {
        throw wrong(
            several.get(0),
            "Cannot use %s and %s together: %s.",
            named(several.get(0)),
            named(several.get(1)),
            rule.why);
      }
    }
  }

  /// Returns the options that an object gives: those of its parts, its table and its mixture, but
  /// not those of other datasets within.
  static Set<Option<?, ?>> given(Record record) {
    Set<Option<?, ?>> given = new LinkedHashSet<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = OptionTable.value(record, component);
      Option<?, ?> option = OptionTable.of(component);
      if (value != null && option != null) {
        given.add(option);
      } else if (value instanceof Record part && !(value instanceof Dataset)) {
        given.addAll(given(part));
      }
    }
    return given;
  }

  /// Returns an option as errors name it.
  static Remedy.Option named(Option<?, ?> option) {
    return Remedy.name(option.name());
  }

  @FormatMethod
  static WrongOptionException wrong(Option<?, ?> option, String form, Object... values) {
    return new WrongOptionException(option, Advice.argumentError(form, values));
  }
}
