package dev.penstock.delta;

import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.catalog.TableFormat;
import dev.penstock.spi.catalog.TableKind;
import java.util.Map;
import java.util.function.Supplier;

/// Opens Delta tables for those who do not name [DeltaDataset].
public final class DeltaFormat implements TableFormat {
  /// For `ServiceLoader`.
  public DeltaFormat() {}

  @Override
  public TableKind kind() {
    return TableKind.DELTA;
  }

  @Override
  public Supplier<CatalogTable> table(Choice choice) {
    DeltaDataset table = DeltaDataset.table(choice.location());
    for (Map.Entry<String, String> move : choice.moves().entrySet()) {
      table = table.mapLocation(move.getKey(), move.getValue());
    }
    for (Map.Entry<String, String> option : choice.storage().entrySet()) {
      table = table.storageOption(option.getKey(), option.getValue());
    }
    if (choice.version().isPresent()) {
      table = table.version(choice.version().getAsLong());
    }
    return choice.asOf().map(table::asOf).orElse(table)::pinned;
  }
}
