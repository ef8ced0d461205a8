package dev.penstock.serve;

import static dev.penstock.serve.ClientOptions.BATCH_SIZE;
import static dev.penstock.serve.ClientOptions.CASE_SENSITIVE;
import static dev.penstock.serve.ClientOptions.CAST;
import static dev.penstock.serve.ClientOptions.COLUMNS;
import static dev.penstock.serve.ClientOptions.COMPOSE;
import static dev.penstock.serve.ClientOptions.COUNT_MATCHES;
import static dev.penstock.serve.ClientOptions.DECIMALS;
import static dev.penstock.serve.ClientOptions.DROP_LAST;
import static dev.penstock.serve.ClientOptions.FEATURES;
import static dev.penstock.serve.ClientOptions.FORMAT;
import static dev.penstock.serve.ClientOptions.FORMAT_OPTIONS;
import static dev.penstock.serve.ClientOptions.LOCATIONS;
import static dev.penstock.serve.ClientOptions.MEMORY;
import static dev.penstock.serve.ClientOptions.MISSING_COLUMNS;
import static dev.penstock.serve.ClientOptions.NULLS;
import static dev.penstock.serve.ClientOptions.ON_BAD_FILE;
import static dev.penstock.serve.ClientOptions.OUTPUT;
import static dev.penstock.serve.ClientOptions.PARTITIONING;
import static dev.penstock.serve.ClientOptions.POISON_MEMORY;
import static dev.penstock.serve.ClientOptions.PREFETCH_FACTOR;
import static dev.penstock.serve.ClientOptions.RANK;
import static dev.penstock.serve.ClientOptions.RANK_END;
import static dev.penstock.serve.ClientOptions.SEED;
import static dev.penstock.serve.ClientOptions.SHUFFLE;
import static dev.penstock.serve.ClientOptions.SPLIT_BYTES;
import static dev.penstock.serve.ClientOptions.SPLIT_ROWS;
import static dev.penstock.serve.ClientOptions.STEPS_PER_EPOCH;
import static dev.penstock.serve.ClientOptions.STORAGE;
import static dev.penstock.serve.ClientOptions.STRINGS;
import static dev.penstock.serve.ClientOptions.TIMEOUT;
import static dev.penstock.serve.ClientOptions.TIMESTAMPS;
import static dev.penstock.serve.ClientOptions.WHERE;
import static dev.penstock.serve.ClientOptions.WORKERS;

import dev.penstock.StructuredDataset;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.serve.Option.Form;
import dev.penstock.spi.catalog.TableKind;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.Rank;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Function;

/// What a client asks to be read, and how to deliver it: the JSON of an `OPEN` frame.
///
/// Every field may be left out and then has the default of [StructuredDataset] or [LoaderOptions],
/// whose options have the same names. The JSON is read strictly: an unknown field is an error.
///
/// @param dataset what to read
/// @param options how to deliver it; without an allocator
/// @param memory the file that the client shares; empty where batches are sent
record Request(StructuredDataset dataset, LoaderOptions options, Optional<Path> memory) {
  static final String SUBJECT = "what to open";

  /// Reads a request. It may open a table, and read the classes that are to be balanced.
  ///
  /// @param text the JSON
  /// @throws IllegalArgumentException if an option is wrong
  static Request parse(String text) {
    JsonFields fields = JsonTree.read(SUBJECT, text);
    StructuredDataset dataset = dataset(nested(fields, "dataset"));
    JsonFields loader = nested(fields, "loader");
    dataset = split(dataset, loader);
    LoaderOptions options = options(loader);
    Optional<Path> memory = Optional.empty();
    if (fields.has("memory")) {
      memory = Optional.of(Path.of(AbsolutePaths.file("memory", fields.text("memory"))));
    }
    fields.requireNoOthers();
    return new Request(dataset, options, memory);
  }

  private static StructuredDataset dataset(JsonFields fields) {
    StructuredDataset dataset =
        fields.has("mixture")
            ? new StructuredDataset(
                new MixtureRequest(Request::dataset).read(nested(fields, "mixture")))
            : unmixed(fields);
    dataset = WHERE.set(dataset, fields, StructuredDataset::where);
    dataset = COLUMNS.set(dataset, fields, StructuredDataset::columns);
    fields.requireNoOthers();
    return dataset;
  }

  /// Reads what is chosen for files or a table, but not for a mixture, whose sources each have it.
  private static StructuredDataset unmixed(JsonFields fields) {
    Map<String, String> storage = AbsolutePaths.storage(STORAGE.of(fields, Map.of()));
    TableRequest table = TableRequest.read(nested(fields, "table"), storage);
    StructuredDataset dataset = table.isNamed() ? table.dataset() : located(fields, table, storage);
    dataset = FORMAT_OPTIONS.set(dataset, fields, each(StructuredDataset::formatOption));
    dataset =
        CAST.set(dataset, fields, each((d, column, type) -> d.cast(column, DataType.parse(type))));
    dataset = MISSING_COLUMNS.set(dataset, fields, StructuredDataset::missingColumns);
    dataset = ON_BAD_FILE.set(dataset, fields, StructuredDataset::onBadFile);
    return CASE_SENSITIVE.set(dataset, fields, StructuredDataset::caseSensitive);
  }

  /// Returns what is at some locations: the table, if it is one location that is a table's folder
  /// and neither a format nor partitions are asked for, as with the command.
  private static StructuredDataset located(
      JsonFields fields, TableRequest table, Map<String, String> storage) {
    List<String> locations = LOCATIONS.of(fields);
    locations.forEach(location -> AbsolutePaths.location("location", location));
    boolean asFiles = locations.size() != 1 || FORMAT.isIn(fields) || PARTITIONING.isIn(fields);
    StructuredDataset files = files(fields, locations, storage); // checks the storage options
    Optional<TableKind> kind =
        asFiles ? Optional.empty() : TableKind.at(locations.getFirst(), options(storage));
    if (kind.isPresent()) {
      return table.at(kind.get(), locations.getFirst()).dataset();
    }
    table.requireUnused();
    return files;
  }

  private static StorageOptions options(Map<String, String> storage) {
    StorageOptions options = StorageOptions.NONE;
    for (Map.Entry<String, String> option : storage.entrySet()) {
      options = options.with(option.getKey(), option.getValue());
    }
    return options;
  }

  private static StructuredDataset files(
      JsonFields fields, List<String> locations, Map<String, String> storage) {
    StructuredDataset dataset = new StructuredDataset(locations);
    dataset = FORMAT.set(dataset, fields, StructuredDataset::format);
    dataset = PARTITIONING.set(dataset, fields, (d, _) -> d.hivePartitions());
    return STORAGE.set(dataset, storage, each(StructuredDataset::storageOption));
  }

  private static StructuredDataset split(StructuredDataset dataset, JsonFields loader) {
    StructuredDataset split = SPLIT_BYTES.set(dataset, loader, StructuredDataset::splitBytes);
    return SPLIT_ROWS.set(split, loader, StructuredDataset::splitRows);
  }

  private static LoaderOptions options(JsonFields fields) {
    // The environment is that of whoever started the server, so the rank is never taken from there.
    LoaderOptions options = LoaderOptions.defaults().rank(Rank.SINGLE);
    options = BATCH_SIZE.set(options, fields, LoaderOptions::batchSize);
    options = DROP_LAST.set(options, fields, LoaderOptions::dropLast);
    options = STEPS_PER_EPOCH.set(options, fields, LoaderOptions::stepsPerEpoch);
    options = WORKERS.set(options, fields, LoaderOptions::workers);
    options = PREFETCH_FACTOR.set(options, fields, LoaderOptions::prefetchFactor);
    options = TIMEOUT.set(options, fields, LoaderOptions::timeout);
    options = SHUFFLE.set(options, fields, LoaderOptions::shuffle);
    if (COMPOSE.isIn(fields)) {
      options = options.compose(ComposeRequest.read(nested(fields, COMPOSE.name())));
    }
    options = SEED.set(options, fields, LoaderOptions::seed);
    options = RANK.set(options, fields, LoaderOptions::rank);
    options = RANK_END.set(options, fields, LoaderOptions::rankEnd);
    options = COUNT_MATCHES.set(options, fields, LoaderOptions::countMatches);
    options = MEMORY.set(options, fields, LoaderOptions::memory);
    options = POISON_MEMORY.set(options, fields, LoaderOptions::poisonMemory);
    options = OUTPUT.set(options, fields, LoaderOptions::output);
    options =
        NULLS.set(
            options, fields, perColumn(Request::nulls, LoaderOptions::nulls, LoaderOptions::nulls));
    options =
        TIMESTAMPS.set(
            options,
            fields,
            perColumn(
                text -> Form.choice(EpochUnit.class, text),
                LoaderOptions::timestamps,
                LoaderOptions::timestamps));
    options =
        DECIMALS.set(
            options,
            fields,
            perColumn(
                text -> Form.choice(DecimalForm.class, text),
                LoaderOptions::decimals,
                LoaderOptions::decimals));
    options = STRINGS.set(options, fields, Request::strings);
    options = FEATURES.set(options, fields, Request::features);
    fields.requireNoOthers();
    return options;
  }

  /// Sets something for each entry of an option, as `set` sets it for one.
  static <T> BiFunction<T, Map<String, String>, T> each(SetOne<T, String> set) {
    return (target, entries) -> {
      T changed = target;
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        changed = set.set(changed, entry.getKey(), entry.getValue());
      }
      return changed;
    };
  }

  /// Sets a value for one name.
  interface SetOne<T, V> {
    T set(T target, String name, V value);
  }

  private static <V> BiFunction<LoaderOptions, Map<String, String>, LoaderOptions> perColumn(
      Function<String, V> parse,
      BiFunction<LoaderOptions, V, LoaderOptions> all,
      SetOne<LoaderOptions, V> one) {
    return each((options, column, text) ->
        column.isEmpty()
            ? all.apply(options, parse.apply(text))
            : one.set(options, column, parse.apply(text)));
  }

  private static LoaderOptions strings(LoaderOptions options, List<?> columns) {
    LoaderOptions changed = options;
    for (Object each : columns) {
      JsonFields column = new JsonFields(SUBJECT, "a column of strings", each);
      changed = changed.strings(column.text("column"), encoding(column));
    }
    return changed;
  }

  private static LoaderOptions features(LoaderOptions options, List<?> matrices) {
    LoaderOptions changed = options;
    for (Object each : matrices) {
      JsonFields matrix = new JsonFields(SUBJECT, "a matrix of features", each);
      changed = changed.features(matrix.text("name"), matrix.texts("columns"));
      matrix.requireNoOthers();
    }
    return changed;
  }

  /// Reads a policy; `text:` begins a text that replaces nulls.
  private static NullPolicy nulls(String text) {
    return text.startsWith("text:")
        ? NullPolicy.fill(text.substring("text:".length()))
        : NullPolicy.parse(text);
  }

  private static StringEncoding encoding(JsonFields column) {
    String form = column.text("form");
    StringEncoding encoding =
        switch (form) {
          case "list" -> StringEncoding.list();
          case "codes" -> {
            Optional<Vocabulary> vocabulary =
                column.has("vocabulary")
                    ? Optional.of(Vocabulary.of(column.texts("vocabulary")))
                    : Optional.empty();
            OptionalInt unknown =
                column.has("unknown")
                    ? OptionalInt.of(column.integer("unknown"))
                    : OptionalInt.empty();
            yield new StringEncoding.Codes(vocabulary, unknown);
          }
          case "hash" -> StringEncoding.hash(column.integer("buckets"));
          default ->
              throw new IllegalArgumentException(
                  "Cannot deliver strings as '" + form + "': expected list, codes or hash.");
        };
    column.requireNoOthers();
    return encoding;
  }

  /// Takes an object; one without fields if it is missing.
  static JsonFields nested(JsonFields fields, String name) {
    return new JsonFields(SUBJECT, name, fields.has(name) ? fields.object(name) : Map.of());
  }
}
