package dev.penstock.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/// The store with a source of tokens that a test looks at: each credential has a token of its own,
/// numbered from 1. Found by `ServiceLoader` as `tokens://container/path`.
public final class TokenStorage implements RemoteStorage {
  static final AtomicInteger FETCHED = new AtomicInteger();

  @Override
  public List<String> schemes() {
    return List.of("tokens");
  }

  @Override
  public Set<String> ownOptionKeys() {
    return new AzureStorage().ownOptionKeys();
  }

  @Override
  public RemoteRequests requests(StorageOptions options) {
    return new AzureRequests(
        options, new AzureClients(options, Optional.of(TokenStorage::credential)));
  }

  private static TokenCredential credential() {
    String token = "hush-" + FETCHED.incrementAndGet();
    return _ -> Mono.just(new AccessToken(token, OffsetDateTime.MAX));
  }
}
