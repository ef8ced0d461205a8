package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// One run of the command within this process, and what came of it.
record CommandRun(int status, String out, String err) {
  static CommandRun of(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CommandRun run = into(out, args);
    return new CommandRun(run.status, out.toString(StandardCharsets.UTF_8), run.err);
  }

  /// Runs with an output that is not kept.
  static CommandRun into(OutputStream out, String... args) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status = Main.run(args, out, new PrintStream(err, true, StandardCharsets.UTF_8));
    return new CommandRun(status, "", err.toString(StandardCharsets.UTF_8));
  }

  /// Runs a line, in which `@` stands for a place.
  static CommandRun ofLine(String line, String place) {
    return of(words(line).map(word -> word.replace("@", place)).toArray(String[]::new));
  }

  /// Runs a line.
  static CommandRun ofLine(String line) {
    return of(words(line).toArray(String[]::new));
  }

  /// Returns the words of a line; blanks in the name of the folder of the build part none.
  static Stream<String> words(String line) {
    String folder = Path.of("").toAbsolutePath().resolveSibling("").toString();
    return Arrays.stream(line.replace(folder, "\0").split(" ", -1))
        .map(word -> word.replace("\0", folder));
  }

  /// Returns what was printed by a run that must have succeeded.
  String printed() {
    assertThat(status).as(err).isZero();
    return out;
  }

  List<String> lines() {
    return out.lines().toList();
  }

  /// Returns the text of a field of a JSON line; enough for the numbers and words looked at here.
  static String field(String json, String name) {
    int start = json.indexOf("\"" + name + "\":") + name.length() + 3;
    int end = start;
    while (",}]".indexOf(json.charAt(end)) < 0) {
      end++;
    }
    return json.substring(start, end).replace("\"", "");
  }
}
