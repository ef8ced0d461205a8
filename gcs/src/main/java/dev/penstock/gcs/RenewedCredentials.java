package dev.penstock.gcs;

import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpResponseException;
import com.google.api.client.http.HttpTransport;
import com.google.auth.Retryable;
import com.google.auth.oauth2.GoogleCredentials;
import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.Loopback;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Credentials and their header, fetched again when the store says that they have expired.
///
/// The SDK's credentials refresh themselves before they expire. But they rely on the machine's
/// clock and on the stated lifetime, and a store may end a token at any time.
///
/// **Threads.** Safe for any.
final class RenewedCredentials {
  private static final List<String> SCOPES =
      List.of("https://www.googleapis.com/auth/devstorage.read_only");

  private static final Pattern ERROR = Pattern.compile("\"error\"\\s*:\\s*\"([a-z_]+)\"");

  private final StorageOptions options;
  private final HttpTransport transport;
  private final Access access;
  private @Nullable GoogleCredentials credentials; // null until first used
  private boolean isExpired;
  private long generation;

  /// Chooses the source of the credentials.
  ///
  /// @throws IllegalArgumentException if options choose several, or a file without credentials
  RenewedCredentials(StorageOptions options, HttpTransport transport) {
    this.options = options;
    this.transport = transport;
    this.access = Access.of(options);
    if (access == Access.FILE) {
      try {
        credentials = ofFile();
      } catch (IOException | RuntimeException _) { // its message may show the file's contents
        throw options.unfit("credentials-file", "a file of credentials as Google gives it");
      }
    }
  }

  private GoogleCredentials ofFile() throws IOException {
    try (InputStream in =
        Files.newInputStream(Path.of(options.get("credentials-file").orElse("")))) {
      return GoogleCredentials.fromStream(in, () -> transport).createScoped(SCOPES);
    }
  }

  Access access() {
    return access;
  }

  /// Adds the credentials to a request.
  void authorize(HttpRequest request) throws IOException {
    if (access == Access.ANONYMOUS) {
      return;
    }
    URI uri = request.getUrl().toURI();
    requireSafe(uri);
    if (access == Access.TOKEN) {
      request.getHeaders().setAuthorization("Bearer " + options.get("bearer-token").orElse(""));
      return;
    }
    try {
      request.getHeaders().putAll(credentials().getRequestMetadata(uri));
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private static void requireSafe(URI uri) throws StorageException {
    boolean isSafe = "https".equals(uri.getScheme()) || Loopback.isHost(uri.getHost());
    if (!isSafe) {
      throw new StorageException(
          Kind.REFUSED,
          Advice.of(
              "a token is not sent without encryption. Set %s to an address with 'https://', or"
                  + " 'anonymous' to 'true'.",
              Remedy.storageOption("endpoint")),
          null);
    }
  }

  private synchronized GoogleCredentials credentials() throws IOException {
    GoogleCredentials current = credentials;
    if (current == null || isExpired) {
      current =
          access == Access.FILE
              ? ofFile()
              : GoogleCredentials.getApplicationDefault(() -> transport).createScoped(SCOPES);
      if (isExpired) {
        current.refresh(); // else the found credentials may give the same token
      }
      credentials = current;
      isExpired = false;
    }
    return current;
  }

  /// Returns how often tokens were renewed at the store's request.
  synchronized long generation() {
    return generation;
  }

  /// Gets another token for the next request, unless it was renewed since.
  ///
  /// @param expired the generation of the token that a request used
  /// @return false if the token comes from the options and so never changes
  synchronized boolean renew(long expired) {
    boolean renewable = access == Access.FILE || access == Access.FOUND;
    if (renewable && expired == generation) {
      generation++;
      isExpired = true;
    }
    return renewable;
  }

  private StorageException failure(IOException e) {
    String said = String.valueOf(e.getMessage());
    if (said.contains("default credentials were not found")) {
      return new StorageException(
          Kind.DENIED,
          Advice.of(
              "no credentials were found. Set %s or 'bearer-token', or 'anonymous' to 'true' for a"
                  + " public bucket; or give Google's library what it looks for: 'gcloud auth"
                  + " application-default login', or GOOGLE_APPLICATION_CREDENTIALS in the"
                  + " environment.",
              Remedy.storageOption("credentials-file")),
          e);
    }
    boolean isTemporary = e instanceof Retryable retryable && retryable.isRetryable();
    return new StorageException(
        isTemporary ? Kind.UNAVAILABLE : Kind.DENIED,
        "Google refuses to sign in (%s%s). Check the credentials."
            .formatted(options.hide(said).lines().findFirst().orElse(""), named(e)),
        e);
  }

  /// Returns Google's name of the error, for example `invalid_grant`.
  private static String named(IOException e) {
    String content =
        e.getCause() instanceof HttpResponseException answer ? answer.getContent() : null;
    Matcher error = ERROR.matcher(content == null ? "" : content);
    return error.find() ? ": " + error.group(1) : "";
  }
}
