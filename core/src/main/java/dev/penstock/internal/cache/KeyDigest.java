package dev.penstock.internal.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/// Digests what decides something that is kept of blocks, or of several files together.
///
/// **Threads.** One at a time.
public final class KeyDigest {
  private static final long BYTES_AT_ONCE = 1L << 24;

  private final MessageDigest digest = FileKey.sha256();

  /// @param what says what is kept, and in which form: a text that nothing else has
  public KeyDigest(String what) {
    add(what);
  }

  public void add(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    add(bytes.length);
    digest.update(bytes);
  }

  public void add(long number) {
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
  }

  public void add(Schema columns) {
    add(columns.size());
    for (Field field : columns.fields()) {
      add(field.name());
      add(CachedFile.exact(field.type()));
      add(field.nullable() ? 1 : 0);
    }
  }

  /// Adds a file: where it is, its contents and how it is decoded.
  public void add(CachedFile file) {
    add(file.key().high());
    add(file.key().low());
  }

  void add(MemorySegment bytes, long length) {
    for (long at = 0; at < length; at += BYTES_AT_ONCE) {
      digest.update(bytes.asSlice(at, Math.min(BYTES_AT_ONCE, length - at)).asByteBuffer());
    }
  }

  /// Returns the key. Nothing can be added after it.
  FileKey key() {
    return FileKey.of(digest);
  }

  /// Returns the place of what is kept, which is listed as part of a file. Nothing can be added
  /// after it.
  public CachedFile within(CachedFile file) {
    return new CachedFile(file.folder(), key(), file.name());
  }
}
