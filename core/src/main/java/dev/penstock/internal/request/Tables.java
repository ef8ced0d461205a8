package dev.penstock.internal.request;

import dev.penstock.StructuredDataset;
import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.ServiceLookup;
import dev.penstock.internal.choice.Services;
import dev.penstock.internal.request.LoadRequest.Table;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.catalog.TableFormat;
import dev.penstock.spi.catalog.TableKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Opens tables, by the modules that are there.
final class Tables {
  static final Table NONE = new Table(null, null, null, null, null, null, null);

  private static final ServiceLookup<TableFormat> FORMATS =
      new ServiceLookup<>(TableFormat.class, format -> List.of(format.kind().name()));

  private Tables() {}

  /// Opens the Iceberg table that is named.
  static StructuredDataset named(Table asked, Map<String, String> storage) {
    String name = asked.name();
    if (name != null && (asked.catalog() == null || asked.catalog().isEmpty())) {
      throw Rules.wrong(
          OptionTable.TABLE,
          "Cannot find table '%s': it has a name but no catalog. Give the catalog's options, or"
              + " the table's metadata instead of a name.",
          name);
    }
    String location = name != null ? name : Objects.requireNonNull(asked.metadata());
    return open(TableKind.ICEBERG, location, asked, storage);
  }

  /// Opens the table at a location.
  static StructuredDataset open(
      TableKind kind, String location, Table asked, Map<String, String> storage) {
    if (asked.name() == null) {
      requireNone(asked, kind, location);
    }
    String module = kind.name().toLowerCase(Locale.ROOT);
    Services<TableFormat> formats = FORMATS.here();
    TableFormat format =
        formats
            .named(kind.name())
            .orElseThrow(() ->
                Advice.argumentError(
                    "Cannot read %s: its module is not there. %s%s",
                    location, Remedy.module(module), formats.leftOut()));
    TableFormat.Choice choice =
        new TableFormat.Choice(
            location,
            orNone(asked.catalog()),
            asked.version() == null ? OptionalLong.empty() : OptionalLong.of(asked.version()),
            Optional.ofNullable(asked.asOf()),
            Optional.ofNullable(asked.ref()),
            orNone(asked.mapLocation()),
            storage);
    Supplier<CatalogTable> table = suspect(asked).naming(() -> format.table(choice));
    return new StructuredDataset(table.get());
  }

  /// Returns the option that is to be named if the table cannot be as asked.
  private static Option<?, ?> suspect(Table asked) {
    return OptionTable.of(
        "Dataset",
        asked.name() != null
            ? "name"
            : asked.version() != null
                ? "version"
                : asked.mapLocation() != null ? "mapLocation" : "locations");
  }

  /// Refuses what a table that is read by its folder has no use for.
  private static void requireNone(Table asked, TableKind kind, String location) {
    boolean isDelta = kind == TableKind.DELTA;
    if (asked.catalog() != null || (isDelta && asked.ref() != null)) {
      String option = asked.catalog() != null ? "catalog" : "ref";
      throw Rules.wrong(
          OptionTable.of("Dataset", option),
          "Cannot use %s with '%s': it is read by its folder, without a catalog%s.",
          Remedy.name(option),
          location,
          isDelta ? ", and a Delta table has no branches and tags" : "");
    }
  }

  static Map<String, String> orNone(@Nullable Map<String, String> given) {
    return given == null ? Map.of() : given;
  }
}
