package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands on a folder with a file that cannot be read.
class BadFilesCommandTest {
  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("0.csv"), "a\n1\n2\n");
    Files.writeString(folder.resolve("1.csv"), "a\n\"1\n"); // an open quote
    Files.writeString(folder.resolve("2.csv"), "a\n3\n");
  }

  @Test
  void badFileFailsByDefault() {
    for (String[] options : new String[][] {{}, {"--on-bad-file", "fail"}}) {
      CommandRun run = CommandRun.of(command("cat", options));
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains(folder.resolve("1.csv").toString());
    }
  }

  @Test
  void badFileIsLeftOutOnRequest() {
    CommandRun cat = CommandRun.of(command("cat", "--on-bad-file", "skip"));
    assertThat(cat.status()).isZero();
    assertThat(cat.out()).isEqualTo("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n");
    CommandRun plan = CommandRun.of(command("plan", "--on-bad-file", "skip"));
    assertThat(plan.out()).contains("left out: ", folder.resolve("1.csv").toString(), "2 files");
    assertThat(CommandRun.of(command("plan", "--json", "--on-bad-file", "skip")).out())
        .contains("\"badFiles\":[{\"location\":\"" + folder.resolve("1.csv") + "\",\"reason\":\"");
  }

  @Test
  void otherChoicesAreWrongUsage() {
    CommandRun run = CommandRun.of(command("load", "--on-bad-file", "ignore"));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("Cannot use --on-bad-file 'ignore': expected fail or skip.");
  }

  private String[] command(String name, String... options) {
    String[] all = new String[options.length + 2];
    all[0] = name;
    all[1] = folder.toString();
    System.arraycopy(options, 0, all, 2, options.length);
    return all;
  }
}
