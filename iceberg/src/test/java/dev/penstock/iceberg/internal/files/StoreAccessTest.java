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
    return StoreAccess.of(properties).options(FILE);
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
    assertThat(options(Map.of("gcs.oauth2.token", "t", "gcs.project-id", "p")))
        .isEqualTo(of("bearer-token", "t", "project", "p"));
    assertThat(options(Map.of("adls.sas-token.me.dfs.core.windows.net", "t")))
        .isEqualTo(of("sas-token", "t"));
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
    assertThat(access.options(FILE).get("session-token")).contains("table");
    assertThat(access.endsSoon(FILE)).isTrue();
    Location other = new Location("s3://b/other");
    assertThat(access.options(other).get("session-token")).contains("bucket");
    assertThat(access.endsSoon(other)).isFalse();
    assertThat(access.options(new Location("s3://c/x")).get("session-token")).contains("all");
  }
}
