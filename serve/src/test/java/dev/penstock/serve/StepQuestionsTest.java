package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepQuestionsTest {
  private static final int ROWS = 20_000;

  @TempDir Path folder;
  private DataLoader loader;
  private final StepQuestions questions = new StepQuestions();

  @BeforeEach
  void open() throws IOException {
    StringBuilder lines = new StringBuilder("id\n");
    for (int row = 0; row < ROWS; row++) {
      lines.append(row).append('\n');
    }
    Files.writeString(folder.resolve("rows.csv"), lines);
    loader =
        DataLoader.of(
            new StructuredDataset(folder.toString()), o -> o.batchSize(100).rank(Rank.SINGLE));
  }

  @AfterEach
  void close() {
    questions.close();
    loader.close();
  }

  private JsonFields ask(String question) {
    return JsonTree.read("an answer", questions.answer(loader, question));
  }

  private static long number(JsonFields piece) {
    return piece.whole("number", 0, Long.MAX_VALUE);
  }

  private static List<Long> rows(JsonFields piece) {
    return piece.objects(
        "rows",
        "a row",
        row -> {
          long number = row.whole("row", 0, ROWS);
          row.whole("epoch", 0, 9);
          assertThat(row.integer("rank")).isZero();
          assertThat(row.text("file")).endsWith("/rows.csv");
          assertThat(row.whole("step", 0, ROWS)).isEqualTo(number / 100);
          assertThat(row.whole("place", 0, 99)).isEqualTo(number % 100);
          return number;
        });
  }

  @Test
  void rowsComeInPiecesAsTheyAreAskedFor() {
    JsonFields piece = ask("{\"what\": \"rows\", \"steps\": \"0..999999999999\", \"epoch\": 0}");
    List<Long> rows = new ArrayList<>(rows(piece));
    assertThat(rows).hasSizeBetween(2000, ROWS / 2);
    String next = "{\"what\": \"next\", \"number\": " + number(piece) + "}";
    while (piece.bool("more")) {
      piece = ask(next);
      rows.addAll(rows(piece));
    }
    assertThat(rows).isEqualTo(LongStream.range(0, ROWS).boxed().toList());
    assertThatThrownBy(() -> ask(next)).hasMessageStartingWith("Cannot go on with these rows");
  }

  @Test
  void onlyTheLastQuestionIsGoneOnWith() {
    String all = "{\"what\": \"rows\", \"steps\": \"0..200\", \"rank\": 0, \"epoch\": 0}";
    long first = number(ask(all));
    long second = number(ask(all));
    assertThatThrownBy(() -> ask("{\"what\": \"next\", \"number\": " + first + "}"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Cannot go on with these rows: others were asked for since, or the connection is a new"
                + " one. Take all rows of a question before the next one.");
    assertThat(rows(ask("{\"what\": \"next\", \"number\": " + second + "}"))).isNotEmpty();
  }

  @Test
  void changesAreOfTheStateThatIsGivenAndLeaveTheLoaderAlone() {
    String state = Json.object(json -> json.writeStringProperty("state", state()));
    String where = state.substring(1);
    String skipped =
        ask("{\"what\": \"skip\", \"steps\": [\"1..3\", \"7..8\"], " + where).text("state");
    String excluded =
        ask("{\"what\": \"exclude\", \"rows\": \"{\\\"id\\\": 350}\", "
                + Json.object(json -> json.writeStringProperty("state", skipped)).substring(1))
            .text("state");
    try (DataLoader other = DataLoader.of(loader.dataset(), loader.options())) {
      other.resume(LoaderState.parse(excluded));
      List<Long> ids = new ArrayList<>();
      for (Batch batch : other) {
        try (batch) {
          LongStream.range(0, batch.rowCount()).map(batch.tensor("id")::getLong).forEach(ids::add);
        }
      }
      assertThat(ids)
          .hasSize(ROWS - 300 - 1)
          .startsWith(0L, 1L)
          .contains(99L, 300L, 700L, 801L) // step 7 begins with row 701, as row 350 never comes
          .doesNotContain(100L, 299L, 350L, 701L, 800L);
    }
    String next =
        ask("{\"what\": \"epoch\", \"epoch\": 4, "
                + Json.object(json -> json.writeStringProperty("state", excluded)).substring(1))
            .text("state");
    assertThat(LoaderState.parse(next).epoch()).isEqualTo(4);
    assertThat(next).contains("350");
    String place = Json.object(json -> json.writeStringProperty("state", next)).substring(1);
    assertThat(ask("{\"what\": \"length\", " + place).integer("length")).isEqualTo(ROWS / 100);
    assertThat(ask("{\"what\": \"rowsPerEpoch\", " + place).integer("rows")).isEqualTo(ROWS - 1);
    assertThat(state()).isEqualTo(JsonTree.read("a state", state).text("state"));
  }

  private String state() {
    return loader.state().toJson();
  }

  @Test
  void rowsAreFoundInAnEpoch() {
    String found = "{\"what\": \"find\", \"where\": \"id in (3, 1999)\", \"epoch\": 2";
    assertThat(rows(ask(found + "}"))).containsExactly(3L, 1999L);
    assertThat(rows(ask(found + ", \"goesOn\": true}"))).containsExactly(3L, 1999L);
  }

  @Test
  void questionsAreChecked() {
    for (String wrong :
        List.of(
            "{\"what\": \"nothing\"}",
            "{\"what\": \"rows\", \"steps\": \"1\", \"epoch\": 0}",
            "{\"what\": \"rows\", \"steps\": \"1..2\"}",
            "{\"what\": \"rows\", \"steps\": \"1..2\", \"epoch\": -1}",
            "{\"what\": \"rows\", \"steps\": \"0..1000000000000000000\", \"epoch\": 0}",
            "{\"what\": \"rows\", \"steps\": \"1..2\", \"epoch\": 0, \"rank\": -1}",
            "{\"what\": \"rows\", \"steps\": \"1..2\", \"epoch\": 0, \"others\": 1}",
            "{\"what\": \"find\", \"where\": \"none = 3\", \"epoch\": 0}",
            "{\"what\": \"skip\", \"steps\": \"1..2\", \"epoch\": 0}",
            "{\"what\": \"skip\", \"steps\": [\"1..2\"], \"state\": \"{}\"}",
            "{\"what\": \"exclude\", \"rows\": \"{}\", \"epoch\": 0}",
            "{\"what\": \"exclude\", \"rows\": \"{\\\"none\\\": 3}\", \"epoch\": 0}",
            "{\"what\": \"next\"}")) {
      assertThatThrownBy(() -> ask(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching("(Cannot|Steps|Rank).*");
    }
  }

  @Test
  void stateOfOtherFilesIsRefused() throws IOException {
    String rows = "{\"what\": \"rows\", \"steps\": \"1..2\", ";
    String find = "{\"what\": \"find\", \"where\": \"id = 1\", ";
    String state = Json.object(json -> json.writeStringProperty("state", state())).substring(1);
    Files.writeString(folder.resolve("more.csv"), "id\n1\n");
    close();
    loader = DataLoader.of(new StructuredDataset(folder.toString()), loader.options());
    for (String question : List.of(rows, find)) {
      assertThatThrownBy(() -> ask(question + state))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot resume: ");
    }
  }

  @Test
  void muchToLeaveOutIsRefusedInAFewWords() {
    String rows =
        LongStream.rangeClosed(0, 10_000)
            .mapToObj(row -> "{\"id\": " + row + "}\n")
            .collect(Collectors.joining());
    String longText = "x".repeat(1 << 20);
    Map<String, String> refused =
        Map.of(
            rows + "and what is behind these is not read",
            "Cannot exclude more than 10000 keys and rows, as every state has them. Write a table"
                + " without them.",
            "{\"id\": \"" + longText + "\"}",
            "the value is a text of 1048576 characters but expected a text of at most 4096",
            "{\"" + "x".repeat(40_000) + "\": 1}",
            "The name of a key's column must have 1 to 4096 characters, got 40000.",
            "{\"file\": \"" + longText + "\", \"row\": 1}",
            "The file of a row must have 1 to 4096 characters, got 1048576.");
    refused.forEach((text, message) -> {
      String question =
          Json.object(json -> {
            json.writeStringProperty("what", "exclude");
            json.writeStringProperty("rows", text);
            json.writeNumberProperty("epoch", 0);
          });
      assertThatThrownBy(() -> ask(question))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(message)
          .message()
          .hasSizeLessThan(500);
    });
    String steps =
        LongStream.rangeClosed(0, 1000)
            .mapToObj(step -> "\"" + 2 * step + ".." + (2 * step + 1) + "\"")
            .collect(Collectors.joining(","));
    assertThatThrownBy(() -> ask("{\"what\": \"skip\", \"steps\": [" + steps + "], \"epoch\": 0}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot skip more than 1000 ranges of steps");
  }
}
