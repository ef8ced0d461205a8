package dev.penstock.internal.http;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.FilePage;
import dev.penstock.spi.storage.RangeBody;
import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RetryPolicy;
import dev.penstock.spi.storage.ServedRange;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Single requests for files, without retries. Safe for any thread. The client has its own threads,
/// which transfer bytes.
final class HttpRequests implements RemoteRequests {
  private static final int STEP_BYTES = 64 << 10;
  private static final String EMPTY_RANGE = "bytes */0"; // the `Content-Range` of an empty file
  private final HttpCalls calls;
  private final Duration deadline;
  private final Optional<String> authorization;
  private final String query;

  HttpRequests(StorageOptions options) {
    calls = new HttpCalls(options, HttpClient.Redirect.NORMAL);
    deadline = RetryPolicy.of(options).deadline();
    authorization = authorization(options);
    query = options.get("query").map(text -> "?" + text).orElse("");
  }

  @Override
  public void close() {
    calls.close();
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
    HttpResponse<Void> response = calls.send(head, BodyHandlers.discarding());
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
    HttpResponse<TimedBody> response = calls.send(get);
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
        throw HttpCalls.refused(
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
      throw HttpCalls.refused("HTTP has no folders. Name each file by its URL.");
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
      return HttpCalls.refused(
          "the server redirects without end, or to where a client must not go ("
              + status
              + "). Correct that in the server, or read the files from where it redirects to.");
    }
    return StorageException.ofStatus(status, "", headers.firstValue("retry-after"), null);
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
    HttpResponse<TimedBody> response = calls.send(request.build());
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
    HttpCalls.requireNotCompressed(headers);
    long bytes = headers.firstValueAsLong("content-length").orElse(-1);
    return body.of(ServedRange.of(status, headers.firstValue("content-range"), bytes));
  }

  private HttpRequest.Builder request(Location location) throws IOException {
    URI uri = HttpCalls.uri(HttpCalls.encoded(location.text()) + query);
    HttpRequest.Builder builder = calls.request(uri);
    if (authorization.isPresent()) {
      calls.warnOfClearText(uri, authorization.get());
      builder.header("Authorization", authorization.get());
    }
    return builder;
  }

  /// Returns the scheme, host and port that a request goes to; the text itself if it is no URL.
  static String origin(Location location) {
    try {
      URI uri = new URI(HttpCalls.encoded(location.text()));
      String scheme = location.scheme();
      int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
      return scheme + "://" + String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT) + ":" + port;
    } catch (URISyntaxException _) {
      return location.text();
    }
  }
}
