package dev.penstock.internal.http;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.FilePage;
import dev.penstock.spi.storage.Loopback;
import dev.penstock.spi.storage.ProxyServer;
import dev.penstock.spi.storage.RangeBody;
import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RetryPolicy;
import dev.penstock.spi.storage.ServedRange;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.spi.storage.TrustedCertificates;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Single requests for files, without retries. Safe for any thread. The client has its own threads,
/// which transfer bytes.
final class HttpRequests implements RemoteRequests {
  /* HTTP/1.1, because many connections are faster than one shared connection. */

  private static final Logger LOG = LoggerFactory.getLogger(HttpRequests.class);

  private static final int PORT_MAX = 65_535;
  private static final int STEP_BYTES = 64 << 10;
  private static final int PROXY_REFUSES = 407;
  private static final String EMPTY_RANGE = "bytes */0"; // the `Content-Range` of an empty file
  private final HttpClient client;
  private final Duration readTimeout;
  private final Duration deadline;
  private final Optional<String> authorization;
  private final Optional<String> proxyAuthorization;
  private final String query;
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  HttpRequests(StorageOptions options) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(RetryPolicy.connectTimeout(options));
    Optional<ProxyServer> proxy = ProxyServer.of(options);
    proxy.ifPresent(server -> builder.proxy(server.selector()));
    TrustedCertificates.of(options).ifPresent(trusted -> builder.sslContext(trusted.context()));
    proxyAuthorization = proxy.flatMap(ProxyServer::authorization);
    client = builder.build();
    readTimeout = RetryPolicy.readTimeout(options);
    deadline = RetryPolicy.of(options).deadline();
    authorization = authorization(options);
    query = options.get("query").map(text -> "?" + text).orElse("");
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  private static Optional<String> authorization(StorageOptions options) {
    Optional<String> token = options.get("bearer-token").map(text -> "Bearer " + text);
    Optional<String> user = options.get("username");
    if (token.isPresent() || user.isEmpty()) {
      return token;
    }
    String both = user.get() + ":" + options.get("password").orElse("");
    byte[] bytes = both.getBytes(StandardCharsets.UTF_8);
    return Optional.of("Basic " + Base64.getEncoder().encodeToString(bytes));
  }

  /// Looks up a file; uses a range request if the server does not answer `HEAD` properly.
  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    if (location.text().endsWith("/")) {
      return Optional.of(FileEntry.folder(location)); // so that list() reports the mistake
    }
    HttpRequest head = request(location).HEAD().build();
    HttpResponse<Void> response = send(head, BodyHandlers.discarding());
    long bytes = response.headers().firstValueAsLong("content-length").orElse(-1);
    int status = response.statusCode();
    if (status == 200 && bytes > 0) { // some state 0 because they send no body
      return Optional.of(entry(location, bytes, response.headers()));
    }
    boolean isLast = isMissing(status) || failure(status, response.headers()).kind().isTemporary();
    return isLast ? ended(status, response.headers()) : statByRange(location);
  }

  private Optional<FileEntry> statByRange(Location location) throws IOException {
    HttpRequest get = request(location).header("Range", "bytes=0-0").GET().build();
    HttpResponse<TimedBody> response = send(get, _ -> new TimedBody(readTimeout));
    TimedBody body = response.body();
    try {
      int status = response.statusCode();
      Optional<String> range = response.headers().firstValue("content-range");
      if (status == 416 && range.orElse(EMPTY_RANGE).equals(EMPTY_RANGE)) {
        return Optional.of(entry(location, 0, response.headers()));
      }
      if (status != 200 && status != 206) {
        return ended(status, response.headers());
      }
      long length = response.headers().firstValueAsLong("content-length").orElse(-1);
      ServedRange served = ServedRange.of(status, range, length);
      long bytes = served.fileBytes();
      boolean isSaid = response.headers().firstValue("content-length").isPresent();
      if (status == 200 && !isSaid) {
        bytes = count(body.of(served));
      }
      if (bytes < 0) {
        throw refused(
            "the server does not say how large it is, and sends more than "
                + ServedRange.WHOLE_BYTES_MAX
                + " bytes or only a part. Read the files from a server that answers ranges (206),"
                + " or copy them.");
      }
      return Optional.of(entry(location, bytes, response.headers()));
    } finally {
      body.close();
    }
  }

  /// Returns how many bytes the answer has, or -1 if there are too many to read all.
  private long count(RangeBody body) throws IOException {
    long end = System.nanoTime() + deadline.toNanos();
    ByteBuffer step = ByteBuffer.allocate(STEP_BYTES);
    long bytes = 0;
    while (bytes <= ServedRange.WHOLE_BYTES_MAX) {
      int count = body.read(step.clear());
      if (count < 0) {
        return bytes;
      }
      if (System.nanoTime() - end > 0) {
        throw new IOException("it took too long");
      }
      bytes += count;
    }
    return -1;
  }

  /// Finds nothing, but fails for the name of a folder or a glob.
  @Override
  public FilePage list(Location folder, String from, int most) throws IOException {
    if (folder.text().endsWith("/") || folder.text().matches(".*[*\\[{].*")) {
      throw refused("HTTP has no folders. Name each file by its URL.");
    }
    return FilePage.last(List.of());
  }

  private static Optional<FileEntry> ended(int status, HttpHeaders headers)
      throws StorageException {
    if (isMissing(status)) {
      return Optional.empty();
    }
    throw failure(status, headers);
  }

  private static boolean isMissing(int status) {
    return status == 404 || status == 410;
  }

  private static StorageException failure(int status, HttpHeaders headers) {
    if (status / 100 == 3) {
      return refused(
          "the server redirects without end, or to where a client must not go ("
              + status
              + "). Correct that in the server, or read the files from where it redirects to.");
    }
    return StorageException.ofStatus(status, "", headers.firstValue("retry-after"), null);
  }

  private static StorageException refused(String sentence) {
    return new StorageException(StorageException.Kind.REFUSED, sentence, null);
  }

  private static FileEntry entry(Location location, long bytes, HttpHeaders headers) {
    return new FileEntry(location, bytes, false, version(headers));
  }

  /// Returns the `ETag`, else the time of the last change, else an empty text.
  private static String version(HttpHeaders headers) {
    return headers.firstValue("etag").or(() -> headers.firstValue("last-modified")).orElse("");
  }

  @Override
  public RangeBody open(FileEntry file, long offset, long length) throws IOException {
    HttpRequest.Builder request =
        request(file.location())
            .header("Range", "bytes=" + offset + "-" + (offset + length - 1))
            .GET();
    String version = file.version();
    if (version.startsWith("\"")) {
      request.header("If-Match", version);
    } else if (!version.isEmpty() && !version.startsWith("W/")) {
      request.header("If-Unmodified-Since", version);
    }
    HttpResponse<TimedBody> response = send(request.build(), _ -> new TimedBody(readTimeout));
    TimedBody body = response.body();
    try {
      return opened(file, response, body);
    } catch (IOException e) {
      body.close();
      throw e;
    }
  }

  private static RangeBody opened(FileEntry file, HttpResponse<TimedBody> response, TimedBody body)
      throws IOException {
    int status = response.statusCode();
    HttpHeaders headers = response.headers();
    if (status != 200 && status != 206) {
      throw failure(status, headers);
    }
    // Not every server checks the conditions.
    String version = version(headers);
    if (!version.isEmpty() && !file.version().isEmpty() && !version.equals(file.version())) {
      throw StorageException.changed(version, file.version());
    }
    if (!headers.firstValue("content-encoding").orElse("identity").equals("identity")) {
      throw refused(
          "the server compresses what it sends ("
              + headers.firstValue("content-encoding").get()
              + "), so that places in the file mean nothing. Switch that off in the server.");
    }
    long bytes = headers.firstValueAsLong("content-length").orElse(-1);
    return body.of(ServedRange.of(status, headers.firstValue("content-range"), bytes));
  }

  private HttpRequest.Builder request(Location location) throws IOException {
    URI uri;
    HttpRequest.Builder builder;
    try {
      uri = new URI(encoded(location.text()) + query);
      if (uri.getPort() > PORT_MAX) {
        throw refused(
            "it has port "
                + uri.getPort()
                + " but the last one is "
                + PORT_MAX
                + ". Correct the location.");
      }
      builder = HttpRequest.newBuilder(uri);
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw refused("it is no URL. Correct the location.");
    }
    builder.timeout(readTimeout).header("Accept-Encoding", "identity");
    if (authorization.isPresent()) {
      warnOfClearText(uri, authorization.get());
      builder.header("Authorization", authorization.get());
    }
    proxyAuthorization.ifPresent(value -> builder.header("Proxy-Authorization", value));
    return builder;
  }

  private void warnOfClearText(URI uri, String secret) {
    if ("http".equalsIgnoreCase(uri.getScheme())
        && !Loopback.isHost(uri.getHost())
        && !hasWarned.getAndSet(true)) {
      LOG.warn(
          "The {} is sent to '{}' without encryption, so others can read it on the way. Use"
              + " 'https://'.",
          secret.startsWith("Bearer ") ? "bearer token" : "password",
          uri.getHost());
    }
  }

  /// Returns the scheme, host and port that a request goes to; the text itself if it is no URL.
  static String origin(Location location) {
    try {
      URI uri = new URI(encoded(location.text()));
      String scheme = location.scheme();
      int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
      return scheme + "://" + String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT) + ":" + port;
    } catch (URISyntaxException _) {
      return location.text();
    }
  }

  /// Encodes characters that are not allowed in a URL, and leaves all others. A `%` begins an
  /// escape if two hexadecimal digits follow; brackets belong to an address before the path, and to
  /// a name in it.
  private static String encoded(String url) {
    byte[] bytes = url.getBytes(StandardCharsets.UTF_8);
    int path = url.indexOf('/', url.indexOf("://") + 3);
    StringBuilder encoded = new StringBuilder();
    for (int i = 0; i < bytes.length; i++) {
      char c = (char) (bytes[i] & 0xff);
      boolean isOfName = path >= 0 && i > path && (c == '[' || c == ']');
      boolean isBare = c == '%' && !(isHex(bytes, i + 1) && isHex(bytes, i + 2));
      boolean isUnfit = c <= ' ' || c >= 127 || "\"<>\\^`{|}#".indexOf(c) >= 0;
      if (isOfName || isBare || isUnfit) {
        encoded.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      } else {
        encoded.append(c);
      }
    }
    return encoded.toString();
  }

  private static boolean isHex(byte[] bytes, int at) {
    return at < bytes.length && Character.digit(bytes[at], 16) >= 0;
  }

  private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException {
    try {
      HttpResponse<T> response = client.send(request, handler);
      if (response.statusCode() == PROXY_REFUSES) {
        if (response.body() instanceof TimedBody body) { // there is no body if no tunnel was opened
          body.close();
        }
        throw failure(PROXY_REFUSES, response.headers());
      }
      return response;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } catch (HttpConnectTimeoutException e) {
      throw new IOException("no connection within the time of 'connect-timeout'", e);
    } catch (HttpTimeoutException e) {
      throw new IOException("no answer within " + readTimeout.toMillis() + " ms", e);
    } catch (IOException | IllegalArgumentException e) {
      requireSense(e);
      throw e;
    }
  }

  /// Distinguishes answers that the client cannot handle from broken connections.
  ///
  /// The client's own error is dropped: it shows the redirect target, possibly with a signature.
  private static void requireSense(Throwable failure) throws StorageException {
    if (isBehind(failure, NumberFormatException.class)) {
      throw refused(
          "the server's answer has a length that is none (Content-Length). Check the server and"
              + " what is between.");
    }
    if (isBehind(failure, IllegalArgumentException.class)
        && !isBehind(failure, UnresolvedAddressException.class)) {
      throw refused(
          "the server redirects to what is no URL. Correct that in the server, or read the files"
              + " from where it redirects to.");
    }
  }

  private static boolean isBehind(Throwable failure, Class<? extends Throwable> type) {
    Throwable cause = failure;
    while (cause != null && !type.isInstance(cause)) {
      cause = cause.getCause();
    }
    return cause != null;
  }
}
