package dev.penstock.iceberg;

import static dev.penstock.iceberg.CountingTable.append;
import static dev.penstock.iceberg.CountingTable.ids;
import static dev.penstock.iceberg.CountingTable.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.StructuredDataset;
import dev.penstock.iceberg.internal.files.StoreAccess;
import dev.penstock.spi.storage.RequestSigner;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables of a REST catalog, which also says who may read their files.
class RestCatalogTest {
  private static final String BEARER = "penstock.granted.bearer-token";

  @TempDir Path folder;
  private final Map<String, String> granted = new HashMap<>();
  private Table table;
  private MiniRest rest;

  @BeforeEach
  void start() throws IOException {
    Catalog catalog = TestCatalogs.inMemory(folder);
    table = CountingTable.create(catalog, "db.t", CountingTable.BY_CAT, 2);
    append(table, 0, 300);
    rest = new MiniRest(catalog, () -> granted);
  }

  @AfterEach
  void stop() {
    rest.close();
  }

  @Test
  void textShowsSnapshotAndColumnsOnceTheTableIsOpened() {
    IcebergDataset asked =
        IcebergDataset.table("db.t", rest.options()).storageOption("bearer-token", "hunter22");
    assertThat(asked).hasToString("IcebergDataset db.t, current snapshot, not opened yet");
    assertThat(asked.snapshot(7)).hasToString("IcebergDataset db.t, snapshot 7, not opened yet");
    assertThat(asked.ref("v1")).hasToString("IcebergDataset db.t, snapshot of v1, not opened yet");
    assertThat(asked.asOf(Instant.EPOCH))
        .hasToString("IcebergDataset db.t, snapshot as of 1970-01-01T00:00:00Z, not opened yet");
    assertThat(rest.requests()).isEmpty();
    String columns = asked.dataset().schema().summary();
    assertThat(asked)
        .hasToString(
            "IcebergDataset db.t, snapshot "
                + asked.snapshotId().getAsLong()
                + ", columns "
                + columns);
    assertThat(IcebergDataset.metadata("https://me:hunter22@host/v1.metadata.json").toString())
        .doesNotContain("hunter22");
  }

  @Test
  void tableIsReadWithATokenOrACredential() {
    IcebergDataset byToken = IcebergDataset.table("db.t", rest.options());
    assertThat(ids(byToken.dataset())).containsExactlyInAnyOrderElementsOf(range(0, 300));
    Map<String, String> options =
        Map.of(
            "type",
            "rest",
            "uri",
            rest.uri(),
            "credential",
            "me:" + MiniRest.SECRET,
            "oauth2-server-uri",
            rest.uri() + "/v1/oauth/tokens");
    assertThat(ids(IcebergDataset.table("db.t", options).dataset())).hasSize(300);
    assertThat(rest.requests()).contains("POST /v1/oauth/tokens");
  }

  @Test
  void wrongCredentialsMissingTablesAndMissingServersAreErrorsWithoutSecrets() {
    Map<String, String> wrong =
        Map.of("type", "rest", "uri", rest.uri(), "token", "hush-wrong-token");
    assertThatThrownBy(() -> IcebergDataset.table("db.t", wrong).dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("Cannot read table 'db.t': the catalog does not know who asks (")
        .hasMessageEndingWith("). Set catalog option 'credential' or 'token'.")
        .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("hush-wrong-token"));
    assertThatThrownBy(() -> IcebergDataset.table("db.none", rest.options()).dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("Cannot read table 'db.none': the catalog has no such table. Check the name.");
    rest.close();
    assertThatThrownBy(() -> IcebergDataset.table("db.t", rest.options()).dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("Cannot read table 'db.t': ");
  }

  private static String stackTrace(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void grantedCredentialsReadAllFilesAndAreAskedForAgainWhenTheyEnd() throws IOException {
    try (RangeServer server = new RangeServer(folder)) {
      AtomicInteger valid = new AtomicInteger(1);
      List<String> refused = new CopyOnWriteArrayList<>();
      server.answer(exchange -> {
        String who = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        if (who.equals("Bearer hush-" + valid.get())) {
          return false;
        }
        refused.add(who);
        exchange.sendResponseHeaders(403, -1);
        exchange.close();
        return true;
      });
      granted.put(BEARER, "hush-1");
      IcebergDataset dataset =
          IcebergDataset.table("db.t", rest.options()).mapLocation(folder.toString(), server.url());
      StructuredDataset rows = dataset.dataset();
      assertThat(ids(rows)).hasSize(300);
      assertThat(refused).isEmpty();
      long loads = loads();

      valid.set(2);
      granted.put(BEARER, "hush-2");
      assertThat(ids(rows)).hasSize(300); // open files
      assertThat(ids(rows.where("id < 100"))).hasSize(100); // manifests, too
      assertThat(refused).isNotEmpty().containsOnly("Bearer hush-1");
      assertThat(loads()).isEqualTo(loads + 1);

      valid.set(3);
      assertThatThrownBy(() -> ids(rows)) // The catalog does not know it yet.
          .satisfies(e -> assertThat(stackTrace(e)).contains("403").doesNotContain("hush-"));

      // What the user says counts for the files, not what the catalog says.
      assertThat(ids(dataset.storageOption("bearer-token", "hush-3").dataset())).hasSize(300);
    }
  }

  @Test
  void catalogSignsRequestsToS3() throws IOException {
    Map<String, String> properties = new HashMap<>(rest.options());
    properties.put("s3.remote-signing-enabled", "true");
    properties.put("s3.signer.endpoint", "v1/files/sign");
    RequestSigner signer = signer(properties);
    assertThat(signer).isEqualTo(signer(properties));
    URI file = URI.create("https://lake.s3.amazonaws.com/a%20b?list-type=2");
    for (String range : List.of("bytes=0-9", "bytes=10-19")) {
      RequestSigner.Signed signed =
          signer.sign(
              "GET",
              file,
              Map.of("Range", List.of(range), "x-amz-request-payer", List.of("requester")),
              "eu-west-1");
      assertThat(signed.uri()).isEqualTo(file);
      assertThat(signed.headers())
          .containsEntry("Authorization", List.of(MiniRest.SIGNATURE))
          .doesNotContainKey("Range");
    }
    assertThat(rest.requests()).contains("POST /v1/files/sign");
    assertThat(rest.signed()) // once, as the catalog allows to keep it
        .containsExactly("GET " + file + " eu-west-1 {x-amz-request-payer=[requester]}");
    URI secret = URI.create("https://lake.s3.amazonaws.com/secret");
    assertThatThrownBy(() -> signer.sign("GET", secret, Map.of(), "eu-west-1"))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.DENIED))
        .hasMessageStartingWith("the table's catalog does not sign the request (")
        .satisfies(e -> assertThat(stackTrace(e)).doesNotContain(MiniRest.TOKEN));

    properties.remove("token");
    properties.put("credential", "me:" + MiniRest.SECRET);
    properties.put("oauth2-server-uri", rest.uri() + "/v1/oauth/tokens");
    assertThat(signer(properties).sign("HEAD", file, Map.of(), "eu-west-1").headers())
        .containsEntry("Authorization", List.of(MiniRest.SIGNATURE));
    properties.put("penstock.storage.profile", "mine");
    Location place = new Location("s3://lake/a b");
    assertThat(StoreAccess.of(properties).options(place, true).signer()).isEmpty();
  }

  private static RequestSigner signer(Map<String, String> properties) {
    Location place = new Location("s3://lake/a b");
    return StoreAccess.of(properties).options(place, true).signer().orElseThrow();
  }

  @Test
  void catalogThatOnlySignsRequestsToS3IsNamedWhereAnotherStoreDeniesAccess() throws IOException {
    try (RangeServer server = new RangeServer(folder)) {
      server.answer(exchange -> {
        if (exchange.getRequestHeaders().containsKey("Authorization")) {
          return false;
        }
        exchange.sendResponseHeaders(403, -1);
        exchange.close();
        return true;
      });
      granted.put("s3.remote-signing-enabled", "true");
      IcebergDataset dataset =
          IcebergDataset.table("db.t", rest.options()).mapLocation(folder.toString(), server.url());
      assertThatThrownBy(() -> ids(dataset.dataset()))
          .hasMessageContaining("access is denied (403)")
          .hasMessageContaining(
              " The table's catalog gives no credentials but signs requests to S3 itself (remote"
                  + " signing). If that is not enough, ask it for credentials by catalog option"
                  + " 'header.X-Iceberg-Access-Delegation=vended-credentials', or give your"
                  + " own by storage options.");
      assertThat(ids(dataset.storageOption("bearer-token", "mine").dataset())).hasSize(300);
    }
  }

  private long loads() {
    return rest.requests().stream().filter(each -> each.endsWith("/tables/t")).count();
  }

  @Test
  void credentialsThatEndSoonAreAskedForBeforeTheyDo() throws IOException {
    try (RangeServer server = new RangeServer(folder)) {
      granted.put(BEARER, "hush-1");
      granted.put("penstock.granted.expires-at-ms", "1000");
      StructuredDataset rows =
          IcebergDataset.table("db.t", rest.options())
              .mapLocation(folder.toString(), server.url())
              .dataset();
      long loads = loads();
      granted.remove("penstock.granted.expires-at-ms");
      assertThat(ids(rows)).hasSize(300);
      assertThat(loads()).isEqualTo(loads + 1);
    }
  }
}
