package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.LoaderOptions;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTest {
  private static LoaderOptions options(String loader) {
    return Request.parse("{\"dataset\": {\"locations\": [\"a\"]}, \"loader\": " + loader + "}")
        .options();
  }

  @Test
  void everyOptionOfTheLoaderArrives() {
    LoaderOptions read =
        options(
            """
            {"batchSize": 64, "dropLast": true, "stepsPerEpoch": 9, "workers": 3,
             "prefetchFactor": 4, "timeout": 1.5, "shuffle": "window:500", "seed": -7,
             "rank": "1/4", "rankEnd": "drop", "countMatches": false, "memory": "1GiB",
             "poisonMemory": true, "output": "arrow", "nulls": {"": "mask", "a": "text:x"},
             "timestamps": {"": "millis"}, "decimals": {"d": "float64"},
             "strings": [{"column": "s", "form": "codes", "vocabulary": ["a", "b"], "unknown": 2},
                         {"column": "t", "form": "hash", "buckets": 10}],
             "features": [{"name": "x", "columns": ["a", "b"]}]}
            """);
    LoaderOptions same =
        LoaderOptions.defaults()
            .batchSize(64)
            .dropLast(true)
            .stepsPerEpoch(9)
            .workers(3)
            .prefetchFactor(4)
            .timeout(Duration.ofMillis(1500))
            .shuffle(Shuffle.window(500))
            .seed(-7)
            .rank(new Rank(1, 4))
            .rankEnd(RankEnd.DROP)
            .countMatches(false)
            .memory("1GiB")
            .poisonMemory(true)
            .output(OutputFormat.ARROW)
            .nulls(NullPolicy.mask())
            .nulls("a", NullPolicy.fill("x"))
            .timestamps(EpochUnit.MILLIS)
            .decimals("d", DecimalForm.FLOAT64)
            .strings("s", StringEncoding.codes(Vocabulary.of("a", "b")).unknown(2))
            .strings("t", StringEncoding.hash(10))
            .features("x", "a", "b");
    assertThat(read.batching()).isEqualTo(same.batching());
    assertThat(read.reading()).isEqualTo(same.reading());
    assertThat(read.order()).isEqualTo(same.order());
    assertThat(read.rankShare()).isEqualTo(same.rankShare());
    assertThat(read.memoryUse()).isEqualTo(same.memoryUse());
    assertThat(read.columns().nulls()).isEqualTo(same.columns().nulls());
    assertThat(read.columns().timestamps()).isEqualTo(same.columns().timestamps());
    assertThat(read.columns().decimals()).isEqualTo(same.columns().decimals());
    assertThat(read.columns().features()).isEqualTo(same.columns().features());
    assertThat(read.columns().output()).isEqualTo(same.columns().output());
    assertThat(read.columns().strings().forColumn("t")).isEqualTo(StringEncoding.hash(10));
    assertThat(read.columns().strings().forColumn("s"))
        .isInstanceOfSatisfying(
            StringEncoding.Codes.class,
            codes -> {
              assertThat(codes.vocabulary().orElseThrow().texts()).containsExactly("a", "b");
              assertThat(codes.unknown()).hasValue(2);
            });
  }

  @Test
  void withoutOptionsTheRankIsAloneWhateverTheEnvironmentSays() {
    assertThat(options("{}").rankShare().rank()).hasValue(Rank.SINGLE);
  }

  @Test
  void optionsOfTablesNeedOne() {
    Path folder = Path.of("no-such-folder");
    assertThatThrownBy(() ->
            Request.parse(
                "{\"dataset\": {\"locations\": [\"%s\"], \"table\": {\"version\": 1}}}"
                    .formatted(folder)))
        .hasMessageStartingWith("Cannot use version, as_of, ref, catalog or map_location without");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"batchSize": 0}            | batchSize
          {"batchSize": 1e3}          | field 'batchSize' of loader is 1e3
          {"timeout": -1}             | timeout must be 0 or more
          {"shuffle": "all"}          | Cannot shuffle by 'all'
          {"rankEnd": "none"}         | expected one of [exact, pad, drop]
          {"output": "map", "x": 1}   | has an unknown field 'x'
          {"nulls": {"a": "fill:x"}}  | Cannot fill nulls with 'x'
          {"strings": [{"column": "a", "form": "x"}]} | expected list, codes or hash
          {"strings": ["a"]}          | a column of strings is 'a' but expected an object
          {"memory": "many"}          | many
          """)
  void wrongOptionIsNamed(String loader, String message) {
    assertThatThrownBy(() -> options(loader))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void datasetIsReadAsAsked() {
    Request request =
        Request.parse(
            """
            {"dataset": {"locations": ["a", "b"], "format": "csv", "partitioning": "hive",
              "formatOptions": {"delimiter": ";"}, "columns": ["x"], "where": "x > 1",
              "cast": {"x": "int64"}, "missingColumns": "nulls", "onBadFile": "skip",
              "caseSensitive": false},
             "loader": {"splitRows": 10}}
            """);
    assertThat(request.dataset().columns().orElseThrow()).containsExactly("x");
    assertThat(request.dataset().filter().orElseThrow()).hasToString("x > 1");
    assertThat(request.dataset())
        .hasToString("StructuredDataset [a, b], csv, columns [x], where x > 1, not opened yet");
  }
}
