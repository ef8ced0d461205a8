package dev.penstock.blackbox.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.cli.Main;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Shuffle;
import dev.penstock.steps.StepRow;
import dev.penstock.testing.English;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Does what the guide docs/guide/bad-step.md says, line by line, and compares what comes of it
/// with what stands there. `-Dpenstock.snippets=write` writes it anew.
@ExtendWith(English.class)
class BadStepTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));
  private static final Path PAGE = ROOT.resolve("docs/guide/bad-step.md");
  private static final Path SAMPLE =
      ROOT.resolve("cli/src/main/resources/dev/penstock/cli/demo/flights");

  /// Commands, and what they print.
  private static final Pattern SHOWN =
      Pattern.compile("(?ms)^```sh\\n(?<commands>.*?)^```\\n(?:\\n```\\n(?<printed>.*?)^```$)?");

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

  @TempDir Path temporary;

  private Path data = Path.of("");

  @Test
  void guideShowsWhatComes() throws IOException {
    data = Files.createDirectory(temporary.resolve("data"));
    copyFlights();
    String page = Files.readString(PAGE);
    StringBuilder renewed = new StringBuilder();
    Matcher shown = SHOWN.matcher(page);
    while (shown.find()) {
      String commands = shown.group("commands");
      String printed = run(commands);
      String block =
          shown.group("printed") == null
              ? shown.group()
              : "```sh\n" + commands + "```\n\n```\n" + printed + "```";
      shown.appendReplacement(renewed, Matcher.quoteReplacement(block));
    }
    shown.appendTail(renewed);
    if ("write".equals(System.getProperty("penstock.snippets"))) {
      Files.writeString(PAGE, renewed.toString());
    }
    assertThat(Files.readString(PAGE)).isEqualTo(renewed.toString());
    runSnippets();
  }

  private void copyFlights() throws IOException {
    Path folder = Files.createDirectory(data.resolve("flights"));
    try (Stream<Path> files = Files.list(SAMPLE)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName().toString()));
      }
    }
  }

  private void runSnippets() throws IOException {
    StructuredDataset flights =
        new StructuredDataset(data.resolve("flights").toString()).columns("distance", "delay");
    LoaderOptions options =
        LoaderOptions.defaults().batchSize(512).shuffle(Shuffle.window(65_536)).seed(42);
    BadStepSnippets code = new BadStepSnippets(flights, options);
    Path checkpoint = data.resolve("state-50.json");
    List<StepRow> late = code.rows(LoaderState.parse(Files.readString(checkpoint)));
    assertThat(late).extracting(StepRow::step).containsExactly(98L, 105L);
    code.skip(checkpoint);
    assertThat(code.rows).isEqualTo(300_000 - 52 * 512);
    code.exclude(checkpoint, late);
    assertThat(code.rows).isEqualTo(2 * (300_000 - 50 * 512) - 2 * 512 - 2);
  }

  /// Runs lines and returns what they print.
  private String run(String commands) throws IOException {
    StringBuilder printed = new StringBuilder();
    for (String command : commands.lines().toList()) {
      printed.append(one(command));
    }
    return printed.toString().replace(data.toString(), "data");
  }

  private String one(String command) throws IOException {
    Matcher word = WORD.matcher(command);
    List<String> words = new ArrayList<>();
    while (word.find()) {
      words.add(
          Stream.of(1, 2, 3).map(word::group).filter(Objects::nonNull).findFirst().orElseThrow());
    }
    words.replaceAll(each -> each.replaceFirst("^data/", data + "/"));
    return switch (words.getFirst()) {
      case "java" -> trained();
      case "./penstock" -> penstock(words.subList(1, words.size()));
      case "grep" ->
          numbered(
              Pattern.compile(words.get(2).replace("\\{", "{").replace("\\}", "}")),
              Path.of(words.get(3)));
      case "head" -> lines(Path.of(words.get(3)), Integer.parseInt(words.get(2)));
      case "cat" -> lines(Path.of(words.get(1)), Integer.MAX_VALUE);
      default -> throw new IllegalArgumentException("Cannot run: " + command);
    };
  }

  private String trained() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      BadStep.main(new String[] {data.toString()});
    } finally {
      System.setOut(before);
    }
    return out.toString(UTF_8);
  }

  /// Returns what the command prints where both streams are a terminal, unless it goes to a file.
  private static String penstock(List<String> words) throws IOException {
    int file = words.indexOf(">");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = file < 0 ? out : new ByteArrayOutputStream();
    List<String> arguments = new ArrayList<>(words.subList(0, file < 0 ? words.size() : file));
    arguments.addAll(List.of("--progress", "none"));
    int status = Main.run(arguments.toArray(String[]::new), out, new PrintStream(err, true, UTF_8));
    assertThat(status).as(out.toString(UTF_8) + err.toString(UTF_8)).isLessThanOrEqualTo(1);
    if (file < 0) {
      return out.toString(UTF_8);
    }
    Files.write(Path.of(words.get(file + 1)), out.toByteArray());
    return "";
  }

  /// As `grep -n` prints it.
  private static String numbered(Pattern wanted, Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return IntStream.range(0, lines.size())
        .filter(line -> wanted.matcher(lines.get(line)).find())
        .mapToObj(line -> (line + 1) + ":" + lines.get(line) + "\n")
        .collect(Collectors.joining());
  }

  private static String lines(Path file, int most) throws IOException {
    return Files.readAllLines(file).stream()
        .limit(most)
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }
}
