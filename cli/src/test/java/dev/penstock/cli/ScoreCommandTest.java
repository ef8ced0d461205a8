package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScoreCommandTest {
  private static final int ROWS = 1000;

  @TempDir Path temporary;

  @BeforeEach
  void writeTable() throws IOException {
    Files.createDirectories(temporary.resolve("table"));
    for (int file = 0; file < 2; file++) {
      StringBuilder lines = new StringBuilder("id,a,b,name\n");
      for (int id = file * 500; id < (file + 1) * 500; id++) {
        lines.append("%d,%d.5,%d,n%d%n".formatted(id, id, 2 * id, id));
      }
      Files.writeString(temporary.resolve("table/" + file + ".csv"), lines);
    }
    Files.writeString(temporary.resolve("m.rule"), "x 2");
  }

  private CommandRun run(String line) {
    return CommandRun.ofLine(line.replace("~", temporary.toString()));
  }

  private static final String SCORE =
      "score ~/m.rule ~/table --keys id --out ~/out --part-rows 100";

  private List<String> rows() {
    return run("cat ~/out").printed().lines().toList();
  }

  private static String row(int id) {
    return "{\"id\":" + id + ",\"sum\":" + (3 * id + 0.5) + "}";
  }

  private static List<String> rows(int from, int to) {
    return IntStream.range(from, to).mapToObj(ScoreCommandTest::row).toList();
  }

  @Test
  void eachRowIsScoredAndWhatFeedsWhatIsSaidBefore() {
    CommandRun run = run(SCORE + " --workers 2");
    assertThat(run.err())
        .isEqualTo(
            "x <- a, b (2 columns)\nwrites id, sum: float32 to %s/out: 1,000 rows in 10 parts\n"
                .formatted(temporary));
    assertThat(run.printed().lines().toList())
        .satisfiesExactly(
            first ->
                assertThat(first).matches("1,000 rows in [0-9.]+ s, .+ rows/s, with 2 workers"),
            second -> assertThat(second).matches("10 parts made, [0-9.]+ KiB, 0 found"),
            third ->
                assertThat(third).matches("reading .+ %, model .+ %, encoding .+ %, storing .+ %"),
            last ->
                assertThat(last)
                    .isEqualTo(
                        "complete: penstock score --check "
                            + temporary
                            + "/out compares it with the table"));
    assertThat(rows()).isEqualTo(rows(0, ROWS));
  }

  @Test
  void jsonSaysTheSame() {
    String json = run(SCORE + " --json").printed();
    assertThat(json).hasLineCount(1).endsWith(",\"complete\":true}\n");
    assertThat(CommandRun.field(json, "rows")).isEqualTo("1000");
    assertThat(CommandRun.field(json, "partsMade")).isEqualTo("10");
    String again = run(SCORE + " --json --workers 3").printed();
    assertThat(CommandRun.field(again, "partsMade")).isEqualTo("0");
    assertThat(CommandRun.field(again, "partsFound")).isEqualTo("10");
    assertThat(run("score --check ~/out --json").printed())
        .isEqualTo("{\"parts\":10,\"rows\":1000,\"skipped\":0}\n");
  }

  @Test
  void aReportShowsHowTheLastPartsWereRead() throws IOException {
    Path page = temporary.resolve("scores.html");
    assertThat(run(SCORE + " --report ~/scores.html").err()).endsWith("Report: " + page + "\n");
    assertThat(Files.readString(page)).contains("<title>").contains("1,000 rows");
    assertThat(run(SCORE + " --report ~/nowhere/scores.html").err())
        .startsWith("Cannot write the report ");
  }

  @Test
  void ranksShareTheWorkAndTheFirstOneShowsIt() {
    CommandRun second = run(SCORE + " --rank 1/3");
    assertThat(second.err()).isEmpty();
    assertThat(second.printed())
        .contains("as rank 1/3\n3 parts made")
        .endsWith(
            "not complete: the other ranks of 3 make the rest, or the same command without"
                + " --rank\n");
    assertThat(run("score --check ~/out").err()).contains("there is no '_manifest.json'");
    CommandRun first = run(SCORE + " --rank 0/3");
    assertThat(first.err()).endsWith("in 10 parts, 4 of them to be made here\n");
    assertThat(run(SCORE).printed()).contains("\n3 parts made", ", 7 found\n");
    assertThat(rows()).isEqualTo(rows(0, ROWS));
  }

  @Test
  void filterColumnsAndInputsAreAsSaid() {
    run("score ~/m.rule ~/table --keys id --out ~/out --columns name,b --where b>=1990 --input"
            + " x=b,a --batch-size 3")
        .printed();
    assertThat(rows())
        .containsExactlyElementsOf(
            IntStream.range(995, ROWS)
                .mapToObj(id ->
                    "{\"id\":%d,\"name\":\"n%d\",\"b\":%d,\"sum\":%s}"
                        .formatted(id, id, 2 * id, 3 * id + 0.5))
                .toList());
    assertThat(run("score --check ~/out --where b>=1990").printed())
        .startsWith("5 rows in 1 part of ");
    CommandRun other = run("score --check ~/out");
    assertThat(other.status()).isEqualTo(1);
    assertThat(other.err()).contains("its scores are of other rows", "the filter is");
  }

  @Test
  void rowsThatTheModelFailsForEndTheRunOrAreListed() throws IOException {
    Files.writeString(temporary.resolve("m.rule"), "x 2 2100.5");
    CommandRun stopped = run(SCORE);
    assertThat(stopped.status()).isEqualTo(1);
    assertThat(stopped.out()).isEmpty();
    assertThat(stopped.err().lines().toList().getLast())
        .startsWith("The model failed for row 200 of ")
        .contains("1.csv: the sum is 2100.5.", "--on-error skip");
    assertThat(run(SCORE + " --on-error skip").printed())
        .contains("\n1 row skipped, listed with file, row and reason in ");
    assertThat(rows())
        .isEqualTo(Stream.concat(rows(0, 700).stream(), rows(701, ROWS).stream()).toList());
    assertThat(run("score --check ~/out ~/table").printed())
        .endsWith("/out, 1 skipped: all as they were written, with the keys of the table\n");
  }

  @Test
  void damageFailsTheCheck() throws IOException {
    run(SCORE).printed();
    Path part;
    try (Stream<Path> files = Files.list(temporary.resolve("out"))) {
      part = files.filter(each -> each.toString().endsWith(".parquet")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(part);
    bytes[10] ^= 1;
    Files.write(part, bytes);
    CommandRun run = run("score --check ~/out");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("The scores in '")
        .endsWith("' is not as it was written.\n")
        .hasLineCount(1);
  }

  @Test
  void otherScoresInTheFolderAreRefused() throws IOException {
    run(SCORE).printed();
    CommandRun keys = run("score ~/m.rule ~/table --keys name --input x=a,b --out ~/out");
    assertThat(keys.status()).isEqualTo(1);
    assertThat(keys.err()).contains("Cannot go on with the scores in '").hasLineCount(1);
    Files.writeString(temporary.resolve("m.rule"), "x 2 1");
    assertThat(run(SCORE).err()).contains("their model is '").hasLineCount(1);
  }

  @Test
  void modelThatCannotBeOpenedIsOneSentence() throws IOException {
    Files.writeString(temporary.resolve("m.txt"), "hello");
    Files.writeString(temporary.resolve("m.onnx"), "hello");
    for (String[] each :
        new String[][] {
          {"none.rule", "none.rule': no such file or folder."},
          {
            "m.txt",
            "m.txt': it is text that begins with 'hello', expected a model of one of [Rule]."
          },
          {"m.onnx", "m.onnx': it needs a module that is not on the class path. Add the"}
        }) {
      CommandRun run = run("score ~/" + each[0] + " ~/table --keys id --out ~/out");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).startsWith("Cannot open the model '").contains(each[1]).hasLineCount(1);
    }
    assertThat(temporary.resolve("out")).doesNotExist();
  }

  @Test
  void columnsThatDoNotFitAreOneSentence() {
    CommandRun inputs = run(SCORE + " --columns b");
    assertThat(inputs.status()).isEqualTo(1);
    assertThat(inputs.err())
        .startsWith("Cannot tell which columns feed input x: FLOAT32 [-1, 2]")
        .endsWith("Name the columns by --input 'x=COLUMNS'.\n")
        .hasLineCount(1);
    for (String wrong : List.of("--keys nope --input x=a,b", "--keys id --input x=a,nope")) {
      CommandRun run = run("score ~/m.rule ~/table --out ~/out " + wrong);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).startsWith("Cannot ").contains("nope", "id").hasLineCount(1);
    }
    assertThat(run(SCORE + " --input y=a,b").err()).contains("the model has no such input");
    assertThat(run("score ~/m.rule ~/nowhere --keys id --out ~/out").err())
        .startsWith("Cannot read '");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          score | Missing required parameter: 'MODEL'.
          score m.rule table --out out | Cannot score without --keys: name the columns that tell rows apart, such as --keys id.
          score m.rule table --keys id | Cannot score without --out: name the folder to write to.
          score m.rule table --keys id --out out --on-error no | Cannot handle errors by 'no': expected 'stop' or 'skip'.
          score m.rule table --keys id --out out --input x | Cannot use --input 'x': expected NAME=COLUMNS, such as x=distance,hour.
          score m.rule table --keys id --out out --input x=a --input x=b | Cannot use --input for 'x' twice: name all its columns at once.
          score m.rule table --keys id --out out --part-rows 0 | --part-rows must be at least 1, got 0.
          score m.rule table --keys id --out out --batch-size 0 | --batch-size must be at least 1, got 0.
          score m.rule table --keys id --out out --workers 0 | Cannot use --workers '0': expected a whole number from 1 to 1000, or auto.
          score s3://b/m.onnx table --keys id --out out | Cannot use 's3://b/m.onnx' as a local path: it is in a store. Name a file or folder of this machine.
          score --check out --keys id | Cannot use --keys with --check: give the folder of scores in place of the model.
          """)
  void wrongUsageIsOneSentence(String line, String sentence) {
    assertThat(run(line))
        .isEqualTo(new CommandRun(2, "", sentence + "\nTry 'penstock score --help'.\n"));
  }

  @Test
  void tableIsNeeded() {
    CommandRun run = run("score ~/m.rule --keys id --out ~/out");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("Missing location: name at least one folder");
  }

  @Test
  void wrongRankIsWrongUsage() {
    CommandRun run = run(SCORE + " --rank 3/3");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("[0, 3)");
  }

  @Test
  void tableWithoutRowsLeavesNothingToWrite() {
    assertThat(run(SCORE + " --where id<0").printed()).endsWith("nothing is written\n");
  }
}
