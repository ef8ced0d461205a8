package dev.penstock.serve;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import com.sun.management.ThreadMXBean;
import dev.penstock.format.MemoryLimitException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends the work that fills the heap, before the heap is full: an [OutOfMemoryError] in the JDK or
/// a library may hit any thread, and break what all clients share.
///
/// If the heap is still nearly full after a garbage collection, one work is ended: that whose
/// thread has allocated most since its last batch, or since it began.
///
/// **Threads.** Safe for any; has one of its own, from the first work on.
final class HeapWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeapWatch.class);

  /// What it loads would be in the way of the first client.
  private static final long START_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long TIGHT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /// The part of the heap, in percent, from which on it is looked at more often.
  private static final int TIGHT = 70;

  /// The part that may be in use behind a collection.
  private static final int FULL = 85;

  /// Work that has allocated less than this part of the heap, in percent, is not to blame.
  private static final int LITTLE = 10;

  final Set<Shortage.Work> works = ConcurrentHashMap.newKeySet();
  private final long heap;
  private volatile @Nullable Thread watching;
  private volatile boolean closed;
  private volatile boolean ready;

  // Of the thread that watches.
  private final Map<Shortage.Work, Seen> seen = new WeakHashMap<>();

  /// What was seen of a work when it last had come on.
  private record Seen(long steps, long allocated) {}

  HeapWatch(long heap) {
    this.heap = heap;
  }

  void add(Shortage.Work work) {
    works.add(work);
    Thread thread = watching;
    if (thread == null) {
      start();
    } else if (works.size() == 1) {
      LockSupport.unpark(thread);
    }
  }

  private synchronized void start() {
    if (watching == null && !closed) {
      watching = Thread.ofPlatform().daemon().name("penstock-heap").start(this::watch);
    }
  }

  /// Returns what the calling thread has allocated, as far as that is known already.
  long allocatedHere() {
    return ready ? Management.of(Thread.currentThread()) : 0;
  }

  private void watch() {
    LockSupport.parkNanos(this, START_NANOS);
    ready = Management.of(Thread.currentThread()) >= 0; // loads it
    while (!closed) {
      if (works.isEmpty()) {
        LockSupport.park(this);
        continue;
      }
      boolean isTight = isMore(TIGHT, used());
      try {
        if (isTight) {
          look();
        }
      } catch (OutOfMemoryError _) {
        LockSupport.parkNanos(this, 1); // and looks again
      }
      LockSupport.parkNanos(this, isTight ? TIGHT_PAUSE_NANOS : PAUSE_NANOS);
    }
  }

  private void look() {
    Shortage.Work heaviest = null;
    long most = 0;
    for (Shortage.Work work : works) {
      long allocated = allocated(work);
      if (allocated > most) {
        heaviest = work;
        most = allocated;
      }
    }
    if (heaviest == null || !isMore(LITTLE, most) || !isMore(FULL, usedBehindCollection())) {
      return;
    }
    System.gc(); // what is used may be garbage that was not looked at yet
    if (isMore(FULL, used())) {
      refuse(heaviest, most);
    }
  }

  private void refuse(Shortage.Work work, long allocated) {
    LOG.warn("Ends a request that has allocated {} bytes: the heap is full", allocated);
    work.refuse(
        new MemoryLimitException(
            "Cannot go on with this request: the server's heap of "
                + (heap >> 20)
                + " MiB is nearly full, and of all requests this one has taken most. Ask for less"
                + " at once, or start the server with more heap (-Xmx).",
            allocated));
    works.remove(work);
  }

  /// Returns what the thread of a work has allocated since the work came on.
  private long allocated(Shortage.Work work) {
    long all = Management.of(work.thread);
    long steps = work.steps;
    Seen last = seen.get(work);
    if (last == null || last.steps() != steps) {
      last = new Seen(steps, steps == 0 ? work.allocatedBefore : all);
      seen.put(work, last);
    }
    return all - last.allocated();
  }

  private boolean isMore(int percent, long bytes) {
    return bytes > heap / 100 * percent;
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /// Returns what was in use behind the last collection of any kind.
  private static long usedBehindCollection() {
    GcInfo last = null;
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      GcInfo info = collector instanceof GarbageCollectorMXBean told ? told.getLastGcInfo() : null;
      if (info != null && (last == null || info.getEndTime() > last.getEndTime())) {
        last = info;
      }
    }
    return last == null
        ? 0
        : last.getMemoryUsageAfterGc().entrySet().stream()
            .filter(pool -> Management.HEAP_POOLS.contains(pool.getKey()))
            .map(Map.Entry::getValue)
            .mapToLong(MemoryUsage::getUsed)
            .sum();
  }

  /// What the JVM says of itself. Loading it takes a while.
  private static final class Management {
    static final Set<String> HEAP_POOLS =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType().equals(MemoryType.HEAP))
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toUnmodifiableSet());

    static long of(Thread thread) {
      return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
          ? Math.max(0, threads.getThreadAllocatedBytes(thread.threadId()))
          : 0;
    }
  }

  @Override
  public void close() {
    closed = true;
    Thread thread = watching;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
