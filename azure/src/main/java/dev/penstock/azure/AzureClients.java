package dev.penstock.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.ProxyOptions;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.Configuration;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.ProxyServer;
import dev.penstock.spi.storage.RetryPolicy;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.spi.storage.TrustedCertificates;
import dev.penstock.storage.StorageException;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/// The SDK's clients, made from options, one for each service that locations name. They do not
/// retry: the caller does, from where a read broke.
///
/// **Threads.** Safe for any.
final class AzureClients {
  /* HTTP/1.1, because many connections bring more bytes than one shared connection.
   *
   * The SDK's client cannot be closed: Java's, below it, ends when it is unreachable. */

  private final StorageOptions options;
  private final Access access;
  private final HttpClient http;
  private final Optional<RenewedToken> token;
  private final Map<String, BlobServiceClient> clients = new ConcurrentHashMap<>();

  AzureClients(StorageOptions options) {
    this(options, Optional.empty());
  }

  /// Makes clients.
  ///
  /// @param identity the source of tokens, in place of the SDK's chain
  AzureClients(StorageOptions options, Optional<Supplier<TokenCredential>> identity) {
    this.options = options;
    this.access = Access.of(options);
    this.http = http(options);
    this.token =
        switch (access) {
          case TOKEN -> Optional.of(new RenewedToken(() -> given(options), false));
          case IDENTITY ->
              Optional.of(
                  new RenewedToken(
                      identity.orElse(
                          () -> new DefaultAzureCredentialBuilder().httpClient(http).build()),
                      true));
          case KEY, SAS, CONNECTION_STRING, ANONYMOUS -> Optional.empty();
        };
    options.address("endpoint");
    if (access == Access.CONNECTION_STRING) {
      client("");
    }
  }

  private static TokenCredential given(StorageOptions options) {
    AccessToken token = new AccessToken(options.get("bearer-token").orElse(""), OffsetDateTime.MAX);
    return _ -> Mono.just(token);
  }

  private static HttpClient http(StorageOptions options) {
    var client = java.net.http.HttpClient.newBuilder().version(Version.HTTP_1_1);
    TrustedCertificates.of(options).ifPresent(trusted -> client.sslContext(trusted.context()));
    Duration readTimeout = RetryPolicy.readTimeout(options);
    return new JdkHttpClientBuilder(client)
        .configuration(Configuration.NONE)
        .proxy(ProxyServer.of(options).map(AzureClients::proxy).orElse(null))
        .connectionTimeout(RetryPolicy.connectTimeout(options))
        .responseTimeout(readTimeout)
        .readTimeout(readTimeout)
        .build();
  }

  private static ProxyOptions proxy(ProxyServer proxy) {
    ProxyOptions options = new ProxyOptions(ProxyOptions.Type.HTTP, proxy.address());
    return proxy
        .username()
        .map(user -> options.setCredentials(user, proxy.password()))
        .orElse(options);
  }

  Access access() {
    return access;
  }

  /// Returns the token that requests carry, if any.
  Optional<RenewedToken> token() {
    return token;
  }

  /// Returns the client of a container's service.
  BlobServiceClient client(AzurePath path) throws StorageException {
    Optional<String> account = options.get("account");
    boolean isElsewhere = access == Access.CONNECTION_STRING || options.get("endpoint").isPresent();
    if (isElsewhere) {
      return client("");
    }
    if (!path.host().isEmpty()) {
      requireSame(account, path.host());
      return client(path.host());
    }
    return client(
        account.orElseThrow(() ->
            new StorageException(
                StorageException.Kind.REFUSED,
                Advice.of(
                    "no account is named. Write"
                        + " 'abfs://container@account.dfs.core.windows.net/path', or set %s,"
                        + " 'endpoint' or 'connection-string'.",
                    Remedy.storageOption("account")),
                null))
            + ".blob.core.windows.net");
  }

  private static void requireSame(Optional<String> account, String host) throws StorageException {
    if (account.isPresent() && !host.startsWith(account.get() + ".")) {
      throw new StorageException(
          StorageException.Kind.REFUSED,
          Advice.of(
              "it is in account '%s' but %s is '%s'. Read each account with its own options.",
              host.substring(0, host.indexOf('.')), Remedy.storageOption("account"), account.get()),
          null);
    }
  }

  /// Returns the client of a host, or of the only service configured.
  private BlobServiceClient client(String host) {
    return clients.computeIfAbsent(host, this::make);
  }

  private BlobServiceClient make(String host) {
    BlobServiceClientBuilder builder =
        new BlobServiceClientBuilder()
            .httpClient(http)
            .configuration(Configuration.NONE)
            .retryOptions(
                new RequestRetryOptions(
                    RetryPolicyType.FIXED, 1, (Duration) null, null, null, null));
    if (access == Access.CONNECTION_STRING) {
      try {
        builder.connectionString(options.get("connection-string").orElse(""));
      } catch (IllegalArgumentException _) {
        throw options.unfit(
            "connection-string",
            "a text such as 'AccountName=...;AccountKey=...', as Azure has it");
      }
    }
    String endpoint = options.get("endpoint").orElse(host.isEmpty() ? "" : "https://" + host);
    if (!endpoint.isEmpty()) {
      builder.endpoint(endpoint.replaceFirst("/+$", "")); // else locations get two slashes
    }
    switch (access) {
      case KEY ->
          builder.credential(
              new StorageSharedKeyCredential(
                  accountName(endpoint), options.get("account-key").orElse("")));
      case SAS -> builder.sasToken(options.get("sas-token").orElse("").replaceFirst("^\\?", ""));
      case TOKEN, IDENTITY -> token.ifPresent(builder::addPolicy);
      case CONNECTION_STRING, ANONYMOUS -> {}
    }
    return builder.buildClient();
  }

  /// Returns the account of a key: an emulator's addresses have it after the host.
  private String accountName(String endpoint) {
    URI uri = URI.create(endpoint);
    String path = uri.getPath().replace("/", "");
    return options.get("account").orElseGet(() -> path.isEmpty() ? accountOf(uri.getHost()) : path);
  }

  private static String accountOf(String host) {
    int dot = host.indexOf('.');
    if (dot < 0 || host.matches("[0-9.]+")) {
      throw Advice.argumentError(
          "Cannot use %s with this 'endpoint' alone: set 'account', too.",
          Remedy.storageOption("account-key"));
    }
    return host.substring(0, dot);
  }
}
