package dev.penstock.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.document.JsonTree;
import dev.penstock.internal.request.LoadRequest.Balance;
import dev.penstock.internal.request.LoadRequest.Source;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The table of options, and what is written from it: `-Dpenstock.options=write` renews that.
class OptionTableTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));
  private static final Path PYTHON = ROOT.resolve("python/penstock_torch");
  private static final int WIDTH = 100;
  private static final Map<String, String> OWNERS = new LinkedHashMap<>();

  static {
    OWNERS.put("Loader", "_loader.py");
    OWNERS.put("Dataset", "_dataset.py");
    OWNERS.put("Mixture", "_mixture.py");
    OWNERS.put("Tokenize", "_tokenize.py");
    for (String composition :
        List.of("Balanced", "Buckets", "Packs", "Groups", "Windows", "Draws")) {
      OWNERS.put(composition, "_compose.py");
    }
  }

  private static void assertCurrent(Path file, UnaryOperator<String> written) throws IOException {
    String text = Files.exists(file) ? Files.readString(file) : "";
    String renewed = written.apply(text);
    if ("write".equals(System.getProperty("penstock.options"))) {
      Files.writeString(file, renewed);
      text = renewed;
    }
    assertThat(text).as("%s; -Dpenstock.options=write renews it", file).isEqualTo(renewed);
  }

  private static List<Option<?, ?>> inPython(String owner) {
    return OptionTable.of(owner).stream()
        .filter(option -> !option.words().python().isEmpty())
        .toList();
  }

  @Test
  void pythonChecksByThisTable() throws IOException {
    String classes =
        OWNERS.keySet().stream()
            .map(owner ->
                inPython(owner).stream()
                    .map(OptionTableTest::row)
                    .collect(Collectors.joining("", "    \"" + owner + "\": (\n", "    ),\n")))
            .collect(Collectors.joining());
    String text =
        """
        # ruff: noqa: E501
        \"""The options of each class. Written from OptionTable.java by OptionTableTest.\"""

        from __future__ import annotations

        from typing import NamedTuple


        class Option(NamedTuple):
            name: str
            java: str  # in requests; empty if it is in none
            kind: str  # a check of _checks.py
            expected: str
            example: str
            default: str  # as Python writes it, or in words
            least: int
            most: int
            choices: tuple[str, ...]


        # fmt: off
        OPTIONS: dict[str, tuple[Option, ...]] = {
        %s}
        """
            .formatted(classes);
    assertCurrent(PYTHON.resolve("_options.py"), _ -> text);
  }

  private static String row(Option<?, ?> option) {
    Form<?> form = option.form();
    String choices =
        switch (form.choices().size()) {
          case 0 -> "()";
          case 1 -> "(" + literal(form.choices().getFirst()) + ",)";
          default ->
              form.choices().stream()
                  .map(OptionTableTest::literal)
                  .collect(Collectors.joining(", ", "(", ")"));
        };
    return Stream.of(
            option.words().python(),
            field(option),
            form.kind(),
            form.expected(),
            option.words().example(),
            option.words().usual())
        .map(OptionTableTest::literal)
        .collect(
            Collectors.joining(
                ", ",
                "        Option(",
                ", %s, %s, %s),\n".formatted(form.least(), form.most(), choices)));
  }

  /// Its name in requests; empty if it is in none.
  private static String field(Option<?, ?> option) {
    return option.part() == null ? "" : option.name();
  }

  private static String literal(String text) {
    String quote = text.contains("\"") ? "'" : "\"";
    assertThat(text).doesNotContain(quote, "\\", "\n");
    return quote + text + quote;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Loader",
        "Dataset",
        "Mixture",
        "Tokenize",
        "Balanced",
        "Buckets",
        "Packs",
        "Groups",
        "Windows",
        "Draws"
      })
  void docstringsListTheOptions(String owner) throws IOException {
    String arguments =
        inPython(owner).stream()
            .map(option -> wrapped(option.words().python() + ": " + described(option)))
            .collect(Collectors.joining());
    assertThat(arguments).doesNotContain("\\", "\"\"\"");
    Pattern section =
        Pattern.compile("(?s)(\nclass " + owner + "\\b.*?\n    Args:\n).*?(    \"\"\"\n)");
    assertCurrent(
        PYTHON.resolve(Objects.requireNonNull(OWNERS.get(owner))),
        text -> {
          Matcher found = section.matcher(text);
          assertThat(found.find()).as("the arguments of %s", owner).isTrue();
          return new StringBuilder(text)
              .replace(found.end(1), found.start(2), arguments)
              .toString();
        });
  }

  private static String described(Option<?, ?> option) {
    String sentence = option.words().sentence();
    boolean isSaid =
        option.form().choices().stream().allMatch(each -> sentence.contains("\"" + each + "\""));
    String values =
        isSaid
            ? sentence
            : sentence.substring(0, sentence.length() - 1) + ": " + option.form().expected() + ".";
    return option.words().usual().isEmpty()
        ? values
        : values + " Default: " + option.words().usual() + ".";
  }

  /// Wraps an argument of a docstring.
  private static String wrapped(String text) {
    StringBuilder lines = new StringBuilder();
    StringBuilder line = new StringBuilder(" ".repeat(7));
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        lines.append(line).append('\n');
        line = new StringBuilder(" ".repeat(11));
      }
      line.append(' ').append(word);
    }
    return lines.append(line).append('\n').toString();
  }

  @Test
  void pageListsTheOptions() throws IOException {
    assertCurrent(
        ROOT.resolve("docs/reference/options.md"),
        text -> {
          String page = text;
          for (String owner : List.of("Loader", "Tokenize", "Dataset", "Mixture")) {
            page = withTable(page, owner, inPython(owner), "");
          }
          List<Option<?, ?>> others = new ArrayList<>();
          List.of("Balanced", "Buckets", "Packs", "Groups", "Windows", "Draws")
              .forEach(owner -> others.addAll(inPython(owner)));
          return withTable(page, "compositions", others, "Class | ");
        });
  }

  private static String withTable(
      String page, String name, List<Option<?, ?>> options, String firstColumn) {
    String rows =
        options.stream()
            .map(option ->
                "| %s`%s` | %s | %s | %s | %s | %s |\n"
                    .formatted(
                        firstColumn.isEmpty() ? "" : "`" + option.owner() + "` | ",
                        option.words().python(),
                        option.part() == null ? "" : "`" + option.name() + "`",
                        option.words().command().isEmpty()
                            ? ""
                            : "`" + option.words().command() + "`",
                        option.form().expected(),
                        option.words().usual(),
                        option.words().sentence()))
            .collect(Collectors.joining());
    String table =
        "| "
            + firstColumn
            + "Option | Field | Command | Values | Default | |\n"
            + (firstColumn.isEmpty() ? "" : "|---")
            + "|---|---|---|---|---|---|\n"
            + rows;
    Matcher place =
        Pattern.compile("(?s)(<!-- options of " + name + " -->\n).*?(?=<!-- end -->)")
            .matcher(page);
    assertThat(place.find()).as("the place for the options of %s", name).isTrue();
    return place.replaceFirst(found -> Matcher.quoteReplacement(found.group(1) + table));
  }

  @Test
  void usualValuesAreThoseOfTheLoader() {
    Map<String, String> usual = Described.options(LoaderOptions.defaults());
    List.of("batchSize", "seed", "rankEnd", "prefetchFactor", "nulls", "timestamps")
        .forEach(name ->
            assertThat(OptionTable.of("Loader", name).words().usual().replace("\"", ""))
                .as(name)
                .isEqualToIgnoringCase(usual.get(name)));
    assertThat(usual.get("timeout")).isEqualTo("0.0");
    assertThat(usual.get("decimals")).isEqualTo("object");
    assertThat(usual.get("shuffle")).isEqualTo("none");
    assertThat(OptionTable.of("Loader", "splitBytes").words().usual())
        .isEqualTo(
            "\"" + TargetSizeSplitStrategy.DEFAULT_SPLIT_BYTES.toString().replace(" ", "") + "\"");
    assertThat(OptionTable.of("Loader", "memory").words().usual())
        .isEqualTo("512 MiB and 64 MiB more for each worker");
    LoaderOptions options = LoaderOptions.defaults();
    assertThat(options.memoryUse().limitFor(0)).hasToString("512 MiB");
    assertThat(options.memoryUse().limitFor(8)).hasToString("1 GiB");
  }

  /// An option in a request of its owner.
  private static String request(Option<?, ?> option, String value) {
    String field = "\"" + option.name() + "\": " + value;
    String files = "{\"dataset\": {\"locations\": [\"/no-such-folder\"]}, \"loader\": {%s}}";
    String others =
        Stream.of("column", "tokenizer", "length", "stride")
            .filter(each -> !each.equals(option.name()))
            .filter(each ->
                OptionTable.of(option.owner()).stream().anyMatch(o -> o.name().equals(each)))
            .map(each ->
                ", \"%s\": %s"
                    .formatted(each, Set.of("column", "tokenizer").contains(each) ? "\"a\"" : "1"))
            .collect(Collectors.joining());
    return switch (option.owner()) {
      case "Loader" -> files.formatted(field);
      case "Tokenize" -> files.formatted("\"tokenize\": [{%s%s}]".formatted(field, others));
      case "Dataset" ->
          option.part() == LoadRequest.Table.class
              ? "{\"dataset\": {\"table\": {%s}}}".formatted(field)
              : option.equals(OptionTable.LOCATIONS)
                  ? "{\"dataset\": {%s}}".formatted(field)
                  : "{\"dataset\": {\"locations\": [\"/no-such-folder\"], %s}}".formatted(field);
      case "Mixture" ->
          option.equals(OptionTable.SOURCES)
              ? "{\"dataset\": {\"mixture\": {%s}}}".formatted(field)
              : mixture(option, field);
      default ->
          files.formatted(
              "\"compose\": {\"kind\": \"%s\", %s%s}"
                  .formatted(option.owner().toLowerCase(Locale.ROOT), field, others));
    };
  }

  private static String mixture(Option<?, ?> option, String field) {
    String sources =
        "\"sources\": [{\"weight\": 1, \"dataset\": {\"locations\": [\"/no-such-folder\"]}}]";
    boolean isBeside = option.part() == LoadRequest.Selection.class;
    return "{\"dataset\": {\"mixture\": {%s%s}%s}}"
        .formatted(sources, isBeside ? "" : ", " + field, isBeside ? ", " + field : "");
  }

  /// Values of another type, out of the range, or not among the choices.
  private static List<String> wrong(Option<?, ?> option) {
    Form<?> form = option.form();
    List<String> wrong = new ArrayList<>(List.of("[[]]"));
    switch (form.kind()) {
      case "whole" -> {
        wrong.addAll(
            List.of("true", "1.5", "\"1\"", "9223372036854775808", "-9223372036854775809"));
        if (form.least() > Long.MIN_VALUE) {
          wrong.add(Long.toString(form.least() - 1));
        }
        if (form.most() < Long.MAX_VALUE) {
          wrong.add(Long.toString(form.most() + 1));
        }
      }
      case "seconds" -> wrong.addAll(List.of("-1", "4294967297", "\"1\"", "1e999"));
      case "number" -> wrong.addAll(List.of("-1", "-0.5", "\"1\"", "true", "1e999"));
      case "truth" -> wrong.addAll(List.of("1", "\"true\""));
      case "size" -> wrong.addAll(List.of("0", "\"many\"", "\"-1\"", "\"0\"", "\"1e3\""));
      case "choice", "choice_by_column", "nulls" ->
          wrong.addAll(List.of("1", "\"nope\"", "{\"\": \"nope\"}", "{\"a\": 1}"));
      case "shuffle", "rank", "time" -> wrong.addAll(List.of("1", "\"nope\"", "\"1/1\""));
      default -> wrong.add("1");
    }
    return wrong;
  }

  static List<Option<?, ?>> optionsOfRequests() {
    return OWNERS.keySet().stream()
        .flatMap(owner -> OptionTable.of(owner).stream())
        .filter(option -> option.part() != null)
        .filter(option -> option.part() != Source.class && option.part() != Balance.class)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("optionsOfRequests")
  void wrongValueIsRefusedByName(Option<?, ?> option) {
    for (String value : wrong(option)) {
      String request = request(option, value);
      assertThatThrownBy(() -> open(request))
          .as(request)
          .isInstanceOfSatisfying(
              WrongOptionException.class,
              e -> assertThat(e.option().name()).isEqualTo(option.name()));
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0.0001, 100000", "1e-9, 1", "1e-12, 1", "5e-324, 1", "1.001, 1001000000"})
  void timeoutHoweverShortIsNotForEver(String seconds, long nanos) {
    LoadRequest request = read(request(OptionTable.of("Loader", "timeout"), seconds));
    assertThat(request.loader().resources().timeout()).isEqualTo(Duration.ofNanos(nanos));
  }

  private static void open(String json) {
    LoadRequest request = read(json);
    Opening.options(request, LoaderOptions.defaults());
    Opening.dataset(request);
  }

  private static LoadRequest read(String json) {
    return RequestJson.read(JsonTree.read("what to open", json));
  }

  /// The names that [RequestJson] and [OptionTable] look up, and the types that they cast to.
  @Test
  void everyComponentOfARequestHasItsLine() {
    Set<Option<?, ?>> used = new HashSet<>();
    for (Class<?> part : LoadRequest.class.getDeclaredClasses()) {
      for (Class<?> record :
          part.isSealed() ? part.getPermittedSubclasses() : new Class<?>[] {part}) {
        for (RecordComponent component : record.getRecordComponents()) {
          Option<?, ?> option = OptionTable.of(component);
          if (option == null) {
            assertThat(component.getType()).as(component.toString()).isInstanceOf(Class.class);
            assertThat(component.getType().isRecord()).as(component.toString()).isTrue();
          } else {
            used.add(option);
          }
        }
      }
    }
    assertThat(OptionTable.all())
        .filteredOn(option -> option.part() != null)
        .filteredOn(option ->
            !option.owner().equals("Mixture") || option.part() != LoadRequest.Selection.class)
        .allSatisfy(option -> assertThat(used).contains(option));
  }

  @Test
  void requestIsWrittenAsItIsRead() {
    String json =
        """
        {"dataset":{"format":"csv","storage":{"region":"***"},"formatOptions":{"delimiter":";"},\
        "cast":{"x":"int64"},"missingColumns":"nulls","onBadFile":"skip","caseSensitive":false,\
        "plan":"/plans/",\
        "mixture":{"sources":[{"weight":0.5,"dataset":{"locations":["/a"]}}],"stop":"repeat",\
        "weightsFrom":[{"row":9,"weights":[0.5]}]},"where":"x > 1","columns":["x"]},\
        "loader":{"batchSize":64,"dropLast":true,"stepsPerEpoch":9,\
        "compose":{"kind":"packs","column":"t","length":9,"mode":"whole","tooLong":"drop"},\
        "shuffle":"window:500","seed":-7,"splitRows":5,\
        "fileSplits":[{"file":"/a/1","offset":0,"length":9}],"rank":"1/4","rankEnd":"drop",\
        "countMatches":false,"workers":3,"prefetchFactor":4,"timeout":1.5,"memory":"1073741824",\
        "record":true,"output":"arrow","nulls":{"":"mask","a":"text:x","b":"fill:1"},\
        "timestamps":{"":"millis"},"decimals":{"d":"float64"},"strings":[{"column":"s",\
        "form":"codes","vocabulary":["a","b"],"unknown":2},{"column":"t","form":"hash",\
        "buckets":10},{"column":"u","form":"list"}],"features":[{"name":"x","columns":["a","b"]}],\
        "tokenize":[{"column":"text","tokenizer":"/t.json","into":"ids","end":"</s>",\
        "specialTokens":false,"truncate":9,"tooLong":"cut"}]}}
        """
            .strip();
    String written = RequestJson.write(read(json));
    assertThat(JsonTree.read("a", written))
        .usingRecursiveComparison()
        .isEqualTo(JsonTree.read("a", json));
  }
}
