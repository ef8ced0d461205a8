package dev.penstock.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MetricsSnippetsTest {
  @Test
  void guideServesTheNumbersOfItsLoader() throws IOException, InterruptedException {
    PrometheusMeterRegistry registry = MetricsSnippets.registry();
    HttpServer server = MetricsSnippets.serve(registry, 0);
    AtomicLong batches = new AtomicLong();
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/metrics");
      HttpRequest request = HttpRequest.newBuilder(address).build();
      StringBuilder text = new StringBuilder();
      MetricsSnippets.bind(
          new Rows().site().location(),
          registry,
          batch -> {
            if (batches.incrementAndGet() == 1) {
              try {
                text.append(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }
          });
      assertThat(batches).hasValue(1); // 300 rows
      assertThat(text).contains("penstock_rows_total{loader=\"train\"} 300.0\n");
      assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).body())
          .doesNotContain("penstock");
    } finally {
      server.stop(0);
    }
  }
}
