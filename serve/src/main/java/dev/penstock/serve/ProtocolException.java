package dev.penstock.serve;

import java.io.IOException;

/// Thrown if a client sends what the protocol does not allow. It ends the connection.
final class ProtocolException extends IOException {
  private static final long serialVersionUID = 1L;

  ProtocolException(String found) {
    super("Cannot serve this client: it sent " + found);
  }
}
