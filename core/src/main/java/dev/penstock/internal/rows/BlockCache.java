package dev.penstock.internal.rows;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Keeps the most recently used blocks of decoded rows, within a limit of bytes.
///
/// The first thread to claim a block decodes it, outside of the lock; others that want it wait for
/// that thread, or come back later. A block is not kept if there is no room, because it exceeds the
/// limit or all others are being read.
///
/// **Threads.** Safe for any. A thread claims one block at a time, so there is no deadlock.
public final class BlockCache implements AutoCloseable {
  private final long bytesMax;
  private final MemoryMeter meter;

  /// The least recently used comes first.
  @GuardedBy("this")
  private final Map<Long, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  @GuardedBy("this")
  private long bytes;

  @GuardedBy("this")
  private int calls; // in progress, between enter() and exit()

  @GuardedBy("this")
  private boolean closed;

  /// A block, claimed by one or several threads. It is empty while the first of them decodes it.
  public static final class Entry {
    private final long key;
    private @Nullable RowSnapshot rows;
    private int claims = 1;

    private Entry(long key) {
      this.key = key;
    }

    /// Returns the columns of the block; null if the calling thread has to decode them.
    public @Nullable List<ColumnSlice> columns() {
      RowSnapshot held = rows;
      return held == null ? null : held.columns();
    }
  }

  public BlockCache(long bytesMax, MemoryMeter meter) {
    this.bytesMax = bytesMax;
    this.meter = meter;
  }

  /// Begins a call, during which [#close()] waits.
  ///
  /// @throws IllegalStateException if the cache is closed
  public synchronized void enter() {
    requireOpen();
    calls++;
  }

  public synchronized void exit() {
    calls--;
    notifyAll();
  }

  @GuardedBy("this")
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("Cannot read rows: they are closed. Open them again.");
    }
  }

  /// Claims a block if it is kept; else returns null.
  synchronized @Nullable Entry claimKept(long key) {
    requireOpen();
    Entry entry = entries.get(key);
    return entry == null || entry.rows == null ? null : claimed(entry);
  }

  /// Claims a block unless another thread is decoding it; then returns null.
  synchronized @Nullable Entry claimIdle(long key) {
    return claimNow(key);
  }

  /// Claims a block, and waits while another thread decodes it.
  ///
  /// @throws IOException if the thread is interrupted while it waits
  public synchronized Entry claim(long key) throws IOException {
    try {
      Entry entry = claimNow(key);
      while (entry == null) {
        wait();
        entry = claimNow(key);
      }
      return entry;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("Interrupted while another thread read the same rows.");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  @GuardedBy("this")
  private @Nullable Entry claimNow(long key) {
    requireOpen();
    Entry entry = entries.get(key);
    if (entry == null) {
      Entry empty = new Entry(key);
      entries.put(key, empty);
      return empty;
    }
    return entry.rows == null ? null : claimed(entry);
  }

  private static Entry claimed(Entry entry) {
    entry.claims++;
    return entry;
  }

  /// Keeps a copy of the rows of a block that the calling thread has decoded, if there is room.
  public void keep(Entry entry, List<ColumnSlice> columns) {
    long size = RowSnapshot.bytes(columns);
    if (!reserve(size)) {
      return;
    }
    RowSnapshot held = null;
    try {
      held = RowSnapshot.of(columns, size, meter);
    } finally {
      synchronized (this) {
        entry.rows = held;
        bytes -= held == null ? size : 0;
        notifyAll();
      }
    }
  }

  private synchronized boolean reserve(long size) {
    if (size > bytesMax) {
      return false;
    }
    Iterator<Entry> oldest = entries.values().iterator();
    while (bytes > bytesMax - size && oldest.hasNext()) {
      Entry entry = oldest.next();
      if (entry.rows != null && entry.claims == 0) {
        oldest.remove();
        bytes -= entry.rows.bytes();
        entry.rows.free();
      }
    }
    if (bytes > bytesMax - size) {
      return false;
    }
    bytes += size;
    return true;
  }

  /// Ends a claim. If the block is still empty, the next thread that wants it decodes it.
  public synchronized void release(Entry entry) {
    entry.claims--;
    if (entry.rows == null) {
      entries.remove(entry.key);
      notifyAll();
    }
  }

  synchronized long bytes() {
    return bytes;
  }

  /// Rejects further calls, waits for those in progress, and frees everything.
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
    boolean isInterrupted = false;
    while (calls > 0) {
      try {
        wait();
      } catch (InterruptedException _) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    for (Entry entry : entries.values()) {
      if (entry.rows != null) {
        bytes -= entry.rows.bytes();
        entry.rows.free();
      }
    }
    entries.clear();
  }
}
