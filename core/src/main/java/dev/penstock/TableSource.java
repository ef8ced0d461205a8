package dev.penstock;

import dev.penstock.internal.pipeline.FooterReads;
import dev.penstock.internal.plan.Discovery;
import dev.penstock.internal.plan.Providers;
import dev.penstock.internal.plan.Table;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The files of a dataset, listed and their footers read when first wanted, then kept.
///
/// Shared by all datasets that were derived from one by choosing columns or splits. Safe for any
/// thread.
final class TableSource {
  private final List<String> locations;
  private final Optional<String> format;
  private @Nullable Table table;

  TableSource(List<String> locations, Optional<String> format) {
    this.locations = locations;
    this.format = format;
  }

  List<String> locations() {
    return locations;
  }

  synchronized Table table() throws IOException {
    if (table == null) {
      table =
          Table.of(FooterReads.readAll(Discovery.list(locations, format.map(Providers::format))));
    }
    return table;
  }
}
