package dev.penstock.cli;

import com.sun.net.httpserver.HttpExchange;
import dev.penstock.Loader;
import dev.penstock.metrics.LoaderMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Serves what a loader does to a Prometheus server on this machine.
///
/// **Ownership.** [#close()] frees the port and ends the server's thread.
final class MetricsServer implements AutoCloseable {
  private static final String PATH = "/metrics";
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final LocalPages pages;

  /// Starts to serve.
  ///
  /// @param port the port; 0 for a free one
  /// @throws UncheckedIOException if the port is in use, or this process may not take it
  MetricsServer(int port) {
    try {
      pages = LocalPages.at(port, PATH, this::answer);
    } catch (IOException e) {
      throw new UncheckedIOException(
          ("Cannot serve metrics at port %s of 127.0.0.1: %s. Give --metrics another port, or 0 for"
                  + " a free one.")
              .formatted(port, e.getMessage()),
          e);
    }
  }

  String address() {
    return "http://" + pages.host() + PATH;
  }

  /// Adds the meters of a loader. Closing what is returned removes them.
  LoaderMetrics bind(Loader<?> loader, String name) {
    LoaderMetrics metrics = new LoaderMetrics(loader, name);
    metrics.bindTo(registry);
    return metrics;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!pages.isAskedHere(exchange)) {
        exchange.sendResponseHeaders(403, -1);
      } else if (!exchange.getRequestURI().getPath().equals(PATH)) {
        exchange.sendResponseHeaders(404, -1);
      } else if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        exchange.sendResponseHeaders(405, -1);
      } else {
        byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", TEXT);
        exchange.sendResponseHeaders(200, text.length);
        exchange.getResponseBody().write(text);
      }
    }
  }

  @Override
  public void close() {
    pages.close();
    registry.close();
  }
}
