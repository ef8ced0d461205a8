package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.report.Report;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `--report`, `--watch` and `penstock report`, on the held-out flights: 2 files of 37,500 rows.
class ReportCommandTest {
  private static final Path files = HeldOutFlights.FOLDER;
  private static final Pattern DATA =
      Pattern.compile("id=\"report\" data-encoding=\"(none|gzip)\">([^<]*)</script>");

  @TempDir Path temporary;

  private Path page() {
    return temporary.resolve("run.html");
  }

  private CommandRun run(String line) {
    return CommandRun.of(
        CommandRun.words(line)
            .map(word -> word.replace("@", files.toString()).replace("PAGE", page().toString()))
            .toArray(String[]::new));
  }

  /// Returns the data of the page that was written.
  private String data() throws IOException {
    return data(page());
  }

  static String data(Path page) throws IOException {
    Matcher data = DATA.matcher(Files.readString(page));
    assertThat(data.find()).isTrue();
    if (data.group(1).equals("none")) {
      return data.group(2);
    }
    byte[] packed = Base64.getDecoder().decode(data.group(2));
    try (GZIPInputStream json = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return new String(json.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static long sum(String json, String name) {
    Matcher array = Pattern.compile("\"" + name + "\":\\[([-0-9,]*)]").matcher(json);
    assertThat(array.find()).as(name).isTrue();
    return Stream.of(array.group(1).split(",")).mapToLong(Long::parseLong).sum();
  }

  @Test
  void loadWritesWhatItDid() throws IOException {
    CommandRun load = run("load @ --epochs 2 --workers 2 --shuffle window:1000 --report PAGE");
    assertThat(load.printed()).contains("150,000 rows");
    assertThat(load.err()).contains("Report: " + page());
    String data = data();
    assertThat(data)
        .contains(
            "\"kind\":\"load\"",
            "\"live\":false",
            "\"name\":\"epoch 0\"",
            "\"name\":\"epoch 1\"",
            "\"recorded\":true",
            "part-6.parquet",
            "\"order\":{\"rows\":75000,",
            " --shuffle window:1000 --report ");
    String last = data.substring(data.indexOf("\"name\":\"epoch 1\""));
    assertThat(CommandRun.field(last, "rows")).isEqualTo("75000");
    assertThat(sum(last.substring(last.indexOf("\"skew\":{")), "rows")).isEqualTo(75_000);
    assertThat(sum(last, "delivered")).isPositive();
    String plan = data.substring(data.indexOf("\"plan\":{"), data.indexOf("\"runs\":"));
    assertThat(sum(plan.substring(plan.indexOf("\"readers\"")), "rows")).isEqualTo(75_000);
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left).containsExactly(page());
    }
  }

  @Test
  void aProgramReportsItsLoader() throws IOException {
    try (DataLoader loader =
        DataLoader.of(new StructuredDataset(files.toString()), o -> o.record(true))) {
      loader.forEach(Batch::close);
      loader.report(page());
    }
    assertThat(data())
        .contains("\"title\":\"" + files + ", 75,000 rows\"", "\"recorded\":true")
        .contains("\"dataset\":\"" + files + "\"");
  }

  @Test
  void measuredShuffleHasItsCorrelationAndLabels() throws IOException {
    run("load @ --shuffle window:5000 --shuffle-report --label origin --report PAGE").printed();
    String order = data().substring(data().indexOf("\"order\":{"));
    assertThat(order).contains("\"rankCorrelation\":0.", "\"column\":\"origin\"", "\"others\"");
    assertThat(order).containsPattern("\"batch\":\\[0,1,2,");
  }

  @Test
  void planWritesWhoWouldReadWhat() throws IOException {
    run("plan @ --workers 3 --rank 1/3 --report PAGE").printed();
    String data = data();
    assertThat(data).contains("\"kind\":\"plan\"", "\"runs\":[]", "\"mine\":1");
    assertThat(sum(data.substring(data.indexOf("\"ranks\"")), "rows")).isEqualTo(75_000);
    run("plan @ --balanced distance --rank 0/3 --report PAGE").printed();
    assertThat(data()).contains("\"work\":{\"ranks\":3,\"steps\":");
    run("plan @ --where distance<0 --report PAGE").printed();
    assertThat(data())
        .contains("\"by\":\"statistics of row groups\",\"files\":2,\"rows\":75000")
        .contains("\"rows\":0,\"bytes\"");
  }

  @Test
  void benchWritesItsSettings() throws IOException {
    run("bench @ --workers 0,2 --warm-up 0 --rounds 1 --report PAGE").printed();
    assertThat(data())
        .contains("\"kind\":\"bench\"", "\"name\":\"0 workers\"", "\"name\":\"2 workers\"")
        .containsOnlyOnce("\"recommended\":true");
  }

  @Test
  void benchWritesHowBusyAnAcceleratorWas() throws IOException {
    run("bench @ --workers 0,2 --warm-up 0 --rounds 1 --report PAGE").printed();
    assertThat(data()).doesNotContain("\"utilisation\"");
    run("bench @ --accelerator 1ms --workers 0,2 --warm-up 0 --rounds 1 --report PAGE").printed();
    assertThat(data().split("\"utilisation\":0\\.", -1)).hasSize(3); // one of each setting
  }

  @Test
  void valuesOfStorageOptionsAreNotShown() throws IOException {
    run("plan @ --storage secret-access-key=hush --storage=session-token=hush --report PAGE")
        .printed();
    assertThat(data())
        .contains("--storage secret-access-key=... --storage=session-token=... ")
        .doesNotContain("hush");
  }

  @Test
  void onlyValuesThatMayBeSecretAreLeftOut() {
    assertThat(
            CommandText.of(
                List.of(
                    "plan",
                    "--storage",
                    "a=hush",
                    "--catalog=b=hush",
                    "--format-option",
                    "delimiter=tab",
                    "x y",
                    "--json")))
        .isEqualTo(
            "penstock plan --storage a=... --catalog=b=... --format-option delimiter=tab 'x y'"
                + " --json");
  }

  @Test
  void placesThatCannotBeWrittenAreToldBeforeTheRun() {
    CommandRun folder = run("load @ --report " + temporary);
    assertThat(folder.status()).isEqualTo(1);
    assertThat(folder.out()).isEmpty();
    assertThat(folder.err())
        .isEqualTo(
            "Cannot write the report " + temporary + ": it is a folder. Name a file in it.\n");
    Path nowhere = temporary.resolve("nowhere");
    assertThat(run("bench @ --report " + nowhere.resolve("run.html")).err())
        .isEqualTo(
            "Cannot write the report "
                + nowhere.resolve("run.html")
                + ": there is no folder "
                + nowhere
                + ".\n");
  }

  @Test
  void watchSaysItsAddress() {
    CommandRun load = run("load @ --watch");
    assertThat(load.printed()).contains("75,000 rows");
    assertThat(load.err())
        .containsPattern("Watch at http://127\\.0\\.0\\.1:[0-9]+/\\?token=\\S{22}\n");
  }

  @Nested
  class Recordings {
    private Path recording = Path.of("");

    @BeforeEach
    void name() {
      recording = temporary.resolve("load.jfr");
    }

    private void record(Runnable work) throws IOException {
      try (Recording running = new Recording()) {
        for (String event : List.of("Slice", "Wait", "Sample", "Worker", "Epoch")) {
          running.enable("penstock." + event).withoutThreshold();
        }
        running.start();
        work.run();
        running.stop();
        running.dump(recording);
      }
    }

    @Test
    void epochsOfARecordingAreAsTheyWere() throws IOException {
      record(() -> run("load @ --epochs 2 --workers 2").printed());
      CommandRun report = run("report " + recording + " --report PAGE");
      assertThat(report.printed()).isEmpty();
      String data = data();
      assertThat(data).contains("\"kind\":\"recording\"", "\"title\":\"Recording load.jfr\"");
      for (int epoch = 0; epoch < 2; epoch++) {
        String run = data.substring(data.indexOf("\"name\":\"epoch " + epoch + "\""));
        assertThat(CommandRun.field(run, "rows")).isEqualTo("75000");
        assertThat(CommandRun.field(run, "batches")).isEqualTo("74");
        assertThat(sum(run.substring(run.indexOf("\"skew\":{")), "rows")).isEqualTo(75_000);
        assertThat(run).contains("\"workers\":[{\"worker\":0,", "{\"worker\":1,");
      }
    }

    @Test
    void otherFilesAreNamed() throws IOException {
      CommandRun absent = run("report " + recording + " --report PAGE");
      assertThat(absent.status()).isEqualTo(1);
      assertThat(absent.err())
          .isEqualTo("Cannot read the recording " + recording + ": there is no such file.\n");
      Files.writeString(recording, "no recording");
      assertThat(run("report " + recording + " --report PAGE").err())
          .startsWith("Cannot read the recording " + recording + ": ")
          .endsWith(". Give a .jfr file.\n");
      record(() -> {});
      assertThat(run("report " + recording + " --report PAGE").err())
          .startsWith("Cannot report " + recording + ": it has no events of Penstock.");
    }
  }

  @Nested
  class Watching {
    private final Report report = Report.of(Report.Kind.LOAD, "a run").live(true);

    private HttpResponse<String> get(String address) throws IOException, InterruptedException {
      try (HttpClient client = HttpClient.newHttpClient()) {
        return client.send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString());
      }
    }

    @Test
    void onlyWhoKnowsTheTokenGetsThePageAndItsData() throws Exception {
      try (WatchServer server = new WatchServer(() -> report)) {
        String page = server.address();
        assertThat(get(page).body()).contains("<title>", "a run");
        assertThat(get(page.replace("/?", "/data?")).body()).contains("\"live\":true");
        assertThat(get(page.replace("/?", "/other?")).statusCode()).isEqualTo(404);
        for (String wrong :
            List.of(
                page + "x", page.substring(0, page.length() - 1), page.replaceAll("\\?.*", ""))) {
          assertThat(get(wrong).statusCode()).isEqualTo(403);
        }
        assertThat(get(page.replace("127.0.0.1", "localhost")).statusCode()).isEqualTo(403);
      }
    }

    @Test
    void aPageThatLooksGetsTheEnd() throws Exception {
      try (WatchServer server = new WatchServer(() -> report)) {
        String data = server.address().replace("/?", "/data?");
        assertThat(get(data).body()).contains("\"live\":true");
        Thread end = Thread.ofVirtual().start(() -> server.end(report.live(false)));
        while (!get(data).body().contains("\"live\":false")) {
          Thread.onSpinWait();
        }
        end.join();
      }
    }
  }
}
