import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// Stands in for Maven Central and for PyPI in a rehearsal: takes what a release uploads, checks it
/// as they do, and keeps it.
///
/// ```
/// java release/StandIn.java PORT-FILE FOLDER
/// ```
///
/// Bundles for Maven Central end as a repository in `FOLDER/central`. Of each artifact there have
/// to be sources, Javadoc, a signature and checksums that are right; the POMs' contents are checked
/// by the build. Files for PyPI end in `FOLDER/pypi`. The port of the loopback interface is written
/// to `PORT-FILE`. It ends when its standard input does.
///
/// The protocols are those of <https://central.sonatype.org/publish/publish-portal-api/> and of
/// <https://docs.pypi.org/api/upload/>.
final class StandIn {
  private static final Map<String, String> CHECKSUMS = Map.of("md5", "MD5", "sha1", "SHA-1");

  private final Path folder;
  private final List<String> faults = new ArrayList<>();

  private StandIn(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] args) throws IOException {
    StandIn standIn = new StandIn(Path.of(args[1]));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/v1/publisher/upload", standIn::takeBundle);
    server.createContext("/api/v1/publisher/status", standIn::tellState);
    server.createContext("/legacy/", standIn::takeWheel);
    server.start();
    Path port = Path.of(args[0]);
    Path beside = port.resolveSibling(port.getFileName() + ".new");
    Files.writeString(beside, String.valueOf(server.getAddress().getPort()));
    Files.move(beside, port, StandardCopyOption.ATOMIC_MOVE);
    while (System.in.read() >= 0) {}
    server.stop(0);
  }

  // Maven Central

  private void takeBundle(HttpExchange exchange) throws IOException {
    if (!isAuthorized(exchange)) {
      return;
    }
    Path repository = folder.resolve("central");
    Map<String, byte[]> files = new TreeMap<>();
    try (var zip = new ZipInputStream(new ByteArrayInputStream(part(exchange, "bundle")))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (!entry.isDirectory()) {
          files.put(entry.getName(), zip.readAllBytes());
        }
      }
    }
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      check(file.getKey(), files);
      Path target = repository.resolve(file.getKey()).normalize();
      if (!target.startsWith(repository)) {
        throw new IOException("The bundle has a file outside of it: " + file.getKey());
      }
      Files.createDirectories(target.getParent());
      Files.write(target, file.getValue());
    }
    if (files.isEmpty()) {
      faults.add("The bundle has no files.");
    }
    answer(exchange, 201, "rehearsal");
  }

  /// Adds what Maven Central would refuse.
  private void check(String name, Map<String, byte[]> files) {
    String extension = name.substring(name.lastIndexOf('.') + 1);
    if (CHECKSUMS.containsKey(extension) || name.matches(".*\\.(sha256|sha512|asc)")) {
      return;
    }
    need(files, name + ".asc", name);
    CHECKSUMS.forEach((kind, algorithm) -> {
      byte[] stated = files.get(name + "." + kind);
      String right = digest(algorithm, files.get(name));
      if (stated == null || !new String(stated, StandardCharsets.US_ASCII).strip().equals(right)) {
        faults.add("The checksum " + kind + " of " + name + " is missing or wrong.");
      }
    });
    String stem = name.replaceFirst("\\.[a-z]+$", "");
    if (extension.equals("jar") && files.containsKey(stem + ".pom")) {
      need(files, stem + "-sources.jar", name);
      need(files, stem + "-javadoc.jar", name);
    }
  }

  private void need(Map<String, byte[]> files, String needed, String by) {
    if (!files.containsKey(needed)) {
      faults.add(by + " is without " + needed.substring(needed.lastIndexOf('/') + 1) + ".");
    }
  }

  private static String digest(String algorithm, byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void tellState(HttpExchange exchange) throws IOException {
    String errors = String.join(" ", faults).replace("\"", "'");
    String state = faults.isEmpty() ? "VALIDATED" : "FAILED";
    String json =
        """
        {"deploymentId": "rehearsal", "deploymentName": "rehearsal", "deploymentState": "%s",
         "purls": [], "errors": {"bundle": ["%s"]}}
        """
            .formatted(state, errors);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    answer(exchange, 200, json);
  }

  // PyPI

  private void takeWheel(HttpExchange exchange) throws IOException {
    if (!isAuthorized(exchange)) {
      return;
    }
    Path target = Files.createDirectories(folder.resolve("pypi"));
    byte[] body = exchange.getRequestBody().readAllBytes();
    String head = new String(body, StandardCharsets.ISO_8859_1);
    int at = head.indexOf("filename=\"") + "filename=\"".length();
    String name = Path.of(head.substring(at, head.indexOf('"', at))).getFileName().toString();
    Files.write(target.resolve(name), part(exchange, head, body, "content"));
    answer(exchange, 200, "");
  }

  // HTTP

  private boolean isAuthorized(HttpExchange exchange) throws IOException {
    boolean authorized = exchange.getRequestHeaders().containsKey("Authorization");
    if (!authorized) {
      answer(exchange, 401, "");
    }
    return authorized;
  }

  private static byte[] part(HttpExchange exchange, String name) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    return part(exchange, new String(body, StandardCharsets.ISO_8859_1), body, name);
  }

  /// Returns a part of a `multipart/form-data` body.
  private static byte[] part(HttpExchange exchange, String text, byte[] body, String name)
      throws IOException {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    String boundary = "--" + type.replaceFirst(".*boundary=\"?([^\";]+).*", "$1");
    int part = text.indexOf("name=\"" + name + "\"");
    int from = text.indexOf("\r\n\r\n", part) + 4;
    int to = text.indexOf("\r\n" + boundary, from);
    if (part < 0 || from < 4 || to < 0) {
      throw new IOException("The upload has no part '" + name + "'.");
    }
    return Arrays.copyOfRange(body, from, to);
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
