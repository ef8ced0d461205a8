package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.options.LoaderOptions;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What stores are told: which options there are, where they show, and credentials that expire.
class StorageOptionsTest {
  private static final String SECRET = "wJalrXUtnFEMI-hush";

  @TempDir Path folder;

  @Test
  void optionThatNoStoreTakesIsRefusedWithoutItsValue() {
    assertThatThrownBy(() -> new StructuredDataset("x").storageOption("secret-acess-key", SECRET))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot use storage option 'secret-acess-key': no store here takes")
        .hasMessageContaining("secret-access-key")
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void httpFolderIsAnError() throws IOException {
    try (RangeServer server = new RangeServer(folder)) {
      assertThatThrownBy(() -> new StructuredDataset(server.url() + "/").files())
          .hasMessageContaining("HTTP has no folders. Name each file by its URL.");
      assertThatThrownBy(() -> new StructuredDataset(server.url() + "/*.parquet").files())
          .hasMessageContaining("HTTP has no folders. Name each file by its URL.");
      assertThatThrownBy(() -> new StructuredDataset(server.url() + "/none.parquet").files())
          .hasMessageContaining("no such file or folder");
    }
  }

  @Test
  void secretsAreInNoPlanAndNoStateAndNoError() throws IOException {
    new Folder(folder).write("a.parquet", Folder.ID, Folder.ids(0, 10));
    try (RangeServer server = new RangeServer(folder)) {
      StructuredDataset dataset =
          new StructuredDataset(server.url() + "/a.parquet")
              .storageOption("username", "me")
              .storageOption("password", SECRET)
              .storageOption("query", "sig=" + SECRET)
              .storageOption("attempts", "2");
      StringBuilder shown = new StringBuilder();
      shown.append(dataset).append(dataset.plan(LoaderOptions.defaults(), 0));
      try (DataLoader loader = DataLoader.of(dataset, Folder.options())) {
        try (EpochIterator<Batch> epoch = loader.iterator()) {
          epoch.next().close();
          shown.append(loader.state().toJson()).append(loader.state());
        }
        server.answer(exchange -> {
          exchange.sendResponseHeaders(403, -1);
          return true;
        });
        assertThatThrownBy(() -> Delivery.ofEpoch(loader))
            .hasMessageContaining("access is denied (403)")
            .satisfies(e -> {
              StringWriter trace = new StringWriter();
              e.printStackTrace(new PrintWriter(trace));
              shown.append(trace);
            });
      }
      assertThat(shown.toString()).contains("a.parquet").doesNotContain(SECRET);
    }
  }

  @Test
  void credentialsThatExpireInMidEpochAreFetchedAgainWithoutLosingARow() throws IOException {
    Path bucket = folder.resolve("lake");
    int files = 6;
    for (int i = 0; i < files; i++) {
      new Folder(bucket).write(i + ".parquet", Folder.ID, Folder.ids(i * 1000L, (i + 1) * 1000L));
    }
    AtomicInteger fetched = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger expired = new AtomicInteger();
    try (RangeServer source = new RangeServer(folder);
        RangeServer store = new RangeServer(folder)) {
      source.answer(exchange -> {
        byte[] body =
            ("{\"AccessKeyId\":\"id\",\"SecretAccessKey\":\"secret\",\"Token\":\"token-"
                    + fetched.incrementAndGet()
                    + "\",\"Expiration\":\"2099-01-01T00:00:00Z\"}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        return true;
      });
      // Every fifth request finds the session at its end.
      store.answer(exchange -> {
        String token = exchange.getRequestHeaders().getFirst("x-amz-security-token");
        int valid = 1 + asked.get() / 5;
        if (token != null && Integer.parseInt(token.replace("token-", "")) >= valid) {
          asked.incrementAndGet();
          return false;
        }
        expired.incrementAndGet();
        byte[] body =
            "<Error><Code>ExpiredToken</Code><Message>Expired.</Message></Error>"
                .getBytes(StandardCharsets.UTF_8);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(400, head ? -1 : body.length);
        if (!head) {
          exchange.getResponseBody().write(body);
        }
        return true;
      });
      System.setProperty("aws.disableEc2Metadata", "true");
      System.setProperty("aws.sharedCredentialsFile", folder + "/none");
      System.setProperty("aws.configFile", folder + "/none");
      System.setProperty("aws.containerCredentialsFullUri", source.url() + "/credentials");
      try {
        List<String> locations = new ArrayList<>();
        for (int i = 0; i < files; i++) {
          locations.add("s3://lake/" + i + ".parquet");
        }
        StructuredDataset dataset =
            new StructuredDataset(locations).storageOption("endpoint", store.url());
        List<Long> ids = new ArrayList<>();
        try (DataLoader loader = DataLoader.of(dataset, Folder.options().batchSize(100))) {
          for (int epoch = 0; epoch < 3; epoch++) {
            for (Batch batch : loader) {
              for (int row = 0; row < batch.rowCount(); row++) {
                ids.add(batch.tensor("id").getLong(row));
              }
              batch.close();
            }
          }
        }
        List<Long> all = LongStream.range(0, files * 1000L).boxed().toList();
        List<Long> expected = new ArrayList<>(all);
        expected.addAll(all);
        expected.addAll(all);
        assertThat(ids).isEqualTo(expected);
        assertThat(expired.get()).isGreaterThan(3);
      } finally {
        System.clearProperty("aws.containerCredentialsFullUri");
      }
    }
  }
}
