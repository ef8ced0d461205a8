package dev.penstock.blackbox.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.Main;
import dev.penstock.testing.English;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Does what the tutorial docs/tutorial/csv-to-model.md says, and compares its pictures with what
/// comes of it. `-Dpenstock.snippets=write` draws them anew.
@ExtendWith(English.class)
class CsvToModelTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));
  private static final Path PAGE = ROOT.resolve("docs/tutorial/csv-to-model.md");
  private static final Path PICTURES = ROOT.resolve("docs/tutorial/csv-to-model");
  private static final Path SAMPLE =
      ROOT.resolve("cli/src/main/resources/dev/penstock/cli/demo/flights");
  private static final Path FOLDER = Path.of("data/csv");

  @BeforeAll
  static void writeCsv() throws IOException {
    Files.createDirectories(FOLDER);
    writeCsv("part-[0-5].parquet", "train.csv");
    writeCsv("part-[67].parquet", "test.csv");
  }

  /// As the page's shell function does, with the expressions that it gives to `sed`.
  private static void writeCsv(String files, String name) throws IOException {
    String rows = penstock("cat " + SAMPLE.resolve(files));
    String text = rows.replaceAll("\"[a-z]*\":", "").replaceAll("[{}\"]", "");
    Files.writeString(FOLDER.resolve(name), "date,delay,distance,origin,destination\n" + text);
  }

  @AfterAll
  static void deleteCsv() throws IOException {
    for (String name : List.of("train.csv", "test.csv", "loss.svg")) {
      Files.deleteIfExists(FOLDER.resolve(name));
    }
    Files.delete(FOLDER);
    Files.delete(FOLDER.getParent());
  }

  /// Returns what the command prints.
  private static String penstock(String arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Main.run(arguments.split(" "), out, new PrintStream(out, true, UTF_8));
    return out.toString(UTF_8);
  }

  private static void check(String picture, String expected) throws IOException {
    Path file = PICTURES.resolve(picture);
    if ("write".equals(System.getProperty("penstock.snippets"))) {
      Files.createDirectories(PICTURES);
      Files.writeString(file, expected);
    }
    assertThat(file).as("-Dpenstock.snippets=write renews it").hasContent(expected);
    assertThat(Files.readString(PAGE)).contains("](csv-to-model/" + picture + ")");
  }

  /// The page has these commands too, to be copied.
  private static void checkCommands(String picture, String... commands) throws IOException {
    StringBuilder screen = new StringBuilder();
    for (String command : commands) {
      assertThat(Files.readString(PAGE)).contains("\n" + command + "\n");
      screen.append("$ ").append(command).append('\n');
      screen.append(penstock(command.substring("./penstock ".length()))).append('\n');
    }
    check(picture, Screen.draw(screen.toString().stripTrailing()));
  }

  @Test
  void filesLookAsShown() throws IOException {
    checkCommands(
        "look.svg",
        "./penstock schema data/csv/train.csv",
        "./penstock head data/csv/train.csv -n 5");
  }

  @Test
  void misspeltColumnIsRefusedAsShown() throws IOException {
    checkCommands("typo.svg", "./penstock head data/csv/train.csv --columns date,delai");
  }

  @Test
  void trainingPrintsAndDrawsWhatIsShown() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      CsvToModel.main(new String[] {FOLDER.toString()});
    } finally {
      System.setOut(before);
    }
    check("train.svg", Screen.draw(out.toString(UTF_8)));
    check("loss.svg", Files.readString(FOLDER.resolve("loss.svg")));
  }
}
