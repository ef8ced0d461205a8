package dev.penstock.iceberg;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.rest.CatalogHandlers;
import org.apache.iceberg.rest.RESTCatalogProperties;
import org.apache.iceberg.rest.RESTSerializers;
import org.apache.iceberg.rest.requests.RemoteSignRequest;
import org.apache.iceberg.rest.responses.ConfigResponse;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.apache.iceberg.rest.responses.ImmutableRemoteSignResponse;
import org.apache.iceberg.rest.responses.LoadTableResponse;
import org.apache.iceberg.rest.responses.OAuthTokenResponse;
import org.apache.iceberg.rest.responses.RemoteSignResponse;

/// A REST catalog over another, as far as reading needs it: Iceberg's own handlers behind the JDK's
/// server.
///
/// It wants the token `hush-token`, which it gives for the credential `me:hush-secret`.
final class MiniRest implements AutoCloseable {
  static final String TOKEN = "hush-token";
  static final String SECRET = "hush-secret";
  static final String SIGNATURE = "signed by the catalog";

  private final HttpServer server;
  private final Catalog catalog;
  private final Supplier<Map<String, String>> granted;
  private final ObjectMapper mapper = new ObjectMapper();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> signed = new CopyOnWriteArrayList<>();

  /// Starts a catalog.
  ///
  /// @param granted what is said of a table's files, each time it is loaded
  MiniRest(Catalog catalog, Supplier<Map<String, String>> granted) throws IOException {
    this.catalog = catalog;
    this.granted = granted;
    mapper.setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);
    mapper.configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
    mapper.setPropertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE);
    RESTSerializers.registerAll(mapper);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  /// Returns catalog options for it.
  Map<String, String> options() {
    return Map.of("type", "rest", "uri", uri(), "token", TOKEN);
  }

  String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// Returns what was asked for: method and path.
  List<String> requests() {
    return requests;
  }

  /// Returns what was asked to be signed: method, URI, region and headers.
  List<String> signed() {
    return signed;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getRawPath();
    requests.add(exchange.getRequestMethod() + " " + path);
    int code = 200;
    Object answer;
    try {
      answer = answer(exchange, path.substring(1).split("/", -1));
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      code = 404;
      answer = error(code, e);
    } catch (SecurityException e) {
      code = 401;
      answer = error(code, e);
    } catch (ForbiddenException e) {
      code = 403;
      answer = error(code, e);
    } catch (RuntimeException e) {
      code = 500;
      answer = error(code, e);
    }
    byte[] body = mapper.writeValueAsBytes(answer);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static ErrorResponse error(int code, RuntimeException e) {
    return ErrorResponse.builder()
        .responseCode(code)
        .withType(e.getClass().getSimpleName())
        .withMessage(String.valueOf(e.getMessage()))
        .build();
  }

  private Object answer(HttpExchange exchange, String[] path) throws IOException {
    if (path[path.length - 1].equals("tokens")) {
      String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      if (!form.contains("client_secret=" + SECRET)) {
        throw new SecurityException("Not you, " + form);
      }
      return OAuthTokenResponse.builder().withToken(TOKEN).withTokenType("Bearer").build();
    }
    String who = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    if (!who.equals("Bearer " + TOKEN)) {
      throw new SecurityException("Not you, " + who);
    }
    if (path[path.length - 1].equals("sign")) {
      return sign(exchange);
    }
    if (path[1].equals("config")) {
      return ConfigResponse.builder().build();
    }
    if (path.length == 5 && path[3].equals("tables") && isGet(exchange)) {
      String table = URLDecoder.decode(path[4], StandardCharsets.UTF_8);
      LoadTableResponse loaded =
          CatalogHandlers.loadTable(
              catalog,
              TableIdentifier.of(Namespace.of(path[2]), table),
              RESTCatalogProperties.SnapshotMode.ALL);
      return LoadTableResponse.builder()
          .withTableMetadata(loaded.tableMetadata())
          .addAllConfig(granted.get())
          .build();
    }
    if (path[path.length - 1].equals("metrics")) {
      return Map.of();
    }
    throw new IllegalStateException(exchange.getRequestMethod() + " " + List.of(path));
  }

  /// Signs as if it were a catalog with the credentials of a store.
  private RemoteSignResponse sign(HttpExchange exchange) throws IOException {
    RemoteSignRequest asked = mapper.readValue(exchange.getRequestBody(), RemoteSignRequest.class);
    signed.add(asked.method() + " " + asked.uri() + " " + asked.region() + " " + asked.headers());
    if (asked.uri().getPath().endsWith("/secret")) {
      throw new ForbiddenException("Not for you, " + TOKEN);
    }
    exchange.getResponseHeaders().add("Cache-Control", "private");
    return ImmutableRemoteSignResponse.builder()
        .uri(asked.uri())
        .putAllHeaders(asked.headers())
        .putHeaders("Authorization", List.of(SIGNATURE))
        .build();
  }

  private static boolean isGet(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("GET");
  }
}
