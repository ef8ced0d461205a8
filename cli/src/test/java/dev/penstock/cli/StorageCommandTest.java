package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands on a file behind HTTP, with storage options.
class StorageCommandTest {
  private static final String SECRET = "hush-hush";

  @TempDir Path folder;

  private void writeFile() throws IOException {
    try (Stream<Path> files = Files.list(HeldOutFlights.FOLDER)) {
      Files.copy(files.sorted().findFirst().orElseThrow(), folder.resolve("a.parquet"));
    }
  }

  @Test
  void fileBehindHttpIsReadAsALocalOne() throws IOException {
    writeFile();
    try (RangeServer server = new RangeServer(folder)) {
      List<String> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
      server.answer(exchange -> {
        seen.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        return false;
      });
      String url = server.url() + "/a.parquet";
      String token = "bearer-token=" + SECRET;
      CommandRun remote = CommandRun.of("cat", url, "--limit", "100", "--storage", token);
      CommandRun local = CommandRun.of("cat", folder + "/a.parquet", "--limit", "100");
      assertThat(remote.status()).as(remote.err()).isZero();
      assertThat(remote.out()).isEqualTo(local.out());
      assertThat(seen).isNotEmpty().containsOnly("Bearer " + SECRET);
      CommandRun plan = CommandRun.of("plan", "--json", url, "--storage", token);
      assertThat(plan.status()).isZero();
      assertThat(plan.out() + plan.err()).doesNotContain(SECRET);
    }
  }

  @Test
  void wrongOptionsAreUsageErrorsWithoutTheirValues() {
    CommandRun noValue = CommandRun.of("schema", "s3://b/k", "--storage", SECRET);
    assertThat(noValue.status()).isEqualTo(2);
    assertThat(noValue.err()).contains("expected KEY=VALUE").doesNotContain(SECRET);
    CommandRun unknown = CommandRun.of("schema", "s3://b/k", "--storage", "secret=" + SECRET);
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("Cannot use --storage secret: no store here takes it.")
        .doesNotContain(SECRET);
    for (String url : List.of("http://127.0.0.1:9/x.parquet", "gs://b/x.parquet")) {
      CommandRun broken = CommandRun.of("cat", url, "--storage", "bearer-token=" + SECRET + "\n");
      assertThat(broken.status()).isEqualTo(2);
      assertThat(broken.err())
          .contains("Cannot use --storage bearer-token: its value holds a line break")
          .doesNotContain(SECRET);
    }
    CommandRun wrong = CommandRun.of("schema", "s3://b/k", "--storage", "attempts=many");
    assertThat(wrong.status()).isNotZero();
    assertThat(wrong.err()).contains("got 'many' but expected a whole number in [1, 1000]");
  }
}
