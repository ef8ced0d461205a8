package dev.penstock.serve;

import dev.penstock.format.MemoryLimitException;
import java.util.concurrent.TimeUnit;

/// How much of the heap long requests may take at once, so that many of them come one after
/// another.
///
/// **Threads.** Safe for any.
final class HeapRoom {
  /// What takes less is not counted.
  static final int SMALL = 64 << 10;

  private final String whatFor;
  private final long bytes;
  private final long patienceNanos;
  private long taken; // guarded by this

  /// Makes room for `bytes` at once; `whatFor` says in errors what needs it.
  HeapRoom(String whatFor, long bytes, long patienceMillis) {
    this.whatFor = whatFor;
    this.bytes = bytes;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
  }

  /// Waits until there is room, takes it, and returns what has to be given back.
  ///
  /// @throws MemoryLimitException if there never will be, or others do not give theirs back in time
  synchronized long take(long wanted) throws InterruptedException {
    if (wanted <= SMALL) {
      return 0;
    }
    if (wanted > bytes) {
      throw refusal(wanted, "of which such requests get " + mib(bytes) + " here");
    }
    long end = System.nanoTime() + patienceNanos;
    while (taken + wanted > bytes) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw refusal(wanted, "and requests of other clients hold it");
      }
      wait(left);
    }
    taken += wanted;
    return wanted;
  }

  synchronized void give(long given) {
    taken -= given;
    notifyAll();
  }

  private MemoryLimitException refusal(long wanted, String why) {
    return new MemoryLimitException(
        ("Cannot take this request: %s needs up to %s of the server's heap, %s. Ask for less at"
                + " once, or start the server with more heap (-Xmx).")
            .formatted(whatFor, mib(wanted), why),
        wanted);
  }

  private static String mib(long size) {
    return Math.ceilDiv(size, 1 << 20) + " MiB";
  }
}
