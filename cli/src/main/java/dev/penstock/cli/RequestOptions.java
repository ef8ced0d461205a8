package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.advice.Advice;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonFields.WrongFieldException;
import dev.penstock.internal.request.LoadRequest;
import dev.penstock.internal.request.Opening;
import dev.penstock.internal.request.Option;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.internal.request.OptionWords;
import dev.penstock.internal.request.RequestJson;
import dev.penstock.internal.request.Rules;
import dev.penstock.internal.request.WrongOptionException;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Ranks;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// What to read, and how to deliver it: the options of the [OptionTable] as picocli takes them, and
/// the [LoadRequest] that they make.
final class RequestOptions {
  private static final Set<String> READING = Set.of("Dataset", "Mixture", "Balance");

  /// The headings of the help, in order, each with the parts of a request whose options it has.
  private static final List<Map.Entry<String, Set<Class<?>>>> SUBJECTS =
      List.of(
          Map.entry(
              "What to read",
              Set.of(
                  LoadRequest.Files.class,
                  LoadRequest.Selection.class,
                  LoadRequest.Decoding.class)),
          Map.entry("Which table", Set.of(LoadRequest.Table.class)),
          Map.entry(
              "Several datasets at once",
              Set.of(LoadRequest.Mixed.class, LoadRequest.Balance.class)),
          Map.entry(
              "Batches and their order",
              Set.of(
                  LoadRequest.Batches.class,
                  LoadRequest.Order.class,
                  LoadRequest.Splits.class,
                  LoadRequest.Columns.class,
                  LoadRequest.Tokenize.class)),
          Map.entry(
              "Which rows make a batch",
              Set.of(LoadRequest.Compose.class.getPermittedSubclasses())),
          Map.entry(
              "Ranks, workers and memory",
              Set.of(LoadRequest.Ranks.class, LoadRequest.Resources.class)));

  /// What a score needs of the delivery: it comes in file order.
  private static final Set<Option<?, ?>> OF_SCORES =
      Set.of(
          OptionTable.RANK,
          OptionTable.TOKENIZE,
          OptionTable.of("Tokenize", "end"),
          OptionTable.of("Loader", "memory"),
          OptionTable.of("Loader", "nulls"),
          OptionTable.of("Loader", "timeout"));

  private final Predicate<Option<?, ?>> taken;
  private final Map<Option<?, ?>, OptionSpec> specs = new LinkedHashMap<>();
  private final PositionalParamSpec uris;

  /// What comes before the locations: picocli takes no parameter before those of a group. Empty if
  /// nothing does.
  private final String first;

  private List<String> usualUris = List.of();

  /// The options that name files with the values of another option, by that one.
  private final Map<Option<?, ?>, OptionSpec> files =
      Map.of(
          OptionTable.STORAGE,
          files(
              "--storage-file",
              "Storage options, a KEY=VALUE a line, repeatable. --storage replaces them."),
          OptionTable.CATALOG,
          files("--catalog-file", "Options of the catalog, a KEY=VALUE a line, repeatable."));

  private final OptionSpec epoch =
      OptionSpec.builder("--epoch")
          .paramLabel("E")
          .type(Long.class)
          .description("Number of the first epoch. Default: 0.")
          .build();

  private final Map<Option<?, ?>, Map<String, String>> byKey = new HashMap<>();

  private @Nullable LoadRequest made;

  private RequestOptions(String first, Predicate<Option<?, ?>> taken) {
    this.taken = taken;
    this.first = first;
    String label = OptionTable.LOCATIONS.words().command();
    this.uris =
        PositionalParamSpec.builder()
            .arity("0..*")
            .index("0..*")
            .paramLabel(first.isEmpty() ? label : first + " " + label)
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description(
                "Folder (read at any depth), file or glob (*, **, ?, [ab], {a,b}), or several."
                    + " A folder that is a Delta or Iceberg table is read as the table, unless"
                    + " --format is given.")
            .build();
  }

  /// Takes what to read.
  static RequestOptions reading() {
    return new RequestOptions("", option -> READING.contains(option.owner()));
  }

  /// Takes what to read and how to deliver it.
  static RequestOptions all() {
    return new RequestOptions("", _ -> true);
  }

  /// Takes all but the number of workers.
  static RequestOptions withoutWorkers() {
    return new RequestOptions("", option -> !option.equals(OptionTable.WORKERS));
  }

  /// Takes which rows to read, and how, behind a model. Columns, batches and workers are the
  /// command's own.
  static RequestOptions scoring() {
    return new RequestOptions(
        "MODEL",
        option ->
            OF_SCORES.contains(option)
                || (option.owner().equals("Dataset") && !option.equals(OptionTable.COLUMNS)));
  }

  private static OptionSpec files(String name, String help) {
    return OptionSpec.builder(name)
        .paramLabel("FILE")
        .type(List.class)
        .auxiliaryTypes(Path.class)
        .description(help)
        .build();
  }

  /// Adds the options to a command, behind its own.
  void addTo(CommandSpec command) {
    List<ArgGroupSpec.Builder> groups =
        SUBJECTS.stream()
            .map(each ->
                ArgGroupSpec.builder()
                    .validate(false)
                    .heading(each.getKey())
                    .order(SUBJECTS.indexOf(each) + 1))
            .toList();
    groups.getFirst().addArg(uris);
    for (Option<?, ?> option : OptionTable.all()) {
      if (option.words().command().startsWith("-") && taken.test(option)) {
        OptionSpec spec = spec(option);
        specs.put(option, spec);
        ArgGroupSpec.Builder group = groups.get(subject(option));
        group.addArg(spec);
        if (files.containsKey(option)) {
          group.addArg(files.get(option));
        }
        if (option.equals(OptionTable.SEED)) {
          group.addArg(epoch);
        }
      }
    }
    groups.stream()
        .filter(group -> !group.args().isEmpty())
        .forEach(group -> command.addArgGroup(group.build()));
  }

  private static int subject(Option<?, ?> option) {
    return IntStream.range(0, SUBJECTS.size())
        .filter(each -> SUBJECTS.get(each).getValue().contains(option.part()))
        .findFirst()
        .orElseThrow();
  }

  private static OptionSpec spec(Option<?, ?> option) {
    OptionWords words = option.words();
    OptionSpec.Builder spec =
        OptionSpec.builder(words.command())
            .paramLabel(words.label())
            .description(String.join(" ", words.help()).replace("%", "%%"));
    if (words.label().startsWith("[")) {
      return spec.paramLabel(words.label().substring(1, words.label().length() - 1))
          .type(String.class)
          .arity("0..1")
          .fallbackValue("")
          .build();
    }
    return switch (option.form().kind()) {
      case "truth" -> spec.type(boolean.class).build();
      case "names" ->
          spec.type(List.class)
              .auxiliaryTypes(String.class)
              .splitRegex(", *")
              .hideParamSyntax(true)
              .build();
      case "texts", "secrets", "sources", "tokenize" ->
          spec.type(List.class).auxiliaryTypes(String.class).build();
      default -> spec.type(String.class).build();
    };
  }

  /// Returns whether an option was given, or a file with its values.
  boolean has(Option<?, ?> option) {
    return isGiven(specs.get(option)) || isGiven(files.get(option));
  }

  private static boolean isGiven(@Nullable OptionSpec spec) {
    Object value = spec == null ? null : spec.getValue();
    return value != null && !Boolean.FALSE.equals(value) && !List.of().equals(value);
  }

  String text(Option<?, ?> option) {
    return String.valueOf(Objects.requireNonNull(specs.get(option)).<Object>getValue());
  }

  List<String> texts(Option<?, ?> option) {
    return list(specs.get(option));
  }

  /// Returns what comes before the locations.
  ///
  /// @throws UsageException if it was not given
  String first() {
    List<String> given = list(uris);
    if (given.isEmpty()) {
      throw new UsageException("Missing required parameter: '" + first + "'.");
    }
    return given.getFirst();
  }

  List<String> uris() {
    List<String> words = list(uris);
    List<String> given =
        first.isEmpty() || words.isEmpty() ? words : words.subList(1, words.size());
    return given.isEmpty() ? usualUris : given;
  }

  /// Sets the locations to read where none is given.
  void urisOr(List<String> usual) {
    usualUris = usual;
  }

  private static <T> List<T> list(@Nullable ArgSpec spec) {
    List<T> given = spec == null ? null : spec.getValue();
    return given == null ? List.of() : given;
  }

  /// Returns the values of an option whose values are by key. They are read once, also where each
  /// source of a mixture has them: files may be pipes.
  Map<String, String> byKey(Option<?, ?> option) {
    return byKey.computeIfAbsent(option, this::read);
  }

  private Map<String, String> read(Option<?, ?> option) {
    String name = option.words().command();
    if (files.containsKey(option)) {
      return new KeyValues(name, System::getenv).read(list(files.get(option)), texts(option));
    }
    Map<String, String> values = new LinkedHashMap<>();
    texts(option).forEach(each -> values.put(KeyValues.key(name, each), KeyValues.value(each)));
    return values;
  }

  /// Returns what is asked for.
  ///
  /// @throws UsageException if an option is invalid for any data
  LoadRequest request() {
    if (made == null) {
      made =
          blame(() -> {
            LoadRequest request =
                RequestJson.read(
                    new JsonFields("the command", "it", new RequestTree(this).fields()));
            Rules.check(request);
            return request;
          });
    }
    return made;
  }

  /// Returns the dataset that the options name, cut into splits as they say. Opens nothing except a
  /// table, to find its snapshot.
  ///
  /// @throws UsageException if an option is invalid for any data
  StructuredDataset dataset() {
    UsageException.requireAtLeast("--epoch", epoch(), 0);
    return blame(() -> Opening.dataset(request()));
  }

  StructuredDataset split(StructuredDataset dataset) {
    return Opening.split(dataset, request());
  }

  /// Returns the loader's options.
  ///
  /// @throws UsageException if an option is invalid for any data
  LoaderOptions loaderOptions() {
    return loaderOptions(LoaderOptions.defaults());
  }

  /// Returns the loader's options.
  ///
  /// @param usual what holds where nothing is said
  /// @throws UsageException if an option is invalid for any data
  LoaderOptions loaderOptions(LoaderOptions usual) {
    LoadRequest request = request();
    LoaderOptions ranked = has(OptionTable.RANK) ? usual : usual.rank(rank());
    return blame(() -> Opening.options(request, ranked));
  }

  /// Returns the rank that the environment gives this process.
  private static Rank rank() {
    try {
      return Ranks.fromEnvironment();
    } catch (IllegalArgumentException fault) {
      throw new IllegalArgumentException(
          fault.getMessage() + " On the command line: --rank R/W.", fault);
    }
  }

  /// Returns the split strategy, in words.
  String strategy() {
    LoadRequest.Splits splits = request().loader().splits();
    String size =
        splits.splitRows() != null
            ? splits.splitRows() + " rows"
            : Objects.requireNonNullElse(
                    splits.splitBytes(), TargetSizeSplitStrategy.DEFAULT_SPLIT_BYTES)
                .toString();
    return "row groups packed to " + size + ", dealt largest first";
  }

  long epoch() {
    Long given = epoch.getValue();
    return given == null ? 0 : given;
  }

  /// Returns whether the user chose the first epoch.
  boolean choosesEpoch() {
    return epoch.getValue() != null;
  }

  /// Runs a step, and reports its errors about options as wrong usage.
  private <T> T blame(Supplier<T> step) {
    try {
      return step.get();
    } catch (WrongOptionException wrong) {
      throw (UsageException) new UsageException(sentence(wrong)).initCause(wrong);
    }
  }

  private String sentence(WrongOptionException wrong) {
    Option<?, ?> option = named(wrong.option());
    String name = CommandWords.name(option);
    if (wrong.getCause() instanceof WrongFieldException field && !field.found().isEmpty()) {
      String found = specs.containsKey(option) ? "'" + text(option) + "'" : field.found();
      String expected = expected(wrong.option(), field);
      boolean isPart = option.words().label().contains(":");
      String where = isPart ? " as " + wrong.option().name() : "";
      return "Cannot use " + name + " " + found + ": expected " + expected + where + ".";
    }
    String sentence = CommandWords.of(Advice.of(wrong));
    return sentence.contains(name) || !name.startsWith("-")
        ? sentence
        : sentence + " [" + name + "]";
  }

  /// Returns the option that the command has, or the one that is written with its value.
  private static Option<?, ?> named(Option<?, ?> option) {
    return OptionTable.all().stream()
        .filter(each -> !each.words().command().isEmpty())
        .filter(each -> each.equals(option) || each.part() == option.part())
        .min(Comparator.comparing(each -> !each.equals(option)))
        .orElse(option);
  }

  private static String expected(Option<?, ?> option, WrongFieldException field) {
    List<String> choices = option.form().choices();
    if (option.equals(OptionTable.WORKERS)) {
      return field.expected() + ", or auto";
    }
    if (choices.isEmpty()) {
      boolean isInReach =
          JsonFields.numberOrText(field.found()) instanceof String
              || new BigDecimal(field.found()).doubleValue() <= option.form().most();
      return isInReach && option.form().kind().equals("whole")
          ? option.form().expected()
          : field.expected();
    }
    String last = choices.getLast();
    return choices.size() == 1
        ? last
        : String.join(", ", choices.subList(0, choices.size() - 1)) + " or " + last;
  }
}
