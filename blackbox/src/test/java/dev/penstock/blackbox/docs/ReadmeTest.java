package dev.penstock.blackbox.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.Main;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The README's program prints what stands below it, as a file and as a command. `test_readme.py`
/// runs it in Python.
class ReadmeTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."))
          .toAbsolutePath()
          .normalize();
  private static final String SAMPLE = "cli/src/main/resources/dev/penstock/cli/demo/flights";
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```$");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  @TempDir Path folder;

  /// The blocks of code in a tab.
  private static List<String> blocks(String tab) throws IOException {
    String text = Files.readString(ROOT.resolve("README.md"));
    Matcher block = BLOCK.matcher(text).region(text.indexOf("**" + tab + "**"), text.length());
    assertThat(block.find()).isTrue();
    String code = block.group(1);
    assertThat(block.find()).isTrue();
    return List.of(code.replace("data/flights", ROOT.resolve(SAMPLE).toString()), block.group(1));
  }

  @Test
  void programPrintsWhatIsShown() throws IOException, InterruptedException {
    List<String> blocks = blocks("Java");
    Path program = Files.writeString(folder.resolve("ReadFlights.java"), blocks.get(0));
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.toString())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.waitFor()).isZero();
    assertThat(out).hasContent(blocks.get(1));
  }

  @Test
  void commandPrintsWhatIsShown() throws IOException {
    List<String> blocks = blocks("Command");
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(blocks.get(0));
    while (word.find()) {
      words.add(Objects.requireNonNullElse(word.group(1), word.group(2)));
    }
    assertThat(words.removeFirst()).isEqualTo("./penstock");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Main.run(words.toArray(String[]::new), out, new PrintStream(out, true, UTF_8));
    assertThat(out.toString(UTF_8)).isEqualTo(blocks.get(1));
  }
}
