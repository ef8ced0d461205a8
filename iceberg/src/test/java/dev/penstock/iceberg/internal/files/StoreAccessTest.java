package dev.penstock.iceberg.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.io.StorageCredential;
import org.junit.jupiter.api.Test;

/// What catalogs say of stores in Iceberg's words, and users in ours.
class StoreAccessTest {
  private static final Location FILE = new Location("s3://b/t/a.parquet");

  private static StorageOptions options(Map<String, String> properties) {
    return options(properties, FILE.text());
  }

  private static StorageOptions options(Map<String, String> properties, String location) {
    return StoreAccess.of(properties).options(new Location(location), true);
  }

  private static StorageOptions of(String... words) {
    StorageOptions options = StorageOptions.NONE;
    for (int i = 0; i < words.length; i += 2) {
      options = options.with(words[i], words[i + 1]);
    }
    return options;
  }

  @Test
  void propertiesOfEachStoreAreKnown() {
    assertThat(
            options(
                Map.of(
                    "s3.access-key-id", "k",
                    "s3.secret-access-key", "s",
                    "s3.session-token", "t",
                    "client.region", "r",
                    "warehouse", "w")))
        .isEqualTo(
            of(
                "access-key-id",
                "k",
                "secret-access-key",
                "s",
                "session-token",
                "t",
                "region",
                "r"));
    assertThat(options(Map.of("gcs.oauth2.token", "t", "gcs.project-id", "p"), "gs://b/t"))
        .isEqualTo(of("bearer-token", "t", "project", "p"));
    assertThat(
            options(
                Map.of("adls.sas-token.me.dfs.core.windows.net", "t"),
                "abfss://c@me.dfs.core.windows.net/t"))
        .isEqualTo(of("sas-token", "t"));
  }

  @Test
  void propertiesOfAStoreGoToNoOther() {
    Map<String, String> all =
        Map.of(
            "s3.access-key-id", "k",
            "gcs.oauth2.token", "g",
            "gcs.service.host", "e",
            "adls.sas-token.me.dfs.core.windows.net", "a",
            "adls.sas-token.you", "b",
            "penstock.storage.attempts", "2");
    StorageOptions mine = of("attempts", "2");
    assertThat(options(all)).isEqualTo(mine.with("access-key-id", "k"));
    assertThat(options(all, "gs://b/t"))
        .isEqualTo(mine.with("bearer-token", "g").with("endpoint", "e"));
    assertThat(options(all, "abfss://c@me.dfs.core.windows.net/t"))
        .isEqualTo(mine.with("sas-token", "a"));
    assertThat(options(all, "abfss://c@you.blob.core.windows.net/t"))
        .isEqualTo(mine.with("sas-token", "b"));
    for (String other :
        List.of("https://h/t", "az://c/t", "abfss://c@they.dfs.core.windows.net/t", "/t")) {
      assertThat(options(all, other)).isEqualTo(mine);
    }
  }

  @Test
  void optionsOfOursGoToNamedPlacesOnly() {
    StoreAccess access =
        StoreAccess.of(
            Map.of(
                "penstock.storage.bearer-token", "mine",
                "penstock.granted.query", "theirs",
                "s3.access-key-id", "k"));
    Location place = new Location("https://h/t");
    assertThat(access.options(place, true))
        .isEqualTo(of("bearer-token", "mine", "query", "theirs"));
    assertThat(access.options(place, false).keys()).isEmpty();
    assertThat(access.options(FILE, false).keys()).containsExactly("access-key-id");
  }

  @Test
  void userGoesBeforeTheCatalogAndReplacesAllOfItsCredentials() {
    Map<String, String> catalog =
        Map.of(
            "s3.access-key-id", "k",
            "s3.secret-access-key", "s",
            "s3.session-token", "t",
            "s3.endpoint", "e",
            "penstock.storage.region", "mine");
    assertThat(options(catalog).get("session-token")).contains("t");
    Map<String, String> both = new HashMap<>(catalog);
    both.put("penstock.storage.profile", "me");
    assertThat(options(both)).isEqualTo(of("endpoint", "e", "region", "mine", "profile", "me"));
  }

  @Test
  void longestPrefixCountsAndEndsAreSeen() {
    StoreAccess access =
        StoreAccess.of(Map.of("s3.session-token", "all"))
            .with(
                List.of(
                    StorageCredential.create("s3://b", Map.of("s3.session-token", "bucket")),
                    StorageCredential.create(
                        "s3://b/t/",
                        Map.of(
                            "s3.session-token", "table",
                            "s3.session-token-expires-at-ms", "1000"))));
    assertThat(access.options(FILE, true).get("session-token")).contains("table");
    assertThat(access.endsSoon(FILE)).isTrue();
    Location other = new Location("s3://b/other");
    assertThat(access.options(other, true).get("session-token")).contains("bucket");
    assertThat(access.endsSoon(other)).isFalse();
    assertThat(access.options(new Location("s3://c/x"), true).get("session-token")).contains("all");
  }
}
