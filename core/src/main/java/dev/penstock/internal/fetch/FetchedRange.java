package dev.penstock.internal.fetch;

import dev.penstock.internal.memory.SlabPool;
import dev.penstock.spi.format.ByteRange;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Bytes of a file that are fetched with one request, or with a second one if the first is slow.
/// Guarded by the lock of its [Fetches].
final class FetchedRange {
  static final class Attempt {
    private SlabPool.@Nullable Slab slab;
    private @Nullable Runnable interruption;
    private long arrived;
    private boolean ended;

    void hold(SlabPool.Slab taken) {
      slab = taken;
    }

    /// Returns where the bytes are. Call it only after some have arrived.
    MemorySegment memory() {
      return Objects.requireNonNull(slab).segment();
    }

    void release() {
      if (slab != null) {
        slab.release();
        slab = null;
      }
    }

    void arrived(long bytes) {
      arrived = bytes;
    }

    void runs(Runnable interrupting) {
      interruption = interrupting;
    }

    void interrupt() {
      if (interruption != null && !ended) {
        interruption.run();
      }
    }
  }

  private final FetchedFile file;
  private final ByteRange range;
  private final List<Attempt> attempts = new ArrayList<>();
  private @Nullable Throwable failure;
  private boolean started;
  private int readers;
  private boolean dropped;

  FetchedRange(FetchedFile file, ByteRange range) {
    this.file = file;
    this.range = range;
  }

  FetchedFile file() {
    return file;
  }

  ByteRange range() {
    return range;
  }

  boolean isStarted() {
    return started;
  }

  boolean isDropped() {
    return dropped;
  }

  void start() {
    started = true;
  }

  void add(Attempt attempt) {
    attempts.add(attempt);
  }

  /// Returns an attempt with at least `bytes` bytes, or null.
  @Nullable Attempt with(long bytes) {
    for (Attempt attempt : attempts) {
      if (attempt.arrived >= bytes) {
        return attempt;
      }
    }
    return null;
  }

  boolean isComplete() {
    return with(range.length()) != null;
  }

  /// Returns why the range failed, or null as long as it may still come.
  @Nullable Throwable failure() {
    return attempts.stream().allMatch(attempt -> attempt.ended) ? failure : null;
  }

  void failed(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  void end(Attempt attempt) {
    attempt.ended = true;
    if (attempt.arrived >= range.length()) {
      for (Attempt other : attempts) {
        if (other != attempt) {
          other.interrupt();
        }
      }
    }
    sweep();
  }

  /// Keeps the memory until [#unpin], while a reader copies from it.
  void pin() {
    readers++;
  }

  void unpin() {
    readers--;
    sweep();
  }

  /// Gives the memory back: now, or after the last reader.
  void drop() {
    dropped = true;
    attempts.forEach(Attempt::interrupt);
    sweep();
  }

  /// Keeps the memory of one complete attempt and of running ones, and gives the rest back. After
  /// [#drop] it gives back that of complete attempts, too. While it has readers it keeps all.
  private void sweep() {
    if (readers > 0) {
      return;
    }
    boolean kept = false;
    for (Attempt attempt : List.copyOf(attempts)) {
      boolean complete = attempt.arrived >= range.length();
      if (attempt.ended && (dropped || !complete || kept)) {
        attempts.remove(attempt);
        attempt.release();
      } else {
        kept |= complete;
      }
    }
  }
}
