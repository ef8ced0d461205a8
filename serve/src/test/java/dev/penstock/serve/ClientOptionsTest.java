package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.options.LoaderOptions;
import dev.penstock.serve.Option.Owner;
import dev.penstock.split.TargetSizeSplitStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The table of options, and what is written from it: `-Dpenstock.options=write` renews that.
class ClientOptionsTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));
  private static final Path PYTHON = ROOT.resolve("python/penstock_torch");
  private static final int WIDTH = 100;

  private static void assertCurrent(Path file, UnaryOperator<String> written) throws IOException {
    String text = Files.exists(file) ? Files.readString(file) : "";
    String renewed = written.apply(text);
    if ("write".equals(System.getProperty("penstock.options"))) {
      Files.writeString(file, renewed);
      text = renewed;
    }
    assertThat(text).as("%s; -Dpenstock.options=write renews it", file).isEqualTo(renewed);
  }

  private static List<Option<?>> inPython(Owner owner) {
    return ClientOptions.of(owner).stream().filter(option -> !option.python().isEmpty()).toList();
  }

  @Test
  void pythonChecksByThisTable() throws IOException {
    String classes =
        Arrays.stream(Owner.values())
            .map(owner ->
                inPython(owner).stream()
                    .map(ClientOptionsTest::row)
                    .collect(
                        Collectors.joining("", "    \"" + owner.python + "\": (\n", "    ),\n")))
            .collect(Collectors.joining());
    String text =
        """
        # ruff: noqa: E501
        \"""The options of each class. Written from ClientOptions.java by ClientOptionsTest.\"""

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

  private static String row(Option<?> option) {
    Option.Form<?> form = option.form();
    String choices =
        switch (form.choices().size()) {
          case 0 -> "()";
          case 1 -> "(" + literal(form.choices().getFirst()) + ",)";
          default ->
              form.choices().stream()
                  .map(ClientOptionsTest::literal)
                  .collect(Collectors.joining(", ", "(", ")"));
        };
    return Stream.of(
            option.python(),
            option.name(),
            form.kind(),
            form.expected(),
            option.example(),
            option.usual())
        .map(ClientOptionsTest::literal)
        .collect(
            Collectors.joining(
                ", ",
                "        Option(",
                ", %s, %s, %s),\n".formatted(form.least(), form.most(), choices)));
  }

  private static String literal(String text) {
    String quote = text.contains("\"") ? "'" : "\"";
    assertThat(text).doesNotContain(quote, "\\", "\n");
    return quote + text + quote;
  }

  @ParameterizedTest
  @EnumSource
  void docstringsListTheOptions(Owner owner) throws IOException {
    String arguments =
        inPython(owner).stream()
            .map(option -> wrapped(option.python() + ": " + described(option)))
            .collect(Collectors.joining());
    assertThat(arguments).doesNotContain("\\", "\"\"\"");
    Pattern section =
        Pattern.compile("(?s)(\nclass " + owner.python + "\\b.*?\n    Args:\n).*?(    \"\"\"\n)");
    assertCurrent(
        PYTHON.resolve(owner.file),
        text -> {
          Matcher found = section.matcher(text);
          assertThat(found.find()).as("the arguments of %s", owner.python).isTrue();
          return new StringBuilder(text)
              .replace(found.end(1), found.start(2), arguments)
              .toString();
        });
  }

  private static String described(Option<?> option) {
    String sentence = option.sentence();
    boolean isSaid =
        option.form().choices().stream().allMatch(each -> sentence.contains("\"" + each + "\""));
    String values =
        isSaid
            ? sentence
            : sentence.substring(0, sentence.length() - 1) + ": " + option.form().expected() + ".";
    return option.usual().isEmpty() ? values : values + " Default: " + option.usual() + ".";
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
          for (Owner owner : EnumSet.of(Owner.LOADER, Owner.DATASET, Owner.MIXTURE)) {
            page = withTable(page, owner.python, inPython(owner), "");
          }
          List<Option<?>> others = new ArrayList<>();
          EnumSet.range(Owner.BUCKETS, Owner.DRAWS)
              .forEach(owner -> others.addAll(inPython(owner)));
          return withTable(page, "compositions", others, "Class | ");
        });
  }

  private static String withTable(
      String page, String name, List<Option<?>> options, String firstColumn) {
    String rows =
        options.stream()
            .map(option ->
                "| %s`%s` | %s | %s | %s | %s |\n"
                    .formatted(
                        firstColumn.isEmpty() ? "" : "`" + option.owner().python + "` | ",
                        option.python(),
                        option.name().isEmpty() ? "" : "`" + option.name() + "`",
                        option.form().expected(),
                        option.usual(),
                        option.sentence()))
            .collect(Collectors.joining());
    String table =
        "| "
            + firstColumn
            + "Option | Field | Values | Default | |\n"
            + (firstColumn.isEmpty() ? "" : "|---")
            + "|---|---|---|---|---|\n"
            + rows;
    Matcher place =
        Pattern.compile("(?s)(<!-- options of " + name + " -->\n).*?(?=<!-- end -->)")
            .matcher(page);
    assertThat(place.find()).as("the place for the options of %s", name).isTrue();
    return place.replaceFirst(found -> Matcher.quoteReplacement(found.group(1) + table));
  }

  @Test
  void usualValuesAreThoseOfTheLoader() {
    LoaderOptions usual = LoaderOptions.defaults();
    Map<Option<?>, Object> values =
        Map.ofEntries(
            Map.entry(ClientOptions.BATCH_SIZE, usual.batching().size()),
            Map.entry(ClientOptions.DROP_LAST, usual.batching().dropLast()),
            Map.entry(ClientOptions.SEED, usual.order().seed()),
            Map.entry(ClientOptions.RANK_END, usual.rankShare().end()),
            Map.entry(ClientOptions.COUNT_MATCHES, usual.rankShare().countMatches()),
            Map.entry(ClientOptions.PREFETCH_FACTOR, usual.reading().prefetchFactor()),
            Map.entry(ClientOptions.TIMEOUT, usual.reading().timeout().toSeconds()),
            Map.entry(ClientOptions.NULLS, usual.columns().nulls().all()),
            Map.entry(ClientOptions.TIMESTAMPS, usual.columns().timestamps().all()),
            Map.entry(ClientOptions.DECIMALS, usual.columns().decimals().all()),
            Map.entry(
                ClientOptions.SPLIT_BYTES,
                TargetSizeSplitStrategy.DEFAULT_SPLIT_BYTES.toString().replace(" ", "")));
    values.forEach((option, value) ->
        assertThat(option.usual().replace("\"", ""))
            .as(option.python())
            .isEqualToIgnoringCase(value.toString()));
    assertThat(usual.order().shuffle()).hasToString("none");
    assertThat(ClientOptions.MEMORY.usual()).isEqualTo("512 MiB and 64 MiB more for each worker");
    assertThat(usual.memoryUse().limitFor(0)).hasToString("512 MiB");
    assertThat(usual.memoryUse().limitFor(8)).hasToString("1 GiB");
  }

  /// An option in a request of its owner.
  private static String request(Option<?> option, String value) {
    String field = "\"" + option.name() + "\": " + value;
    Set<Option<?>> ofTables =
        Set.of(
            ClientOptions.TABLE,
            ClientOptions.CATALOG,
            ClientOptions.METADATA,
            ClientOptions.VERSION,
            ClientOptions.AS_OF,
            ClientOptions.REF,
            ClientOptions.MAP_LOCATION);
    String files = "{\"dataset\": {\"locations\": [\"/no-such-folder\"]}, \"loader\": {%s}}";
    String others =
        Stream.of("column", "length", "stride")
            .filter(each -> !each.equals(option.name()))
            .filter(each ->
                ClientOptions.of(option.owner()).stream().anyMatch(o -> o.name().equals(each)))
            .map(each -> ", \"%s\": %s".formatted(each, each.equals("column") ? "\"a\"" : "1"))
            .collect(Collectors.joining());
    return switch (option.owner()) {
      case LOADER -> files.formatted(field);
      case DATASET ->
          ofTables.contains(option)
              ? "{\"dataset\": {\"table\": {%s}}}".formatted(field)
              : option.equals(ClientOptions.LOCATIONS)
                  ? "{\"dataset\": {%s}}".formatted(field)
                  : "{\"dataset\": {\"locations\": [\"/no-such-folder\"], %s}}".formatted(field);
      case MIXTURE ->
          option.equals(ClientOptions.SOURCES)
              ? "{\"dataset\": {\"mixture\": {%s}}}".formatted(field)
              : mixture(option, field);
      default ->
          files.formatted(
              "\"compose\": {\"kind\": \"%s\", %s%s}"
                  .formatted(option.owner().python.toLowerCase(Locale.ROOT), field, others));
    };
  }

  private static String mixture(Option<?> option, String field) {
    String sources =
        "\"sources\": [{\"weight\": 1, \"dataset\": {\"locations\": [\"/no-such-folder\"]}}]";
    boolean isBeside =
        option.equals(ClientOptions.MIXTURE_COLUMNS) || option.equals(ClientOptions.MIXTURE_WHERE);
    return "{\"dataset\": {\"mixture\": {%s%s}%s}}"
        .formatted(sources, isBeside ? "" : ", " + field, isBeside ? ", " + field : "");
  }

  /// Values of another type, out of the range, or not among the choices.
  private static List<String> wrong(Option<?> option) {
    Option.Form<?> form = option.form();
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
      case "truth" -> wrong.addAll(List.of("1", "\"true\""));
      case "size" -> wrong.addAll(List.of("0", "\"many\"", "\"-1\"", "\"0\"", "\"1e3\""));
      case "choice", "choice_by_column", "nulls" ->
          wrong.addAll(List.of("1", "\"nope\"", "{\"\": \"nope\"}", "{\"a\": 1}"));
      case "shuffle", "rank", "time" -> wrong.addAll(List.of("1", "\"nope\"", "\"1/1\""));
      default -> wrong.add("1");
    }
    return wrong;
  }

  static List<Option<?>> optionsOfRequests() {
    return Arrays.stream(Owner.values())
        .flatMap(owner -> ClientOptions.of(owner).stream())
        .filter(option -> !option.name().isEmpty())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("optionsOfRequests")
  void wrongValueIsRefusedByName(Option<?> option) {
    for (String value : wrong(option)) {
      String request = request(option, value);
      if (option.equals(ClientOptions.COMPOSE)) {
        assertThatThrownBy(() -> Request.parse(request)).hasMessageContaining("'compose'");
        continue;
      }
      if (option.equals(ClientOptions.SOURCES) && value.equals("[[]]")) {
        assertThatThrownBy(() -> Request.parse(request)).hasMessageContaining("a source of");
        continue;
      }
      assertThatThrownBy(() -> Request.parse(request))
          .as(request)
          .isInstanceOfSatisfying(
              WrongOptionException.class, e -> assertThat(e.option()).isEqualTo(option.name()));
    }
  }

  @Test
  void timeoutBelowAMillisecondIsNotForEver() {
    Request request = Request.parse(request(ClientOptions.TIMEOUT, "0.0001"));
    assertThat(request.options().reading().timeout()).isEqualTo(Duration.ofNanos(100_000));
  }

  @Test
  void errorFrameNamesTheOption() {
    assertThatThrownBy(() -> Request.parse(request(ClientOptions.SPLIT_BYTES, "\"many\"")))
        .satisfies(e ->
            assertThat(Errors.json(0, e))
                .contains("Cannot read 'many' as a size", "\"option\":\"splitBytes\""));
  }
}
