package dev.penstock.internal.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import dev.penstock.testing.HubServer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HubStorageTest {
  private static final String ROOT = "hf://datasets/owner/name/";
  private static final String TOKEN = "hf_s3cretToken";

  private final Map<String, String> environment = new HashMap<>();
  private final AtomicLong nanos = new AtomicLong();
  private final byte[] data = new byte[100_000];
  @TempDir private Path folder;
  private HubServer hub;
  private String commit;

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(data);
    hub = new HubServer();
    commit = hub.commit(HubServer.MAIN, files(data));
  }

  private static Map<String, byte[]> files(byte[] data) {
    Map<String, byte[]> files = new TreeMap<>();
    files.put("README.md", new byte[10]);
    files.put("notes.txt", "some notes".getBytes(StandardCharsets.UTF_8));
    files.put("data/a b%2F#ü.parquet", data);
    files.put("data/deep/b.parquet", Arrays.copyOf(data, 50));
    return files;
  }

  @AfterEach
  void stop() {
    hub.close();
  }

  private Storage store(String... more) {
    StorageOptions options =
        StorageOptions.NONE
            .with("endpoint", hub.url())
            .with("read-timeout", "5s")
            .with("attempts", "3");
    for (int i = 0; i < more.length; i += 2) {
      options = options.with(more[i], more[i + 1]);
    }
    return new HubStorage(environment::get, nanos::get).with(options);
  }

  private static List<String> names(List<FileEntry> files) {
    return files.stream().map(file -> file.location().text()).toList();
  }

  private static List<FileEntry> listed(Storage store, String location) throws IOException {
    return store.list(store.stat(new Location(location)).orElseThrow().location());
  }

  private static byte[] read(Storage store, FileEntry file) throws IOException {
    try (StorageFile open = store.open(file);
        Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(file.bytes());
      open.read(0, target);
      return target.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "data/"})
  void aFolderTakesTwoRequestsWhoeverAsksWhatIsThere(String path) throws IOException {
    Storage store = store();
    Location root = new Location(ROOT + path);
    for (int i = 0; i < 2; i++) {
      assertThat(store.stat(root)).hasValueSatisfying(found -> assertThat(found.folder()).isTrue());
      assertThat(store.stat(new Location(ROOT + "data/_delta_log"))).isEmpty();
      assertThat(store.stat(new Location(ROOT + "data/deep")))
          .hasValueSatisfying(found -> assertThat(found.folder()).isTrue());
    }
    List<FileEntry> files = store.list(store.stat(root).orElseThrow().location());
    assertThat(names(files))
        .containsExactly(ROOT + "data/a b%2F#ü.parquet", ROOT + "data/deep/b.parquet");
    assertThat(files.getFirst().bytes()).isEqualTo(data.length);
    assertThat(files).allSatisfy(file -> assertThat(file.version()).startsWith(commit + "/"));
    assertThat(hub.requests()).hasSize(2);
    assertThat(read(store, files.getFirst())).isEqualTo(data);
  }

  @Test
  void aFileTakesOneRequestAndHasTheVersionThatAListGives() throws IOException {
    Storage store = store();
    for (String path : List.of("data/a b%2F#ü.parquet", "notes.txt")) {
      hub.requests().clear();
      FileEntry file = store.stat(new Location(ROOT + path)).orElseThrow();
      assertThat(hub.requests()).hasSize(1);
      assertThat(listed(store(), ROOT)).contains(file);
    }
  }

  @Test
  void allPagesAreOfTheCommitOfTheFirst() throws IOException {
    hub.pageFiles(1);
    AtomicInteger pages = new AtomicInteger();
    hub.answer(exchange -> {
      if (exchange.getRequestURI().getPath().contains("/tree/") && pages.incrementAndGet() == 2) {
        hub.commit(HubServer.MAIN, Map.of("other.txt", new byte[1]));
      }
      return false;
    });
    Storage store = store();
    List<FileEntry> files = listed(store, ROOT);
    assertThat(files).hasSize(4).allMatch(file -> file.version().startsWith(commit + "/"));
    assertThat(read(store, files.getLast()))
        .isEqualTo("some notes".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aMovedBranchIsSeenAfterTenSecondsAndACommitStaysWhatItIs() throws IOException {
    Storage store = store();
    assertThat(store.stat(new Location(ROOT))).isPresent();
    String next = hub.commit(HubServer.MAIN, files(new byte[7]));
    assertThat(listed(store, ROOT)).allMatch(file -> file.version().startsWith(commit + "/"));
    assertThat(store.stat(new Location(ROOT))).isPresent();
    nanos.addAndGet(10_000_000_001L);
    assertThat(listed(store, ROOT)).allMatch(file -> file.version().startsWith(next + "/"));
    assertThat(listed(store, "hf://datasets/owner/name@" + commit + "/data"))
        .allMatch(file -> file.version().startsWith(commit + "/"));
  }

  @Test
  void theTokenGoesToTheHubAndNeverToWhereItRedirects() throws IOException {
    environment.put("HF_TOKEN", TOKEN + "\n");
    Storage store = store();
    FileEntry file = listed(store, ROOT + "data").getFirst();
    assertThat(read(store, file)).isEqualTo(data);
    assertThat(hub.tokens()).hasSize(3).containsOnly("Bearer " + TOKEN);
    assertThat(hub.cdnRequests()).hasSize(1);
    assertThat(hub.cdnTokens()).isEmpty();
  }

  @Test
  void theTokenIsOfTheOptionsElseTheVariableElseTheFile() throws IOException {
    Path file = Files.createDirectories(folder.resolve("hf")).resolve("token");
    Files.writeString(file, "of-the-file\n");
    environment.put("HF_HOME", folder.resolve("hf").toString());
    listed(store(), ROOT);
    environment.put("HF_TOKEN", "of-the-variable");
    listed(store(), ROOT);
    listed(store("bearer-token", "of-the-options"), ROOT);
    listed(store("anonymous", "true"), ROOT);
    Files.writeString(folder.resolve("elsewhere"), "of-another-file");
    environment.remove("HF_TOKEN");
    environment.put("HF_TOKEN_PATH", folder.resolve("elsewhere").toString());
    listed(store(), ROOT);
    assertThat(hub.tokens().stream().distinct())
        .containsExactly(
            "Bearer of-the-file",
            "Bearer of-the-variable",
            "Bearer of-the-options",
            "Bearer of-another-file");
  }

  @Test
  void theAddressIsOfTheOptionElseOfTheVariable() throws IOException {
    environment.put("HF_ENDPOINT", hub.url() + "/");
    StorageOptions options = StorageOptions.NONE.with("attempts", "1");
    Storage store = new HubStorage(environment::get, nanos::get).with(options);
    assertThat(listed(store, ROOT)).hasSize(4);
    environment.put("HF_ENDPOINT", "no address");
    assertThatThrownBy(() -> new HubStorage(environment::get, nanos::get).with(options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'endpoint'");
  }

  @Test
  void whereTheHubRedirectsToIsAskedAgainUntilItsSignatureIsTooOld() throws IOException {
    Storage store = store();
    FileEntry file = listed(store, ROOT + "data").getFirst();
    hub.requests().clear();
    for (int i = 0; i < 3; i++) {
      assertThat(read(store, file)).isEqualTo(data);
    }
    assertThat(hub.requests()).hasSize(1);
    hub.expire();
    assertThat(read(store, file)).isEqualTo(data);
    assertThat(hub.requests()).hasSize(2);
    assertThat(hub.cdnRequests()).hasSize(5);
  }

  @Test
  void aSignatureThatIsNeverAcceptedIsAnErrorThatDoesNotShowIt() throws IOException {
    environment.put("HF_TOKEN", TOKEN);
    Storage store = store();
    FileEntry file = listed(store, ROOT + "data").getFirst();
    hub.cdnAnswer(exchange -> HubServer.send(exchange, 403, "no"));
    assertThatThrownBy(() -> read(store, file))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("in 3 attempts: the place that the Hub redirects to refuses its")
        .satisfies(HubStorageTest::assertShowsNoSecret);
  }

  private static void assertShowsNoSecret(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      assertThat(each.toString()).doesNotContain("s3cret");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401 | GatedRepo        |       | accept its terms (401 GatedRepo). Accept them at %s/datasets/owner/name, and set HF_TOKEN
          403 | GatedRepo        | token | that of the token is not one of them (403 GatedRepo). Accept them at %s/datasets/owner/name
          401 | RepoNotFound     |       | has no public data set 'owner/name' (401 RepoNotFound). Check the name
          404 | RepoNotFound     | token | or none that the token may read (404 RepoNotFound). Check the name
          404 | RevisionNotFound |       | is no branch, tag or commit of owner/name (404 RevisionNotFound)
          401 | <token>          | token | does not accept the token, or it may not read this data set (401). Check HF_TOKEN
          403 | Other            | token | does not accept the token, or it may not read this data set (403 Other). Check HF_TOKEN
          """)
  void refusalsSayWhatToDo(int status, String code, @Nullable String token, String expected) {
    if (token != null) {
      environment.put("HF_TOKEN", TOKEN);
    }
    hub.answer(exchange -> HubServer.refuse(exchange, status, code));
    for (String path : List.of("", "data", "data/")) {
      assertThatThrownBy(() -> store().stat(new Location(ROOT + path)))
          .isInstanceOf(StorageException.class)
          .hasMessageStartingWith("Cannot l")
          .hasMessageContaining(expected.replace("%s", hub.url()))
          .satisfies(HubStorageTest::assertShowsNoSecret);
    }
    assertThat(hub.requests()).as("none is repeated").hasSize(3);
  }

  @Test
  void whatIsNotThereIsNothing() throws IOException {
    assertThat(store().stat(new Location(ROOT + "Data"))).isEmpty();
    assertThat(store().stat(new Location(ROOT + "Data/"))).isEmpty();
    assertThat(store().stat(new Location(ROOT + "*.parquet"))).isEmpty();
    assertThatThrownBy(() -> store().open(new Location(ROOT + "Data")))
        .hasMessageContaining("it is gone");
  }

  @Test
  void aBusyHubIsWaitedForAsLongAsItSays() throws IOException {
    AtomicInteger times = new AtomicInteger();
    hub.answer(exchange -> {
      if (times.incrementAndGet() > 2) {
        return false;
      }
      exchange.getResponseHeaders().set("RateLimit", "\"api\";r=0;t=0");
      return HubServer.send(exchange, times.get() == 1 ? 429 : 502, "");
    });
    assertThat(listed(store(), ROOT)).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({"RateLimit, '\"api\";r=0;t=290'", "Retry-After, 290"})
  void aWaitBeyondTheDeadlineIsAnErrorAtOnce(String header, String value) {
    hub.answer(exchange -> {
      exchange.getResponseHeaders().set(header, value);
      return HubServer.send(exchange, 429, "");
    });
    assertThatThrownBy(() -> store().stat(new Location(ROOT + "data")))
        .hasMessageContaining("the store is busy (429). Ask less at once")
        .hasMessageContaining("With a token, in HF_TOKEN or storage option 'bearer-token'")
        .hasMessageContaining("Its time of 120 s is over; raise storage option 'deadline'");
    assertThat(hub.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/datasets/owner/name/x", "//127.0.0.1:%d/x", "http://["})
  void redirectsInCirclesAndToNowhereAreErrors(String target) {
    hub.answer(exchange -> HubServer.redirect(exchange, target.replace("%d", port())));
    for (String path : List.of("data", "data/")) {
      assertThatThrownBy(() -> store("attempts", "1").stat(new Location(ROOT + path)))
          .hasMessageContaining("the Hub redirects");
    }
    assertThat(hub.requests()).hasSizeLessThan(20);
  }

  private String port() {
    return hub.url().substring(hub.url().lastIndexOf(':') + 1);
  }

  @Test
  void aRedirectOfACallToAnotherHostGetsNoToken() {
    environment.put("HF_TOKEN", TOKEN);
    hub.answer(exchange -> HubServer.redirect(exchange, hub.cdnUrl() + "/x?Signature=s3cret"));
    hub.cdnAnswer(exchange -> HubServer.redirect(exchange, hub.cdnUrl() + "/y?Signature=s3cret"));
    assertThatThrownBy(() -> store("attempts", "1").stat(new Location(ROOT)))
        .hasMessageContaining("the Hub redirects without end")
        .satisfies(HubStorageTest::assertShowsNoSecret);
    assertThat(hub.cdnTokens()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../a.parquet",
        "/a.parquet",
        "",
        "data/",
        "data//a.parquet",
        "data/./a",
        "data/../../a",
        "data/a\\u0000b",
        "data/a\\nb",
        "other/a.parquet",
        "data"
      })
  void aFileThatCannotBeInTheFolderIsAnError(String path) {
    answerTree("[{\"type\": \"file\", \"size\": 1, \"oid\": \"\", \"path\": \"" + path + "\"}]");
    assertThatThrownBy(() -> store().stat(new Location(ROOT + "data/")))
        .hasMessageContaining("which cannot be below that folder")
        .message()
        .matches("\\P{Cntrl}*");
  }

  private void answerTree(String text) {
    hub.answer(exchange ->
        exchange.getRequestURI().getPath().contains("/tree/")
            && HubServer.send(exchange, 200, text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[",
        "{}",
        "[1]",
        "[{\"type\": \"file\", \"path\": \"data/a\", \"size\": 1",
        "[] x",
        "[{\"type\": 1}]",
        "[{\"type\": null}]",
        "<html>"
      })
  void aListThatIsCutOrNoneIsAskedForAgainAndThenAnError(String text) {
    answerTree(text);
    assertThatThrownBy(() -> store().stat(new Location(ROOT + "data/")))
        .hasMessageContaining("in 3 attempts: its answer is cut, or not the JSON");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "\"5\"", "null", "1.5", "99999999999999999999"})
  void aSizeThatIsNoneIsAnError(String size) {
    answerTree(
        "[{\"type\": \"file\", \"oid\": \"\", \"path\": \"data/a\", \"size\": " + size + "}]");
    assertThatThrownBy(() -> store("attempts", "1").stat(new Location(ROOT + "data/")))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("Hub");
  }

  @Test
  void aHugePageIsAnError() {
    answerTree("[" + " ".repeat(17 << 20) + "]");
    assertThatThrownBy(() -> store().stat(new Location(ROOT + "data/")))
        .hasMessageContaining("a page of more than 16777216 bytes");
  }

  @Test
  void aListThatLeadsBackIsAnError() {
    hub.answer(exchange -> {
      exchange.getResponseHeaders().set("Link", "<http://127.0.0.1/x?cursor=0>; rel=\"next\"");
      return false;
    });
    assertThatThrownBy(() -> store().stat(new Location(ROOT + "data/")))
        .hasMessageContaining("the Hub's list leads back to where it was");
  }

  @Test
  void bytesThatAreCutAreAskedForFromThereAndOtherSizesAreErrors() throws IOException {
    Storage store = store();
    FileEntry file = listed(store, ROOT + "data").getFirst();
    AtomicInteger times = new AtomicInteger();
    hub.cdnAnswer(exchange -> {
      if (times.incrementAndGet() > 1) {
        return false;
      }
      exchange
          .getResponseHeaders()
          .set("Content-Range", "bytes 0-" + (data.length - 1) + "/" + data.length);
      exchange.sendResponseHeaders(206, data.length);
      exchange.getResponseBody().write(data, 0, 1000);
      exchange.getResponseBody().flush();
      return true; // and the connection is cut
    });
    assertThat(read(store, file)).isEqualTo(data);
    FileEntry longer = new FileEntry(file.location(), file.bytes() + 1, false, file.version());
    assertThatThrownBy(() -> read(store, longer))
        .hasMessageContaining("the file has 100000 bytes but had 100001");
    FileEntry other =
        new FileEntry(file.location(), file.bytes(), false, commit + "/" + "0".repeat(64));
    assertThatThrownBy(() -> read(store("range", "1000"), other))
        .hasMessageContaining("but was '" + "0".repeat(64) + "' when the dataset was planned");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hf://datasets/name",
        "hf://datasets/",
        "hf://name",
        "hf://datasets/../x/y",
        "hf://datasets/o/n/a/../b",
        "hf://datasets/o/n/a//b",
        "hf://datasets/o/n@/x",
        "hf://datasets/o/n@../x",
        "hf://spaces/o/n",
        "hf://datasets/o/n@a b/c"
      })
  void aLocationThatNamesNothingInTheHubIsAnErrorBeforeARequest(String location) {
    assertThatThrownBy(() -> store().stat(new Location(location)).orElseThrow())
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot look at '" + location + "': ");
    assertThat(hub.requests()).isEmpty();
  }

  @Test
  void revisionsAndModelsHaveTheAddressesThatTheHubDocuments() throws IOException {
    Map<String, String> expected =
        Map.of(
            "hf://datasets/o/n@v1.0/a", "HEAD /datasets/o/n/resolve/v1.0/a",
            "hf://datasets/o/n@refs/pr/7/a", "HEAD /datasets/o/n/resolve/refs%2Fpr%2F7/a",
            "hf://datasets/o/n@a%2Fb/c/d", "HEAD /datasets/o/n/resolve/a%2Fb/c/d",
            "hf://datasets/o/n@~parquet/a", "HEAD /datasets/o/n/resolve/refs%2Fconvert%2Fparquet/a",
            "hf://datasets/o/n/a@b", "HEAD /datasets/o/n/resolve/main/a@b".replace("@", "%40"),
            "hf://models/o/n/a", "HEAD /o/n/resolve/main/a",
            "hf://o/n/a", "HEAD /o/n/resolve/main/a",
            "hf://o/n@v2/", "GET /api/models/o/n/revision/v2?expand%5B%5D=sha");
    for (Map.Entry<String, String> each : expected.entrySet()) {
      hub.requests().clear();
      assertThatThrownBy(() -> store().stat(new Location(each.getKey())))
          .hasMessageContaining("RepoNotFound");
      assertThat(hub.requests()).containsExactly(each.getValue());
    }
  }

  /// An export of two configs, one of them with a split of two parts.
  private void export(String... paths) {
    Map<String, byte[]> files = new TreeMap<>();
    for (String path : paths) {
      files.put(path + "/0000.parquet", data);
    }
    hub.commit(HubServer.EXPORT, files);
  }

  @Test
  void aNameAloneIsTheParquetExport() throws IOException {
    export("default/train");
    List<FileEntry> files = listed(store(), "hf://datasets/owner/name");
    assertThat(names(files))
        .containsExactly("hf://datasets/owner/name@~parquet/default/train/0000.parquet");
    assertThat(hub.requests()).hasSize(2);
    assertThat(read(store(), files.getFirst())).isEqualTo(data);
  }

  @Test
  void ofSeveralConfigsAndSplitsOneIsChosen() throws IOException {
    export("de/train", "en/test", "en/train-part0", "en/train-part1", "fr/partial-train");
    String name = "hf://datasets/owner/name";
    assertThatThrownBy(() -> store().stat(new Location(name)))
        .hasMessage(
            "Cannot read 'hf://datasets/owner/name@~parquet/': it has several configs. Choose one"
                + " of [de, en, fr] with storage option 'config'.");
    assertThatThrownBy(() -> store("config", "it").stat(new Location(name)))
        .hasMessageContaining("it has no config 'it'. Choose one of [de, en, fr]");
    assertThatThrownBy(() -> store("config", "en").stat(new Location(name)))
        .hasMessageContaining("it has several splits. Choose one of [test, train]");
    assertThat(listed(store("config", "de"), name)).hasSize(1);
    hub.requests().clear();
    assertThat(names(listed(store("config", "en", "split", "train"), name)))
        .allMatch(file -> file.contains("/en/train-part"))
        .hasSize(2);
    assertThat(hub.requests()).hasSize(2);
    assertThatThrownBy(() -> store("config", "fr").stat(new Location(name)))
        .hasMessageContaining("has only the first part of it")
        .hasMessageContaining("'hf://datasets/owner/name@~parquet/fr/partial-train/'");
    assertThatThrownBy(() -> store("split", "train").stat(new Location(ROOT + "data")))
        .hasMessageContaining("Cannot use storage option 'split' for '" + ROOT + "data'");
  }

  @Test
  void aDataSetWithoutExportSaysSo() {
    assertThatThrownBy(() -> store().stat(new Location("hf://datasets/owner/name")))
        .hasMessageContaining("the Hub has no Parquet export of it (404 RevisionNotFound)");
  }

  @Test
  void allSpellingsOfAFileAreOne() throws IOException {
    List<String> spellings = new ArrayList<>();
    for (String text : List.of("hf://o/n/a", "hf://models/o/n/a", "hf://models/o/n@main/a")) {
      spellings.add(store().canonical(new Location(text)).text());
    }
    assertThat(spellings).containsOnly("hf://models/o/n@main/a");
  }
}
