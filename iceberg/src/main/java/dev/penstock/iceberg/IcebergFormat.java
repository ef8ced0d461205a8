package dev.penstock.iceberg;

import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.catalog.TableFormat;
import dev.penstock.spi.catalog.TableKind;
import java.util.Map;
import java.util.function.Supplier;

/// Opens Iceberg tables for those who do not name [IcebergDataset].
public final class IcebergFormat implements TableFormat {
  /// For `ServiceLoader`.
  public IcebergFormat() {}

  @Override
  public TableKind kind() {
    return TableKind.ICEBERG;
  }

  @Override
  public Supplier<CatalogTable> table(Choice choice) {
    IcebergDataset table =
        choice.catalog().isEmpty()
            ? IcebergDataset.metadata(choice.location())
            : IcebergDataset.table(choice.location(), choice.catalog());
    for (Map.Entry<String, String> move : choice.moves().entrySet()) {
      table = table.mapLocation(move.getKey(), move.getValue());
    }
    for (Map.Entry<String, String> option : choice.storage().entrySet()) {
      table = table.storageOption(option.getKey(), option.getValue());
    }
    if (choice.version().isPresent()) {
      table = table.snapshot(choice.version().getAsLong());
    }
    table = choice.asOf().map(table::asOf).orElse(table);
    return choice.ref().map(table::ref).orElse(table)::pinned;
  }
}
