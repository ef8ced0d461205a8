package dev.penstock.spi.storage;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/// Signs the requests to a store, where not its client has the credentials but, for example, a
/// table's catalog.
///
/// **Threads.** Safe for any.
@FunctionalInterface
public interface RequestSigner {
  /// A request as it is to be sent.
  ///
  /// @param uri where to
  /// @param headers headers to send, those of the signature among them; others that the request had
  ///   stay as they are
  record Signed(URI uri, Map<String, List<String>> headers) {}

  /// Signs a request without a body.
  ///
  /// @param method `GET` or `HEAD`
  /// @param uri where it goes
  /// @param headers all headers that it has so far
  /// @param region the region whose service it goes to
  /// @return the signed request
  /// @throws IOException if it is not signed; a [dev.penstock.storage.StorageException] says
  ///   whether asking again may help, as [RemoteRequests] has it
  Signed sign(String method, URI uri, Map<String, List<String>> headers, String region)
      throws IOException;
}
