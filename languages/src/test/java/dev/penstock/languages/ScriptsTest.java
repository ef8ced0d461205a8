package dev.penstock.languages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of `examples/scripts`, as a user starts them.
class ScriptsTest {
  private static final Path SCRIPTS = Flights.ROOT.resolve("examples/scripts");
  private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
  private static final String QUICK = "-XX:TieredStopAtLevel=1"; // as all tests

  @TempDir Path folder;

  /// Runs a tool of this JDK with Penstock on its class path.
  private String run(Path input, String... command) throws Exception {
    List<String> line = new ArrayList<>(Arrays.asList(command));
    line.set(0, Path.of(System.getProperty("java.home"), "bin", command[0]).toString());
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(line)
            .redirectInput(input.toFile())
            .redirectOutput(output.toFile())
            .redirectErrorStream(true)
            .start();
    int code = process.waitFor();
    String text = Files.readString(output);
    assertThat(code).as(text).isZero();
    return text;
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  @Test
  void oneFileIsAProgram() throws Exception {
    String script = SCRIPTS.resolve("MeanDelay.java").toString();
    Path nothing = Files.createFile(folder.resolve("nothing"));
    assertThat(run(nothing, "java", QUICK, NATIVE, "-cp", classPath(), script, Flights.FOLDER))
        .contains("300,000 flights, 6.75 minutes late");
  }

  @Test
  void oneFileNamesTheVersionsOfThisBuildOrTheLastRelease() throws IOException {
    String script = Files.readString(SCRIPTS.resolve("MeanDelay.java"));
    String pom = Files.readString(Flights.ROOT.resolve("pom.xml"));
    String core = "//DEPS dev.penstock:penstock-core:";
    assertThat(script)
        .containsAnyOf(
            core + first(pom, "<revision>(.*?)</") + "\n",
            core + first(pom, "<penstock.previous>(.*?)</") + "\n")
        .contains("//DEPS org.slf4j:slf4j-simple:" + first(pom, "<slf4j.version>(.*?)<"));
  }

  private static String first(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  @Test
  void jshellKnowsTheNamesAndShowsTheValues() throws Exception {
    Path session = folder.resolve("session.jsh");
    Files.writeString(
        session,
        Files.readString(SCRIPTS.resolve("first-look.jsh"))
                .replace("\"data/flights\"", "\"" + Flights.FOLDER.replace("\\", "\\\\") + "\"")
            + "batch\nloader\ncol(\"delay\").ge(15)\n");
    String shown =
        run(
            session,
            "jshell",
            "-J-Djava.util.prefs.userRoot=" + folder,
            "-J" + QUICK,
            "-R" + QUICK,
            "-R" + NATIVE,
            "--class-path",
            classPath(),
            "--startup",
            "DEFAULT",
            "--startup",
            SCRIPTS.resolve("penstock.jsh").toString());
    String columns =
        "[date: timestamp[us], delay: int64, distance: int64, origin: string, destination: string]";
    Map<String, String> forms =
        Map.of(
            "schema",
            " ==> " + columns + "\n",
            "dataset",
            "flights ==> StructuredDataset ["
                + Flights.FOLDER
                + "], parquet, 8 files, columns "
                + columns
                + ", where delay >= 15\n",
            "tensor",
            " ==> Tensor INT64 [512]: [33, 91, 74, ..., 110, 84, 29]\n",
            "closed batch",
            "destination: strings], closed\n",
            "closed loader",
            "[batchSize 512, workers auto, at most ",
            "filter",
            " ==> delay >= 15\n");
    forms.forEach((name, form) -> assertThat(shown).as(name).contains(form));
    assertThat(shown).doesNotContain("Exception", "Error");
  }
}
