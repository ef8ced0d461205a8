package dev.penstock.internal.hub;

import dev.penstock.internal.http.HttpCalls;
import dev.penstock.internal.http.TimedBody;
import dev.penstock.spi.storage.RangeBody;
import dev.penstock.spi.storage.RetryPolicy;
import dev.penstock.spi.storage.ServedRange;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The Hub at its address, or a mirror: follows redirects itself, so that the token goes to this
/// address alone. Safe for any thread.
final class Hub implements AutoCloseable {
  private static final String USUAL = "https://huggingface.co";
  private static final int REDIRECTS_MAX = 8;
  private static final int TEXT_BYTES_MAX = 16 << 20;

  private final HttpCalls calls;
  private final String endpoint; // without a slash at its end
  private final String origin;
  private final Optional<String> token;
  private final Duration deadline;

  /// Finds the address and the token.
  ///
  /// @param environment the value of a variable, or null
  Hub(StorageOptions options, Function<String, @Nullable String> environment) {
    String variable = environment.apply("HF_ENDPOINT");
    StorageOptions addressed =
        options.get("endpoint").isPresent() || variable == null || variable.isBlank()
            ? options
            : options.with("endpoint", variable.strip());
    URI address = addressed.address("endpoint").orElse(URI.create(USUAL));
    if (address.getRawQuery() != null || address.getRawFragment() != null) {
      throw addressed.unfit("endpoint", "an address without a query, such as '" + USUAL + "'");
    }
    endpoint = address.toString().replaceAll("/+$", "");
    origin = origin(address);
    token = HubToken.of(options, environment).map(text -> "Bearer " + text);
    deadline = RetryPolicy.of(options).deadline();
    calls = new HttpCalls(options, HttpClient.Redirect.NEVER);
    token.ifPresent(text -> calls.warnOfClearText(address, text));
  }

  @Override
  public void close() {
    calls.close();
  }

  /// An answer, and what was asked on the way to it.
  ///
  /// @param hops the headers of all answers, this one the last
  /// @param from who answered
  /// @param isHub whether it is the Hub's own answer
  record Answer(HttpResponse<TimedBody> response, List<HttpHeaders> hops, URI from, boolean isHub)
      implements AutoCloseable {
    int status() {
      return response.statusCode();
    }

    HttpHeaders headers() {
      return response.headers();
    }

    /// Returns a header of the first answer that has it.
    Optional<String> header(String name) {
      return hops.stream().flatMap(hop -> hop.firstValue(name).stream()).findFirst();
    }

    RangeBody body() throws StorageException {
      long bytes = headers().firstValueAsLong("content-length").orElse(-1);
      return response
          .body()
          .of(ServedRange.of(status(), headers().firstValue("content-range"), bytes));
    }

    @Override
    public void close() {
      response.body().close();
    }
  }

  /// Asks the Hub for what is known of something. A redirect to elsewhere is the answer itself.
  Answer head(String path) throws IOException {
    return follow("HEAD", path, "");
  }

  /// Asks the Hub for bytes, or whom it redirects to.
  ///
  /// @param range a value of the header `Range`; empty for all
  Answer get(String path, String range) throws IOException {
    return follow("GET", path, range);
  }

  /// Asks another place that the Hub once redirected to.
  Answer getElsewhere(URI place, String range) throws IOException {
    HttpResponse<TimedBody> response = send("GET", place, range, false);
    return new Answer(response, List.of(response.headers()), place, false);
  }

  private Answer follow(String method, String path, String range) throws IOException {
    URI uri = HttpCalls.uri(endpoint + path);
    List<HttpHeaders> hops = new ArrayList<>();
    boolean isHub = true;
    while (true) {
      HttpResponse<TimedBody> response = send(method, uri, range, isHub);
      hops.add(response.headers());
      Answer answer = new Answer(response, List.copyOf(hops), uri, isHub);
      Optional<String> target = response.headers().firstValue("location");
      if (!isRedirect(response.statusCode()) || target.isEmpty() || hops.size() > REDIRECTS_MAX) {
        return answer;
      }
      URI next;
      try {
        next = target(uri, target.get());
      } catch (IOException e) {
        answer.close();
        throw e;
      }
      boolean staysAtHub = isHub && origin(next).equals(origin);
      if (method.equals("HEAD") && !staysAtHub) {
        return answer;
      }
      answer.close();
      isHub = staysAtHub;
      uri = next;
    }
  }

  static boolean isRedirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  /// Returns where a redirect leads. No error shows it: it may be signed.
  private static URI target(URI from, String location) throws StorageException {
    URI target;
    try {
      target = HttpCalls.uri(from.resolve(HttpCalls.encoded(location)).toString());
    } catch (IllegalArgumentException | StorageException _) {
      throw HttpCalls.refused("the Hub redirects to what is no URL. Try again later.");
    }
    boolean isWeaker =
        "https".equalsIgnoreCase(from.getScheme()) && !"https".equalsIgnoreCase(target.getScheme());
    if (isWeaker) {
      throw HttpCalls.refused("the Hub redirects to a place without encryption. Try again later.");
    }
    return target;
  }

  private HttpResponse<TimedBody> send(String method, URI uri, String range, boolean isHub)
      throws IOException {
    HttpRequest.Builder request =
        calls.request(uri).method(method, HttpRequest.BodyPublishers.noBody());
    if (isHub && token.isPresent()) {
      request.header("Authorization", token.get());
    }
    if (!range.isEmpty()) {
      request.header("Range", range);
    }
    return calls.send(request.build());
  }

  /// Asks the Hub for a text.
  ///
  /// @param about what is asked for, for errors
  /// @param revision of which revision
  Text text(String path, HubPath about, String revision) throws IOException {
    try (Answer answer = get(path, "")) {
      if (answer.status() != 200) {
        throw failure(answer, about, revision);
      }
      return new Text(read(answer), answer.header("link"));
    }
  }

  /// A text, and the header `Link`.
  record Text(String text, Optional<String> link) {}

  private String read(Answer answer) throws IOException {
    long end = System.nanoTime() + deadline.toNanos();
    RangeBody body = answer.body();
    ByteBuffer bytes = ByteBuffer.allocate(64 << 10);
    while (true) {
      int count = body.read(bytes);
      if (count < 0) {
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
      }
      if (bytes.position() > TEXT_BYTES_MAX) {
        throw HttpCalls.refused(
            "the Hub's list has a page of more than "
                + TEXT_BYTES_MAX
                + " bytes. Check storage option 'endpoint'.");
      }
      if (System.nanoTime() - end > 0) {
        throw new IOException("it took too long");
      }
      if (!bytes.hasRemaining()) {
        bytes = ByteBuffer.allocate(2 * bytes.capacity()).put(bytes.flip());
      }
    }
  }

  /// Makes the error for an answer whose status says that the request failed.
  StorageException failure(Answer answer, HubPath about, String revision) {
    int status = answer.status();
    if (answer.isHub()) {
      return HubErrors.of(
          status, answer.headers(), about, endpoint + about.page(), revision, token.isPresent());
    }
    if (status == 401 || status == 403) {
      return new StorageException(
          StorageException.Kind.UNAVAILABLE, // the next attempt gets another signature
          "the place that the Hub redirects to refuses its signature ("
              + status
              + "). Check this machine's clock.",
          null);
    }
    return isRedirect(status)
        ? HttpCalls.refused("the Hub redirects without end. Try again later.")
        : StorageException.ofStatus(status, "", HubErrors.wait(answer.headers()), null);
  }

  private static String origin(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
    return scheme + "://" + String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT) + ":" + port;
  }
}
