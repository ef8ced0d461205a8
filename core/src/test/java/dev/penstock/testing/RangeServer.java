package dev.penstock.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A web server over a folder, on the loopback interface, that answers ranges as RFC 9110 says.
///
/// What it does otherwise is decided by a test: an answer of its own for some requests, no `HEAD`,
/// no look at ranges or conditions.
public final class RangeServer implements AutoCloseable {
  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]+)-([0-9]+)");

  /// Answers a request instead of the server.
  @FunctionalInterface
  public interface Answer {
    /// Answers, or returns false to have the file sent.
    boolean answered(HttpExchange exchange) throws IOException;
  }

  private final Path folder;
  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile Answer answer = _ -> false;
  private volatile boolean hasTags = true;

  /// Starts a server.
  public RangeServer(Path folder) throws IOException {
    this(folder, HttpServer.create(anyPort(), 256));
  }

  /// Starts a server behind TLS, whose certificate [#writeCertificate] gives.
  public static RangeServer secure(Path folder) throws IOException {
    HttpsServer server = HttpsServer.create(anyPort(), 256);
    try (InputStream in = RangeServer.class.getResourceAsStream("tls/server.p12")) {
      char[] password = "loopback".toCharArray();
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      server.setHttpsConfigurator(new HttpsConfigurator(context));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    return new RangeServer(folder, server);
  }

  /// Writes the certificate of servers behind TLS, in PEM.
  public static Path writeCertificate(Path file) throws IOException {
    try (InputStream in = RangeServer.class.getResourceAsStream("tls/ca.pem")) {
      Files.write(file, in.readAllBytes());
    }
    return file;
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private RangeServer(Path folder, HttpServer server) {
    this.folder = folder;
    this.server = server;
    server.createContext("/", this::handle);
    server.setExecutor(executor);
    server.start();
  }

  /// Returns the URL of the folder, without a slash at its end.
  public String url() {
    return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:" + port();
  }

  /// Returns the port.
  public int port() {
    return server.getAddress().getPort();
  }

  /// Returns what was asked for: method, path and range.
  public List<String> requests() {
    return requests;
  }

  /// Lets something else answer first.
  public void answer(Answer first) {
    answer = first;
  }

  /// Leaves `ETag` out of the answers.
  public void withoutTags() {
    hasTags = false;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String range = exchange.getRequestHeaders().getFirst("Range");
      requests.add(
          exchange.getRequestMethod()
              + " "
              + exchange.getRequestURI().getRawPath()
              + (range == null ? "" : " " + range));
      if (!answer.answered(exchange)) {
        send(exchange, folder.resolve(exchange.getRequestURI().getPath().substring(1)), range);
      }
    }
  }

  private void send(HttpExchange exchange, Path file, String range) throws IOException {
    if (!Files.isRegularFile(file)) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    long size = Files.size(file);
    long modified = Files.getLastModifiedTime(file).toMillis();
    var headers = exchange.getResponseHeaders();
    String tag =
        "\""
            + size
            + "-"
            + Files.getLastModifiedTime(file).to(java.util.concurrent.TimeUnit.NANOSECONDS)
            + "\"";
    if (hasTags) {
      headers.set("ETag", tag);
    }
    headers.set(
        "Last-Modified",
        java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME.format(
            java.time.Instant.ofEpochMilli(modified).atZone(java.time.ZoneOffset.UTC)));
    String match = exchange.getRequestHeaders().getFirst("If-Match");
    if (match != null && !match.equals(tag)) {
      exchange.sendResponseHeaders(412, -1);
      return;
    }
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", Long.toString(size));
      exchange.sendResponseHeaders(200, -1);
      return;
    }
    Matcher wanted = RANGE.matcher(range == null ? "" : range);
    if (!wanted.matches()) {
      exchange.sendResponseHeaders(200, size == 0 ? -1 : size);
      copy(file, 0, size, exchange.getResponseBody());
      return;
    }
    long first = Long.parseLong(wanted.group(1));
    long last = Math.min(size - 1, Long.parseLong(wanted.group(2)));
    if (first >= size) {
      headers.set("Content-Range", "bytes */" + size);
      exchange.sendResponseHeaders(416, -1);
      return;
    }
    headers.set("Content-Range", "bytes " + first + "-" + last + "/" + size);
    exchange.sendResponseHeaders(206, last - first + 1);
    copy(file, first, last - first + 1, exchange.getResponseBody());
  }

  private static void copy(Path file, long from, long count, OutputStream out) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer step = ByteBuffer.allocate(64 << 10);
      for (long at = from; at < from + count; ) {
        step.clear().limit((int) Math.min(step.capacity(), from + count - at));
        int read = channel.read(step, at);
        if (read < 0) {
          return;
        }
        out.write(step.array(), 0, read);
        at += read;
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    executor.close();
  }
}
