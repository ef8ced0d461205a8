package dev.penstock.spi.storage;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.net.Authenticator;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The proxy through which requests to a store go: storage options `proxy`, `proxy-username` and
/// `proxy-password`. A network store reads it when it makes its client.
///
/// Immutable; its text shows no user and no password.
///
/// @param uri its address, with a port
/// @param username the user; empty if the proxy needs none
/// @param password the password, which is a secret
public record ProxyServer(URI uri, Optional<String> username, String password) {
  /// {@return the proxy of the options; empty if none is set}
  ///
  /// @param options the options of the store
  /// @throws IllegalArgumentException if `proxy` is not an address with a port, if `proxy-username`
  ///   is set without `proxy`, or `proxy-password` without `proxy-username`
  public static Optional<ProxyServer> of(StorageOptions options) {
    requireWith(options, "proxy-username", "proxy");
    requireWith(options, "proxy-password", "proxy-username");
    return options
        .address("proxy")
        .map(uri -> {
          if (uri.getPort() < 0) {
            throw options.unfit("proxy", "an address such as 'http://proxy:3128'");
          }
          return new ProxyServer(
              uri, options.get("proxy-username"), options.get("proxy-password").orElse(""));
        });
  }

  private static void requireWith(StorageOptions options, String key, String other) {
    if (options.get(key).isPresent() && options.get(other).isEmpty()) {
      throw Advice.argumentError(
          "Cannot use %s alone: set '%s', too.", Remedy.storageOption(key), other);
    }
  }

  /// {@return the proxy for the JDK's HTTP client: a selector that sends every request through it}
  public ProxySelector selector() {
    return ProxySelector.of(address());
  }

  /// {@return the proxy for the JDK's URL connections}
  public Proxy proxy() {
    return new Proxy(Proxy.Type.HTTP, address());
  }

  /// {@return the address: the resolved host, and the port}
  public InetSocketAddress address() {
    return new InetSocketAddress(uri.getHost(), uri.getPort());
  }

  /// {@return the value of the header `Proxy-Authorization`, which names the user and is a secret;
  /// empty without a user}
  public Optional<String> authorization() {
    return username.map(user -> {
      byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
      return "Basic " + Base64.getEncoder().encodeToString(both);
    });
  }

  /// {@return the credentials for clients that authenticate at a proxy themselves, for proxies
  /// only, never for servers; empty without a user}
  public Optional<Authenticator> authenticator() {
    return username.map(user ->
        new Authenticator() {
          @Override
          protected @Nullable PasswordAuthentication getPasswordAuthentication() {
            return getRequestorType() == RequestorType.PROXY
                ? new PasswordAuthentication(user, password.toCharArray())
                : null;
          }
        });
  }

  @Override
  public String toString() {
    return "proxy " + uri;
  }
}
