package dev.penstock.gcs;

import dev.penstock.testing.Installed;
import dev.penstock.testing.ServerProcess;
import dev.penstock.testing.StoreServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A server that speaks as Google Cloud Storage does and asks nobody who it is, in a process of its
/// own, on the loopback interface: fake-gcs-server where there is Go, else Firebase's emulator.
///
/// The emulator has every bucket that it is asked for, and does not look at conditions.
public final class GcsServer implements StoreServer {
  private static final String MODULE = "github.com/fsouza/fake-gcs-server@v1.56.1";

  private final boolean isEmulator = !Installed.hasGo();
  private final ServerProcess process;
  private final int port;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Set<String> buckets = ConcurrentHashMap.newKeySet();

  /// Starts a server and waits until it listens, or skips the test where there is none.
  public GcsServer() throws IOException {
    Path module = Path.of(System.getProperty("penstock.root"), "gcs");
    List<String> command;
    Map<String, String> environment;
    if (isEmulator) {
      Path installed =
          Installed.npm(
              "Firebase's emulator", module.resolve("server"), module.resolve("target/emulator"));
      // Beside the modules that it needs.
      Path script = installed.resolve("emulator.cjs");
      Files.write(script, Files.readAllBytes(module.resolve("server/emulator.cjs")));
      port = ServerProcess.freePort();
      command = List.of("node", script.toString(), String.valueOf(port));
      environment = Map.of("TMPDIR", Files.createTempDirectory("gcs").toString());
    } else {
      Path program =
          Installed.go("fake-gcs-server", MODULE, module.resolve("target/fake-gcs-server"));
      port = ServerProcess.freePort();
      command =
          List.of(
              program.toString(),
              "-backend",
              "memory",
              "-scheme",
              "http",
              "-host",
              "127.0.0.1",
              "-port",
              String.valueOf(port),
              "-external-url",
              endpoint());
      environment = Map.of();
    }
    process = ServerProcess.start(command, environment, line -> line.contains("server started"));
  }

  /// Returns whether it is the emulator.
  public boolean isEmulator() {
    return isEmulator;
  }

  @Override
  public int port() {
    return port;
  }

  /// Returns the address, for storage option `endpoint`.
  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void put(String bucket, String name, byte[] content) throws IOException {
    if (!isEmulator && buckets.add(bucket)) {
      send(
          "POST",
          "/storage/v1/b",
          ("{\"name\":\"" + bucket + "\"}").getBytes(StandardCharsets.UTF_8));
    }
    send(
        "POST",
        "/upload/storage/v1/b/" + bucket + "/o?uploadType=media&name=" + encoded(name),
        content);
  }

  @Override
  public void delete(String bucket, String name) throws IOException {
    send("DELETE", "/storage/v1/b/" + bucket + "/o/" + encoded(name), new byte[0]);
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private void send(String method, String path, byte[] body) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(endpoint() + path))
            .method(method, BodyPublishers.ofByteArray(body))
            .build();
    try {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() >= 300) {
        throw new IOException(method + " " + path + ": " + answer.statusCode() + answer.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void stop() {
    process.close();
  }
}
