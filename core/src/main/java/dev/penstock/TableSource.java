package dev.penstock;

import dev.penstock.internal.pipeline.FooterReads;
import dev.penstock.internal.plan.Discovery;
import dev.penstock.internal.plan.FoundFile;
import dev.penstock.internal.plan.Partitions;
import dev.penstock.internal.plan.Providers;
import dev.penstock.internal.plan.SchemaRules;
import dev.penstock.internal.plan.Table;
import dev.penstock.internal.plan.TableFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The files of a dataset, listed and their footers read when first wanted, then kept, and the one
/// table they are.
///
/// The footers are shared by all datasets that were derived from one by choosing columns, splits or
/// schema rules. Safe for any thread.
final class TableSource {
  private final Footers footers;
  private final SchemaRules rules;
  private @Nullable Table table;

  TableSource(List<String> locations, Optional<String> format) {
    this(new Footers(locations, format, false), SchemaRules.DEFAULT);
  }

  private TableSource(Footers footers, SchemaRules rules) {
    this.footers = footers;
    this.rules = rules;
  }

  TableSource withFormat(String format) {
    return new TableSource(
        new Footers(footers.locations, Optional.of(format), footers.hive), rules);
  }

  TableSource with(SchemaRules changed) {
    boolean hive = changed.hive().isPresent();
    return new TableSource(
        hive == footers.hive ? footers : new Footers(footers.locations, footers.format, hive),
        changed);
  }

  SchemaRules rules() {
    return rules;
  }

  List<String> locations() {
    return footers.locations;
  }

  synchronized Table table() throws IOException {
    if (table == null) {
      // Partitions first: they are known before any file is opened.
      Partitions partitions = Partitions.of(footers.listed(), rules);
      table = Table.of(footers.read(), rules, partitions);
    }
    return table;
  }

  /// What was found and read.
  private static final class Footers {
    private final List<String> locations;
    private final Optional<String> format;
    private final boolean hive;
    private @Nullable List<FoundFile> listed;
    private @Nullable List<TableFile> read;

    Footers(List<String> locations, Optional<String> format, boolean hive) {
      this.locations = locations;
      this.format = format;
      this.hive = hive;
    }

    synchronized List<FoundFile> listed() throws IOException {
      if (listed == null) {
        listed = Discovery.list(locations, format.map(Providers::format), hive);
      }
      return listed;
    }

    synchronized List<TableFile> read() throws IOException {
      if (read == null) {
        read = FooterReads.readAll(listed());
      }
      return read;
    }
  }
}
