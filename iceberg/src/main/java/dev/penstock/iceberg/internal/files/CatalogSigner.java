package dev.penstock.iceberg.internal.files;

import dev.penstock.spi.storage.RequestSigner;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageException.Kind;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.rest.ErrorHandlers;
import org.apache.iceberg.rest.HTTPClient;
import org.apache.iceberg.rest.RESTClient;
import org.apache.iceberg.rest.RESTUtil;
import org.apache.iceberg.rest.RemoteSigningConfig;
import org.apache.iceberg.rest.RemoteSigningConfigParser;
import org.apache.iceberg.rest.auth.AuthManagers;
import org.apache.iceberg.rest.auth.AuthSession;
import org.apache.iceberg.rest.requests.ImmutableRemoteSignRequest;
import org.apache.iceberg.rest.requests.RemoteSignRequest;
import org.apache.iceberg.rest.responses.RemoteSignResponse;
import org.jspecify.annotations.Nullable;

/// Lets a REST catalog sign the requests to the files of a table in S3 (remote signing).
///
/// Equal if the catalog's signing properties are equal, so that stores are shared.
final class CatalogSigner implements RequestSigner {
  /// Headers that differ between reads and need no signature: without them a signature is valid for
  /// all ranges of a file.
  private static final Set<String> UNSIGNED =
      Set.of("range", "user-agent", "amz-sdk-invocation-id", "amz-sdk-request");

  /// How long signatures are reused if the catalog allows it; S3 accepts them for 15 minutes.
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int KEPT_MOST = 100;

  private final Map<String, String> properties;
  private final List<String> secrets;
  private final Map<RemoteSignRequest, Kept> kept =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RemoteSignRequest, Kept> eldest) {
          return size() > KEPT_MOST;
        }
      };

  private @Nullable RESTClient client;

  /// A signature for reuse.
  private record Kept(Signed signed, long sinceNanos) {}

  private CatalogSigner(Map<String, String> properties) {
    this.properties = properties;
    this.secrets = ErrorText.secrets(properties);
  }

  /// Makes the signer that a table's properties configure.
  ///
  /// @return empty if they name no catalog to ask
  static Optional<CatalogSigner> of(Map<String, String> properties) {
    return uri(properties).map(_ -> new CatalogSigner(Map.copyOf(properties)));
  }

  private static Optional<String> uri(Map<String, String> properties) {
    return first(properties, "s3.signer.uri", "signer.uri", "uri")
        .filter(uri -> uri.startsWith("http"));
  }

  private static Optional<String> first(Map<String, String> properties, String... keys) {
    return Stream.of(keys).filter(properties::containsKey).findFirst().map(properties::get);
  }

  @Override
  public Signed sign(String method, URI uri, Map<String, List<String>> headers, String region)
      throws StorageException {
    Map<String, List<String>> signedOnes = new TreeMap<>(headers);
    signedOnes.keySet().removeIf(name -> UNSIGNED.contains(name.toLowerCase(Locale.ROOT)));
    try {
      RemoteSignRequest request =
          ImmutableRemoteSignRequest.builder()
              .method(method)
              .uri(uri)
              .headers(signedOnes)
              .region(region)
              .provider("s3")
              .properties(config().properties())
              .build();
      Optional<Signed> known = known(request);
      return known.isPresent() ? known.get() : ask(request);
    } catch (NotAuthorizedException | ForbiddenException e) {
      throw failure(Kind.DENIED, "does not sign the request", "Check the rights there.", e);
    } catch (BadRequestException e) {
      throw failure(Kind.REFUSED, "refuses to sign the request", "Check its settings.", e);
    } catch (RESTException e) {
      throw failure(Kind.UNAVAILABLE, "fails to sign the request", "Try again later.", e);
    } catch (RuntimeException e) {
      throw failure(Kind.REFUSED, "cannot be asked to sign the request", "Check its options.", e);
    }
  }

  private StorageException failure(Kind kind, String what, String next, RuntimeException e) {
    String why = ErrorText.hide(ErrorText.withCause(e), secrets);
    return new StorageException(
        kind,
        "the table's catalog " + what + " (" + why + "). " + next,
        ErrorText.isClean(e, secrets) ? e : null);
  }

  private Signed ask(RemoteSignRequest request) {
    Map<String, String> said = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    RemoteSignResponse response =
        client()
            .post(
                endpoint(),
                request,
                RemoteSignResponse.class,
                headers(),
                ErrorHandlers.defaultErrorHandler(),
                said::putAll);
    Signed signed = new Signed(response.uri(), response.headers());
    if (said.getOrDefault("Cache-Control", "").toLowerCase(Locale.ROOT).startsWith("private")) {
      synchronized (kept) {
        kept.put(request, new Kept(signed, System.nanoTime()));
      }
    }
    return signed;
  }

  private Optional<Signed> known(RemoteSignRequest request) {
    synchronized (kept) {
      return Optional.ofNullable(kept.get(request))
          .filter(each -> System.nanoTime() - each.sinceNanos < KEPT_NANOS)
          .map(Kept::signed);
    }
  }

  private String endpoint() {
    return RESTUtil.resolveEndpoint(
        uri(properties).orElseThrow(),
        first(properties, "s3.signer.endpoint", "signer.endpoint", "rest.remote-signing.endpoint")
            .orElse("v1/aws/s3/sign"));
  }

  private RemoteSigningConfig config() {
    String json = properties.get("rest.remote-signing.config");
    return json == null ? RemoteSigningConfig.EMPTY : RemoteSigningConfigParser.fromJson(json);
  }

  private Map<String, String> headers() {
    Map<String, String> headers = new HashMap<>();
    config().headers().forEach((name, values) -> headers.put(name, String.join(", ", values)));
    return headers;
  }

  /// Returns the client of the catalog, which is never closed, like stores.
  private synchronized RESTClient client() {
    if (client == null) {
      HTTPClient plain =
          HTTPClient.builder(properties)
              .uri(uri(properties).orElseThrow())
              .withHeaders(RESTUtil.configHeaders(properties))
              .build();
      Map<String, String> access = new HashMap<>(properties);
      access.putIfAbsent("scope", "sign");
      @SuppressWarnings("resource") // as above
      AuthSession session =
          AuthManagers.loadAuthManager("s3-signer", properties).tableSession(plain, access);
      client = plain.withAuthSession(session);
    }
    return client;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CatalogSigner signer && properties.equals(signer.properties);
  }

  @Override
  public int hashCode() {
    return properties.hashCode();
  }

  @Override
  public String toString() {
    return "signed by a catalog";
  }
}
