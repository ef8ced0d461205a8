package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Mixture;
import dev.penstock.Mixture.Stop;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.compose.Composition;
import dev.penstock.internal.request.Opening.Keeper;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTest {
  private static Request parse(String json) {
    return Request.parse(json, Keeper.NONE, true);
  }

  private static LoaderOptions options(String loader) {
    return parse("{\"dataset\": {\"locations\": [\"/a\"]}, \"loader\": " + loader + "}").options();
  }

  @Test
  void everyOptionOfTheLoaderArrives() {
    LoaderOptions read =
        options(
            """
            {"batchSize": 64, "dropLast": true, "stepsPerEpoch": 9, "workers": 3,
             "prefetchFactor": 4, "timeout": 1.5, "shuffle": "window:500", "seed": -7,
             "rank": "1/4", "rankEnd": "drop", "countMatches": false, "memory": "1GiB",
             "record": true, "poisonMemory": true, "output": "arrow", "nulls": {"": "mask", "a": "text:x"},
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
            .record(true)
            .poisonMemory(true)
            .output(OutputFormat.ARROW)
            .nulls(NullPolicy.mask())
            .nulls("a", NullPolicy.fill("x"))
            .timestamps(EpochUnit.MILLIS)
            .decimals("d", DecimalForm.FLOAT64)
            .strings("s", StringEncoding.codes(Vocabulary.of("a", "b")).unknown(2))
            .strings("t", StringEncoding.hash(10))
            .features("x", "a", "b");
    assertThat(read.isRecorded()).isTrue();
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
    Path folder = Path.of("/no-such-folder");
    assertThatThrownBy(() ->
            parse(
                "{\"dataset\": {\"locations\": [\"%s\"], \"table\": {\"version\": 1}}}"
                    .formatted(folder)))
        .hasMessageStartingWith("Cannot use version without a table");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"batchSize": 0}            | batchSize
          {"batchSize": 1e3}          | field 'batchSize' of loader is 1e3
          {"timeout": -1}             | timeout must be from 0 to
          {"shuffle": "all"}          | Cannot shuffle by 'all'
          {"rankEnd": "none"}         | expected one of "exact", "pad", "drop"
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
        parse(
            """
            {"dataset": {"locations": ["/a", "/b"], "format": "csv", "partitioning": "hive",
              "formatOptions": {"delimiter": ";"}, "columns": ["x"], "where": "x > 1",
              "cast": {"x": "int64"}, "missingColumns": "nulls", "onBadFile": "skip",
              "caseSensitive": false},
             "loader": {"splitRows": 10}}
            """);
    assertThat(request.dataset().columns().orElseThrow()).containsExactly("x");
    assertThat(request.dataset().filter().orElseThrow()).hasToString("x > 1");
    assertThat(request.dataset())
        .hasToString("StructuredDataset [/a, /b], csv, columns [x], where x > 1, not opened yet");
  }

  private static StructuredDataset dataset(String json) {
    return parse("{\"dataset\": " + json + ", \"loader\": {\"splitRows\": 10}}").dataset();
  }

  @Test
  void mixtureIsReadAsAsked() {
    StructuredDataset read =
        dataset(
            """
            {"mixture": {
               "sources": [{"weight": 0.7, "dataset": {"locations": ["/a"], "where": "x > 1"}},
                           {"weight": 3e-1, "dataset": {"locations": ["/b"], "format": "csv",
                            "cast": {"x": "int64"}, "columns": ["x", "y"]}}],
               "stop": "repeat", "sourceColumn": "of",
               "weightsFrom": [{"row": 1000, "weights": [1, 0]}, {"row": 2000, "weights": [0, 2]}]},
             "columns": ["x", "of"], "where": "x < 9"}
            """);
    Mixture mixture =
        Mixture.of(new StructuredDataset("/a").where("x > 1"), 0.7)
            .and(
                new StructuredDataset("/b")
                    .format("csv")
                    .cast("x", DataType.int64())
                    .columns("x", "y"),
                0.3)
            .stop(Stop.REPEAT)
            .sourceColumn("of")
            .weightsFrom(1000, 1, 0)
            .weightsFrom(2000, 0, 2);
    assertThat(read.mixture().orElseThrow()).hasToString(mixture.toString());
    assertThat(read.columns().orElseThrow()).containsExactly("x", "of");
    assertThat(read.filter().orElseThrow()).hasToString("x < 9");
  }

  @Test
  void locationsOfADeltaTableAreMapped(@TempDir Path folder) throws IOException {
    Path log = Files.createDirectory(folder.resolve("_delta_log"));
    Files.writeString(
        log.resolve("00000000000000000000.json"),
        """
        {"protocol":{"minReaderVersion":1,"minWriterVersion":2}}
        {"metaData":{"id":"t","format":{"provider":"parquet","options":{}},"schemaString":\
        "{\\"type\\":\\"struct\\",\\"fields\\":[{\\"name\\":\\"id\\",\\"type\\":\\"long\\",\\"nullable\\":true,\\"metadata\\":{}}]}",\
        "partitionColumns":[],"configuration":{}}}
        {"add":{"path":"file:/moved/a.parquet","partitionValues":{},"size":9,\
        "modificationTime":0,"dataChange":true}}
        """);
    String begin = "{\"locations\": [\"" + folder + "\"], \"table\": ";
    String moved = begin + "{\"mapLocation\": {\"file:/moved\": \"" + folder + "/none\"}}}";
    assertThatThrownBy(() -> dataset(moved).files())
        .hasMessageContaining(folder + "/none/a.parquet");
    assertThatThrownBy(() -> dataset(begin + "{\"ref\": \"main\"}}"))
        .hasMessageStartingWith("Cannot use ref with '")
        .hasMessageEndingWith(", and a Delta table has no branches and tags.");
  }

  @Test
  void sourceMayBeATableWithOptions() {
    assertThatThrownBy(() ->
            dataset(
                """
                {"mixture": {"sources": [{"weight": 1, "dataset":
                  {"table": {"metadata": "/no-such-table", "mapLocation": {"a": "/b"}}}}]}}
                """))
        .hasMessageContaining("no-such-table");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"sources": []}                             | A mixture has 1 to 4096 sources, got 0.
          {}                                          | mixture has no field 'sources'
          {"sources": [7]}                            | a source of the mixture is 7 but expected
          {"sources": [A, {"dataset": {}}]}           | has no field 'weight'
          {"sources": [{"weight": 1}]}                | dataset has no field 'locations'
          {"sources": [{"weight": -1, "dataset": D}]} | must be a positive number, got -1.0
          {"sources": [{"weight": 0, "dataset": D}]}  | first rows must not all be 0
          {"sources": [{"weight": 0, "dataset": D}, A]} | The weight of source 0 is 0.0
          {"sources": [{"weight": 1, "dataset": D, "x": 1}]} | mixture has an unknown field 'x'
          {"sources": [{"weight": 1, "dataset": {"locations": ["/a"], "x": 1}}]} | unknown field 'x'
          {"sources": [A], "x": 1}                    | mixture has an unknown field 'x'
          {"sources": [A], "stop": "last"}            | Cannot use stop 'last': expected one of "first"
          {"sources": [A], "weightsFrom": [{"row": 9, "weights": [1, 2]}]} | each of 1 sources, got 2
          {"sources": [A], "weightsFrom": [{"row": 0, "weights": [1]}]} | whole number from 1
          {"sources": [A], "weightsFrom": [{"row": 9, "weights": [1], "x": 1}]} | unknown field 'x'
          {"sources": [A], "balance": {"dataset": D, "column": "c"}} | Cannot use sources and column together
          {"balance": {"dataset": D}}                 | balance has no field 'column'
          {"balance": {"dataset": D, "column": "c", "x": 1}} | balance has an unknown field 'x'
          {"sources": [{"weight": 1, "dataset": {"mixture": {"sources": [A]}}}]} | A mixture cannot be a source
          """)
  void wrongMixtureIsNamed(String mixture, String message) {
    String json = mixture.replace("A", "{\"weight\": 1, \"dataset\": D}");
    json = json.replace("D", "{\"locations\": [\"/no-such-folder\"]}");
    String request = "{\"mixture\": " + json + "}";
    assertThatThrownBy(() -> dataset(request))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"kind": "buckets", "column": "t"} | buckets of t
          {"kind": "balanced", "column": "t", "accumulate": 2} | balanced by t, accumulated by 2
          {"kind": "buckets", "column": "t", "tokens": 9} | buckets of t of at most 9 elements
          {"kind": "buckets", "column": "t", "balanced": true} | buckets of t, balanced
          {"kind": "packs", "column": "t", "length": 9} | packs of t to 9 (cut)
          {"kind": "packs", "column": "t", "length": 9, "mode": "stream"} | packs of t to 9 (stream)
          {"kind": "packs", "column": "t", "length": 9, "mode": "whole"} | packs of t to 9 (whole)
          {"kind": "packs", "column": "t", "length": 9, "mode": "whole", "tooLong": "drop"} | packs of t to 9 (whole, DROP)
          {"kind": "groups", "column": "q"} | groups by q
          {"kind": "windows", "column": "q", "length": 4, "stride": 2} | windows of 4 rows, stride 2, by q
          {"kind": "draws", "column": "w"} | draws weighted by w
          {"kind": "draws", "column": "w", "numSamples": 7} | 7 draws weighted by w
          """)
  void compositionsAreRead(String json, String text) {
    assertThat(composition(json)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"kind": "bags", "column": "t"} | expected balanced, buckets, packs, groups, windows or draws
          {"kind": "groups"} | has no field 'column'
          {"column": "q"} | has no field 'kind'
          {"kind": "groups", "column": "q", "x": 1} | unknown field 'x'
          {"kind": "packs", "column": "t"} | has no field 'length'
          {"kind": "packs", "column": "t", "length": 0} | field 'length' of compose is 0 but expected a whole number from 1
          {"kind": "packs", "column": "t", "length": 1, "mode": "best"} | Cannot use mode 'best'
          {"kind": "buckets", "column": "t", "accumulate": 2} | Cannot use accumulate without balanced
          {"kind": "windows", "column": "q", "length": 1, "stride": 0} | field 'stride' of compose is 0 but expected a whole number from 1
          """)
  void wrongCompositionIsNamed(String json, String message) {
    assertThatThrownBy(() -> composition(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static Composition composition(String json) {
    return options("{\"compose\": " + json + "}").batching().composition().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"locations": ["/a", "b/c"]}              | location 'b/c'
          {"locations": ["day:1.parquet"]}          | location 'day:1.parquet'
          {"locations": ["file:b"]}                 | location 'b'
          {"locations": ["*/b.csv"]}                | location '*/b.csv'
          {"locations": ["./b"], "format": "csv"}   | location './b'
          {"locations": ["~/b"]}                    | location '~/b'
          {"locations": ["/a"], "storage": {"ca-file": "b.pem"}} | storage option ca-file 'b.pem'
          {"locations": ["gs://a"], "storage": {"credentials-file": "b"}} | credentials-file 'b'
          {"table": {"metadata": "b"}}              | metadata 'b'
          {"table": {"metadata": "file:b"}}         | metadata 'b'
          {"table": {"metadata": "/a", "mapLocation": {"s3://a": "b/"}}} | mapLocation of s3://a 'b/'
          {"table": C"warehouse": "b"}}}            | catalog option warehouse 'b'
          {"table": C"uri": "jdbc:sqlite:b.db"}}}   | catalog option uri 'b.db'
          {"table": C"uri": "jdbc:sqlite:d:1.db"}}} | catalog option uri 'd:1.db'
          {"table": C"uri": "jdbc:sqlite:file:b?c"}}} | catalog option uri 'b'
          {"table": C"uri": "sqlite:///b.db"}}}     | catalog option uri 'b.db'
          {"table": C"uri": "jdbc:h2:./b;PASSWORD=c"}}} | catalog option uri './b'
          {"table": C"uri": "jdbc:derby:b;create=true"}}} | catalog option uri 'b'
          {"table": C"x.key-file": "b"}}}           | catalog option x.key-file 'b'
          {"table": C"x": "../b"}}}                 | catalog option x '../b'
          {"table": C"x": "file:b"}}}               | catalog option x 'b'
          {"mixture": {"sources": [{"weight": 1, "dataset": {"locations": ["b"]}}]}} | location 'b'
          {"mixture": {"balance": {"dataset": {"locations": ["b"]}, "column": "c"}}} | location 'b'
          """)
  void relativePathIsRefused(String dataset, String named) {
    String json = dataset.replace("C", "{\"name\": \"n.t\", \"catalog\": {\"type\": \"jdbc\", ");
    assertThatThrownBy(() -> dataset(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named + ": it is relative, but expected a path from the root");
  }

  @Test
  void clientCannotAskForTheEnvironmentOfTheServer() {
    String home = "env:" + System.getenv().keySet().iterator().next();
    assertThatThrownBy(() ->
            dataset(
                "{\"table\": {\"name\": \"n.t\", \"catalog\": {\"type\": \"rest\","
                    + " \"uri\": \"http://127.0.0.1:9\", \"token\": \"%s\"}}}".formatted(home)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use catalog option token: it names a variable of the environment, but the"
                + " server's is not the client's. Give the value, as of os.environ.");
  }

  @Test
  void relativeTokenizerIsRefused() {
    assertThatThrownBy(
            () -> options("{\"tokenize\": [{\"column\": \"a\", \"tokenizer\": \"b.json\"}]}"))
        .hasMessageStartingWith("Cannot use tokenizer 'b.json': it is relative");
  }

  @Test
  void relativeMemoryIsRefused() {
    assertThatThrownBy(
            () -> parse("{\"dataset\": {\"locations\": [\"/a\"]}, \"memory\": \"fd/3\"}"))
        .hasMessageStartingWith("Cannot use memory 'fd/3': it is relative");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jdbc | uri                | jdbc:sqlite::memory:
          jdbc | uri                | jdbc:sqlite:file:/b.db
          jdbc | uri                | jdbc:sqlite:file::memory:?cache=shared
          jdbc | uri                | sqlite:////b.db
          jdbc | uri                | jdbc:h2:mem:b
          jdbc | uri                | jdbc:h2:tcp://host/b
          jdbc | uri                | jdbc:postgresql://host/b
          jdbc | warehouse          | s3://b
          jdbc | warehouse          | file:///b
          rest | warehouse          | project/b
          rest | uri                | localhost:8181
          rest | oauth2-server-uri  | v1/oauth/tokens
          rest | s3.signer.endpoint | v1/sign
          rest | header.x-path      | b
          """)
  void optionOfACatalogThatIsNotARelativePathIsTaken(String type, String key, String value) {
    Map<String, String> options = Map.of("type", type, key, value);
    assertThatCode(() -> AbsolutePaths.catalog(options)).doesNotThrowAnyException();
  }

  @Test
  void movedPrefixesAreTextAndMayBeReplacedByNothing() {
    Map<String, String> moves = Map.of("hdfs://host", "", "data", "/data", "s3://a", "file://");
    assertThatCode(() -> AbsolutePaths.moves(moves)).doesNotThrowAnyException();
  }

  @Test
  void nameOfATableNeedsACatalog() {
    assertThatThrownBy(() -> dataset("{\"table\": {\"name\": \"wh/n/t\"}}"))
        .hasMessageStartingWith("Cannot find table 'wh/n/t': it has a name but no catalog.");
  }

  @Test
  void optionsOfFilesAreNotOfAMixture() {
    assertThatThrownBy(() ->
            dataset(
                """
                {"mixture": {"sources": [{"weight": 1, "dataset": {"locations": ["/a"]}}]},
                 "format": "csv"}
                """))
        .hasMessageContaining("Cannot use format beside a mixture");
  }
}
