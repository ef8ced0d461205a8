package dev.penstock.report.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Serves the page of a run that goes on, and its newest data, to this machine.
final class LiveServer implements AutoCloseable {
  private final HttpServer server;
  private final List<String> queries = new CopyOnWriteArrayList<>();
  private volatile String json;

  LiveServer(String json) throws IOException {
    this.json = json;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/?token=secret";
  }

  void show(String newest) {
    json = newest;
  }

  /// The queries with which data were asked for.
  List<String> queries() {
    return queries;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean data = exchange.getRequestURI().getPath().equals("/data");
      if (data) {
        queries.add(exchange.getRequestURI().getQuery());
      }
      byte[] body = data ? json.getBytes(StandardCharsets.UTF_8) : page();
      exchange
          .getResponseHeaders()
          .set("Content-Type", data ? "application/json" : "text/html; charset=utf-8");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private byte[] page() throws IOException {
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    ReportPage.writeLive(json, page);
    return page.toByteArray();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
