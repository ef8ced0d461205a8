package dev.penstock.serve;

import dev.penstock.internal.document.JsonFields;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// What a client needs to be accepted, and what it may do then.
///
/// @param token what a client's hello has to carry; empty if none is needed
/// @param sharesMemory whether clients may share memory: on the same machine only
record Gate(String token, boolean sharesMemory) {
  static final int PROTOCOL = 1;

  /// Checks a client's hello.
  ///
  /// @throws IllegalArgumentException if the client speaks another protocol
  /// @throws SecurityException if its token is not this server's
  void check(JsonFields hello) {
    long protocol = hello.whole("protocol", 0, Long.MAX_VALUE);
    String shown = hello.has("token") ? hello.text("token") : "";
    if (protocol != PROTOCOL) {
      throw new IllegalArgumentException(
          ("Cannot serve this client: it speaks protocol %s but this server %s. Use client and"
                  + " server of one version.")
              .formatted(protocol, PROTOCOL));
    }
    // How long it takes does not tell where they differ.
    if (!MessageDigest.isEqual(
        token.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8))) {
      throw new SecurityException("Cannot serve this client: its token is not this server's.");
    }
  }
}
