package dev.penstock.internal.dataset;

import dev.penstock.advice.Advice;
import dev.penstock.filter.Filter;
import dev.penstock.format.SchemaMismatchException;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Shown;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.FilterBinder;
import dev.penstock.internal.plan.ChosenRows;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.Pruning;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.split.Plan;
import dev.penstock.split.RoundRobinSplitStrategy;
import dev.penstock.split.SplitStrategy;
import dev.penstock.split.TargetSizeSplitStrategy;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// What the user chooses of a dataset: where its files are, what is read of them, and how they are
/// split.
///
/// Footers are read on first use, see [DatasetSource]; if they cannot be read, methods throw an
/// [UncheckedIOException].
///
/// @param columns the chosen columns in delivery order; empty for all
/// @param strategy empty for the default, or the sources' own
public record DatasetSettings(
    DatasetSource source, Optional<List<String>> columns, Optional<SplitStrategy> strategy) {
  private DatasetSettings(DatasetSource source) {
    this(source, Optional.empty(), Optional.empty());
  }

  public static DatasetSettings of(List<String> locations) {
    if (locations.isEmpty()) {
      throw new IllegalArgumentException("A dataset needs at least one location.");
    }
    List<String> given = Choices.given("locations", locations);
    given.forEach(Location::new);
    return new DatasetSettings(DatasetSource.of(given));
  }

  /// Returns those of several datasets that are mixed; `numberColumn` has a row's source.
  public static DatasetSettings of(
      Object mixture, List<DatasetSettings> sources, Optional<String> numberColumn) {
    return new DatasetSettings(DatasetSource.of(mixture, sources, numberColumn));
  }

  public static DatasetSettings of(CatalogTable table) {
    return new DatasetSettings(DatasetSource.of(table));
  }

  public DatasetSettings with(UnaryOperator<DatasetSource> change) {
    return new DatasetSettings(change.apply(source), columns, strategy);
  }

  public DatasetSettings with(List<String> names) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("columns needs at least one name.");
    }
    List<String> given = Choices.given("columns", names);
    Set<String> distinct = new HashSet<>();
    for (String name : given) {
      if (!distinct.add(name)) {
        throw new IllegalArgumentException(
            "Cannot read column '" + name + "' twice: name it once in columns.");
      }
    }
    return new DatasetSettings(source, Optional.of(given), strategy);
  }

  public DatasetSettings with(SplitStrategy choice) {
    Objects.requireNonNull(choice, "splitStrategy must not be null.");
    return new DatasetSettings(source, columns, Optional.of(choice));
  }

  /// Returns the settings for an order to which row groups do not matter, unless they do to the
  /// strategy, see [DatasetSource#byRows].
  ///
  /// @param isPermuted whether the strategy's FileSplits are permuted
  public DatasetSettings byRows(boolean isPermuted) {
    SplitStrategy chosen = strategy.orElseGet(TargetSizeSplitStrategy::ofDefault);
    boolean isEnough =
        chosen instanceof RoundRobinSplitStrategy
            || (chosen instanceof TargetSizeSplitStrategy && !isPermuted);
    return isEnough ? with(DatasetSource::byRows) : this;
  }

  private interface Reading<T> {
    T get() throws IOException;
  }

  private static <T> T read(Reading<T> reading) {
    try {
      return reading.get();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Writes a plan of all files, unless there is one.
  ///
  /// @param statistics the columns whose statistics it has, beside those of the filter
  /// @param count finds the matches of the filter
  public DatasetSource.Saved savePlan(
      String location, List<String> statistics, Function<Source, Matches> count) {
    DatasetSettings unplanned = with(DatasetSource::withoutPlan);
    return read(() -> unplanned.source.savePlan(location, unplanned.wishes(statistics, count)));
  }

  private PlanWishes wishes(List<String> statistics, Function<Source, Matches> count)
      throws SchemaMismatchException {
    Table table = table();
    Schema _ = table.select(statistics);
    if (source.filter().isEmpty()) {
      return new PlanWishes(statistics, "", () -> Matches.NONE);
    }
    Set<String> columns = new LinkedHashSet<>(statistics);
    columns.addAll(condition(table).columns());
    Source filtered = source(0);
    return new PlanWishes(List.copyOf(columns), filtered.condition(), () -> count.apply(filtered));
  }

  public boolean hasSameFiles(DatasetSettings other) {
    return read(() -> source.hasSameFiles(other.source));
  }

  public Table table() {
    return read(() -> mixture().isPresent() ? source.mixed(columns).table() : source.table());
  }

  public Schema fileSchema() {
    return read(() -> table().schema());
  }

  /// Returns the columns that are read, in delivery order.
  public Schema schema() {
    return read(() -> chosen(table()));
  }

  private Schema chosen(Table table) throws SchemaMismatchException {
    return columns.isEmpty() ? table.schema() : table.select(columns.get());
  }

  /// Returns the columns that are read, all of which can be decoded.
  public Schema readableSchema() {
    return read(() -> {
      Schema schema = schema();
      table().requireReadable(schema);
      return schema;
    });
  }

  public List<String> partitionColumns() {
    return table().partitions().columns().stream().map(Field::name).toList();
  }

  public String format() {
    return format(table());
  }

  private static String format(Table table) {
    return table.files().stream()
        .map(file -> file.format().name())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /// Returns the files that were left out because they cannot be read, in path order.
  public List<DatasetSource.Bad> badFiles() {
    return mixture().isPresent()
        ? sources().stream().flatMap(each -> each.badFiles().stream()).toList()
        : read(source::badFiles);
  }

  /// Returns what the user should know of how the files are read, each sentence once.
  public List<Advice> warnings() {
    if (mixture().isEmpty()) {
      return read(() -> source.warnings(columns));
    }
    Map<String, Advice> distinct = new LinkedHashMap<>();
    for (DatasetSettings each : source.mixed().orElseThrow().sources()) {
      DatasetSettings chosen = columns.map(each::with).orElse(each);
      chosen.warnings().forEach(warning -> distinct.putIfAbsent(warning.toString(), warning));
    }
    return List.copyOf(distinct.values());
  }

  /// Returns the mixture as it was given, if this is one.
  public Optional<Object> mixture() {
    return source.mixed().map(Origin.Mixed::mixture);
  }

  /// Returns the datasets whose rows an epoch has: the sources of a mixture under one schema, or
  /// this.
  public List<DatasetSettings> sources() {
    return mixture().isEmpty()
        ? List.of(this)
        : read(() -> source.mixed(columns)).datasets().stream()
            .map(each -> strategy.map(each::with).orElse(each))
            .toList();
  }

  /// Returns what an epoch reads of this, the source `number` of a mixture, else 0.
  public Source source(int number) {
    return source(number, table());
  }

  private Source source(int number, Table table) {
    Condition condition = condition(table);
    String filter = source.filter().map(Object::toString).orElse("none");
    return new Source(
        number,
        this,
        table,
        columns,
        filter,
        filter + reading(condition, table),
        new Pruning(table, condition),
        strategy.orElseGet(TargetSizeSplitStrategy::ofDefault),
        source.version(),
        source.formatOptions(),
        files -> source(number, read(() -> source.opened(files))),
        ChosenRows.NONE);
  }

  private Condition condition(Table table) {
    Optional<Filter> filter = source.filter();
    for (String name : filter.map(Filter::columns).orElse(Set.of())) {
      table.requireNoFolder(name);
    }
    return filter
        .map(wanted -> FilterBinder.bind(wanted, table.everyColumn()))
        .orElse(Condition.always());
  }

  /// Returns how the columns of a condition are read.
  private String reading(Condition condition, Table table) {
    return read(() -> table.select(List.copyOf(condition.columns()))).fields().stream()
        .map(column ->
            ", " + column.name() + ": " + column.type() + source.rules().reading(column.name()))
        .collect(Collectors.joining());
  }

  /// Returns how many rows of a plan the cache has in all columns, before a filter.
  public long cachedRows(Plan plan) {
    Map<Location, TableFile> files = new HashMap<>();
    Set<CacheFolder> folders = new LinkedHashSet<>();
    for (DatasetSettings each : sources()) {
      for (TableFile file : each.table().files()) {
        files.put(file.location(), file);
        file.cached().ifPresent(kept -> folders.add(kept.folder()));
      }
    }
    folders.forEach(CacheFolder::begin);
    try {
      return plan.sequence().stream()
          .mapToLong(split ->
              Objects.requireNonNull(files.get(split.file().location()))
                  .keptRows(schema(), split.firstRow(), split.rows()))
          .sum();
    } finally {
      folders.forEach(CacheFolder::end);
    }
  }

  /// Shows where the files are, and their format and columns as far as they are known: nothing is
  /// opened for it.
  @Override
  public String toString() {
    if (mixture().isPresent()) {
      return "StructuredDataset of " + mixture().get() + where();
    }
    Table table = source.knownTable();
    return "StructuredDataset "
        + Shown.list(source.locations(), location -> location)
        + (table == null ? asked() : found(table))
        + where()
        + (table == null ? ", not opened yet" : "");
  }

  private String where() {
    Optional<Filter> filter = source.filter();
    return filter.map(wanted -> ", where " + Shown.text(wanted.toString())).orElse("");
  }

  private String asked() {
    String format = source.chosenFormat().map(name -> ", " + name).orElse("");
    Optional<Schema> given = source.rules().given();
    if (columns.isEmpty()) {
      return format + given.map(schema -> ", columns " + schema.summary()).orElse("");
    }
    return format
        + ", columns "
        + Shown.list(
            columns.get(),
            name -> given.flatMap(schema -> schema.find(name)).map(Field::toString).orElse(name));
  }

  private String found(Table table) {
    int files = table.files().size();
    String shown = ", " + format(table) + ", " + files + (files == 1 ? " file" : " files");
    try {
      return shown + ", columns " + chosen(table).summary();
    } catch (SchemaMismatchException _) { // reading it will say what is wrong
      return shown
          + columns.map(names -> ", columns " + Shown.list(names, name -> name)).orElse("");
    }
  }
}
