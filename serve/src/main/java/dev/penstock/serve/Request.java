package dev.penstock.serve;

import dev.penstock.LoaderOptions;
import dev.penstock.OnBadFile;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.schema.DataType;
import dev.penstock.schema.MissingColumns;
import dev.penstock.spi.catalog.TableKind;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

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
  private static final long SECONDS_MAX = 1L << 32;

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
    dataset = set(dataset, fields, "where", StructuredDataset::where);
    if (fields.has("columns")) {
      dataset = dataset.columns(fields.texts("columns"));
    }
    fields.requireNoOthers();
    return dataset;
  }

  /// Reads what is chosen for files or a table, but not for a mixture, whose sources each have it.
  private static StructuredDataset unmixed(JsonFields fields) {
    Map<String, String> storage = AbsolutePaths.storage(texts(fields, "storage"));
    TableRequest table = TableRequest.read(nested(fields, "table"), storage);
    StructuredDataset dataset = table.isNamed() ? table.dataset() : located(fields, table, storage);
    for (Map.Entry<String, String> option : texts(fields, "formatOptions").entrySet()) {
      dataset = dataset.formatOption(option.getKey(), option.getValue());
    }
    for (Map.Entry<String, String> cast : texts(fields, "cast").entrySet()) {
      dataset = dataset.cast(cast.getKey(), DataType.parse(cast.getValue()));
    }
    if (fields.has("missingColumns")) {
      dataset =
          dataset.missingColumns(
              choice(
                  fields,
                  "missingColumns",
                  Map.of("error", MissingColumns.error(), "nulls", MissingColumns.nulls())));
    }
    if (fields.has("onBadFile")) {
      dataset =
          dataset.onBadFile(
              choice(fields, "onBadFile", Map.of("fail", OnBadFile.FAIL, "skip", OnBadFile.SKIP)));
    }
    if (fields.has("caseSensitive")) {
      dataset = dataset.caseSensitive(fields.bool("caseSensitive"));
    }
    return dataset;
  }

  /// Returns what is at some locations: the table, if it is one location that is a table's folder
  /// and neither a format nor partitions are asked for, as with the command.
  private static StructuredDataset located(
      JsonFields fields, TableRequest table, Map<String, String> storage) {
    List<String> locations = fields.texts("locations");
    locations.forEach(location -> AbsolutePaths.location("location", location));
    boolean asFiles = locations.size() != 1 || fields.has("format") || fields.has("partitioning");
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
    dataset = set(dataset, fields, "format", StructuredDataset::format);
    if (fields.has("partitioning")) {
      dataset = choice(fields, "partitioning", Map.of("hive", dataset.hivePartitions()));
    }
    for (Map.Entry<String, String> option : storage.entrySet()) {
      dataset = dataset.storageOption(option.getKey(), option.getValue());
    }
    return dataset;
  }

  private static StructuredDataset split(StructuredDataset dataset, JsonFields loader) {
    StructuredDataset split = set(dataset, loader, "splitBytes", StructuredDataset::splitBytes);
    return loader.has("splitRows")
        ? split.splitRows(loader.whole("splitRows", 1, Long.MAX_VALUE))
        : split;
  }

  private static LoaderOptions options(JsonFields fields) {
    // The environment is that of whoever started the server, so the rank is never taken from there.
    LoaderOptions options = LoaderOptions.defaults().rank(Rank.SINGLE);
    if (fields.has("batchSize")) {
      options = options.batchSize(fields.integer("batchSize"));
    }
    if (fields.has("dropLast")) {
      options = options.dropLast(fields.bool("dropLast"));
    }
    if (fields.has("stepsPerEpoch")) {
      options = options.stepsPerEpoch(fields.whole("stepsPerEpoch", 1, Long.MAX_VALUE));
    }
    if (fields.has("workers")) {
      options = options.workers(fields.integer("workers"));
    }
    if (fields.has("prefetchFactor")) {
      options = options.prefetchFactor(fields.integer("prefetchFactor"));
    }
    if (fields.has("timeout")) {
      double seconds = fields.number("timeout");
      if (seconds < 0 || seconds > SECONDS_MAX) {
        throw new IllegalArgumentException("timeout must be 0 or more, got " + seconds + ".");
      }
      options = options.timeout(Duration.ofMillis((long) (seconds * 1000)));
    }
    options = set(options, fields, "shuffle", (o, text) -> o.shuffle(Shuffle.parse(text)));
    if (fields.has("compose")) {
      options = options.compose(ComposeRequest.read(nested(fields, "compose")));
    }
    if (fields.has("seed")) {
      options = options.seed(fields.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE));
    }
    options = set(options, fields, "rank", (o, text) -> o.rank(Rank.parse(text)));
    options = set(options, fields, "rankEnd", (o, text) -> o.rankEnd(of(RankEnd.class, text)));
    if (fields.has("countMatches")) {
      options = options.countMatches(fields.bool("countMatches"));
    }
    options = set(options, fields, "memory", LoaderOptions::memory);
    if (fields.has("poisonMemory")) {
      options = options.poisonMemory(fields.bool("poisonMemory"));
    }
    options = set(options, fields, "output", (o, text) -> o.output(of(OutputFormat.class, text)));
    options = forms(options, fields);
    fields.requireNoOthers();
    return options;
  }

  private static LoaderOptions forms(LoaderOptions options, JsonFields fields) {
    LoaderOptions changed =
        perColumn(
            options,
            texts(fields, "nulls"),
            (o, text) -> o.nulls(nulls(text)),
            (column, text) -> o -> o.nulls(column, nulls(text)));
    changed =
        perColumn(
            changed,
            texts(fields, "timestamps"),
            (o, text) -> o.timestamps(of(EpochUnit.class, text)),
            (column, text) -> o -> o.timestamps(column, of(EpochUnit.class, text)));
    changed =
        perColumn(
            changed,
            texts(fields, "decimals"),
            (o, text) -> o.decimals(of(DecimalForm.class, text)),
            (column, text) -> o -> o.decimals(column, of(DecimalForm.class, text)));
    for (Object each : fields.has("strings") ? fields.list("strings") : List.of()) {
      JsonFields column = new JsonFields(SUBJECT, "a column of strings", each);
      changed = changed.strings(column.text("column"), encoding(column));
    }
    for (Object each : fields.has("features") ? fields.list("features") : List.of()) {
      JsonFields matrix = new JsonFields(SUBJECT, "a matrix of features", each);
      changed = changed.features(matrix.text("name"), matrix.texts("columns"));
      matrix.requireNoOthers();
    }
    return changed;
  }

  private static LoaderOptions perColumn(
      LoaderOptions options,
      Map<String, String> texts,
      BiFunction<LoaderOptions, String, LoaderOptions> all,
      BiFunction<String, String, UnaryOperator<LoaderOptions>> one) {
    LoaderOptions changed = options;
    for (Map.Entry<String, String> each : texts.entrySet()) {
      changed =
          each.getKey().isEmpty()
              ? all.apply(changed, each.getValue())
              : one.apply(each.getKey(), each.getValue()).apply(changed);
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

  /// Takes an object of texts, in order; nothing if it is missing.
  static Map<String, String> texts(JsonFields fields, String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (fields.has(name)) {
      Map<?, ?> object = fields.object(name);
      JsonFields each = new JsonFields(SUBJECT, name, object);
      for (Object key : new ArrayList<>(object.keySet())) {
        texts.put((String) key, each.text((String) key));
      }
    }
    return texts;
  }

  /// Sets what a text says; nothing if it is missing.
  static <T> T set(T value, JsonFields fields, String name, BiFunction<T, String, T> set) {
    return fields.has(name) ? set.apply(value, fields.text(name)) : value;
  }

  /// Takes a text that is one of several.
  static <T> T choice(JsonFields fields, String name, Map<String, T> choices) {
    String text = fields.text(name);
    T chosen = choices.get(text);
    if (chosen == null) {
      throw new IllegalArgumentException(
          "Cannot use "
              + name
              + " '"
              + text
              + "': expected "
              + String.join(" or ", choices.keySet().stream().sorted().toList())
              + ".");
    }
    return chosen;
  }

  private static <E extends Enum<E>> E of(Class<E> type, String text) {
    for (E each : type.getEnumConstants()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "Cannot use '"
            + text
            + "': expected one of "
            + List.of(type.getEnumConstants()).toString().toLowerCase(Locale.ROOT)
            + ".");
  }
}
