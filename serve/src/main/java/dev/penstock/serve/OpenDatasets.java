package dev.penstock.serve;

import dev.penstock.StructuredDataset;
import dev.penstock.internal.request.Opening;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The datasets that clients have open, each once for all who name the same: they share the list of
/// its files, and the footers.
///
/// Whoever opens one that is open has it looked at first, so that nobody gets an older one than
/// without the others: if it has changed, it is opened anew, for this client and for those who come
/// later. Clients who wait for a look share the next one.
///
/// **Ownership.** A dataset is let go when the last [Lease] that has it is closed.
///
/// **Threads.** Safe for any.
final class OpenDatasets {
  private final Map<Object, Opened> opened = new HashMap<>(); // guarded by this

  /// Returns what a client is about to open.
  Lease lease() {
    return new Lease();
  }

  synchronized int size() {
    return opened.size();
  }

  /// What one client has open.
  final class Lease implements Opening.Keeper, AutoCloseable {
    // Guarded by the datasets.
    private final List<Opened> taken = new ArrayList<>();
    private boolean isClosed;

    private Lease() {}

    @Override
    public StructuredDataset open(Object key, Supplier<StructuredDataset> opening) {
      return take(key).current(opening);
    }

    private Opened take(Object key) {
      synchronized (OpenDatasets.this) {
        if (isClosed) {
          return new Opened(key);
        }
        Opened found = opened.computeIfAbsent(key, Opened::new);
        if (!taken.contains(found)) {
          taken.add(found);
          found.users++;
        }
        return found;
      }
    }

    @Override
    public void close() {
      synchronized (OpenDatasets.this) {
        isClosed = true;
        for (int i = 0; i < taken.size(); i++) { // takes no heap, which may be short
          Opened left = taken.get(i);
          if (--left.users == 0) {
            opened.remove(left.key);
          }
        }
        taken.clear();
      }
    }
  }

  /// A dataset that is open.
  private static final class Opened {
    private final Object key;
    private int users; // guarded by the datasets

    private final ReentrantLock turn = new ReentrantLock();
    private final AtomicLong looks = new AtomicLong(); // begun
    private @Nullable StructuredDataset dataset; // guarded by turn
    private long lookedAt; // the last look that came to an end; guarded by turn

    Opened(Object key) {
      this.key = key;
    }

    /// Returns the dataset as it is now, or later.
    StructuredDataset current(Supplier<StructuredDataset> opening) {
      long before = looks.get();
      lock();
      try {
        StructuredDataset known = dataset;
        if (known != null && lookedAt > before) {
          return known;
        }
        long look = looks.incrementAndGet();
        StructuredDataset now = opening.get();
        if (known == null || !isSame(known, now)) {
          known = now;
          dataset = now;
        }
        lookedAt = look;
        return known;
      } finally {
        turn.unlock();
      }
    }

    private void lock() {
      try {
        turn.lockInterruptibly();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Cannot open a dataset: the connection is closed.", e);
      }
    }

    private static boolean isSame(StructuredDataset known, StructuredDataset now) {
      try {
        return known.hasSameFiles(now);
      } catch (RuntimeException _) {
        return false; // Reading it says why.
      }
    }
  }
}
