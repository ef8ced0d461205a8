package dev.penstock;

import dev.penstock.filter.Filter;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.FilterBinder;
import dev.penstock.internal.plan.Planner;
import dev.penstock.internal.plan.Providers;
import dev.penstock.internal.plan.Pruning;
import dev.penstock.internal.plan.Table;
import dev.penstock.schema.Schema;
import dev.penstock.split.ByteSize;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Plan;
import dev.penstock.split.SplitStrategy;
import dev.penstock.split.TargetSizeSplitStrategy;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Table files to read: where they are, which columns, and how they are split.
///
/// A location is a folder (read at any depth, sorted by path, names that start with `_` or `.` are
/// skipped), a file, a glob (`*` within a name, `**` across folders, `?`, `[ab]`, `{a,b}`), or
/// several of these.
///
/// Immutable: every setting returns a changed copy. Nothing is opened until a schema, a plan or a
/// batch is asked for; then the files are listed and their footers read, once.
///
/// **Threads.** Safe for any.
///
/// **Errors.** Wrong settings are [IllegalArgumentException]s. What the files are to blame for is
/// an [java.io.UncheckedIOException] with a sentence that names the file.
public final class StructuredDataset {
  private final TableSource source;
  private final Optional<List<String>> columns;
  private final SplitStrategy strategy;
  private final Optional<Filter> filter;

  private StructuredDataset(
      TableSource source,
      Optional<List<String>> columns,
      SplitStrategy strategy,
      Optional<Filter> filter) {
    this.source = source;
    this.columns = columns;
    this.strategy = strategy;
    this.filter = filter;
  }

  /// Makes a dataset over one or more locations.
  ///
  /// @param locations folders, files or globs
  /// @throws IllegalArgumentException if there is none, or one is blank
  public StructuredDataset(String... locations) {
    this(List.of(locations));
  }

  /// Makes a dataset over one or more locations.
  ///
  /// @param locations folders, files or globs
  /// @throws IllegalArgumentException if there is none, or one is blank
  public StructuredDataset(List<String> locations) {
    this(
        new TableSource(checked(locations), Optional.empty()),
        Optional.empty(),
        TargetSizeSplitStrategy.ofDefault(),
        Optional.empty());
  }

  /// Chooses columns; without it, all columns are read.
  ///
  /// @param names the columns, in the order in which they shall be delivered; `address.city` is the
  ///   field `city` of the structs in column `address`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if there is none, or one is named twice
  public StructuredDataset columns(String... names) {
    return columns(List.of(names));
  }

  /// Chooses columns; without it, all columns are read.
  ///
  /// @param names the columns, in the order in which they shall be delivered; `address.city` is the
  ///   field `city` of the structs in column `address`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if there is none, or one is named twice
  public StructuredDataset columns(List<String> names) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("columns needs at least one name.");
    }
    Set<String> distinct = new HashSet<>();
    for (String name : names) {
      if (!distinct.add(name)) {
        throw new IllegalArgumentException(
            "Cannot read column '" + name + "' twice: name it once in columns.");
      }
    }
    return new StructuredDataset(source, Optional.of(List.copyOf(names)), strategy, filter);
  }

  /// Chooses rows: those for which a condition is true. Without it, all rows are delivered; a
  /// second filter replaces the first.
  ///
  /// The columns that it looks at need not be among [#columns()]. What the files say of their row
  /// groups and pages rules rows out before they are read; the answer is the same without.
  ///
  /// @param condition the condition, see [Filter]
  /// @return the changed dataset
  public StructuredDataset filter(Filter condition) {
    return new StructuredDataset(
        source, columns, strategy, Optional.of(Objects.requireNonNull(condition)));
  }

  /// Chooses rows by a condition in text, for example `delay >= 15 and origin in ('ATL', 'ORD')`.
  ///
  /// @param condition the condition, see [Filter#parse]
  /// @return the changed dataset
  /// @throws IllegalArgumentException if the text is no condition
  public StructuredDataset where(String condition) {
    return filter(Filter.parse(condition));
  }

  /// Chooses the file format; without it, the format is told by extension, then by the first bytes.
  ///
  /// @param name a format's name, for example `parquet`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if there is no such format
  public StructuredDataset format(String name) {
    return new StructuredDataset(
        new TableSource(source.locations(), Optional.of(Providers.format(name).name())),
        columns,
        strategy,
        filter);
  }

  /// Chooses how files are cut and dealt; the default is
  /// [dev.penstock.split.TargetSizeSplitStrategy] with 128 MiB.
  ///
  /// @param strategy a ready strategy or your own
  /// @return the changed dataset
  public StructuredDataset splitStrategy(SplitStrategy strategy) {
    return new StructuredDataset(source, columns, Objects.requireNonNull(strategy), filter);
  }

  /// Packs row groups into splits of up to this many bytes.
  ///
  /// @param size a size such as `128MiB`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if the text is no size
  public StructuredDataset splitBytes(String size) {
    return splitStrategy(TargetSizeSplitStrategy.ofBytes(ByteSize.parse(size)));
  }

  /// Packs row groups into splits of up to this many rows.
  ///
  /// @param rows at least 1
  /// @return the changed dataset
  /// @throws IllegalArgumentException if `rows` is below 1
  public StructuredDataset splitRows(long rows) {
    return splitStrategy(TargetSizeSplitStrategy.ofRows(rows));
  }

  /// Returns the locations as given.
  ///
  /// @return an unmodifiable list
  public List<String> locations() {
    return source.locations();
  }

  /// Returns the chosen columns.
  ///
  /// @return their names, or empty when all columns are read
  public Optional<List<String>> columns() {
    return columns;
  }

  /// Returns the condition on the rows.
  ///
  /// @return the filter, or empty when all rows are read
  public Optional<Filter> filter() {
    return filter;
  }

  /// Returns all columns of the files, chosen or not. Reads the footers the first time.
  ///
  /// @return the one schema of the files
  public Schema fileSchema() {
    return table().schema();
  }

  /// Returns the columns that are read, in delivery order. Reads the footers the first time.
  ///
  /// @return the chosen part of [#fileSchema()]
  public Schema schema() {
    Table table = table();
    if (columns.isEmpty()) {
      return table.schema();
    }
    try {
      return table.select(columns.get());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Returns the files in path order, with their rows and row groups. Reads the footers the first
  /// time.
  ///
  /// @return an unmodifiable list
  public List<DataFileInfo> files() {
    return table().infos();
  }

  /// Returns the name of the files' format. Lists the files the first time.
  ///
  /// @return for example `parquet`
  public String format() {
    return table().files().getFirst().format().name();
  }

  /// Decides what an epoch reads, without reading it.
  ///
  /// @param options shuffle, seed and workers are used
  /// @param epoch the epoch, counted from 0
  /// @return the checked plan
  /// @throws IllegalArgumentException if the filter does not fit the columns, or the strategy
  ///   leaves rows out
  public Plan plan(LoaderOptions options, long epoch) {
    return plan(options, epoch, pruning());
  }

  Plan plan(LoaderOptions options, long epoch, Pruning pruning) {
    return Planner.plan(
        pruning.files(),
        pruning.pruned(),
        strategy,
        options.shuffle(),
        options.seed(),
        epoch,
        Math.max(1, options.workers()));
  }

  /// Makes a loader over this dataset in one call.
  ///
  /// @param change turns the default options into the wanted ones
  /// @return a loader, to be closed by the caller
  public DataLoader createDataLoader(UnaryOperator<LoaderOptions> change) {
    return new DataLoader(this, change.apply(LoaderOptions.defaults()));
  }

  Table table() {
    try {
      return source.table();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Returns what the filter leaves of the files.
  Pruning pruning() {
    Table table = table();
    Condition condition =
        filter.map(wanted -> FilterBinder.bind(wanted, table.schema())).orElse(Condition.always());
    return new Pruning(table, condition);
  }

  private static List<String> checked(List<String> locations) {
    if (locations.isEmpty()) {
      throw new IllegalArgumentException("A dataset needs at least one location.");
    }
    locations.forEach(Location::new);
    return List.copyOf(locations);
  }

  @Override
  public String toString() {
    return "StructuredDataset " + source.locations();
  }
}
