package dev.penstock.internal.request;

import static dev.penstock.internal.request.Form.byColumn;
import static dev.penstock.internal.request.Form.choice;
import static dev.penstock.internal.request.Form.integer;
import static dev.penstock.internal.request.Form.names;
import static dev.penstock.internal.request.Form.secrets;
import static dev.penstock.internal.request.Form.text;
import static dev.penstock.internal.request.Form.texts;
import static dev.penstock.internal.request.Form.truth;
import static dev.penstock.internal.request.Form.whole;
import static dev.penstock.split.TargetSizeSplitStrategy.ofBytes;

import dev.penstock.Mixture;
import dev.penstock.Mixture.Stop;
import dev.penstock.OnBadFile;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.PerColumn;
import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs.Mode;
import dev.penstock.compose.Packs.TooLong;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.split.ByteSize;
import dev.penstock.split.RankEnd;
import dev.penstock.storage.Location;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// All options of requests, in the order in which Python takes them: a table as code.
///
/// From it come the checks at all doors, the help of the command, the checks and docstrings of
/// Python, and the tables of docs/reference/options.md. Names and defaults in Java are those of
/// [LoaderOptions] and [StructuredDataset].
public final class OptionTable {
  private static final int MOST = Integer.MAX_VALUE;
  private static final List<Option<?, ?>> ALL = new ArrayList<>();

  static {
    Form<String> column = text("text", "the name of a column");
    Form<ByteSize> size =
        Form.of(
            "size",
            "a number of bytes, or a text with a unit",
            (fields, name) -> ByteSize.parse(fields.text(name)),
            bytes -> Long.toString(bytes.bytes()));

    client("dataset", text("dataset", "a Dataset, a Mixture, or a location"));
    loader("batchSize", integer(1, MOST), LoaderOptions::batchSize, o -> o.batching().size());
    loader("workers", integer(0, 1000), LoaderOptions::workers, OptionTable::workers);
    loader("shuffle", OptionForms.SHUFFLE, LoaderOptions::shuffle, o -> o.order().shuffle());
    loader(
        "compose",
        OptionForms.COMPOSE,
        (o, asked) -> o.compose(Opening.composition(asked)),
        Described::compose);
    loader(
        "seed", whole(Long.MIN_VALUE, Long.MAX_VALUE), LoaderOptions::seed, o -> o.order().seed());
    loader("dropLast", truth(), LoaderOptions::dropLast, o -> o.batching().dropLast());
    loader(
        "stepsPerEpoch",
        whole(1, Long.MAX_VALUE),
        LoaderOptions::stepsPerEpoch,
        o -> Described.given(o.batching().stepsPerEpoch()));
    loader("rank", OptionForms.RANK, LoaderOptions::rank, o -> o.rankShare().rank().orElse(null));
    loader("rankEnd", choice(RankEnd.class), LoaderOptions::rankEnd, o -> o.rankShare().end());
    loader(
        "countMatches",
        truth(),
        LoaderOptions::countMatches,
        o -> o.rankShare().countMatches().orElse(null));
    loader("memory", size, LoaderOptions::memory, OptionTable::memory);
    client("shared_memory", text("size", size.expected()));
    loader(
        "prefetchFactor",
        integer(1, MOST),
        LoaderOptions::prefetchFactor,
        o -> o.reading().prefetchFactor());
    loader("timeout", OptionForms.SECONDS, LoaderOptions::timeout, o -> o.reading().timeout());
    loader(
        "features",
        OptionForms.FEATURES,
        each(LoaderOptions::features),
        o -> o.columns().features());
    loader(
        "nulls",
        OptionForms.NULLS,
        perColumn(LoaderOptions::nulls, LoaderOptions::nulls),
        o -> columns(o.columns().nulls()));
    loader(
        "strings",
        OptionForms.STRINGS,
        each(LoaderOptions::strings),
        o -> o.columns().strings().byName());
    loader(
        "tokenize",
        OptionForms.TOKENIZE,
        Tokenizers::tokenize,
        _ -> null); // a transform, of which there is no list
    loader(
        "timestamps",
        byColumn(EpochUnit.class),
        perColumn(LoaderOptions::timestamps, LoaderOptions::timestamps),
        o -> columns(o.columns().timestamps()));
    loader(
        "decimals",
        byColumn(DecimalForm.class),
        perColumn(LoaderOptions::decimals, LoaderOptions::decimals),
        o -> columns(o.columns().decimals()));
    client("lists", OptionForms.LISTS);
    add(
        "Loader",
        "splitBytes",
        size,
        (StructuredDataset d, ByteSize most) -> d.splitStrategy(ofBytes(most)));
    add("Loader", "splitRows", whole(1, Long.MAX_VALUE), StructuredDataset::splitRows);
    add("Loader", "fileSplits", GivenSplits.FORM, StructuredDataset::splitStrategy);
    loader(
        "output",
        choice(OutputFormat.class).inPython("torch", "numpy", "arrow"),
        LoaderOptions::output,
        o -> o.columns().output());
    client("pin_memory", text("truth", "True or False"));
    client("collate_fn", text("function", "a function that takes a batch"));
    loader("record", truth(), LoaderOptions::record, LoaderOptions::isRecorded);
    loader(
        "stepDigests",
        truth(),
        LoaderOptions::stepDigests,
        o -> o.recording().stepDigests()); // a client's, for its own log
    loader(
        "stepLog", // of the command alone: a client writes its own
        text("path", "a path"),
        (o, file) -> o.stepLog(Location.local(file)),
        o -> o.recording().stepLog().map(Path::toString).orElse(null));
    client("step_log", text("path", "a path"));
    client("server", text("server", "\"host:port\" or (host, port)"));
    client("token", text("secret", "a text"));
    client("ca_file", text("path", "a path"));
    loader("poisonMemory", truth(), LoaderOptions::poisonMemory, _ -> null); // for tests

    dataset("locations", names("locations", "a path or a list of paths"), null);
    dataset("columns", names("names", "a list of names of columns"), StructuredDataset::columns);
    dataset("where", OptionForms.WHERE, StructuredDataset::where);
    dataset("format", text("text", "the name of a format"), StructuredDataset::format);
    dataset("partitioning", choice(List.of(true), _ -> "hive"), (d, _) -> d.hivePartitions());
    dataset(
        "storage",
        secrets("a dict from an option of the store to its value"),
        each(StructuredDataset::storageOption));
    dataset(
        "formatOptions",
        texts("a dict from an option of the format to its value"),
        each(StructuredDataset::formatOption));
    dataset(
        "cast",
        texts("a dict from column to the name of a type"),
        each((d, name, type) -> d.cast(name, DataType.parse(type))));
    dataset("missingColumns", OptionForms.MISSING, StructuredDataset::missingColumns);
    dataset("onBadFile", choice(OnBadFile.class), StructuredDataset::onBadFile);
    dataset("caseSensitive", truth(), StructuredDataset::caseSensitive);
    dataset("plan", text("path", "a path"), StructuredDataset::plan);
    dataset("cache", CacheChoice.FORM, null); // of the command alone: a client writes no disk
    dataset("sharedCache", truth(), null);
    dataset("name", text("text", "the name of a table"), null);
    dataset("catalog", secrets("a dict from an option of the catalog to its value"), null);
    dataset("metadata", text("path", "a path"), null);
    dataset("version", whole(Long.MIN_VALUE, Long.MAX_VALUE), null);
    dataset("asOf", OptionForms.TIME, null);
    dataset("ref", text("text", "the name of a branch or tag"), null);
    dataset("mapLocation", texts("a dict from a location to another"), null);

    add("Tokenize", "column", column, null);
    add("Tokenize", "tokenizer", text("path", "a path"), null);
    add("Tokenize", "into", column, null);
    add("Tokenize", "end", text("text", "a token of the tokenizer"), null);
    add("Tokenize", "pair", column, null);
    add("Tokenize", "specialTokens", truth(), null);
    add("Tokenize", "truncate", integer(1, MOST), null);
    add("Tokenize", "tooLong", choice(TooLong.class), null);

    add("Mixture", "sources", OptionForms.SOURCES, null);
    add("Mixture", "weight", OptionForms.WEIGHT, null);
    add("Mixture", "stop", choice(Stop.class), (Mixture m, Stop stop) -> m.stop(stop));
    add("Mixture", "sourceColumn", column, (Mixture m, String of) -> m.sourceColumn(of));
    add("Mixture", "weightsFrom", OptionForms.WEIGHTS_FROM, OptionForms::weightsFrom);
    // What a Mixture of Python has, and requests have beside it.
    add("Mixture", "columns", names("names", "a list of names of columns"), null);
    add("Mixture", "where", text("anything", "a text"), null);
    add("Balance", "column", column, null);

    add("Balanced", "column", column, null);
    balance("Balanced");
    add("Buckets", "column", column, null);
    add("Buckets", "tokens", whole(1, Long.MAX_VALUE), (Buckets b, Long most) -> b.tokens(most));
    add("Buckets", "balanced", truth(), null);
    balance("Buckets");
    add("Packs", "column", column, null);
    add("Packs", "length", integer(1, Composition.LENGTH_MAX), null);
    add("Packs", "mode", choice(Mode.class), null);
    add("Packs", "tooLong", choice(TooLong.class), null);
    add("Packs", "balanced", truth(), null);
    balance("Packs");
    add("Groups", "column", column, null);
    add("Windows", "column", column, null);
    add("Windows", "length", integer(1, Composition.LENGTH_MAX), null);
    add("Windows", "stride", integer(1, MOST), null);
    add("Draws", "column", column, null);
    add("Draws", "numSamples", whole(1, MOST), (WeightedDraws d, Long of) -> d.numSamples(of));
  }

  public static final Option<?, ?> LOCATIONS = of("Dataset", "locations");
  public static final Option<?, ?> COLUMNS = of("Dataset", "columns");
  public static final Option<?, ?> STORAGE = of("Dataset", "storage");
  public static final Option<?, ?> PLAN = of("Dataset", "plan");
  public static final Option<?, ?> CACHE = of("Dataset", "cache");
  public static final Option<?, ?> SHARED_CACHE = of("Dataset", "sharedCache");
  public static final Option<?, ?> TABLE = of("Dataset", "name");
  public static final Option<?, ?> CATALOG = of("Dataset", "catalog");
  public static final Option<?, ?> METADATA = of("Dataset", "metadata");
  public static final Option<?, ?> WORKERS = of("Loader", "workers");
  public static final Option<?, ?> RANK = of("Loader", "rank");
  public static final Option<?, ?> SEED = of("Loader", "seed");
  public static final Option<?, ?> TOKENIZE = of("Loader", "tokenize");
  public static final Option<?, ?> SOURCES = of("Mixture", "sources");
  public static final Option<?, ?> BALANCE = of("Balance", "column");
  public static final Option<?, ?> BALANCED = of("Balanced", "column");

  private OptionTable() {}

  private static void balance(String owner) {
    add(owner, "quadratic", OptionForms.QUADRATIC, null);
    add(owner, "accumulate", integer(1, MOST), null);
  }

  private static @Nullable Integer workers(LoaderOptions options) {
    return options.reading().autoWorkers() ? null : options.reading().workers();
  }

  private static ByteSize memory(LoaderOptions options) {
    return options.memoryUse().limitFor(options.reading().workers());
  }

  private static <V> void loader(
      String name,
      Form<V> form,
      BiFunction<LoaderOptions, V, LoaderOptions> set,
      Function<LoaderOptions, @Nullable V> get) {
    add("Loader", name, form, set, get);
  }

  private static void client(String name, Form<String> form) {
    add("Loader", name, form, null);
  }

  private static <V> void dataset(
      String name,
      Form<V> form,
      @Nullable BiFunction<StructuredDataset, V, StructuredDataset> set) {
    add("Dataset", name, form, set);
  }

  private static <T, V> void add(
      String owner, String name, Form<V> form, @Nullable BiFunction<T, V, T> set) {
    add(owner, name, form, set, _ -> null);
  }

  private static <T, V> void add(
      String owner,
      String name,
      Form<V> form,
      @Nullable BiFunction<T, V, T> set,
      Function<T, @Nullable V> get) {
    ALL.add(
        new Option<>(owner, part(owner, name), name, form, set, get, OptionWords.of(owner, name)));
  }

  /// Returns the record of a request that has an option: that which is named as its owner, if
  /// several have one of that name. Null if no request has it.
  private static @Nullable Class<?> part(String owner, String name) {
    return Stream.of(LoadRequest.class, LoadRequest.Compose.class)
        .flatMap(around -> Stream.of(around.getDeclaredClasses()))
        .filter(Class::isRecord)
        .filter(record ->
            Stream.of(record.getRecordComponents())
                .anyMatch(each -> each.getName().equals(name) && !isObject(each.getType())))
        .max(Comparator.comparing(record -> record.getSimpleName().equals(owner)))
        .orElse(null);
  }

  private static boolean isObject(Class<?> type) {
    return type.isRecord() && type.getEnclosingClass() == LoadRequest.class;
  }

  /// Sets a value for one name.
  interface SetOne<T, V> {
    T set(T target, String name, V value);
  }

  /// Sets something for each entry of an option, as `one` sets it for one.
  static <T, V> BiFunction<T, Map<String, V>, T> each(SetOne<T, V> one) {
    return (target, entries) -> {
      T changed = target;
      for (Map.Entry<String, V> entry : entries.entrySet()) {
        changed = one.set(changed, entry.getKey(), entry.getValue());
      }
      return changed;
    };
  }

  private static <V> BiFunction<LoaderOptions, Map<String, V>, LoaderOptions> perColumn(
      BiFunction<LoaderOptions, V, LoaderOptions> all, SetOne<LoaderOptions, V> one) {
    return each((options, column, value) ->
        column.isEmpty() ? all.apply(options, value) : one.set(options, column, value));
  }

  private static <V> Map<String, V> columns(PerColumn<V> choices) {
    Map<String, V> all = new LinkedHashMap<>();
    all.put("", choices.all());
    all.putAll(choices.byName());
    return all;
  }

  /// Returns an option that has a record of its own, or is a Loader's or Dataset's.
  public static Option<?, ?> of(String owner, String name) {
    return of(owner).stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  /// Returns all options.
  public static List<Option<?, ?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  /// Returns the options of a class of Python, in the order of its arguments.
  public static List<Option<?, ?>> of(String owner) {
    return ALL.stream().filter(option -> option.owner().equals(owner)).toList();
  }

  /// Returns the option that Java calls by a name, as errors do; empty if no request has it.
  public static Optional<Option<?, ?>> named(String name) {
    return ALL.stream().filter(option -> option.name().equals(name)).findFirst();
  }

  /// Returns the option that a component of a request is; null if it is a part or an object.
  static @Nullable Option<?, ?> of(RecordComponent component) {
    return ALL.stream()
        .filter(each -> each.part() == component.getDeclaringRecord())
        .filter(each -> each.name().equals(component.getName()))
        .findFirst()
        .orElse(null);
  }

  /// Sets all that a part of a request says.
  ///
  /// @throws WrongOptionException if something is wrong
  @SuppressWarnings("unchecked") // the part is one of the target's, which a test asserts
  static <T> T applied(T target, Record part) {
    T changed = target;
    for (RecordComponent component : part.getClass().getRecordComponents()) {
      Option<T, ?> option = (Option<T, ?>) of(component);
      if (option != null) {
        changed = option.applied(changed, value(part, component));
      }
    }
    return changed;
  }

  static @Nullable Object value(Record record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Cannot read " + component + ": " + e, e);
    }
  }
}
