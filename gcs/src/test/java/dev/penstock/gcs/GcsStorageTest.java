package dev.penstock.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.storage.FileEntry;
import dev.penstock.storage.FilePage;
import dev.penstock.storage.Location;
import dev.penstock.storage.Storage;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageFile;
import dev.penstock.storage.StorageOptions;
import dev.penstock.testing.FaultProxy;
import dev.penstock.testing.FaultProxy.Fault;
import dev.penstock.testing.FaultProxy.Kind;
import java.io.IOException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Against fake-gcs-server, which does not look at credentials.
class GcsStorageTest {
  private static final int BYTES = 3_000_000;
  private static final byte[] DATA = new byte[BYTES];
  private static GcsServer server;

  @BeforeAll
  static void start() throws IOException {
    server = new GcsServer();
    new Random(1).nextBytes(DATA);
    server.put("lake", "a/data.bin", DATA);
    server.put("lake", "a/b=1/x y+z%.bin", new byte[7]);
    server.put("lake", "a/b=1/_hidden/", new byte[0]);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static StorageOptions options(String endpoint) {
    return StorageOptions.NONE
        .with("endpoint", endpoint)
        .with("anonymous", "true")
        .with("attempts", "3")
        .with("read-timeout", "1s");
  }

  private static StorageOptions options() {
    return options(server.endpoint());
  }

  private static Storage store(StorageOptions options) {
    return new GcsStorage().with(options);
  }

  private static Storage store() {
    return store(options());
  }

  private static Location at(String text) {
    return new Location(text);
  }

  private static byte[] read(StorageFile file, long offset, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(length);
      file.read(offset, target);
      return target.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void filesAndFoldersAreTold() throws IOException {
    FileEntry file = store().stat(at("gs://lake/a/data.bin")).orElseThrow();
    assertThat(file.bytes()).isEqualTo(BYTES);
    assertThat(file.version()).matches("[0-9]+");
    assertThat(store().stat(at("gs://lake/a")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("gs://lake/a/")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("gs://lake")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("gs://lake/a/dat"))).isEmpty();
    assertThat(store().list(at("gs://lake/a"))).contains(file).hasSize(2);
    assertThat(store().list(at("gcs://lake/a")))
        .extracting(each -> each.location().text())
        .containsExactlyInAnyOrder("gcs://lake/a/data.bin", "gcs://lake/a/b=1/x y+z%.bin");
    FileEntry listed =
        store().list(at("gs://lake/a/")).stream()
            .filter(each -> each.bytes() == BYTES)
            .findFirst()
            .orElseThrow();
    assertThat(read(store().open(listed), 0, 4)).isEqualTo(Arrays.copyOf(DATA, 4));
  }

  @Test
  void largeFoldersHavePages() throws IOException {
    for (int i = 0; i < 23; i++) {
      server.put("many", "x/f" + i, new byte[1]);
    }
    GcsRequests requests = new GcsRequests(options(), 10);
    List<FileEntry> all = new ArrayList<>();
    FilePage page = requests.list(at("gs://many/x"), "");
    for (int pages = 0; pages < 2; pages++) {
      assertThat(page.files()).hasSize(10);
      all.addAll(page.files());
      page = requests.list(at("gs://many/x"), page.next().orElseThrow());
    }
    assertThat(page.next()).isEmpty();
    all.addAll(page.files());
    assertThat(all).doesNotHaveDuplicates().hasSize(23).containsAll(store().list(at("gs://many")));
  }

  @Test
  void rangesAreRead() throws IOException {
    StorageFile file = store().open(at("gs://lake/a/data.bin"));
    assertThat(read(file, 0, BYTES)).isEqualTo(DATA);
    assertThat(read(file, 1_234_567, 100_000))
        .isEqualTo(Arrays.copyOfRange(DATA, 1_234_567, 1_334_567));
    assertThat(file.advice()).isPresent();
    assertThat(read(store().open(at("gs://lake/a/b=1/x y+z%.bin")), 0, 7)).isEqualTo(new byte[7]);
  }

  @ParameterizedTest
  @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void brokenConnectionsAreMadeGood(Kind kind) throws IOException {
    FileEntry known = store().stat(at("gs://lake/a/data.bin")).orElseThrow();
    try (FaultProxy proxy =
        new FaultProxy(server.port(), n -> n < 2 ? new Fault(kind, 1_000_000) : Fault.NONE)) {
      Storage through = store(options("http://127.0.0.1:" + proxy.port()));
      assertThat(read(through.open(known), 0, BYTES)).isEqualTo(DATA);
      assertThat(proxy.connections()).isEqualTo(3);
    }
  }

  @Test
  void fileThatChangesOrGoesIsAnError() throws IOException {
    server.put("lake", "changing", new byte[100]);
    StorageFile file = store().open(at("gs://lake/changing"));
    assertThat(read(file, 5, 10)).isEqualTo(new byte[10]);
    server.put("lake", "changing", DATA);
    assertThatThrownBy(() -> read(file, 0, 10))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot read bytes [0, 10) of 'gs://lake/changing': it")
        .hasMessageContaining("Make a new dataset");
    server.delete("lake", "changing");
    assertThatThrownBy(() -> read(file, 0, 10)).hasMessageContaining("it is gone (404");
    assertThatThrownBy(() -> store().open(at("gs://lake/changing")))
        .hasMessageStartingWith("Cannot read 'gs://lake/changing': it is gone. List the dataset");
  }

  @Test
  void bucketThatIsNotThereIsASentence() {
    for (String location : List.of("gs://nobucket/x", "gs://nobucket")) {
      assertThatThrownBy(() -> store().stat(at(location)))
          .hasMessageStartingWith(
              "Cannot look at '" + location + "': there is no bucket 'nobucket' (404");
    }
  }

  @Test
  void killedServerIsASentenceWithTheAttempts() throws IOException {
    try (GcsServer other = new GcsServer()) {
      other.put("lake", "x", new byte[100]);
      StorageFile file = store(options(other.endpoint())).open(at("gs://lake/x"));
      other.stop();
      assertThatThrownBy(() -> read(file, 10, 20))
          .hasMessageStartingWith(
              "Cannot read bytes [10, 30) of 'gs://lake/x' in 3 attempts: no connection to the"
                  + " store (");
    }
  }
}
