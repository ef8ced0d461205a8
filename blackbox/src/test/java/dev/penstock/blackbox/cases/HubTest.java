package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.SavedPlan;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.cli.Main;
import dev.penstock.testing.HubServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Datasets in a Hugging Face Hub: 100 Parquet files of 10 rows, in `data` and as its export.
class HubTest {
  private static final int FILES = 100;
  private static final int ROWS = FILES * 10;
  private static final String DATA = "hf://datasets/owner/name/data";
  private static final String NAME = "hf://datasets/owner/name";
  private static final String TOKEN = "hf_s3cretToken";

  @TempDir private Path folder;
  private HubServer hub;
  private String commit;
  private final Map<String, byte[]> files = new TreeMap<>();

  @BeforeEach
  void start() throws IOException {
    hub = new HubServer();
    int[][] groups = new int[FILES][];
    Arrays.fill(groups, new int[] {10});
    Path written = ParquetFiles.prunable().write(folder, Tables.counting(groups), new Random(3));
    Map<String, byte[]> export = new TreeMap<>();
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = Files.readAllBytes(written.resolve("part-" + i + ".parquet"));
      String name = String.format(Locale.ROOT, "%04d.parquet", i);
      files.put("data/" + name, bytes);
      export.put("default/train/" + name, bytes);
    }
    files.put("README.md", new byte[3]);
    commit = hub.commit(HubServer.MAIN, files);
    hub.commit(HubServer.EXPORT, export);
  }

  @AfterEach
  void stop() {
    hub.close();
  }

  private StructuredDataset dataset(String location) {
    return new StructuredDataset(location)
        .storageOption("endpoint", hub.url())
        .storageOption("bearer-token", TOKEN);
  }

  private static List<Long> ids(StructuredDataset dataset) {
    try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(7))) {
      return Delivery.ofEpoch(loader).ids();
    }
  }

  /// Returns what the Hub was asked before it was asked for bytes.
  private List<String> beforeFooters() {
    List<String> asked = new ArrayList<>(hub.requests());
    hub.requests().clear();
    return asked.stream().takeWhile(each -> !each.startsWith("GET /datasets/")).toList();
  }

  @Test
  void aFolderAGlobAndANameAloneTakeTwoRequestsBeforeFooters() {
    for (String location :
        List.of(DATA, DATA + "/", DATA + "/*.parquet", NAME + "/", NAME + "/**/*.parquet", NAME)) {
      assertThat(ids(dataset(location))).as(location).hasSize(ROWS);
      assertThat(beforeFooters()).as(location).hasSize(2);
    }
  }

  @Test
  void theCommandTakesTwoRequestsBeforeFooters() {
    for (String location : List.of(DATA, NAME)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      String[] asked = {
        "load", location, "--json", "--storage", "endpoint=" + hub.url(), "--storage", "attempts=2"
      };
      int status = Main.run(asked, new PrintStream(out, true, StandardCharsets.UTF_8), System.err);
      assertThat(status).isZero();
      assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"rows\":" + ROWS);
      assertThat(beforeFooters()).as(location).hasSize(2);
    }
  }

  @Test
  void aStoppedRunGoesOnAtItsCommitAndRefusesAnother() {
    List<Integer> expected;
    List<Integer> parts = new ArrayList<>();
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset(DATA), o -> o.batchSize(7))) {
      expected = Delivery.bitsOfEpoch(loader);
    }
    try (DataLoader loader = DataLoader.of(dataset(DATA), o -> o.batchSize(7));
        EpochIterator<Batch> epoch = loader.iterator()) {
      for (int i = 0; i < 40; i++) {
        try (Batch batch = epoch.next()) {
          parts.add(Delivery.bits(batch));
        }
      }
      state = loader.state();
    }
    assertThat(state.toJson()).contains(commit).doesNotContain("s3cret");
    files.remove("README.md"); // the data are the same
    String moved = hub.commit(HubServer.MAIN, files);
    try (DataLoader loader = DataLoader.of(dataset(DATA), o -> o.batchSize(7))) {
      loader.resume(state);
      assertThatThrownBy(() -> Delivery.ofEpoch(loader))
          .hasMessage(
              "Cannot resume: the data set is at commit '"
                  + moved
                  + "' here but at '"
                  + commit
                  + "' in the state, so its branch has moved. To resume, name that commit behind"
                  + " its name: '@"
                  + commit
                  + "'.");
    }
    String pinned = NAME + "@" + commit + "/data";
    try (DataLoader loader = DataLoader.of(dataset(pinned), o -> o.batchSize(7))) {
      loader.resume(state);
      parts.addAll(Delivery.bitsOfEpoch(loader));
    }
    assertThat(parts).isEqualTo(expected);
  }

  @Test
  void aPlanReadsItsCommitAfterTheBranchHasMoved() throws IOException {
    for (String location : List.of(DATA, NAME)) {
      String plan = folder.resolve(location.length() + ".plan").toString();
      List<Long> expected = ids(dataset(location));
      SavedPlan _ = dataset(location).savePlan(plan);
      assertThat(new String(Files.readAllBytes(Path.of(plan)), StandardCharsets.ISO_8859_1))
          .doesNotContain("s3cret");
      hub.commit(HubServer.MAIN, Map.of("data/0000.parquet", files.get("data/0001.parquet")));
      hub.commit(HubServer.EXPORT, Map.of("x/y/0000.parquet", files.get("data/0001.parquet")));
      hub.requests().clear();
      assertThat(ids(dataset(location).plan(plan))).isEqualTo(expected);
      assertThat(beforeFooters()).isEmpty();
      assertThatThrownBy(() -> dataset(location).savePlan(plan))
          .hasMessageContaining("other files");
      hub.commit(HubServer.MAIN, files);
    }
    StructuredDataset other = dataset(NAME).storageOption("config", "other");
    assertThatThrownBy(() -> ids(other.plan(folder.resolve(NAME.length() + ".plan").toString())))
        .hasMessageContaining("which is not in");
  }

  @Test
  void aFileThatTheHubChangesUnderItsCommitIsAnError() {
    StructuredDataset dataset = dataset(DATA);
    assertThat(dataset.files()).hasSize(FILES);
    hub.expire();
    hub.answer(exchange -> {
      if (!exchange.getRequestURI().getPath().contains("/resolve/")) {
        return false;
      }
      exchange.getResponseHeaders().set("X-Linked-ETag", "\"" + "0".repeat(64) + "\"");
      return HubServer.redirect(exchange, hub.cdnUrl() + "/x?Signature=s3cret");
    });
    assertThatThrownBy(() -> ids(dataset))
        .hasMessageContaining("when the dataset was planned")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void noSecretIsLogged() {
    String logged =
        Logged.during(() -> {
          assertThat(ids(dataset(DATA))).hasSize(ROWS);
          hub.cdnAnswer(exchange -> HubServer.send(exchange, 404, ""));
          assertThatThrownBy(() -> ids(dataset(DATA))).hasMessageNotContaining("s3cret");
        });
    assertThat(logged).doesNotContain("s3cret");
  }
}
