package dev.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.FilePage;
import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import dev.penstock.testing.FaultProxy.Fault;
import dev.penstock.testing.FaultProxy.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What every object store promises, shown against a real server: a module gives the server, and
/// the words that its sentences have.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreContract {
  /// The size of `lake/a/data.bin`.
  protected static final int BYTES = 3_000_000;

  /// What is in it.
  protected static final byte[] DATA = new byte[BYTES];

  static {
    new Random(1).nextBytes(DATA);
  }

  private StoreServer server;

  /// Starts a server without files, or skips the test.
  protected abstract StoreServer start() throws IOException;

  /// Returns the store under test.
  protected abstract RemoteStorage storage();

  /// Returns what reads everything on a server.
  ///
  /// @param port the server's, or that of a proxy before it
  protected abstract StorageOptions options(int port);

  /// Returns what the sentence for a file of another version says.
  protected abstract String changed();

  /// Returns the beginning of the sentence for the bucket `nobucket`, which is not there.
  protected abstract String noBucket();

  /// Returns whether the server has every bucket that it is asked for.
  protected boolean hasEveryBucket() {
    return false;
  }

  /// Returns what has to stay hidden; never empty.
  protected abstract String secret();

  @BeforeAll
  final void startAndFill() throws IOException {
    server = start();
    server.put("lake", "a/data.bin", DATA);
    server.put("lake", "a/b=1/x y+z%20%#?[ü].bin", new byte[7]);
    server.put("lake", "a/b=1/_hidden/", new byte[0]);
  }

  @AfterAll
  final void stop() {
    if (server != null) {
      server.close();
    }
  }

  /// Returns the server that the tests of the class share.
  protected final StoreServer server() {
    return server;
  }

  /// Returns what reads everything.
  protected final StorageOptions options() {
    return options(server.port());
  }

  private StorageOptions hasty(int port) {
    return options(port).with("attempts", "3").with("read-timeout", "1s");
  }

  /// Returns a store that was told its options.
  protected final Storage store(StorageOptions options) {
    return storage().with(options);
  }

  private Storage store() {
    return store(hasty(server.port()));
  }

  /// Returns where something is, in the first scheme of the store.
  protected final Location at(String path) {
    return new Location(storage().schemes().getFirst() + "://" + path);
  }

  /// Reads bytes of a file.
  protected static byte[] read(StorageFile file, long offset, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(length);
      file.read(offset, target);
      return target.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /// Asserts how a look at a file is refused, and that no secret is told.
  protected final void assertSays(StorageOptions options, String path, String sentence) {
    assertThatThrownBy(() -> store(options).stat(at(path)))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot look at '" + at(path) + "': " + sentence)
        .satisfies(e -> {
          StringWriter text = new StringWriter();
          e.printStackTrace(new PrintWriter(text));
          assertThat(text.toString())
              .doesNotContain(secret())
              .doesNotContain("hush")
              .doesNotContain("aHVzaC"); // the same in Base64
        });
  }

  @Test
  final void filesAndFoldersAreTold() throws IOException {
    FileEntry file = store().stat(at("lake/a/data.bin")).orElseThrow();
    assertThat(file.bytes()).isEqualTo(BYTES);
    assertThat(file.version()).isNotEmpty();
    assertThat(store().stat(at("lake/a")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("lake/a/")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("lake")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("lake/a/dat"))).isEmpty();
    assertThat(store().list(at("lake/a/"))).contains(file).hasSize(2);
    FileEntry listed =
        store().list(at("lake/a")).stream()
            .filter(each -> each.bytes() == BYTES)
            .findFirst()
            .orElseThrow();
    assertThat(listed.modified()).isPresent();
    assertThat(read(store().open(listed), 0, 4)).isEqualTo(Arrays.copyOf(DATA, 4));
  }

  /// Whatever a store calls them: locations keep the scheme that was asked with.
  @Test
  final void everySchemeListsInItsOwn() throws IOException {
    for (String scheme : storage().schemes()) {
      assertThat(store().list(new Location(scheme + "://lake/a")))
          .extracting(each -> each.location().text())
          .containsExactlyInAnyOrder(
              scheme + "://lake/a/data.bin", scheme + "://lake/a/b=1/x y+z%20%#?[ü].bin");
    }
  }

  @Test
  final void largeFoldersHavePages() throws IOException {
    for (int i = 0; i < 23; i++) {
      server.put("many", "x/f" + i, new byte[1]);
    }
    RemoteRequests requests = storage().requests(options());
    List<FileEntry> all = new ArrayList<>();
    FilePage page = requests.list(at("many/x"), "", 10);
    for (int pages = 0; pages < 2; pages++) {
      assertThat(page.files()).hasSize(10);
      all.addAll(page.files());
      page = requests.list(at("many/x"), page.next().orElseThrow(), 10);
    }
    assertThat(page.next()).isEmpty();
    all.addAll(page.files());
    assertThat(all).doesNotHaveDuplicates().hasSize(23).containsAll(store().list(at("many")));
  }

  @Test
  final void rangesAreRead() throws IOException {
    StorageFile file = store().open(at("lake/a/data.bin"));
    assertThat(read(file, 0, BYTES)).isEqualTo(DATA);
    assertThat(read(file, 1_234_567, 100_000))
        .isEqualTo(Arrays.copyOfRange(DATA, 1_234_567, 1_334_567));
    assertThat(file.advice()).isPresent();
    assertThat(read(store().open(at("lake/a/b=1/x y+z%20%#?[ü].bin")), 0, 7))
        .isEqualTo(new byte[7]);
  }

  @ParameterizedTest
  @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  final void brokenConnectionsAreMadeGood(Kind kind) throws IOException {
    FileEntry known = store().stat(at("lake/a/data.bin")).orElseThrow();
    try (FaultProxy proxy =
        new FaultProxy(server.port(), n -> n < 2 ? new Fault(kind, 1_000_000) : Fault.NONE)) {
      assertThat(read(store(hasty(proxy.port())).open(known), 0, BYTES)).isEqualTo(DATA);
      assertThat(proxy.connections()).isEqualTo(3);
    }
  }

  @Test
  final void fileThatChangesOrGoesIsAnError() throws IOException {
    server.put("lake", "changing", new byte[100]);
    Location changing = at("lake/changing");
    StorageFile file = store().open(changing);
    assertThat(store().list(at("lake")))
        .filteredOn(each -> each.location().name().equals("changing"))
        .extracting(FileEntry::version)
        .containsExactly(file.version());
    assertThat(read(file, 5, 10)).isEqualTo(new byte[10]);
    byte[] other = new byte[100];
    Arrays.fill(other, (byte) 1);
    server.put("lake", "changing", other);
    assertThatThrownBy(() -> read(file, 0, 10))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot read bytes [0, 10) of '" + changing + "': it")
        .hasMessageContaining(changed());
    server.delete("lake", "changing");
    // Azurite looks at the condition first.
    assertThatThrownBy(() -> read(file, 0, 10))
        .hasMessageMatching(
            "\\QCannot read bytes [0, 10) of '"
                + changing
                + "': it is \\E(gone|no longer the file).*");
    assertThatThrownBy(() -> store().open(changing))
        .hasMessageStartingWith("Cannot read '" + changing + "': it is gone. List the dataset");
  }

  @Test
  final void bucketThatIsNotThereIsASentence() {
    assumeFalse(hasEveryBucket(), "this server has every bucket");
    assertSays(options(), "nobucket/x", noBucket());
    assertSays(options(), "nobucket", noBucket());
  }

  @Test
  final void hostThatIsNotThereIsASentence() {
    String nowhere =
        options()
            .get("endpoint")
            .orElseThrow()
            .replace("http://127.0.0.1", "https://nowhere.invalid");
    StorageOptions lost = options().with("endpoint", nowhere).with("attempts", "2");
    assertThatThrownBy(() -> store(lost).stat(at("lake/a/data.bin")))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith(
            "Cannot look at '" + at("lake/a/data.bin") + "' in 2 attempts: there is no ")
        .hasMessageContaining(
            "Check the location, the storage option 'endpoint' and the name service.")
        .hasMessageNotContaining(secret());
  }

  @Test
  final void killedServerIsASentenceWithTheAttempts() throws IOException {
    try (StoreServer other = start()) {
      other.put("lake", "x", new byte[100]);
      StorageFile file = store(hasty(other.port())).open(at("lake/x"));
      other.stop();
      assertThatThrownBy(() -> read(file, 10, 20))
          .hasMessageStartingWith(
              "Cannot read bytes [10, 30) of '"
                  + at("lake/x")
                  + "' in 3 attempts: no connection to the store (");
    }
  }

  @Test
  final void storeShowsNoSecret() {
    assertThat(store(options()).toString())
        .contains("endpoint=http://127.0.0.1:" + server.port())
        .doesNotContain(secret());
  }
}
