package dev.penstock.internal.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/// Identifies what is kept of a file: a digest, in two halves, of where it is, its contents and how
/// it is read.
record FileKey(long high, long low) {
  static FileKey of(List<String> parts) {
    MessageDigest digest = sha256();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      digest.update(bytes);
    }
    return of(digest);
  }

  static FileKey of(MessageDigest all) {
    ByteBuffer hash = ByteBuffer.wrap(all.digest());
    return new FileKey(hash.getLong(), hash.getLong());
  }

  /// Returns the key of a column within a file; `type` is as it is decoded.
  static long column(String name, String type) {
    return of(List.of(name, type)).high;
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each Java has SHA-256.", e);
    }
  }
}
