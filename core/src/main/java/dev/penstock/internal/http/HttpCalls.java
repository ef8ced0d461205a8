package dev.penstock.internal.http;

import dev.penstock.spi.storage.Loopback;
import dev.penstock.spi.storage.ProxyServer;
import dev.penstock.spi.storage.RetryPolicy;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.spi.storage.TrustedCertificates;
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
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP requests with the options of a store, and the errors of broken ones in words. Safe for any
/// thread. The client has its own threads, which transfer bytes.
public final class HttpCalls implements AutoCloseable {
  /* HTTP/1.1, because many connections are faster than one shared connection. */

  private static final Logger LOG = LoggerFactory.getLogger(HttpCalls.class);

  private static final int PORT_MAX = 65_535;
  private static final int PROXY_REFUSES = 407;

  private final HttpClient client;
  private final Duration readTimeout;
  private final Optional<String> proxyAuthorization;
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  public HttpCalls(StorageOptions options, HttpClient.Redirect redirects) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(redirects)
            .connectTimeout(RetryPolicy.connectTimeout(options));
    Optional<ProxyServer> proxy = ProxyServer.of(options);
    proxy.ifPresent(server -> builder.proxy(server.selector()));
    TrustedCertificates.of(options).ifPresent(trusted -> builder.sslContext(trusted.context()));
    proxyAuthorization = proxy.flatMap(ProxyServer::authorization);
    client = builder.build();
    readTimeout = RetryPolicy.readTimeout(options);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  /// Returns an encoded URL, which no error shows: it may have a query.
  public static URI uri(String url) throws StorageException {
    try {
      URI uri = new URI(url);
      if (uri.getPort() > PORT_MAX) {
        throw refused(
            "it has port "
                + uri.getPort()
                + " but the last one is "
                + PORT_MAX
                + ". Correct the location.");
      }
      HttpRequest.newBuilder(uri);
      return uri;
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw refused("it is no URL. Correct the location.");
    }
  }

  /// Starts a request.
  public HttpRequest.Builder request(URI uri) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(uri).timeout(readTimeout).header("Accept-Encoding", "identity");
    proxyAuthorization.ifPresent(value -> builder.header("Proxy-Authorization", value));
    return builder;
  }

  /// Makes a request once, and returns when the headers of its answer are there.
  public HttpResponse<TimedBody> send(HttpRequest request) throws IOException {
    return send(request, _ -> new TimedBody(readTimeout));
  }

  /// Makes a request once.
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException {
    try {
      HttpResponse<T> response = client.send(request, handler);
      if (response.statusCode() == PROXY_REFUSES) {
        if (response.body() instanceof TimedBody body) { // there is no body if no tunnel was opened
          body.close();
        }
        throw StorageException.ofStatus(PROXY_REFUSES, "", Optional.empty(), null);
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

  /// Warns once if a secret goes to another machine without encryption.
  public void warnOfClearText(URI uri, String secret) {
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

  /// Encodes characters that are not allowed in a URL, and leaves all others. A `%` begins an
  /// escape if two hexadecimal digits follow; brackets belong to an address before the path, and to
  /// a name in it.
  public static String encoded(String url) {
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

  /// Refuses an answer whose bytes are not those of the file.
  public static void requireNotCompressed(HttpHeaders headers) throws StorageException {
    String encoding = headers.firstValue("content-encoding").orElse("identity");
    if (!encoding.equals("identity")) {
      throw refused(
          "the server compresses what it sends ("
              + encoding
              + "), so that places in the file mean nothing. Switch that off in the server.");
    }
  }

  public static StorageException refused(String sentence) {
    return new StorageException(StorageException.Kind.REFUSED, sentence, null);
  }
}
