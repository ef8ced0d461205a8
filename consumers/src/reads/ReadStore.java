package reads;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.StructuredDataset;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Reads a file from a store: a server in this process that answers every request with one file.
public final class ReadStore {
  private final byte[] file;

  private ReadStore(byte[] file) {
    this.file = file;
  }

  public static void main(String[] args) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", new ReadStore(Files.readAllBytes(Path.of(args[1])))::answer);
    server.start();
    try {
      String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
      StructuredDataset dataset =
          new StructuredDataset(args[0] + "://lake/file.parquet")
              .storageOption("endpoint", args[0].equals("az") ? endpoint + "/account" : endpoint)
              .storageOption("anonymous", "true");
      System.out.println(args[0] + ": " + ReadFile.rows(dataset) + " rows");
    } finally {
      server.stop(0);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    var headers = exchange.getResponseHeaders();
    headers.add("ETag", "\"1\"");
    headers.add("x-goog-generation", "1");
    headers.add("Last-Modified", "Wed, 25 Nov 2026 00:00:00 GMT");
    headers.add("x-ms-blob-type", "BlockBlob");
    headers.add("Accept-Ranges", "bytes");
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.add("Content-Length", String.valueOf(file.length));
      exchange.sendResponseHeaders(200, -1);
    } else if (exchange.getRequestURI().getPath().contains("/o/") && !query.contains("alt=media")) {
      headers.add("Content-Type", "application/json");
      send(
          exchange,
          200,
          ("{\"name\": \"file.parquet\", \"bucket\": \"lake\", \"generation\": \"1\", \"size\": \""
                  + file.length
                  + "\"}")
              .getBytes(StandardCharsets.UTF_8));
    } else {
      range(exchange);
    }
    exchange.close();
  }

  private void range(HttpExchange exchange) throws IOException {
    String range = exchange.getRequestHeaders().getFirst("Range");
    if (range == null) {
      range = exchange.getRequestHeaders().getFirst("x-ms-range");
    }
    if (range == null) {
      send(exchange, 200, file);
      return;
    }
    String[] ends = range.replace("bytes=", "").split("-", 2);
    int from = Integer.parseInt(ends[0]);
    int to = ends[1].isEmpty() ? file.length : Math.min(file.length, Integer.parseInt(ends[1]) + 1);
    exchange
        .getResponseHeaders()
        .add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + file.length);
    send(exchange, 206, Arrays.copyOfRange(file, from, to));
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
