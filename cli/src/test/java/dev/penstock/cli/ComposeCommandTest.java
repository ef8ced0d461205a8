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

/// Buckets and packs, by the commands.
class ComposeCommandTest {
  @TempDir Path temporary;

  /// Rows 0 to 99; row `i` has `i % 10` times the token `i`.
  @BeforeEach
  void write() throws IOException {
    String rows =
        IntStream.range(0, 100)
            .mapToObj(id ->
                "{\"id\":"
                    + id
                    + ",\"tokens\":"
                    + IntStream.range(0, id % 10).map(i -> id).boxed().toList()
                    + "}\n")
            .collect(Collectors.joining());
    Files.writeString(temporary.resolve("rows.jsonl"), rows);
  }

  private CommandRun run(String line) {
    return CommandRun.ofLine(line, temporary.resolve("rows.jsonl").toString());
  }

  private String out(String line) {
    return run(line).printed();
  }

  @Test
  void bucketsAreShownAndDelivered() {
    String how = " @ --bucket tokens --tokens 90 --batch-size 50";
    assertThat(out("plan" + how)).contains("composed: buckets of tokens of at most 90 elements");
    assertThat(out("plan --json" + how)).contains("\"composition\":\"buckets of tokens");
    assertThat(out("load --json" + how))
        .contains("\"rows\":100,", "\"padding\":{\"elements\":450,");
    assertThat(out("load --progress none" + how))
        .containsPattern("Padding is [0-9.]+ % of the elements; it would be [0-9.]+ % without");
    assertThat(out("cat" + how).lines())
        .hasSize(100)
        .contains("{\"id\":3,\"tokens\":[3,3,3]}", "{\"id\":0,\"tokens\":[]}");
  }

  @Test
  void packsAreShownAndDelivered() {
    String how = " @ --pack tokens:12 --batch-size 50";
    assertThat(out("cat --limit 1" + how))
        .isEqualTo(
            "{\"tokens\":[1,2,2,3,3,3,4,4,4,4,5,5],\"tokens.segment\":[1,2,2,3,3,3,4,4,4,4,5,5],"
                + "\"tokens.position\":[0,0,1,0,1,2,0,1,2,3,0,1]}\n");
    assertThat(out("cat --limit 1 --pack-mode stream" + how))
        .isEqualTo(
            "{\"tokens\":[1,2,2,3,3,3,4,4,4,4,5,5],\"tokens.segment\":[1,1,1,1,1,1,1,1,1,1,1,1],"
                + "\"tokens.position\":[0,1,2,3,4,5,6,7,8,9,10,11]}\n");
    assertThat(out("load --json" + how)).contains("\"rows\":38,", "\"padded\":456,");
    assertThat(out("load --json --pack-mode whole" + how)).contains("\"elements\":450,");
  }

  @Test
  void batchesAreBalanced() {
    assertThat(out("plan @ --balanced tokens --batch-size 10")).contains("composed: balanced by");
    assertThat(out("load --json @ --balanced tokens --batch-size 10"))
        .contains("\"rows\":100,\"batches\":10,");
    assertThat(out("load --json @ --balanced= --bucket tokens --batch-size 10"))
        .contains("\"rows\":100,\"batches\":10,");
    assertThat(out("load --json @ --pack tokens:12 --balanced tokens --batch-size 5"))
        .contains("\"rows\":38,");
    assertThat(out("plan @ --pack tokens:12 --balanced --quadratic 0.1 --accumulate 2"))
        .contains(
            "composed: packs of tokens to 12 (cut), balanced, quadratic 0.1, accumulated by 2");

    assertThat(out("plan @ --balanced tokens --batch-size 10 --rank 0/2"))
        .containsPattern(
            "expected imbalance of 2 ranks: the costliest is [0-9.]+ % above the mean in half of"
                + " the steps dealt in turn, [0-9.]+ % balanced; at most 2 % in [0-9.]+ % of 5"
                + " steps");
    assertThat(out("plan --json @ --balanced tokens --batch-size 10 --rank 0/2"))
        .contains("\"imbalance\":{\"ranks\":2,\"steps\":5,\"inTurn\":{\"median\":");

    assertThat(run("cat @ --balanced").err()).contains("--balanced without a column");
    assertThat(run("cat @ --balanced id --bucket tokens").err())
        .contains("Cannot use --balanced id with --bucket: the column of that counts.");
    assertThat(run("cat @ --balanced id --group-by id").err())
        .contains("Cannot use --balanced with --group-by: it goes with --bucket, --pack or");
    assertThat(run("cat @ --quadratic 1").err()).contains("without --balanced");
    assertThat(run("cat @ --accumulate 2").err()).contains("without --balanced");
    assertThat(run("cat @ --balanced id --accumulate 0").err())
        .contains("--accumulate '0': expected a whole number of at least 1");
  }

  /// Row `i` has the key `i / 3`.
  @Test
  void groupsWindowsAndDrawsAreDelivered() throws IOException {
    Files.writeString(
        temporary.resolve("rows.jsonl"),
        IntStream.range(0, 90)
            .mapToObj(id -> "{\"id\":" + id + ",\"key\":" + id / 3 + ",\"w\":" + id % 2 + "}\n")
            .collect(Collectors.joining()));
    assertThat(out("load --json @ --group-by key --batch-size 10"))
        .contains("\"rows\":90,\"batches\":10,");
    assertThat(out("plan @ --group-by key --rank 1/2 --batch-size 10"))
        .contains("composed: groups by key");
    assertThat(out("cat @ --group-by key --windows 2:1 --limit 2"))
        .isEqualTo(
            """
            {"id":[0,1],"key":0,"w":[0,1],"key.rows":2}
            {"id":[1,2],"key":0,"w":[1,0],"key.rows":2}
            """);
    assertThat(out("cat @ --weights w --num-samples 50").lines())
        .hasSize(50)
        .allMatch(line -> line.endsWith("\"w\":1}"));
    assertThat(run("cat @ --group-by w --batch-size 2").err())
        .contains(
            "Cannot group by 'w': the key of the group from row 0 of ", " comes again at row 2");
    assertThat(run("cat @ --group-by key --batch-size 2").err())
        .contains("it has 3 rows or more, but a batch has 2");
    assertThat(run("cat @ --windows 2:1").err()).contains("without --group-by");
    assertThat(run("cat @ --num-samples 2").err()).contains("without --weights");
    assertThat(run("cat @ --group-by key --windows 2").err()).contains("expected LENGTH:STRIDE");
    assertThat(run("cat @ --group-by key --windows 0:1").err())
        .contains("--windows '0:1': expected a whole number of at least 1 as length.");
  }

  @Test
  void whatStoppedGoesOn() {
    for (String how :
        List.of(
            "--bucket tokens",
            "--bucket tokens --tokens 40",
            "--balanced tokens --accumulate 3",
            "--pack tokens:7 --shuffle window:30")) {
      String command = "cat @ --batch-size 6 " + how;
      String state = temporary.resolve("state.json").toString();
      String first = out(command + " --stop-after-batches 3 --workers 1 --save-state " + state);
      String rest = out(command + " --workers 0 --resume " + state);
      assertThat(first + rest).isEqualTo(out(command));
    }
  }

  @Test
  void wrongOptionsAreNamed() {
    assertThat(run("cat @ --bucket tokens --pack tokens:3").err()).contains("choose one");
    assertThat(run("cat @ --tokens 3").err()).contains("without --bucket");
    assertThat(run("cat @ --pack-mode cut").err()).contains("without --pack");
    assertThat(run("cat @ --pack tokens").err()).contains("expected COLUMN:LENGTH");
    assertThat(run("cat @ --pack tokens:0").err())
        .contains("--pack 'tokens:0': expected a whole number of at least 1 as length.");
    assertThat(run("cat @ --pack tokens:3 --pack-mode best").err())
        .contains("expected cut, whole or stream");
    assertThat(run("cat @ --bucket tokens --tokens 0").err())
        .contains("--tokens '0': expected a whole number of at least 1.");
    assertThat(run("cat @ --bucket id").err()).contains("Choose a column of lists");
    assertThat(run("cat @ --bucket none").err()).contains("not among the columns [id, tokens]");
    assertThat(run("cat @ --bucket tokens --tokens 8").err())
        .contains("row 9 of ", "its list 'tokens' has 9 elements, but a batch has at most 8");
    assertThat(run("cat @ --pack tokens:8 --pack-mode whole").err())
        .contains("row 9 of ", "its list 'tokens' has 9 elements, but a pack has 8");
    assertThat(run("cat @ --bucket tokens --drop-last").err()).contains("Leave out --drop-last.");
  }
}
