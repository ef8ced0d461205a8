package dev.penstock.internal.memory;

import dev.penstock.spi.format.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Memory by address, for the decoding kernels.
///
/// A kernel first checks with [#address] that all memory it will touch lies inside a real segment,
/// then loops over plain addresses. Nothing else may use [#ALL].
public final class Raw {
  /// All memory, without bounds.
  public static final MemorySegment ALL;

  private static final @Nullable IllegalCallerException DENIED;

  static {
    MemorySegment all = MemorySegment.NULL;
    IllegalCallerException denied = null;
    try {
      all = all.reinterpret(Long.MAX_VALUE);
    } catch (IllegalCallerException e) {
      denied = e;
    }
    ALL = all;
    DENIED = denied;
  }

  public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  /// Two bytes, little-endian, at any address.
  public static final ValueLayout.OfShort SHORT = LittleEndian.SHORT;

  /// Four bytes, little-endian, at any address.
  public static final ValueLayout.OfInt INT = LittleEndian.INT;

  /// Eight bytes, little-endian, at any address.
  public static final ValueLayout.OfLong LONG = LittleEndian.LONG;

  private Raw() {}

  /// Checks that this JVM allows access to memory by address, before any code tries it.
  ///
  /// @throws IllegalCallerException if the JVM was started with `--illegal-native-access=deny` and
  ///   without the flag that the message names
  public static void requireAccess() {
    if (DENIED != null) {
      throw new IllegalCallerException(
          "Cannot read files: decoders reach memory by address, and this JVM denies that to "
              + (Raw.class.getModule().isNamed() ? "dev.penstock" : "the class path")
              + ". Start Java with --enable-native-access="
              + (Raw.class.getModule().isNamed()
                  ? "dev.penstock,com.github.luben.zstd_jni,snappy.java"
                  : "ALL-UNNAMED")
              + ".",
          DENIED);
    }
  }

  /// Returns the address of a range after checking that the segment holds all of it.
  public static long address(MemorySegment segment, long offset, long bytes) {
    if (offset < 0 || bytes < 0 || offset > segment.byteSize() - bytes) {
      throw new IndexOutOfBoundsException(
          "Range [" + offset + ", " + (offset + bytes) + ") is not in " + segment.byteSize());
    }
    return segment.address() + offset;
  }

  /// Copies bytes between addresses; both ranges must have been checked.
  public static void copy(long source, long target, long bytes) {
    MemorySegment.copy(ALL, source, ALL, target, bytes);
  }
}
