package dev.penstock.internal.request;

import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.advice.Remedy;
import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.compose.Packs.Mode;
import dev.penstock.compose.Packs.TooLong;
import dev.penstock.internal.clock.FlightEvents;
import dev.penstock.internal.document.JsonFields.WrongFieldException;
import dev.penstock.internal.request.LoadRequest.Balance;
import dev.penstock.internal.request.LoadRequest.Compose;
import dev.penstock.internal.request.LoadRequest.Dataset;
import dev.penstock.internal.request.LoadRequest.Decoding;
import dev.penstock.internal.request.LoadRequest.Files;
import dev.penstock.internal.request.LoadRequest.Loader;
import dev.penstock.internal.request.LoadRequest.Mixed;
import dev.penstock.internal.request.LoadRequest.Table;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.catalog.TableKind;
import dev.penstock.spi.storage.StorageOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Opens what is asked for: the one place that makes datasets and options of a request.
public final class Opening {
  private Opening() {}

  /// Opens what several requests name. What it is given opens it anew.
  public interface Keeper {
    /// Keeps nothing.
    Keeper NONE = (_, opening) -> opening.get();

    /// {@return the dataset as it is now, which requests with an equal key may share}
    ///
    /// @param key says what is opened, and may have secrets
    StructuredDataset open(Object key, Supplier<StructuredDataset> opening);
  }

  /// What makes a dataset, without the choice of rows and columns.
  private record Named(Files files, @Nullable Table table, Decoding decoding) {}

  /// Returns what is to be read, cut into splits as asked. It may open a table, and read the
  /// classes that are to be balanced.
  ///
  /// @throws IllegalArgumentException if an option is wrong, or options do not go together
  /// @throws java.io.UncheckedIOException if a store cannot tell what is there
  public static StructuredDataset dataset(LoadRequest request) {
    return dataset(request, Keeper.NONE);
  }

  /// Returns what is to be read, as [#dataset(LoadRequest)]; a keeper opens its files and tables.
  public static StructuredDataset dataset(LoadRequest request, Keeper keeper) {
    Rules.check(request);
    FlightEvents.requested(() -> RequestJson.write(request));
    return split(dataset(request.dataset(), keeper), request);
  }

  /// Returns a dataset that is cut into splits as asked.
  public static StructuredDataset split(StructuredDataset dataset, LoadRequest request) {
    return OptionTable.applied(dataset, request.loader().splits());
  }

  /// Returns the options of the loader.
  ///
  /// @param usual what holds where nothing is said
  /// @throws IllegalArgumentException if an option is wrong
  public static LoaderOptions options(LoadRequest request, LoaderOptions usual) {
    Loader loader = request.loader();
    LoaderOptions options = usual;
    for (Record part :
        List.of(
            loader.batches(),
            loader.resources(),
            loader.order(),
            loader.ranks(),
            loader.columns())) {
      options = OptionTable.applied(options, part);
    }
    return options;
  }

  private static StructuredDataset dataset(Dataset asked, Keeper keeper) {
    Mixed mixture = asked.mixture();
    StructuredDataset rows =
        mixture == null
            ? keeper.open(
                new Named(asked.files(), asked.table(), asked.decoding()),
                () -> decoded(unmixed(asked), asked.decoding()))
            : mixed(mixture, keeper);
    return OptionTable.applied(rows, asked.selection());
  }

  /// Returns the table that is named, or what is at the locations: the table, if it is one location
  /// that is a table's folder and neither a format nor partitions are asked for.
  private static StructuredDataset unmixed(Dataset asked) {
    Files files = asked.files();
    Table table = Objects.requireNonNullElse(asked.table(), Tables.NONE);
    Map<String, String> storage = Tables.orNone(files.storage());
    if (table.name() != null || table.metadata() != null) {
      return Tables.named(table, storage);
    }
    List<String> locations = files.locations();
    if (locations == null) {
      throw missing(OptionTable.LOCATIONS, "dataset");
    }
    StructuredDataset found =
        OptionTable.applied(
            OptionTable.LOCATIONS.naming(() -> new StructuredDataset(locations)), files);
    boolean asFiles =
        locations.size() != 1 || files.format() != null || files.partitioning() != null;
    Optional<TableKind> kind =
        asFiles
            ? Optional.empty()
            : OptionTable.LOCATIONS.naming(() ->
                TableKind.at(
                    locations.getFirst(),
                    OptionTable.<StorageOptions, String>each(StorageOptions::with)
                        .apply(StorageOptions.NONE, storage)));
    if (kind.isPresent()) {
      return Tables.open(kind.get(), locations.getFirst(), table, storage);
    }
    for (Option<?, ?> option : Rules.given(table)) {
      throw Rules.wrong(
          option,
          "Cannot use %s without a table: give %s or %s, or its folder alone, without %s or %s.",
          Rules.named(option),
          Remedy.name("name"),
          Remedy.name("metadata"),
          Remedy.name("format"),
          Remedy.name("partitioning"));
    }
    return found;
  }

  private static StructuredDataset decoded(StructuredDataset files, Decoding asked) {
    StructuredDataset decoded = OptionTable.applied(files, asked);
    CacheChoice cache = asked.cache();
    if (cache == null) {
      return decoded;
    }
    return Boolean.TRUE.equals(asked.sharedCache())
        ? OptionTable.CACHE.naming(() -> decoded.sharedCache(cache.folder(), cache.size()))
        : OptionTable.CACHE.naming(() -> decoded.cache(cache.folder(), cache.size()));
  }

  private static StructuredDataset mixed(Mixed asked, Keeper keeper) {
    Mixture mixture = mixture(asked, keeper);
    Option<?, ?> option = asked.balance() == null ? OptionTable.SOURCES : OptionTable.BALANCE;
    return option.naming(() -> new StructuredDataset(mixture));
  }

  /// Mixes. For balanced classes this reads the classes from the files.
  private static Mixture mixture(Mixed asked, Keeper keeper) {
    Balance balance = asked.balance();
    if (balance != null) {
      StructuredDataset dataset = dataset(balance.dataset(), keeper);
      Mixture balanced =
          OptionTable.BALANCE.naming(() -> Mixture.balanced(dataset, balance.column()));
      return OptionTable.applied(balanced, asked);
    }
    List<Mixture.Source> sources = new ArrayList<>();
    if (asked.sources() == null) {
      throw missing(OptionTable.SOURCES, "mixture");
    }
    for (LoadRequest.Source each : asked.sources()) {
      StructuredDataset dataset = dataset(each.dataset(), keeper);
      sources.add(
          OptionTable.of("Mixture", "weight")
              .naming(() -> new Mixture.Source(dataset, each.weight())));
    }
    return OptionTable.applied(OptionTable.SOURCES.naming(() -> Mixture.of(sources)), asked);
  }

  private static WrongOptionException missing(Option<?, ?> option, String what) {
    return new WrongOptionException(
        option,
        new WrongFieldException(
            "Cannot read what to open: " + what + " has no field '" + option.name() + "'."));
  }

  static Composition composition(Compose asked) {
    return switch (asked) {
      case Compose.Balanced(
              String column,
              @Nullable Double quadratic,
              @Nullable Integer accumulate) ->
          Composition.balanced(column, Balances.of(quadratic, accumulate));
      case Compose.Buckets buckets -> {
        Buckets applied = OptionTable.applied(Composition.buckets(buckets.column()), buckets);
        yield Balances.of("Buckets", buckets.balanced(), buckets.quadratic(), buckets.accumulate())
            .map(each -> applied.balanced(each))
            .orElse(applied);
      }
      case Compose.Packs(
              String column,
              int length,
              @Nullable Mode mode,
              @Nullable TooLong tooLong,
              @Nullable Boolean balanced,
              @Nullable Double quadratic,
              @Nullable Integer accumulate) -> {
        Packs packs = Composition.packs(column, length);
        if (mode != Mode.WHOLE && tooLong != null && tooLong != TooLong.ERROR) {
          throw Rules.wrong(
              OptionTable.of("Packs", "tooLong"),
              "Cannot use %s: a list that is cut goes on in the next row. Leave it out, or use"
                  + " %s.",
              Remedy.name("tooLong"),
              Remedy.of("mode", "whole", "mode 'whole'"));
        }
        Packs how =
            switch (mode) {
              case null -> packs;
              case CUT -> packs;
              case WHOLE -> packs.whole(Objects.requireNonNullElse(tooLong, TooLong.ERROR));
              case STREAM -> packs.stream();
            };
        yield Balances.of("Packs", balanced, quadratic, accumulate)
            .map(each -> how.balanced(each))
            .orElse(how);
      }
      case Compose.Groups(String column) -> Composition.groups(column);
      case Compose.Windows(String column, int length, int stride) ->
          Composition.windows(column, length, stride);
      case Compose.Draws draws -> OptionTable.applied(Composition.draws(draws.column()), draws);
    };
  }
}
