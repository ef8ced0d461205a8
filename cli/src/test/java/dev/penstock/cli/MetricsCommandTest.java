package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.MemoryStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `load --metrics PORT`.
@Timeout(60)
class MetricsCommandTest {
  private static final String SAID = "Metrics at http://127.0.0.1:";
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final MemoryStorage.Site site = MemoryStorage.site();

  MetricsCommandTest() {
    for (int file = 0; file < 3; file++) {
      String rows = "a\n" + "1\n".repeat(1_000);
      site.put(file + ".csv", rows.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static HttpResponse<String> send(String address, String method)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  /// Standard error, line by line, while the command runs.
  private static final class Lines extends OutputStream {
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    @Override
    public synchronized void write(int b) {
      if (b == '\n') {
        lines.add(line.toString(StandardCharsets.UTF_8));
        line.reset();
      } else {
        line.write(b);
      }
    }
  }

  @Test
  void numbersAreServedWhileTheCommandRunsAndNoLonger()
      throws IOException, InterruptedException, ExecutionException {
    CompletableFuture<Void> scraped = new CompletableFuture<>();
    CompletableFuture<Void> reached = new CompletableFuture<>();
    site.fault(request -> {
      if (request.location().text().endsWith("2.csv") && request.range().length() > 100) {
        reached.complete(null);
        scraped.join();
      }
    });
    Lines err = new Lines();
    Future<Integer> status =
        CompletableFuture.supplyAsync(() ->
            Main.run(
                List.of("load", site.location(), "--metrics", "0", "--progress", "none")
                    .toArray(String[]::new),
                OutputStream.nullOutputStream(),
                new PrintStream(err, true, StandardCharsets.UTF_8)));
    String said = err.lines.take();
    assertThat(said).startsWith(SAID).endsWith("/metrics");
    String address = said.substring("Metrics at ".length());
    reached.join();
    try {
      HttpResponse<String> text = send(address, "GET");
      assertThat(text.statusCode()).isEqualTo(200);
      assertThat(text.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("text/plain; version=0.0.4");
      assertThat(text.body())
          .contains("\npenstock_rows_total{loader=\"load\"} ")
          .contains("# TYPE penstock_batch_wait_seconds summary\n");
      assertThat(send(address, "POST").statusCode()).isEqualTo(405);
      assertThat(send(address + "/more", "GET").statusCode()).isEqualTo(404);
    } finally {
      scraped.complete(null);
    }
    assertThat(status.get()).isZero();
    assertThatThrownBy(() -> send(address, "GET")).isInstanceOf(ConnectException.class);
  }

  @Test
  void portInUseIsAnErrorBeforeAnythingIsRead() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
      String port = Integer.toString(taken.getLocalPort());
      CommandRun run = CommandRun.of("load", site.location(), "--metrics", port);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .isEqualTo(
              "Cannot serve metrics at port "
                  + port
                  + " of 127.0.0.1: Address already in use. Give --metrics another port, or 0 for a"
                  + " free one.\n");
      assertThat(site.requests()).isEmpty();
    }
  }

  @Test
  void portOutsideOfTheRangeIsWrongUsage() {
    for (String port : List.of("-1", "65536")) {
      CommandRun run = CommandRun.of("load", site.location(), "--metrics", port);
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).contains("--metrics must be in [0, 65535], got " + port + ".");
    }
  }

  @Test
  void portIsFreeAfterAFault() throws IOException {
    List<String> lines = new ArrayList<>();
    CommandRun run = CommandRun.of("load", "/nowhere/at/all", "--metrics", "0");
    assertThat(run.status()).isEqualTo(1);
    run.err().lines().forEach(lines::add);
    assertThat(lines.getFirst()).startsWith(SAID);
    String address = lines.getFirst().substring("Metrics at ".length());
    assertThatThrownBy(() -> send(address, "GET")).isInstanceOf(ConnectException.class);
  }
}
