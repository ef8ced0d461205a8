package dev.penstock.examples;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.DataLoader;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.metrics.LoaderMetrics;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Loads the bundled flights, and exports what the loader does to Prometheus and OpenTelemetry.
///
/// `examples/run metrics [EPOCHS]`: by default 3. Prometheus is played by a request, and the
/// collector of OpenTelemetry by [CollectorStandIn]; both print what they receive.
final class LoadWithMetrics {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private LoadWithMetrics() {}

  /// What was received.
  ///
  /// @param prometheus the text, as a Prometheus server gets it
  /// @param collector the values by the names of the metrics, as a collector gets them
  record Received(String prometheus, Map<String, List<Double>> collector) {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException {
    int epochs = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    try (SampleFlights flights = SampleFlights.extract()) {
      Received received = load(flights.trainingFolder(), epochs);
      List<String> lines =
          received.prometheus().lines().filter(line -> !line.startsWith("#")).toList();
      System.out.println("Prometheus received " + lines.size() + " series, among them:");
      lines.stream()
          .filter(line -> line.matches("penstock_(rows|batches|read_bytes|batch_wait_quantile).*"))
          .forEach(line -> System.out.println("  " + line));
      System.out.println(
          "The collector received " + received.collector().size() + " metrics, among them:");
      for (String name : List.of("penstock.rows", "penstock.batches", "penstock.read")) {
        System.out.println("  " + name + " " + received.collector().get(name));
      }
    }
  }

  static Received load(Path folder, int epochs) throws IOException {
    try (CollectorStandIn collector = CollectorStandIn.start()) {
      PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      MeterRegistry openTelemetry = new OtlpMeterRegistry(config(collector.url()), Clock.SYSTEM);
      HttpServer server = serve(prometheus);
      try (DataLoader loader =
              DataLoader.of(
                  Flights.in(folder), o -> o.batchSize(512).workers(2).shuffle(true).seed(42));
          LoaderMetrics metrics = new LoaderMetrics(loader, "train")) {
        metrics.bindTo(prometheus);
        metrics.bindTo(openTelemetry);
        for (int epoch = 0; epoch < epochs; epoch++) {
          train(loader);
        }
        scrape(server); // the meters of the stores come with the first look
        String text = scrape(server);
        openTelemetry.close(); // exports once more
        return new Received(text, collector.received());
      } finally {
        server.stop(0);
      }
    }
  }

  private static OtlpConfig config(String url) {
    Map<String, String> settings = Map.of("otlp.url", url, "otlp.step", "1s");
    return settings::get;
  }

  /// What a training would do with the batches.
  private static double train(DataLoader loader) {
    double minutes = 0;
    for (Batch batch : loader) {
      try (batch) {
        Tensor delay = batch.tensor("delay");
        for (int row = 0; row < batch.rowCount(); row++) {
          minutes += delay.getLong(row);
        }
      }
    }
    return minutes;
  }

  private static HttpServer serve(PrometheusMeterRegistry registry) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          try (exchange) {
            byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", TEXT);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
          }
        });
    server.start();
    return server;
  }

  private static String scrape(HttpServer server) throws IOException {
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/metrics");
    try (InputStream in = address.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
