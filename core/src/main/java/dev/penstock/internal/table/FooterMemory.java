package dev.penstock.internal.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.FileMetadata;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Which footers of a dataset are kept as a whole: those used last, as far as they have room.
///
/// **Threads.** Any.
public final class FooterMemory {
  /// The most bytes of a dataset's footers, see [FileMetadata#heapBytes()]. Tests set it.
  static volatile long bytesMax = Math.max(32 << 20, Runtime.getRuntime().maxMemory() / 32);

  @GuardedBy("this")
  private final Map<Footer, Long> bytesOf = new LinkedHashMap<>(16, 0.75f, true); // by last use

  @GuardedBy("this")
  private long bytes;

  private final Map<Object, Object> values = new ConcurrentHashMap<>();
  private final Concurrency reads;

  /// @param reads runs what reads many footers anew
  public FooterMemory(Concurrency reads) {
    this.reads = reads;
  }

  Concurrency reads() {
    return reads;
  }

  /// Returns the first of all values that equal this one: most files have the same columns.
  <T> T shared(T value) {
    @SuppressWarnings("unchecked") // equal values here are of one class
    T first = (T) values.computeIfAbsent(value, each -> each);
    return first;
  }

  /// Returns whether footers are always read anew: then tests see it.
  boolean isNone() {
    return bytesMax == 0;
  }

  void keep(Footer footer, FileMetadata metadata) {
    long size = metadata.heapBytes();
    synchronized (this) {
      footer.keep(metadata);
      if (size == 0) {
        return;
      }
      Long before = bytesOf.put(footer, size);
      bytes += size - (before == null ? 0 : before);
      while (bytes > bytesMax) {
        Map.Entry<Footer, Long> oldest = bytesOf.entrySet().iterator().next();
        bytes -= oldest.getValue();
        oldest.getKey().drop();
        bytesOf.remove(oldest.getKey());
      }
    }
  }

  synchronized void use(Footer footer) {
    bytesOf.get(footer);
  }
}
