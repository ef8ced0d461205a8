package dev.penstock.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Serves the files of a folder by HTTP on this machine, each request after some milliseconds, as a
/// store far away does.
final class SlowStore implements AutoCloseable {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");

  private final Path folder;
  private final int millis;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private SlowStore(Path folder, int millis, HttpServer server) {
    this.folder = folder;
    this.millis = millis;
    this.server = server;
  }

  static SlowStore start(Path folder, int millis) throws IOException {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    SlowStore store = new SlowStore(folder, millis, server);
    server.setExecutor(store.threads);
    server.createContext("/", store::answer);
    server.start();
    return store;
  }

  /// Returns the URLs of the files.
  List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".parquet"))
          .sorted()
          .map(name -> "http://127.0.0.1:" + server.getAddress().getPort() + "/" + name)
          .toList();
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Thread.sleep(millis);
      Path file = folder.resolve(exchange.getRequestURI().getPath().substring(1));
      long size = Files.size(file);
      Matcher range = RANGE.matcher(String.valueOf(exchange.getRequestHeaders().getFirst("Range")));
      boolean isPart = range.matches();
      long from = isPart ? Long.parseLong(range.group(1)) : 0;
      long to =
          isPart && !range.group(2).isEmpty()
              ? Math.min(size, Long.parseLong(range.group(2)) + 1)
              : size;
      exchange.getResponseHeaders().set("Accept-Ranges", "bytes");
      exchange.getResponseHeaders().set("ETag", "\"" + file.getFileName() + size + "\"");
      if (isPart) {
        exchange
            .getResponseHeaders()
            .set("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + size);
      }
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.getResponseHeaders().set("Content-Length", String.valueOf(size));
        exchange.sendResponseHeaders(200, -1);
        return;
      }
      byte[] bytes = new byte[(int) (to - from)];
      try (FileChannel channel = FileChannel.open(file)) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) >= 0) {
          // until all is read
        }
      }
      exchange.sendResponseHeaders(isPart ? 206 : 200, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
