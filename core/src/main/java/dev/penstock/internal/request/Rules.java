package dev.penstock.internal.request;

import static dev.penstock.internal.request.OptionTable.AS_OF;
import static dev.penstock.internal.request.OptionTable.BALANCE;
import static dev.penstock.internal.request.OptionTable.CACHE;
import static dev.penstock.internal.request.OptionTable.CATALOG;
import static dev.penstock.internal.request.OptionTable.FORMAT;
import static dev.penstock.internal.request.OptionTable.LOCATIONS;
import static dev.penstock.internal.request.OptionTable.METADATA;
import static dev.penstock.internal.request.OptionTable.PARTITIONING;
import static dev.penstock.internal.request.OptionTable.REF;
import static dev.penstock.internal.request.OptionTable.SHARED_CACHE;
import static dev.penstock.internal.request.OptionTable.SOURCES;
import static dev.penstock.internal.request.OptionTable.SPLIT_BYTES;
import static dev.penstock.internal.request.OptionTable.SPLIT_ROWS;
import static dev.penstock.internal.request.OptionTable.TABLE;
import static dev.penstock.internal.request.OptionTable.VERSION;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedArgumentException;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.request.LoadRequest.Balance;
import dev.penstock.internal.request.LoadRequest.Dataset;
import dev.penstock.internal.request.LoadRequest.Mixed;
import dev.penstock.internal.request.LoadRequest.Source;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Which options go together.
public final class Rules {
  /// Options of which one object takes at most one, and why.
  private record OneOf(String why, List<Option<?, ?>> options) {
    OneOf(String why, Option<?, ?>... options) {
      this(why, List.of(options));
    }
  }

  private static final List<OneOf> ONE_OF =
      List.of(
          new OneOf("choose one", SPLIT_BYTES, SPLIT_ROWS),
          new OneOf("choose one", VERSION, AS_OF, REF),
          new OneOf("name what to read in one way", LOCATIONS, TABLE, METADATA),
          new OneOf("the metadata is read without a catalog", CATALOG, METADATA),
          new OneOf("a table knows its files", TABLE, FORMAT),
          new OneOf("a table knows its files", TABLE, PARTITIONING),
          new OneOf("a table knows its files", METADATA, FORMAT),
          new OneOf("a table knows its files", METADATA, PARTITIONING),
          new OneOf("balance one dataset, or mix some", SOURCES, BALANCE));

  private Rules() {}

  /// Checks a request.
  ///
  /// @throws IllegalArgumentException if options do not go together
  static void check(LoadRequest request) {
    check(request.dataset());
    require(given(request.loader()));
  }

  private static void check(Dataset dataset) {
    Set<Option<?, ?>> given = given(dataset);
    require(given);
    if (given.contains(SHARED_CACHE) && !given.contains(CACHE)) {
      throw wrong(
          SHARED_CACHE,
          Advice.of(
              "Cannot use %s without %s: name the folder.", named(SHARED_CACHE), named(CACHE)));
    }
    Mixed mixture = dataset.mixture();
    if (mixture == null) {
      return;
    }
    for (Option<?, ?> option : given) {
      if (option.owner().equals("Dataset") && option.part() != LoadRequest.Selection.class) {
        throw wrong(
            option,
            Advice.of(
                "Cannot use %s beside a mixture: give it to each of its sources.", named(option)));
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
      List<Option<?, ?>> several = rule.options.stream().filter(given::contains).toList();
      if (several.size() > 1) {
        throw wrong(
            several.get(0),
            Advice.of(
                "Cannot use %s and %s together: %s.",
                named(several.get(0)), named(several.get(1)), rule.why));
      }
    }
  }

  /// Returns the options that an object gives: those of its parts, its table and its mixture, but
  /// not those of other datasets within.
  static Set<Option<?, ?>> given(Record record) {
    Set<Option<?, ?>> given = new LinkedHashSet<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = Records.value(record, component);
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

  static WrongOptionException wrong(Option<?, ?> option, Advice advice) {
    return new WrongOptionException(option, new AdvisedArgumentException(advice));
  }
}
