package dev.penstock.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.Loopback;
import java.net.URL;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/// Adds a token to each request. Gets another one before it expires, or when the store says that it
/// has expired.
///
/// The SDK's own policy relies on the stated lifetime of a token. But a store may end a token at
/// any time, and the machine's clock may be wrong.
///
/// **Threads.** Safe for any.
final class RenewedToken implements HttpPipelinePolicy {
  private static final Duration MARGIN = Duration.ofMinutes(2);
  private static final TokenRequestContext STORAGE =
      new TokenRequestContext().addScopes("https://storage.azure.com/.default");

  private final Supplier<TokenCredential> source;
  private final boolean renewable;
  private TokenCredential credential;
  private @Nullable AccessToken token;
  private long generation;

  RenewedToken(Supplier<TokenCredential> source, boolean renewable) {
    this.source = source;
    this.renewable = renewable;
    this.credential = source.get();
  }

  private synchronized String token() {
    AccessToken current = token;
    if (current == null
        || current.getExpiresAt().minus(MARGIN).isBefore(OffsetDateTime.now(ZoneOffset.UTC))) {
      current = credential.getTokenSync(STORAGE);
      token = current;
    }
    return current.getToken();
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
    if (renewable && expired == generation) {
      generation++;
      credential = source.get(); // the old one would give the same token
      token = null;
    }
    return renewable;
  }

  private void authorize(HttpPipelineCallContext context) {
    URL url = context.getHttpRequest().getUrl();
    boolean isSafe = url.getProtocol().equals("https") || Loopback.isHost(url.getHost());
    if (!isSafe) {
      throw Advice.stateError(
          "a token is not sent without encryption. Set %s to an address with 'https://'",
          Remedy.storageOption("endpoint"));
    }
    context.getHttpRequest().setHeader(HttpHeaderName.AUTHORIZATION, "Bearer " + token());
  }

  @Override
  public HttpResponse processSync(
      HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
    authorize(context);
    return next.processSync();
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return Mono.defer(() -> {
      authorize(context);
      return next.process();
    });
  }
}
