package dev.penstock.spi.storage;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/// Signs the requests to a store if not its client but, for example, a table's catalog has the
/// credentials.
///
/// **Threads.** Safe for any.
@FunctionalInterface
public interface RequestSigner {
  /// A request as it is to be sent.
  ///
  /// @param uri the address
  /// @param headers headers to send, including the signature; other headers of the request stay
  ///   unchanged
  record Signed(URI uri, Map<String, List<String>> headers) {}

  /// {@return a request without a body, signed}
  ///
  /// @param method `GET` or `HEAD`
  /// @param uri its address
  /// @param headers all its headers so far
  /// @param region the region of the service
  /// @throws IOException if it is not signed; a [dev.penstock.storage.StorageException] says
  ///   whether a retry may help, as in [RemoteRequests]
  Signed sign(String method, URI uri, Map<String, List<String>> headers, String region)
      throws IOException;
}
