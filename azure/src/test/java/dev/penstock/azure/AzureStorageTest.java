package dev.penstock.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.PublicAccessType;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
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
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Against Azurite, Microsoft's emulator.
class AzureStorageTest {
  private static final int BYTES = 3_000_000;
  private static final byte[] DATA = new byte[BYTES];
  private static AzureServer server;

  @BeforeAll
  static void start() throws IOException {
    server = new AzureServer();
    new Random(1).nextBytes(DATA);
    server.put("lake", "a/data.bin", DATA);
    server.put("lake", "a/b=1/x y+z%.bin", new byte[7]);
    server.put("lake", "a/b=1/_hidden/", new byte[0]);
    server.put("lake", "a/c", new byte[0]);
    server
        .client()
        .getBlobContainerClient("lake")
        .getBlobClient("a/c")
        .setMetadata(Map.of("hdi_isfolder", "true"));
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
        .with("account-key", AzureServer.KEY)
        .with("attempts", "3")
        .with("read-timeout", "1s");
  }

  private static StorageOptions options() {
    return options(server.endpoint());
  }

  private static Storage store(StorageOptions options) {
    return new AzureStorage().with(options);
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
    FileEntry file = store().stat(at("az://lake/a/data.bin")).orElseThrow();
    assertThat(file.bytes()).isEqualTo(BYTES);
    assertThat(file.version()).startsWith("0x");
    assertThat(store().stat(at("az://lake/a")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("az://lake/a/")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("az://lake")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("az://lake/a/dat"))).isEmpty();
    assertThat(store().stat(at("az://lake/a/c"))).isEmpty();
    assertThat(store().list(at("az://lake/a"))).contains(file).hasSize(2);
    String deep = "abfss://lake@testaccount.dfs.core.windows.net/a";
    assertThat(store().list(at(deep)))
        .extracting(each -> each.location().text())
        .containsExactlyInAnyOrder(deep + "/data.bin", deep + "/b=1/x y+z%.bin");
    FileEntry listed =
        store().list(at("abfs://lake/a/")).stream()
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
    AzureRequests requests = new AzureRequests(options(), new AzureClients(options()), 10);
    List<FileEntry> all = new ArrayList<>();
    FilePage page = requests.list(at("az://many/x"), "");
    for (int pages = 0; pages < 2; pages++) {
      assertThat(page.files()).hasSize(10);
      all.addAll(page.files());
      page = requests.list(at("az://many/x"), page.next().orElseThrow());
    }
    assertThat(page.next()).isEmpty();
    all.addAll(page.files());
    assertThat(all).doesNotHaveDuplicates().hasSize(23).containsAll(store().list(at("az://many")));
  }

  @Test
  void rangesAreRead() throws IOException {
    StorageFile file = store().open(at("az://lake/a/data.bin"));
    assertThat(read(file, 0, BYTES)).isEqualTo(DATA);
    assertThat(read(file, 1_234_567, 100_000))
        .isEqualTo(Arrays.copyOfRange(DATA, 1_234_567, 1_334_567));
    assertThat(file.advice()).isPresent();
    assertThat(read(store().open(at("az://lake/a/b=1/x y+z%.bin")), 0, 7)).isEqualTo(new byte[7]);
  }

  @ParameterizedTest
  @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void brokenConnectionsAreMadeGood(Kind kind) throws IOException {
    FileEntry known = store().stat(at("az://lake/a/data.bin")).orElseThrow();
    try (FaultProxy proxy =
        new FaultProxy(server.port(), n -> n < 2 ? new Fault(kind, 1_000_000) : Fault.NONE)) {
      Storage through =
          store(options("http://127.0.0.1:" + proxy.port() + "/" + AzureServer.ACCOUNT));
      assertThat(read(through.open(known), 0, BYTES)).isEqualTo(DATA);
      assertThat(proxy.connections()).isEqualTo(3);
    }
  }

  @Test
  void everyKindOfCredentialReads() throws IOException {
    Location file = at("az://lake/a/data.bin");
    assertThat(store().open(file).size()).isEqualTo(BYTES);
    StorageOptions elsewhere =
        StorageOptions.NONE.with("connection-string", server.connectionString());
    assertThat(read(store(elsewhere).open(file), 0, 9)).isEqualTo(Arrays.copyOf(DATA, 9));
    StorageOptions signed =
        StorageOptions.NONE.with("endpoint", server.endpoint()).with("sas-token", "?" + sas("rl"));
    assertThat(read(store(signed).open(file), 0, 9)).isEqualTo(Arrays.copyOf(DATA, 9));
    assertThat(store(signed).list(at("az://lake/a"))).hasSize(2);
    server.put("open", "x", new byte[5]);
    server
        .client()
        .getBlobContainerClient("open")
        .setAccessPolicy(PublicAccessType.CONTAINER, null);
    StorageOptions anonymous =
        StorageOptions.NONE.with("endpoint", server.endpoint()).with("anonymous", "true");
    assertThat(read(store(anonymous).open(at("az://open/x")), 0, 5)).isEqualTo(new byte[5]);
    assertThat(store(anonymous).list(at("az://open"))).hasSize(1);
  }

  private static String sas(String permissions) {
    BlobContainerClient container = server.client().getBlobContainerClient("lake");
    return container.generateSas(
        new BlobServiceSasSignatureValues(
            OffsetDateTime.of(2099, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC),
            BlobContainerSasPermission.parse(permissions)));
  }

  @Test
  void fileThatChangesOrGoesIsAnError() throws IOException {
    server.put("lake", "changing", new byte[100]);
    StorageFile file = store().open(at("az://lake/changing"));
    assertThat(read(file, 5, 10)).isEqualTo(new byte[10]);
    server.put("lake", "changing", DATA);
    assertThatThrownBy(() -> read(file, 0, 10))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot read bytes [0, 10) of 'az://lake/changing': it is no")
        .hasMessageContaining("(412 ConditionNotMet). Make a new dataset");
    server.client().getBlobContainerClient("lake").getBlobClient("changing").delete();
    // Azure says that it is gone, Azurite that the condition is not met.
    assertThatThrownBy(() -> read(file, 0, 10))
        .hasMessageStartingWith("Cannot read bytes [0, 10) of 'az://lake/changing': it is ");
    assertThatThrownBy(() -> store().open(at("az://lake/changing")))
        .hasMessageStartingWith("Cannot read 'az://lake/changing': it is gone. List the dataset");
  }

  private static void assertSays(StorageOptions options, String location, String sentence) {
    assertThatThrownBy(() -> store(options).stat(at(location)))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot look at '" + location + "': " + sentence)
        .satisfies(e -> {
          StringWriter text = new StringWriter();
          e.printStackTrace(new PrintWriter(text));
          assertThat(text.toString()).doesNotContain(AzureServer.KEY).doesNotContain("aHVzaC");
        });
  }

  @Test
  void whatIsWrongWithTheRequestHasItsOwnSentence() {
    StorageOptions good = options();
    assertSays(good, "az://nocontainer/x", "there is no container 'nocontainer' (Container");
    assertSays(good, "az://nocontainer", "there is no container 'nocontainer' (Container");
    assertSays(
        good.with("account-key", "aHVzaC1odXNo"),
        "az://lake/a/data.bin",
        "the key does not belong to the account (403 Auth");
    assertSays(
        StorageOptions.NONE
            .with("endpoint", server.endpoint())
            .with("sas-token", sas("rl").replace("sp=rl", "sp=racwdl") + "&x=aHVzaC"),
        "az://lake/a/data.bin",
        "the shared access signature is wrong, has expired or is not for this (403 Auth");
    assertSays(
        StorageOptions.NONE.with("endpoint", server.endpoint()).with("sas-token", sas("r")),
        "az://lake/a",
        "whoever asks may not read it (AuthorizationPermissionMismatch). Give the role");
    assertSays(
        StorageOptions.NONE.with("endpoint", server.endpoint()).with("anonymous", "true"),
        "az://lake/a/data.bin",
        "the store wants to know who asks (Auth");
  }

  @Test
  void killedServerIsASentenceWithTheAttempts() throws IOException {
    try (AzureServer other = new AzureServer()) {
      other.put("lake", "x", new byte[100]);
      StorageFile file = store(options(other.endpoint())).open(at("az://lake/x"));
      other.stop();
      assertThatThrownBy(() -> read(file, 10, 20))
          .hasMessageStartingWith(
              "Cannot read bytes [10, 30) of 'az://lake/x' in 3 attempts: no connection to the"
                  + " store (");
    }
  }
}
