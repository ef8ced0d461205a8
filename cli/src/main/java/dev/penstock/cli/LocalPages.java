package dev.penstock.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Pages at a port of 127.0.0.1, for programs of this machine.
///
/// Each connection has a virtual thread of its own, so that one that sends nothing keeps no other
/// from being answered. There are 100 at most, and a request has 10 seconds to come.
///
/// **Ownership.** [#close()] frees the port and ends the threads.
final class LocalPages implements AutoCloseable {
  static {
    // Read once, when the first server is made.
    setUnlessSet("jdk.httpserver.maxConnections", "100");
    setUnlessSet("sun.net.httpserver.maxReqTime", "10");
    setUnlessSet("sun.net.httpserver.maxRspTime", "60");
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private LocalPages(HttpServer server) {
    this.server = server;
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /// Starts to serve.
  ///
  /// @param port the port; 0 for a free one
  /// @param path what requests begin with
  /// @param answers on any of several threads at once
  /// @throws IOException if the port is in use, or this process may not take it
  static LocalPages at(int port, String path, HttpHandler answers) throws IOException {
    LocalPages pages =
        new LocalPages(
            HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 0));
    pages.server.setExecutor(pages.threads);
    pages.server.createContext(path, answers);
    pages.server.start();
    return pages;
  }

  /// Returns the host and port.
  String host() {
    return "127.0.0.1:" + port();
  }

  private int port() {
    return server.getAddress().getPort();
  }

  /// Returns whether a request names this machine. A page of another site may lead its own name
  /// here, and then reads what its visitor's browser is given.
  boolean isAskedHere(HttpExchange exchange) {
    String asked = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
    return Set.of(host(), "localhost:" + port()).contains(asked);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
