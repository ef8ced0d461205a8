package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `load --shuffle-report` on two files of 800 rows in row groups of 100, sorted by 8 classes; by
/// `shuffle.py` beside them.
class ShuffleReportTest {
  private static final Path FOLDER = folder();

  private static Path folder() {
    URL url = Objects.requireNonNull(ShuffleReportTest.class.getResource("shuffle"));
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CommandRun load(String more) {
    return command("load --shuffle-report " + more);
  }

  private static CommandRun command(String line) {
    List<String> words = new ArrayList<>(CommandRun.words(line).toList());
    words.add(1, FOLDER.toString());
    if (!words.contains("--nulls")) {
      words.addAll(List.of("--nulls", "mask"));
    }
    return CommandRun.of(words.toArray(String[]::new));
  }

  private static double number(CommandRun run, String field) {
    assertThat(run.status()).as(run.err()).isZero();
    return Double.parseDouble(CommandRun.field(run.out(), field));
  }

  @ParameterizedTest
  @CsvSource({"100, 0", "200, 0", "400, 1", "800, 2", "1600, 3"})
  void fileOrderHasAsManyLabelsInABatchAsFitThere(int batchSize, double bits) {
    for (String label : List.of("name", "number")) {
      CommandRun run =
          load("--json --columns id --label %s --batch-size %s".formatted(label, batchSize));
      assertThat(run.out())
          .contains(
              "\"rankCorrelation\":1.0,\"rankCorrelationRows\":1600,\"label\":\"" + label + "\"");
      assertThat(number(run, "labelEntropyPerBatch")).isCloseTo(bits, within(1e-12));
      assertThat(number(run, "labelEntropy")).isCloseTo(3, within(1e-12));
      assertThat(number(run, "labelEntropyRatio")).isCloseTo(bits / 3, within(1e-12));
    }
  }

  @Test
  void balancedRowsAreMeasured() {
    CommandRun run =
        load("--json --columns id --label number --balanced id --batch-size 20 --seed 3");
    assertThat(Math.abs(number(run, "rankCorrelation"))).isLessThan(0.2);
    assertThat(number(run, "labelEntropyRatio")).isGreaterThan(0.8);
  }

  @Test
  void swappedFilesAreAsArithmeticSays() {
    // Every rank differs by half the rows: 1 - 6 n (n / 2)^2 / (n (n^2 - 1)).
    double swapped = 1 - 1.5 * 1600 * 1600 / (1600.0 * 1600 - 1);
    Set<Boolean> seen = new HashSet<>();
    for (int seed = 0; seed < 12; seed++) {
      String how = " --shuffle splits --seed " + seed;
      boolean isSwapped =
          command("cat --columns half --limit 1" + how).out().startsWith("{\"half\":true");
      seen.add(isSwapped);
      CommandRun run = load("--json --label half --batch-size 100" + how);
      assertThat(number(run, "rankCorrelation")).isCloseTo(isSwapped ? swapped : 1, within(1e-12));
      assertThat(number(run, "labelEntropyPerBatch")).isZero();
      assertThat(number(run, "labelEntropy")).isCloseTo(1, within(1e-12));
    }
    assertThat(seen).containsExactlyInAnyOrder(true, false);
  }

  /// Ranks and entropies by their definitions, over the rows that `cat` prints.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--shuffle splits --split-rows 100 --seed 5",
        "--shuffle window:300 --split-rows 200 --workers 3 --epoch 2",
        "--shuffle window:1600 --split-rows 100",
        "--shuffle none --where share<0.2",
        "--shuffle window:500 --split-rows 100 --where share>=0.13",
        "--shuffle window:250 --split-rows 100 --rank 1/3",
        "--shuffle splits --split-rows 100 --rank 2/3 --rank-end pad",
        "--shuffle splits --split-rows 100 --rank 0/3 --drop-last",
        "--shuffle window:400 --split-rows 300 --drop-last --where share>=0.13",
        "--shuffle window:90 --split-rows 100 --rank 0/3 --drop-last --where id>=800",
        "--shuffle splits --split-rows 100 --nulls fill:1.5",
        "--shuffle window:250 --split-rows 100 --rank 1/3 --where share>=0.13",
        "--shuffle window:250 --split-rows 100 --balance half --mix-stop repeat --where share<0.4"
      })
  void itIsOfTheRowsThatAreDelivered(String how) {
    // Rank 0 of 3 has 534 rows, 6 batches of 89; it drops one because the others have a row less.
    int size = how.contains("--drop-last") ? 89 : 70;
    String options = how + " --batch-size " + size;
    List<String> lines = command("cat --columns id,name " + options).lines();
    assertThat(lines).hasSizeGreaterThan(150);
    CommandRun run = load("--json --columns share --label name " + options);
    assertThat(number(run, "rankCorrelationRows")).isEqualTo(lines.size());
    assertThat(number(run, "rows")).isEqualTo(lines.size());
    List<Long> ids =
        lines.stream().map(line -> Long.parseLong(CommandRun.field(line, "id"))).toList();
    assertThat(number(run, "rankCorrelation")).isCloseTo(spearman(ids), within(1e-9));
    List<String> names = lines.stream().map(line -> CommandRun.field(line, "name")).toList();
    double bits = 0;
    for (int first = 0; first < names.size(); first += size) {
      List<String> batch = names.subList(first, Math.min(first + size, names.size()));
      bits += bits(batch) * batch.size();
    }
    assertThat(number(run, "labelEntropyPerBatch")).isCloseTo(bits / names.size(), within(1e-9));
    assertThat(number(run, "labelEntropy")).isCloseTo(bits(names), within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--shuffle global --seed 3",
        "--shuffle torch --workers 3",
        "--shuffle global --where share>=0.13 --rank 1/3"
      })
  void itIsOfAllRowsShuffledToo(String how, @TempDir Path cache) {
    itIsOfTheRowsThatAreDelivered(how + " --cache " + cache + ":64MiB");
    CommandRun run = load("--json " + how + " --cache " + cache + ":64MiB");
    assertThat(number(run, "rankCorrelation")).isBetween(-0.2, 0.2);
    assertThat(run.out()).doesNotContain("labelEntropy");
  }

  @Test
  void rowsOfAMixtureAreInTheOrderOfItsSources() {
    List<String> options =
        List.of(
            "--mix",
            "2=" + FOLDER.resolve("part-0.parquet"),
            "--mix",
            "1=" + FOLDER.resolve("part-1.parquet"),
            "--nulls",
            "mask");
    List<String> cat = new ArrayList<>(List.of("cat", "--columns", "id"));
    cat.addAll(options);
    List<Long> ids =
        CommandRun.of(cat.toArray(String[]::new))
            .printed()
            .lines()
            .map(line -> Long.parseLong(CommandRun.field(line, "id")))
            .toList();
    assertThat(ids).hasSizeGreaterThan(1000);
    List<String> load =
        new ArrayList<>(
            List.of("load", "--json", "--columns", "id", "--shuffle-report", "--label", "half"));
    load.addAll(options);
    CommandRun run = CommandRun.of(load.toArray(String[]::new));
    assertThat(number(run, "rankCorrelation")).isCloseTo(spearman(ids), within(1e-9));
    assertThat(number(run, "labelEntropy")).isBetween(0.9, 1.0);
  }

  private static double spearman(List<Long> ids) {
    double[] ranks =
        ids.stream()
            .mapToDouble(id ->
                ids.stream().filter(other -> other < id).count()
                    + (Collections.frequency(ids, id) + 1) / 2.0)
            .toArray();
    double mean = (ranks.length + 1) / 2.0;
    double product = 0;
    double squares = 0;
    double all = 0;
    for (int i = 0; i < ranks.length; i++) {
      product += (i + 1 - mean) * (ranks[i] - mean);
      squares += (ranks[i] - mean) * (ranks[i] - mean);
      all += (i + 1 - mean) * (i + 1 - mean);
    }
    return product / Math.sqrt(squares * all);
  }

  private static double bits(List<String> labels) {
    return labels.stream()
        .collect(Collectors.groupingBy(label -> label, Collectors.counting()))
        .values()
        .stream()
        .mapToDouble(count -> (double) count / labels.size())
        .map(share -> share * Math.log(1 / share) / Math.log(2))
        .sum();
  }

  @Test
  void aLargerWindowMixesMore() {
    List<Double> ratios = new ArrayList<>();
    for (int window : List.of(1, 200, 400, 800, 1600)) {
      CommandRun run =
          load("--json --label name --batch-size 100 --split-rows 100 --shuffle window:" + window);
      ratios.add(number(run, "labelEntropyRatio"));
    }
    assertThat(ratios).isSorted().doesNotHaveDuplicates();
    // A batch of 100 random rows of 8 classes is short of 3 bits by about 7 / (2 * 100 * ln 2).
    assertThat(ratios.getLast()).isBetween(0.95, 1.0);
  }

  @Test
  void whatElseIsReportedStaysAsItIs() {
    String options = "--json --epochs 2 --batch-size 333 --shuffle window:400 --split-rows 200";
    CommandRun plain = command("load " + options);
    CommandRun run = load("--label name " + options);
    assertThat(plain.out()).doesNotContain("rankCorrelation", "label");
    assertThat(run.lines()).hasSize(2);
    for (int epoch = 0; epoch < 2; epoch++) {
      for (String field :
          List.of("epoch", "rows", "batches", "bytesRead", "orderDigest", "contentDigest")) {
        assertThat(CommandRun.field(run.lines().get(epoch), field))
            .as(field)
            .isEqualTo(CommandRun.field(plain.lines().get(epoch), field));
      }
    }
    assertThat(CommandRun.field(run.lines().get(0), "rankCorrelation"))
        .isNotEqualTo(CommandRun.field(run.lines().get(1), "rankCorrelation"));
  }

  @Test
  void peopleGetATableBelow() {
    CommandRun run = load("--label name --batch-size 400 --epochs 2 --epoch 3");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .startsWith("epoch   rows  batches")
        .endsWith(
            """

            epoch  rank correlation  label entropy in a batch  in all rows   ratio
            -----  ----------------  ------------------------  -----------  ------
                3            1.0000                    1.0000       3.0000  0.3333
                4            1.0000                    1.0000       3.0000  0.3333

            Rank correlation: Spearman's, of the rows' order in the files and that of delivery; 1 is file order, 0 unrelated.
            Label entropy: of 'name', in bits; a ratio of 1 is batches as mixed as all rows.
            """);
    assertThat(load("--columns name").out()).contains("1.0000\n").doesNotContain("Label");
  }

  @Test
  void oneLabelHasNoRatioAndOneRowNoCorrelation() {
    CommandRun run = load("--json --label one --where id=7");
    assertThat(run.out())
        .contains(
            "\"rankCorrelation\":null,\"rankCorrelationRows\":1,",
            "\"labelEntropyPerBatch\":0.0,\"labelEntropy\":0.0,\"labelEntropyRatio\":null}");
    assertThat(load("--label one --where id=7").out())
        .contains("-                    0.0000       0.0000      -\n");
  }

  @Test
  void partsOfPathsAndOfStructsAreLabelsToo(@TempDir Path temporary) throws IOException {
    for (int part = 0; part < 2; part++) {
      Path folder = Files.createDirectory(temporary.resolve("side=" + part));
      Files.copy(FOLDER.resolve("part-" + part + ".parquet"), folder.resolve("x.parquet"));
    }
    CommandRun sides =
        CommandRun.ofLine(
            "load "
                + temporary
                + " --columns name --partitioning hive --shuffle-report --json"
                + " --label side --batch-size 800");
    assertThat(sides.out())
        .endsWith(
            "\"rankCorrelation\":1.0,\"rankCorrelationRows\":1600,\"label\":\"side\","
                + "\"labelEntropyPerBatch\":0.0,\"labelEntropy\":1.0,\"labelEntropyRatio\":0.0}\n");
    String nested = FOLDER.resolveSibling("nested.parquet").toString();
    CommandRun names =
        CommandRun.of(
            "load", nested, "--columns", "id", "--shuffle-report", "--label", "place.name");
    assertThat(names.out()).contains("Label entropy: of 'place.name',");
    CommandRun structs =
        CommandRun.of("load", nested, "--columns", "id", "--shuffle-report", "--label", "place");
    assertThat(structs.status()).isEqualTo(1);
    assertThat(structs.err()).startsWith("Cannot use column 'place' as label: it is of type ");
  }

  @Nested
  class WhenTheRequestIsAtFault {
    private static void isFault(String options, int status, String sentence) {
      CommandRun run = load(options);
      assertThat(run.status()).isEqualTo(status);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).startsWith(sentence);
    }

    @Test
    void aColumnThatIsNoLabelIsRefused() {
      isFault(
          "--label share",
          1,
          "Cannot use column 'share' as label: it is of type float64, but labels are strings,"
              + " integers or booleans.\n");
      isFault(
          "--json --label id",
          1,
          "Cannot use column 'id' as label: it has more than 1,000 different values. Choose a"
              + " column of classes.\n");
      isFault("--label nam", 1, "Cannot read column 'nam': ");
    }

    @Test
    void aLabelNeedsTheReportAndThatWholeEpochs() {
      CommandRun run = command("load --label name");
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).startsWith("Cannot use --label without --shuffle-report: add it.\n");
      isFault("--stop-after-batches 3", 2, "Cannot use --shuffle-report with --resume or");
      isFault("--resume state.json", 2, "Cannot use --shuffle-report with --resume or");
    }
  }
}
