package dev.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// The golden requests: what people ask for, good and bad, as each door takes it.
///
/// `requests.jsonl` has a case a line: its `name`; `request`, the JSON that a server is sent;
/// `command`, the arguments of `penstock`; `python`, the arguments of its classes. A door that
/// cannot say it is left out. `{data}` stands for the folder of the data.
///
/// Beside it are the recorded outcomes, a file for each door. `-Dpenstock.requests=write` renews
/// those of the doors that are tested. An outcome of another door that is as Java's says just that.
public final class Requests {
  private static final String DATA = "{data}";

  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));
  private static final Path FOLDER = ROOT.resolve("blackbox/src/test/requests");

  private final Path data;

  /// A request, with the folder of the data in place.
  ///
  /// @param request JSON; empty if a server cannot be asked for it
  /// @param command arguments; empty if the command cannot say it
  public record Case(String name, String request, List<String> command) {}

  private Requests(Path data) {
    this.data = data;
  }

  /// Copies the data into a folder, so that nothing depends on where the clone is.
  public static Requests in(Path folder) throws IOException {
    copy(FOLDER.resolve("data"), folder);
    copy(ROOT.resolve("python/tests/data/iceberg"), folder.resolve("iceberg"));
    return new Requests(folder);
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> walked = Files.walk(from)) {
      files = walked.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      Path copy = to.resolve(from.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
  }

  /// Returns the cases of all doors.
  public List<Case> cases() throws IOException {
    List<Case> cases = new ArrayList<>();
    for (String line : Files.readAllLines(FOLDER.resolve("requests.jsonl"))) {
      Map<String, String> fields = fields(line.replace(DATA, data.toString()));
      String command = fields.get("command");
      cases.add(
          new Case(
              texts(Objects.requireNonNull(fields.get("name"))).getFirst(),
              request(fields.getOrDefault("request", "\"\"")),
              command == null ? List.of() : texts(command)));
    }
    assertThat(cases).doesNotHaveDuplicates().extracting(Case::name).doesNotHaveDuplicates();
    return cases;
  }

  /// Asks for all cases at a door, and compares what comes of them with what is recorded.
  ///
  /// @param door names the file of its outcomes
  /// @param outcome returns the JSON object of an outcome, for a case
  public void replay(String door, List<Case> cases, Function<Case, String> outcome)
      throws IOException {
    Path file = FOLDER.resolve(door + ".jsonl");
    Map<String, String> actual = new LinkedHashMap<>();
    for (Case each : cases) {
      actual.put(each.name(), shown(outcome.apply(each)));
    }
    if ("write".equals(System.getProperty("penstock.requests"))) {
      Files.writeString(
          file,
          actual.entrySet().stream()
              .map(each -> line(each.getKey(), each.getValue()))
              .collect(Collectors.joining()));
    }
    Map<String, String> recorded = recorded(door);
    SoftAssertions all = new SoftAssertions();
    all.assertThat(recorded.keySet()).as("the cases of %s", file).isEqualTo(actual.keySet());
    actual.forEach((name, text) ->
        all.assertThat(text)
            .as("%s; -Dpenstock.requests=write renews %s", name, file)
            .isEqualTo(recorded.get(name)));
    all.assertAll();
  }

  /// Returns an outcome without what differs between machines.
  public String shown(String outcome) {
    return outcome
        .replace(data.toString(), DATA)
        .replaceAll("(workers auto, at most |may use )\\d+", "$1N");
  }

  /// Returns the outcomes of a door, by case.
  public static Map<String, String> recorded(String door) throws IOException {
    Path file = FOLDER.resolve(door + ".jsonl");
    Map<String, String> recorded = new LinkedHashMap<>();
    for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
      String name = texts(Objects.requireNonNull(fields(line).get("name"))).getFirst();
      String head = line(name, "{").strip();
      recorded.put(name, "{" + line.substring(head.length()));
    }
    return recorded;
  }

  private static String line(String name, String outcome) {
    return "{\"name\":" + Delivered.text(name) + "," + outcome.substring(1) + "\n";
  }

  /// Returns the fields of an object, each as it is written.
  private static Map<String, String> fields(String line) {
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser json = parser(line)) {
      json.nextToken();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        json.nextToken();
        int start = Math.toIntExact(json.currentTokenLocation().getCharOffset());
        json.skipChildren();
        json.finishToken();
        int end = Math.toIntExact(json.currentLocation().getCharOffset());
        fields.put(name, line.substring(start, end));
      }
    }
    return fields;
  }

  /// Returns the texts of a value: a text, or an array of them.
  private static List<String> texts(String value) {
    List<String> texts = new ArrayList<>();
    try (JsonParser json = parser(value)) {
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
          texts.add(json.getString());
        }
      }
    }
    return texts;
  }

  /// Returns a request; what is not even JSON is written as a text.
  private static String request(String value) {
    return value.startsWith("\"") ? texts(value).getFirst() : value;
  }

  private static JsonParser parser(String text) {
    return new JsonFactory().createParser(ObjectReadContext.empty(), text);
  }
}
