package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Mixtures and balanced classes, by the commands.
class MixtureCommandTest {
  @TempDir Path temporary;

  @BeforeEach
  void write() throws IOException {
    write("web", 3_000);
    write("books", 500);
  }

  private void write(String name, int rows) throws IOException {
    StringBuilder text = new StringBuilder("id,label\n");
    for (int id = 0; id < rows; id++) {
      text.append(id).append(',').append(id % 10 == 0 ? "rare" : "usual").append('\n');
    }
    Files.createDirectories(temporary.resolve(name));
    Files.writeString(temporary.resolve(name).resolve("part-0.csv"), text);
  }

  private CommandRun run(String line) {
    return CommandRun.ofLine(line, temporary + "/");
  }

  private String out(String line) {
    return run(line).printed();
  }

  @Test
  void sharesAreShownAndDelivered() {
    String mix = " --mix 0.75=@web --mix 0.25=@books";
    assertThat(out("plan" + mix))
        .containsPattern("source +weight +rows +share +of\n")
        .containsPattern(" 1 +0.25 +500 +24.98 % +\\S+books\n");
    assertThat(out("plan --json" + mix)).contains("\"rowsOfSources\":[1502,500]");
    assertThat(out("plan --json --rank 1/2" + mix)).contains("\"rows\":1001");
    assertThat(out("load --json" + mix)).contains("\"rows\":2002", "\"rowsOfSources\":[1502,500]");
    assertThat(out("load --progress none --mix-stop all" + mix)).contains("3,500", "85.71 %");
    assertThat(out("cat --mix-column of --columns of,id --limit 1024" + mix).lines())
        .filteredOn(line -> line.startsWith("{\"of\":1"))
        .hasSize(256)
        .startsWith("{\"of\":1,\"id\":0}", "{\"of\":1,\"id\":1}")
        .endsWith("{\"of\":1,\"id\":255}");
    assertThat(out("head -n 2" + mix)).contains("label");
    assertThat(out("schema" + mix)).contains("3,500 rows");
    assertThat(out("head -n 1 --mix .5=@web --mix 5e-1=@books"))
        .isEqualTo(out("head -n 1 --mix 0.5=@web --mix 0.5=@books"));
  }

  @Test
  void whatStoppedGoesOn() {
    String command = "cat --mix 2=@web --mix 1=@books --batch-size 300 --where id!=7";
    String state = temporary.resolve("state.json").toString();
    String first = out(command + " --stop-after-batches 2 --workers 1 --save-state " + state);
    String rest = out(command + " --workers 0 --resume " + state);
    assertThat(first + rest).isEqualTo(out(command));
  }

  @Test
  void classesAreBalanced() {
    assertThat(out("load --json @web --balance label")).contains("\"rowsOfSources\":[300,300]");
    assertThat(out("load --json @web --balance label --mix-stop repeat --where id<1000"))
        .contains("\"rowsOfSources\":[900,900]", "\"skippedRows\"");
  }

  @Test
  void classesAreNoFilterAndEachFileIsPlannedOnce() {
    for (String stop : List.of("first", "all", "repeat")) {
      String all = " @web --balance label --mix-stop " + stop;
      assertThat(out("load --progress none" + all)).doesNotContain("left out");
      assertThat(out("load --json" + all)).contains("\"statistics\":0,", "\"values\":0}");
      assertThat(out("load --progress none --where id<1000" + all))
          .contains("The filter left out 2,000 rows: 2,000 by their values.");
    }
    assertThat(out("plan --workers 1 @web --balance label"))
        .containsPattern("0 +2 +\\S+ +\\S+ KiB\n")
        .contains("rows looked at", "epoch 0, 600 rows, 1 file, ", "pruned: none");
  }

  @Test
  void manySourcesAreShownInPart() throws IOException {
    String ids =
        IntStream.range(0, 300).mapToObj(id -> id % 30 + "\n").collect(Collectors.joining());
    Files.createDirectories(temporary.resolve("many"));
    Files.writeString(temporary.resolve("many/part-0.csv"), "id\n" + ids);
    for (String command : List.of("plan", "load --progress none")) {
      assertThat(out(command + " @many --balance id --mix-stop all"))
          .containsPattern(" 9 +1.0 +10 +3.33 % +\\S+many where id = 9\n")
          .contains("and 20 more with 10 rows each: --json shows all.")
          .doesNotContain("id = 10");
    }
  }

  @Test
  void documentsOfSourcesAreShownForPacks() throws IOException {
    for (String name : List.of("pages", "novels")) {
      String lists = "{\"tokens\":[1,2,3]}\n".repeat(name.equals("pages") ? 300 : 100);
      Files.createDirectories(temporary.resolve(name));
      Files.writeString(temporary.resolve(name).resolve("part-0.jsonl"), lists);
    }
    String mix = " --mix 3=@pages --mix 1=@novels --mix-stop all --pack tokens:16";
    for (String command : List.of("plan", "load --progress none")) {
      assertThat(out(command + mix))
          .containsPattern(" 0 +3.0 +300 +75.00 % +\\S+pages\n")
          .contains("such as documents, not tokens");
    }
    assertThat(out("load --json" + mix)).contains("\"rows\":75,", "\"rowsOfSources\":[300,100]");
    assertThat(out("load --json @novels --bucket tokens"))
        .contains("\"rows\":100,", "\"padding\":{\"elements\":300,");
  }

  @Test
  void wrongUseSaysWhatIsExpected() {
    assertWrong("load @web --mix 1=@books", "give each as --mix WEIGHT=URI");
    assertWrong("load --mix @books", "expected KEY=VALUE");
    assertWrong("load --mix much=@books", "expected WEIGHT=URI, such as 0.7=data/web");
    assertWrong("load --mix NaN=@books", "expected WEIGHT=URI, such as 0.7=data/web");
    assertWrong("load --mix -1=@books", "must be a positive number, got -1.0");
    assertWrong("load --mix 1=@web --mix 0=@books", "The weight of source 1 is 0.0");
    assertWrong("load @web --mix-stop all", "without --mix or --balance");
    assertWrong("load --mix 1=@web --mix-stop never", "expected first, all or repeat");
    assertWrong("load --mix 1=@web --balance label", "balance one dataset, or mix some");
    assertThat(run("load --mix 1=@web --mix 1=@books --where id>=500").err())
        .contains("Cannot mix source 1", "it has no rows");
  }

  private void assertWrong(String line, String... parts) {
    CommandRun run = run(line);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(parts);
  }
}
