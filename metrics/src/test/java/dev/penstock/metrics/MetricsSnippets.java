package dev.penstock.metrics;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Code of the guide to metrics.
final class MetricsSnippets {
  private MetricsSnippets() {}

  static void bind(String folder, PrometheusMeterRegistry registry, Consumer<Batch> training) {
    // @start region=metrics-bind
    var flights = new StructuredDataset(folder);
    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512).workers(2));
        var metrics = new LoaderMetrics(loader, "train")) {
      metrics.bindTo(registry);
      for (Batch batch : loader) {
        try (batch) {
          training.accept(batch);
        }
      }
    }
    // @end
  }

  // @start region=metrics-prometheus
  static HttpServer serve(PrometheusMeterRegistry registry, int port) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    HttpServer server = HttpServer.create(address, 0);
    server.createContext(
        "/metrics",
        exchange -> {
          try (exchange) {
            byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
          }
        });
    server.start();
    return server;
  }

  // @end

  static PrometheusMeterRegistry registry() {
    return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  }
}
