package dev.penstock.cli;

import com.sun.net.httpserver.HttpExchange;
import dev.penstock.report.Report;
import dev.penstock.report.page.ReportPage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Shows a report while the run goes on: a page on 127.0.0.1 that asks for newer numbers each
/// second. Who does not know its random token gets nothing.
///
/// **Threads.** Safe for any; requests are answered one by one.
final class WatchServer implements AutoCloseable {
  /// How long the end is kept for a page that looks each second.
  private static final long END_SECONDS = 3;

  private final LocalPages pages;
  private final String query;
  private volatile Supplier<Report> report;
  private volatile boolean isWatched;
  private volatile boolean hasEnded;
  private final CountDownLatch endSeen = new CountDownLatch(1);

  /// Starts to serve at a free port.
  ///
  /// @param report makes the report of now, by one thread at a time
  WatchServer(Supplier<Report> report) throws IOException {
    this.report = report;
    byte[] token = new byte[16];
    new SecureRandom().nextBytes(token);
    this.query = "token=" + Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    this.pages = LocalPages.at(0, "/", this::answer);
  }

  /// Returns the address of the page, with its token.
  String address() {
    return "http://" + pages.host() + "/?" + query;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (!isAllowed(exchange)) {
        send(exchange, 403, "text/plain", bytes("The token is missing or wrong."));
      } else if (!exchange.getRequestMethod().equals("GET")) {
        send(exchange, 405, "text/plain", bytes("Only GET is answered."));
      } else if (path.equals("/")) {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        ReportPage.writeLive(json(), page);
        send(exchange, 200, "text/html; charset=utf-8", page.toByteArray());
      } else if (path.equals("/data")) {
        boolean isEnd = hasEnded;
        isWatched = true;
        send(exchange, 200, "application/json", bytes(json()));
        if (isEnd) {
          endSeen.countDown();
        }
      } else {
        send(exchange, 404, "text/plain", bytes("There is only one page here."));
      }
    }
  }

  private synchronized String json() {
    return report.get().json();
  }

  /// Pages of other sites may not ask in a browser's name: neither by a name that leads here, nor
  /// without the token.
  private boolean isAllowed(HttpExchange exchange) {
    String asked = String.valueOf(exchange.getRequestURI().getRawQuery());
    return pages.host().equals(exchange.getRequestHeaders().getFirst("Host"))
        && MessageDigest.isEqual(bytes(asked), bytes(query));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  /// Shows the last report, and waits shortly until a page that is open has it.
  ///
  /// @param last the report of the whole run
  void end(Report last) {
    report = () -> last;
    hasEnded = true;
    if (isWatched) {
      try {
        boolean _ = endSeen.await(END_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    pages.close();
  }
}
