package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.output.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What people read, on terminals of several widths.
class TerminalWidthTest {
  private static final int[] WIDTHS = {50, 80, 200};

  /// What is said where a terminal is narrow.
  private static final String NARROW =
      """
       2 of 5 columns have no room here: a. Choose some with --columns.
       Paths are shortened here; they are whole in it, held-out too.
      """;

  /// A word of which a part would be seen: not what is measured, and not the end of a shortened
  /// one.
  private static final Pattern WORD = Pattern.compile("(?<=[ \n])[A-Za-z][a-z-]+(?=[ .,:\n])");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "demo --help",
        "schema --help",
        "plan --help",
        "head --help",
        "cat --help",
        "load --help",
        "bench --help",
        "cache --help",
        "report --help",
        "serve --help",
        "order --help",
        "demo --epochs 1 --workers 1",
        "schema @",
        "schema @ --partitioning hive --where origin='ATL'",
        "plan @ --workers 2",
        "plan @ --where delay>100000 --rank 0/2",
        "head @",
        "head @ --columns delay,origin -n 3",
        "load @ --epochs 2 --shuffle-report --label origin",
        "load @ --where delay>15 --workers 1",
        "load --mix 0.7=@ --mix 0.3=@ --workers 1",
        "bench @ --workers 0 --rounds 1 --warm-up 0",
        "nothing",
        "head",
        "load --bath-size 5 @",
        "load --batch-size none @",
        "cat @ --where delai>=15",
        "cat @ --columns nothing,something",
        "cat @ --group-by delay --shuffle splits",
        "head nowhere/at/all",
        "head @ --shuffle global",
        "load @ --on-bad-file never"
      })
  void noLineIsWiderThanTheTerminalAndNoWordIsSplit(String line) {
    Set<String> words = words(printed(line, 0) + NARROW);
    for (int columns : WIDTHS) {
      String printed = printed(line, columns);
      assertThat(printed.lines().filter(each -> each.strip().contains(" ")))
          .as("%s columns", columns)
          .allSatisfy(each -> assertThat(each).hasSizeLessThanOrEqualTo(columns));
      assertThat(words).as("%s columns", columns).containsAll(words(printed));
    }
  }

  private static Set<String> words(String text) {
    return WORD.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  /// Returns all that a command prints to a terminal, or to none if it has no columns.
  private static String printed(String line, int columns) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(out, true, StandardCharsets.UTF_8);
    String[] args =
        CommandRun.words(line + (line.matches("(demo|load|bench).*") ? " --progress none" : ""))
            .map(word -> word.replace("@", HeldOutFlights.FOLDER.toString()))
            .toArray(String[]::new);
    Main.run(args, new Terminal(out, err, columns, columns));
    return out.toString(StandardCharsets.UTF_8);
  }
}
