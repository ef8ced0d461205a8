package dev.penstock.iceberg;

import static dev.penstock.iceberg.CountingTable.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables whose metadata names files outside of the table.
class ForeignLocationsTest {
  @TempDir Path folder;
  private RangeServer own;
  private RangeServer other;
  private final List<String> seen = new CopyOnWriteArrayList<>(); // by the other
  private Catalog catalog;
  private Table table;

  @BeforeEach
  void start() throws IOException {
    own = new RangeServer(folder);
    other = new RangeServer(folder);
    own.answer(ForeignLocationsTest::refused);
    other.answer(exchange -> {
      seen.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders().entrySet());
      return false;
    });
    catalog = TestCatalogs.inMemory(folder);
    table = CountingTable.create(catalog, "db.t", PartitionSpec.unpartitioned(), 2);
    CountingTable.append(table, 0, 10);
  }

  @AfterEach
  void stop() {
    own.close();
    other.close();
  }

  /// Refuses requests without the token.
  private static boolean refused(HttpExchange exchange) throws IOException {
    boolean isKnown = "Bearer hush".equals(exchange.getRequestHeaders().getFirst("Authorization"));
    if (!isKnown) {
      exchange.sendResponseHeaders(401, -1);
    }
    return !isKnown;
  }

  private void append(String path) throws IOException {
    DataFile written = CountingTable.write(table, 10, 20).getFirst();
    table
        .newAppend()
        .appendFile(
            DataFiles.builder(table.spec())
                .copy(written)
                .withPath(path.isEmpty() ? other.url() + below(written.location()) : path)
                .build())
        .commit();
  }

  /// Returns the path of a file from the servers' root.
  private String below(String location) {
    return location.substring(location.indexOf(folder.toString()) + folder.toString().length());
  }

  /// Returns the table at the first server, with all files of the folder there.
  private IcebergDataset remote() {
    return told(IcebergDataset.metadata(own.url() + below(TestCatalogs.metadata(table))));
  }

  private IcebergDataset told(IcebergDataset dataset) {
    return dataset
        .mapLocation(folder.toString(), own.url())
        .storageOption("bearer-token", "hush")
        .storageOption("query", "sig=quiet");
  }

  private void requireNoSecretSeen() {
    assertThat(seen)
        .isNotEmpty()
        .noneMatch(each -> each.contains("hush") || each.contains("quiet"));
  }

  @Test
  void storageOptionsGoToNoOtherOrigin() throws IOException {
    append("");
    assertThat(ids(remote().dataset())).hasSize(20);
    requireNoSecretSeen();
    assertThat(ids(remote().mapLocation(other.url(), other.url()).dataset())).hasSize(20);
    assertThat(seen).anyMatch(each -> each.contains("hush") && each.contains("quiet"));
  }

  @Test
  void otherOriginThatDeniesAccessIsAnErrorThatSaysWhatToDo() throws IOException {
    append("");
    other.answer(ForeignLocationsTest::refused);
    assertThatThrownBy(() -> ids(remote().dataset()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(other.url())
        .hasMessageContaining("(401). Give credentials. Your storage options were not used there:")
        .hasMessageContaining("If they are meant for it, map its location to itself")
        .hasMessageNotContaining("hush")
        .hasMessageNotContaining("quiet");
    assertThat(ids(remote().mapLocation(other.url(), other.url()).dataset())).hasSize(20);
  }

  @Test
  void localTableGivesNoOptionsToAServerItNames() throws IOException {
    append("");
    IcebergDataset local =
        IcebergDataset.metadata(TestCatalogs.metadata(table)).storageOption("bearer-token", "hush");
    assertThat(ids(local.dataset())).hasSize(20);
    requireNoSecretSeen();
  }

  @Test
  void catalogsGrantsAndOptionsForItsTablesGoToNoOtherOrigin() throws IOException {
    append("");
    Map<String, String> granted = new HashMap<>(Map.of("penstock.granted.bearer-token", "hush"));
    try (MiniRest rest = new MiniRest(catalog, () -> granted)) {
      IcebergDataset dataset =
          IcebergDataset.table("db.t", rest.options()).mapLocation(folder.toString(), own.url());
      assertThat(ids(dataset.dataset())).hasSize(20);
      granted.clear();
      granted.put("gcs.oauth2.token", "hush");
      assertThat(ids(dataset.storageOption("bearer-token", "hush").dataset())).hasSize(20);
    }
    requireNoSecretSeen();
  }

  /// Returns the table with another manifest list.
  private IcebergDataset listed(String list) throws IOException {
    Path metadata = Path.of(folder + below(TestCatalogs.metadata(table)));
    String named = table.currentSnapshot().manifestListLocation();
    String changed = Files.readString(metadata).replace(named, list);
    Files.writeString(folder.resolve("changed.metadata.json"), changed);
    return told(IcebergDataset.metadata(own.url() + "/changed.metadata.json"));
  }

  @Test
  void manifestsAtAnotherOriginAreReadWithoutOptions() throws IOException {
    String list = other.url() + below(table.currentSnapshot().manifestListLocation());
    assertThat(ids(listed(list).dataset())).hasSize(10);
    requireNoSecretSeen();
  }

  @Test
  void metadataThatALibraryOfTheCatalogReadsMayNameNoMore() throws IOException {
    Path metadata = Path.of(folder + below(TestCatalogs.metadata(table)));
    String list = table.currentSnapshot().manifestListLocation();
    Path beside = Files.copy(Path.of(folder + below(list)), folder.resolve("list.avro"));
    try (MiniRest rest = new MiniRest(catalog, Map::of)) {
      Map<String, String> options = new HashMap<>(rest.options());
      options.put("io-impl", LocalIO.class.getName());
      IcebergDataset remote =
          IcebergDataset.table("db.t", options)
              .mapLocation(folder + "/warehouse", own.url() + "/warehouse")
              .storageOption("bearer-token", "hush");
      assertThat(ids(remote.dataset())).hasSize(10);
      Files.writeString(
          metadata, Files.readString(metadata).replace(list, "file:" + beside.toString()));
      assertThatThrownBy(() -> ids(remote.ref("main").dataset()))
          .hasMessageContaining(beside + "': it is named by the metadata of table '");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/etc/passwd",
        "file:/etc/passwd",
        "wh/a.parquet",
        "../a.parquet",
        "https://127.0.0.1/t/../a.parquet",
        "jar:file:/a.jar!/x",
        "jar:https://h/a.jar!/x"
      })
  void remoteTableThatLeadsElsewhereIsRefused(String path) throws IOException {
    String refused =
        ": it is named by the metadata of table '"
            + own.url()
            + ".*' and (is on this machine, but the table is not|leads to another folder by"
            + " '\\.\\.'|has the scheme 'jar:', which no store serves)\\. If it is meant, map a"
            + " prefix of it to where it is, or to itself: mapLocation in Java, --map-location, or"
            + " map_location in Python\\..*";
    assertThatThrownBy(() -> ids(listed(path).dataset()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageMatching("Cannot read '[^']+'" + refused);
    append(path);
    assertThatThrownBy(() -> ids(remote().dataset()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageMatching("Cannot read '[^']+'" + refused);
  }

  @Test
  void mappedPrefixesAllowLocalFilesAndWaysUp() throws IOException {
    DataFile written = CountingTable.write(table, 10, 20).getFirst();
    Path source = Files.createDirectory(folder.resolve("source"));
    Files.move(Path.of(folder + below(written.location())), source.resolve("a.parquet"));
    append("file:/else/a.parquet");
    append(own.url() + "/warehouse/../source/a.parquet");
    IcebergDataset there = remote().mapLocation("file:/else", source.toString());
    assertThatThrownBy(() -> ids(there.dataset())).hasMessageContaining("by '..'");
    String up = own.url() + "/warehouse/..";
    assertThat(ids(there.mapLocation(up, own.url()).dataset())).hasSize(30);
  }

  @Test
  void localTableMayNameLocalFilesAndWaysUp() throws IOException {
    DataFile written = CountingTable.write(table, 10, 20).getFirst();
    Path source = Files.createDirectory(folder.resolve("source"));
    Files.move(Path.of(folder + below(written.location())), source.resolve("a.parquet"));
    append("file:" + folder + "/warehouse/../source/a.parquet");
    assertThat(ids(IcebergDataset.metadata(TestCatalogs.metadata(table)).dataset())).hasSize(20);
  }
}
