package dev.penstock.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/// What an OpenTelemetry collector receives over HTTP, kept until it is asked for.
final class CollectorStandIn implements AutoCloseable {
  private static final String PATH = "/v1/metrics";

  private final HttpServer server;
  private final Map<String, List<Double>> received = new TreeMap<>(); // guarded by itself

  private CollectorStandIn(HttpServer server) {
    this.server = server;
  }

  /// Starts at a free port of this machine.
  static CollectorStandIn start() throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    CollectorStandIn collector = new CollectorStandIn(HttpServer.create(address, 0));
    collector.server.createContext(PATH, collector::take);
    collector.server.start();
    return collector;
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + PATH;
  }

  /// Returns the values that came last, by the names of the metrics.
  Map<String, List<Double>> received() {
    synchronized (received) {
      return new TreeMap<>(received);
    }
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean isZipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      InputStream body = exchange.getRequestBody();
      ExportMetricsServiceRequest request =
          ExportMetricsServiceRequest.parseFrom(isZipped ? new GZIPInputStream(body) : body);
      synchronized (received) {
        request.getResourceMetricsList().stream()
            .flatMap(resource -> resource.getScopeMetricsList().stream())
            .flatMap(scope -> scope.getMetricsList().stream())
            .forEach(metric -> received.put(metric.getName(), values(metric)));
      }
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static List<Double> values(Metric metric) {
    List<NumberDataPoint> points =
        metric.hasSum()
            ? metric.getSum().getDataPointsList()
            : metric.getGauge().getDataPointsList();
    return points.stream().map(NumberDataPoint::getAsDouble).toList();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
