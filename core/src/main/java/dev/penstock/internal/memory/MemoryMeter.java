package dev.penstock.internal.memory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Counts the off-heap memory of one loader, and says how much more it may take.
///
/// Memory that the consumer holds counts as used, but not against the limit: a loader that waited
/// for it could wait forever. Reserved memory counts against the limit, but not as used.
///
/// **Threads.** Safe for any.
public final class MemoryMeter {
  private final long limit;
  private final @Nullable MemoryMeter whole;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();
  private final AtomicLong charged = new AtomicLong(); // the bytes that count against the limit
  private final AtomicLong kept = new AtomicLong(); // the part of these that is never given up
  private final List<Runnable> idleHolders = new CopyOnWriteArrayList<>();

  /// Without a limit.
  public MemoryMeter() {
    this(Long.MAX_VALUE);
  }

  /// @param limit the most to be charged at once, in bytes, at least 1; [Long#MAX_VALUE] for none
  public MemoryMeter(long limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, got " + limit + ".");
    }
    this.limit = limit;
    this.whole = null;
  }

  /// Makes a meter for memory that was reserved from another meter, see [#hold]: it counts as used
  /// in both, and is charged only here.
  public MemoryMeter(MemoryMeter whole, long limit) {
    this.limit = limit;
    this.whole = whole;
  }

  /// Counts memory that is about to be taken, by the rules of the calling thread's [MemoryTurn].
  ///
  /// @throws NoRoomException if the thread has to give up its memory first
  /// @throws dev.penstock.format.MemoryLimitException if it can never have that much
  void add(long bytes) {
    reserve(bytes);
    count(bytes);
  }

  private void count(long bytes) {
    long now = used.addAndGet(bytes);
    peak.accumulateAndGet(now, Math::max);
    if (whole != null) {
      whole.count(bytes);
    }
  }

  /// Charges memory that is to be taken later, by the same rules.
  void reserve(long bytes) {
    MemoryTurn turn = MemoryTurn.current();
    if (turn == null) {
      charged.addAndGet(bytes);
    } else {
      turn.charge(this, bytes);
    }
  }

  void subtract(long bytes) {
    count(-bytes);
    uncharge(bytes);
  }

  /// Charges memory if there is room for it, and `left` bytes of the limit stay free.
  boolean tryCharge(long bytes, long left) {
    long now = charged.get();
    while (bytes <= limit - left - now) {
      if (charged.compareAndSet(now, now + bytes)) {
        return true;
      }
      now = charged.get();
    }
    return false;
  }

  /// Reserves memory even beyond the limit; a negative number gives it back.
  public void hold(long bytes) {
    kept.addAndGet(bytes);
    charge(bytes);
  }

  /// Returns the bytes that [#hold] has reserved.
  long kept() {
    return kept.get();
  }

  /// Charges memory even beyond the limit.
  void charge(long bytes) {
    charged.addAndGet(bytes);
  }

  void uncharge(long bytes) {
    charged.addAndGet(-bytes);
  }

  /// Returns how many more bytes may be charged; negative if too much is charged.
  public long room() {
    return limit - charged.get();
  }

  public long limit() {
    return limit;
  }

  /// Registers a holder of memory that may be idle; any thread may call `free`.
  void onShortage(Runnable free) {
    idleHolders.add(free);
  }

  void forget(Runnable free) {
    idleHolders.remove(free);
  }

  void freeIdle() {
    idleHolders.forEach(Runnable::run);
  }

  public long used() {
    return used.get();
  }

  public long peak() {
    return peak.get();
  }
}
