package dev.penstock.iceberg.glue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// As much of Glue's protocol as reading a table takes: JSON over HTTP, the operation in a header.
///
/// It knows one access key, and does not check what is signed with it.
final class FakeGlue implements AutoCloseable {
  static final String KEY = "AKIDPENSTOCK";

  private final ObjectMapper mapper = new ObjectMapper();
  private final Map<String, Map<String, String>> tables = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  /// An answer that is an error.
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;
    private final String type;

    Refusal(String type, String message) {
      super(message);
      this.type = type;
    }
  }

  FakeGlue() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  /// Puts a table into database `db`, or changes it.
  void put(String name, Map<String, String> parameters) {
    tables.put(name, parameters);
  }

  String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// Returns the operations that were asked for.
  List<String> requests() {
    return requests;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    int code = 200;
    Object answer;
    try {
      answer = answer(exchange);
    } catch (Refusal e) {
      code = 400;
      exchange.getResponseHeaders().add("x-amzn-ErrorType", e.type);
      answer = Map.of("__type", e.type, "Message", String.valueOf(e.getMessage()));
    }
    byte[] body = mapper.writeValueAsBytes(answer);
    exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.1");
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private Object answer(HttpExchange exchange) throws IOException, Refusal {
    String operation = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    JsonNode asked = mapper.readTree(exchange.getRequestBody().readAllBytes());
    requests.add(String.valueOf(operation));
    String signature = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    if (!signature.startsWith("AWS4-HMAC-SHA256 Credential=" + KEY + "/")) {
      throw new Refusal(
          "UnrecognizedClientException", "The security token included in the request is invalid.");
    }
    if (!operation.equals("AWSGlue.GetTable")) {
      throw new Refusal("UnknownOperationException", operation);
    }
    String name = asked.path("Name").asText();
    Map<String, String> parameters =
        asked.path("DatabaseName").asText().equals("db") ? tables.get(name) : null;
    if (parameters == null) {
      throw new Refusal("EntityNotFoundException", "Entity Not Found");
    }
    return Map.of(
        "Table",
        Map.of(
            "DatabaseName",
            "db",
            "Name",
            name,
            "TableType",
            "EXTERNAL_TABLE",
            "Parameters",
            parameters));
  }
}
