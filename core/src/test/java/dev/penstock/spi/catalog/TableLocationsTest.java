package dev.penstock.spi.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a table's metadata may name, and which options go there.
class TableLocationsTest {
  private static final StorageOptions OPTIONS =
      StorageOptions.NONE
          .with("bearer-token", "hush")
          .with("query", "sig=hush")
          .with("proxy", "http://proxy:3128");
  private static final String TABLE = "https://lake.example/t/metadata/v1.json";

  private static TableLocations at(String table, String... moves) {
    LocationMap map = LocationMap.NONE;
    for (int i = 0; i < moves.length; i += 2) {
      map = map.with(moves[i], moves[i + 1]);
    }
    return TableLocations.of(table, map, OPTIONS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://lake.example/t/data/a.parquet",
        "https://lake.example:443/other/a.parquet",
        "HTTPS://LAKE.Example/a.parquet",
      })
  void optionsGoToTheOriginOfTheTable(String file) {
    assertThat(at(TABLE).options(new Location(file))).isEqualTo(OPTIONS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://lake.example/t/data/a.parquet",
        "https://lake.example:8443/a.parquet",
        "https://lake.example.evil/a.parquet",
        "https://lake.example:443#@evil.example/a.parquet",
        "https://evil.example/https://lake.example/a.parquet",
        "memory://site/a.parquet",
      })
  void otherOriginsGetOnlyWhatLeadsThroughTheNetwork(String file) {
    StorageOptions kept = at(TABLE).options(new Location(file));
    assertThat(kept.keys()).containsExactly("proxy");
    assertThat(kept).isNotEqualTo(OPTIONS.only(StorageOptions.COMMON)); // errors say why
    assertThat(StorageOptions.NONE.elsewhere()).isEqualTo(StorageOptions.NONE);
  }

  @Test
  void optionsGoToWhatTheUserMapsLocationsTo() {
    Location other = new Location("https://data.example/a.parquet");
    assertThat(at(TABLE, "https://data.example", "https://data.example").options(other))
        .isEqualTo(OPTIONS);
    assertThat(at(TABLE, "s3://b/", "https://data.example/").options(other)).isEqualTo(OPTIONS);
    TableLocations near = at(TABLE, "https://data.example", "https://data.example");
    assertThat(near.options(new Location("https://data.example.evil/a")).keys())
        .containsExactly("proxy");
  }

  @Test
  void localTableGivesItsOptionsToNoHost() throws StorageException {
    TableLocations local = at("/data/t");
    Location file = local.find("https://lake.example/a.parquet");
    assertThat(local.options(file).keys()).containsExactly("proxy");
  }

  @Test
  void allThatTheUserNamesGetsTheOptions() throws StorageException {
    TableLocations named = TableLocations.named(LocationMap.NONE, OPTIONS);
    assertThat(named.options(named.find("https://any.example/a"))).isEqualTo(OPTIONS);
    assertThat(named.find("/data/../a").text()).isEqualTo("/data/../a");
    assertThatThrownBy(() -> named.at(TABLE).find("/data/a")).isInstanceOf(StorageException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/etc/passwd", "file:/etc/passwd", "FILE:///etc/passwd", "passwd", " /etc/passwd"})
  void localFilesOfARemoteTableAreRefused(String path) {
    assertThatThrownBy(() -> at(TABLE).find(path))
        .isInstanceOf(StorageException.class)
        .hasMessage(
            "Cannot read '"
                + new Location(path)
                + "': it is named by the metadata of table '"
                + TABLE
                + "' and is on this machine, but the table is not. If it is meant, map a prefix of"
                + " it to where it is, or to itself: mapLocation in Java, --map-location, or"
                + " map_location in Python.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://lake.example/t/../u/a.parquet",
        "https://lake.example/t/..",
        "https://lake.example/t/%2e%2E/u",
        "https://lake.example/t/.%2e%2fu",
        "s3://b/t/../u",
        "../u",
        "..",
      })
  void waysUpFromARemoteTableAreRefused(String path) {
    assertThatThrownBy(() -> at(TABLE).find(path))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("and leads to another folder by '..'. If it is meant, map ");
  }

  @Test
  void namesWithDotsAreNoWaysUp() throws StorageException {
    for (String name : new String[] {"a..b", "..a", "c=..", "...", "x%2e.y"}) {
      String path = "https://lake.example/t/" + name + "/a.parquet";
      assertThat(at(TABLE).find(path).text()).isEqualTo(path);
    }
  }

  @Test
  void wordsOfTheUserMayHoldWaysUp() throws StorageException {
    String table = "https://lake.example/u/../t";
    assertThat(at(table).find(table + "/metadata/v1.json").text())
        .isEqualTo(table + "/metadata/v1.json");
    assertThatThrownBy(() -> at(table).find(table + "/../x")).isInstanceOf(StorageException.class);
  }

  @Test
  void mappedPrefixesAllowWhatIsBelowThem() throws StorageException {
    TableLocations mapped = at(TABLE, "file:/data/src", "/data/src", "s3://b/../", "s3://c/");
    assertThat(mapped.find("file:/data/src/a.parquet").text()).isEqualTo("/data/src/a.parquet");
    assertThat(mapped.find("s3://b/../a.parquet").text()).isEqualTo("s3://c/a.parquet");
    for (String path :
        new String[] {
          "file:/data/src/../etc/passwd",
          "file:/data/src-private/a",
          "/data/src/a",
          "s3://b/../../a"
        }) {
      assertThatThrownBy(() -> mapped.find(path)).isInstanceOf(StorageException.class);
    }
    assertThat(at(TABLE, "file:", "").find("file:/data/a").text()).isEqualTo("/data/a");
    assertThat(at(TABLE, "wh", "wh").find("wh/a").text()).isEqualTo("wh/a");
  }

  @Test
  void localTableMayNameLocalFiles() throws StorageException {
    for (String path : new String[] {"/etc/x", "file:/etc/x", "../x", "/t/../x", "day:1/x"}) {
      assertThat(at("/data/t").find(path)).isEqualTo(new Location(path));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jar:file:/a.jar!/x",
        "jar:https://h/a.jar!/x",
        "JAR:https://h/x",
        "hdfs:/t/x",
        "data:text"
      })
  void placesWithoutAStoreAreRefusedInWords(String path) throws StorageException {
    for (String table : new String[] {TABLE, "/data/t"}) {
      assertThatThrownBy(() -> at(table).find(path, () -> "never"))
          .isInstanceOf(StorageException.class)
          .hasMessageStartingWith("Cannot read '" + path + "': it is named by the metadata of ")
          .hasMessageContaining(
              "has the scheme '"
                  + path.substring(0, path.indexOf(':'))
                  + ":', which no store serves. If it is meant, map a prefix of it");
    }
    assertThat(at("/data/t", "hdfs:/t", "/mnt/t").find("hdfs:/t/x").text()).isEqualTo("/mnt/t/x");
  }

  @Test
  void secretsInTheMetadataAreNotShown() {
    for (String path :
        new String[] {
          "jar:https://me:hush@h/x", "jar:https://h/x?sig=hush", "https://me:hush@h/x"
        }) {
      assertThatThrownBy(() -> at(TABLE).find(path)).message().doesNotContain("hush");
    }
    assertThatThrownBy(() -> LocationMap.NONE.with("a", "https://h/x?sig=hush"))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("hush");
  }
}
