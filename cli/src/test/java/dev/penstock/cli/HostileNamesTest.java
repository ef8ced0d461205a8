package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.output.LogStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Names of files, columns and partitions with escape sequences and line ends, which could make up
/// lines of a log and hide others.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "names of files there have no such characters")
class HostileNamesTest {
  private static final String NAME = "a\u001bc\nError: all is well\r\u0007";
  private static final String SHOWN = "a\\u001bc\\u000aError: all is well\\u000d\\u0007";

  @TempDir Path folder;

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /// Runs a command, with what is logged in front of what it says.
  private static CommandRun run(String... args) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      CommandRun run = CommandRun.of(args);
      return new CommandRun(
          run.status(), run.out(), log.toString(StandardCharsets.UTF_8) + run.err());
    } finally {
      System.setErr(before);
    }
  }

  private static void assertPrintable(String text) {
    assertThat(text.replace("\n", "").chars())
        .as(text)
        .noneMatch(c -> Character.isISOControl(c) || c == '\u202e');
    assertThat(text.lines()).noneMatch(line -> line.startsWith("Error: all is well"));
  }

  private void assertFails(String message, String... args) {
    CommandRun run = run(args);
    assertThat(run.status()).as(run.err()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(message);
    assertThat(run.err().lines()).as(run.err()).hasSize(1);
    assertPrintable(run.err());
  }

  @Test
  void fileThatIsMalformedIsNamedOnOneLine() throws IOException {
    String file = write(NAME + ".csv", "a\n\"1\n").toString();
    assertFails("[" + folder + "/" + SHOWN + ".csv, ", "cat", file);
    assertFails("[" + folder + "/" + SHOWN + ".csv, ", "schema", folder.toString());
    Files.writeString(folder.resolve(NAME + ".parquet"), "PAR1");
    assertFails("Truncated Parquet file", "schema", folder.resolve(NAME + ".parquet").toString());
  }

  @Test
  void fileThatIsNotThereIsNamedOnOneLine() {
    String shown = folder + "/" + SHOWN;
    assertFails(
        "Cannot read '" + shown + ".csv': no such file or folder.",
        "cat",
        folder + "/" + NAME + ".csv");
    assertFails("Cannot read '" + shown + "/*.csv'", "cat", folder + "/" + NAME + "/*.csv");
    assertFails(
        "Cannot read the recording " + shown, "report", folder + "/" + NAME, "--report", "x");
    assertFails("'" + shown + "'", "cat", folder.toString(), "--resume", folder + "/" + NAME);
  }

  @Test
  void kindsOfFilesThatDifferAreNamedOnOneLine() throws IOException {
    write(NAME + ".csv", "a\n1\n");
    write("b." + NAME, "x");
    CommandRun leftOut = run("schema", folder.toString());
    assertThat(leftOut.err()).startsWith("Warning: Left out ").contains("(b." + SHOWN + ")");
    assertThat(leftOut.err().lines()).hasSize(1);
    assertPrintable(leftOut.err());
    write("c.jsonl", "{}");
    assertFails(SHOWN, "cat", folder.toString());
  }

  @Test
  void badFileIsLeftOutWithAWarningOfOneLine() throws IOException {
    write(NAME + ".csv", "a\n\"1\n");
    write("b.csv", "a\n1\n");
    CommandRun plan = run("plan", folder.toString(), "--on-bad-file", "skip");
    assertThat(plan.printed()).contains("left out: ", SHOWN);
    assertThat(plan.err()).containsOnlyOnce("[WARN]").contains(SHOWN);
    assertThat(plan.err().lines()).hasSize(1);
    assertPrintable(plan.out() + plan.err());
  }

  @Test
  void planNamesFilesForPeopleAndForPrograms() throws IOException {
    String file = write(NAME + ".csv", "a\n1\n").toString();
    CommandRun plan = run("plan", file);
    assertThat(plan.printed()).contains("  " + folder + "/" + SHOWN + ".csv rows [0, 1)");
    assertPrintable(plan.out());
    assertThat(run("plan", "--json", file).printed())
        .contains("\"" + folder + "/a\\u001bc\\nError: all is well\\r\\u0007.csv\"");
    assertThat(run("cat", file).printed()).isEqualTo("{\"a\":1}\n");
  }

  @Test
  void columnsAreNamedOnOneLine() throws IOException {
    String name = "b\u001b[2J\rc\u202e";
    String shown = "b\\u001b[2J\\u000dc\\u202e";
    String file = write("a.csv", "a,\"" + name + "\"\n1,\n").toString();
    assertThat(run("schema", file).printed()).contains(shown);
    for (String command : new String[] {"head", "load"}) {
      CommandRun run = run(command, file, "--columns", "no");
      assertThat(run.err()).as(command).contains(shown);
      assertPrintable(run.out() + run.err());
    }
    assertFails(shown, "cat", file, "--where", "no = 1");
    String other = write("b.csv", "\"" + name + "\"\nx\u001by\n").toString();
    assertFails("'x\\u001by'", "cat", other, "--cast", name + "=int64");
    assertFails(shown, "cat", other, "--cast", name + "=int64");
    CommandRun nulls = run("load", file, "--columns", name, "--cast", name + "=int64");
    assertThat(nulls.err()).contains(shown);
    assertPrintable(nulls.out() + nulls.err());
    assertThat(run("cat", file).printed()).isEqualTo("{\"a\":1,\"b\\u001b[2J\\rc\u202e\":null}\n");
  }

  @Test
  void partitionsAreNamedOnOneLine() throws IOException {
    write("k\u001b=" + NAME + "/a.csv", "a\n1\n");
    CommandRun plan = run("plan", folder.toString(), "--partitioning", "hive");
    assertThat(plan.printed()).contains("k\\u001b=" + SHOWN);
    CommandRun schema = run("schema", folder.toString(), "--partitioning", "hive");
    assertThat(schema.printed()).contains("partitioned by k\\u001b\n");
    assertPrintable(plan.out() + schema.out());
    assertFails(
        "k\\u001b", "cat", folder.toString(), "--partitioning", "hive", "--cast", "k\u001b=int64");
    String twice = write("k=1/k=" + NAME + "/a.csv", "a\n1\n").toString();
    assertFails("two of its folders are named 'k=...'", "cat", twice, "--partitioning", "hive");
  }

  @Test
  void wrongUsageIsOneLine() {
    CommandRun run = run("cat", "a.csv", "--format", NAME);
    assertThat(run.err()).contains(SHOWN);
    assertPrintable(run.err());
    CommandRun option = run("cat", "a.csv", "--" + NAME);
    assertThat(option.err()).contains(SHOWN);
    assertPrintable(option.err());
  }

  @Test
  void whatLibrariesLogIsOneLineEach() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (LogStream log = new LogStream(new PrintStream(bytes, true, StandardCharsets.UTF_8))) {
      log.println("[WARN] " + NAME);
      new IllegalStateException(NAME).printStackTrace(log);
    }
    String logged = bytes.toString(StandardCharsets.UTF_8);
    assertThat(logged)
        .startsWith(
            "[WARN] " + SHOWN + "\njava.lang.IllegalStateException: " + SHOWN + "\n    at ");
    assertPrintable(logged);
  }

  @Test
  void nameThatBeginsWithAnAtSignIsNoFileOfOptions() throws IOException {
    Path file = write("options", "--help\n");
    assertFails("@" + file, "schema", "@" + file);
  }
}
