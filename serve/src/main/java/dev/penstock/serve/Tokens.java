package dev.penstock.serve;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// Compares secrets.
final class Tokens {
  private Tokens() {}

  /// Returns whether two tokens are the same; how long it takes does not tell where they differ.
  static boolean areEqual(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
