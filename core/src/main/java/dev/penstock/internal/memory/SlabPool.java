package dev.penstock.internal.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Slabs of one size, reused as long as their loader lives; a slab holds the tensors of one batch.
///
/// Small slabs are cut from shared blocks, so that a batch size of one does not need an arena per
/// row. After [#close] a block is freed as soon as its last slab is given back.
///
/// **Threads.** Safe for any.
public final class SlabPool implements AutoCloseable {
  static final long BLOCK_BYTES = 1 << 20;

  private static final long ALIGNMENT = 64;

  /// The byte that overwrites memory given back, if requested: as a number of any type it is a
  /// large negative one.
  private static final byte POISON = (byte) 0xfe;

  private final MemoryMeter meter;
  private final long slabBytes;
  private final int slabsPerBlock;
  private final SlabSource source;
  private final Deque<Slab> idle = new ArrayDeque<>();
  private final List<Slabs> blocks = new ArrayList<>();
  private boolean closed;
  private volatile boolean poisons;

  /// @param slabBytes the size of a slab, rounded up to a multiple of 64; at least 0
  SlabPool(MemoryMeter meter, long slabBytes, long blockBytes, SlabSource source) {
    this.meter = meter;
    this.source = source;
    this.slabBytes = Math.max(ALIGNMENT, Math.ceilDiv(slabBytes, ALIGNMENT) * ALIGNMENT);
    this.slabsPerBlock =
        (int) Math.max(1, source.pinning().blockBytes(blockBytes) / this.slabBytes);
  }

  void poison() {
    poisons = true;
  }

  /// A piece of memory for one batch.
  public final class Slab {
    private final Slabs owner;
    private final MemorySegment segment;
    private long reserved;

    private Slab(Slabs owner, MemorySegment segment) {
      this.owner = owner;
      this.segment = segment;
    }

    /// Returns the memory, 64-byte aligned; its contents are those of an earlier batch.
    public MemorySegment segment() {
      return segment;
    }

    void reserved(long bytes) {
      reserved = bytes;
    }

    /// Releases the reserved memory, because it is now taken or not needed.
    public void unreserve() {
      meter.uncharge(reserved);
      reserved = 0;
    }

    /// Returns the bytes that cannot be given back while the slab is taken: its block and its
    /// reserve.
    ///
    /// @param counted the blocks that were counted before, which do not count again; this one's is
    ///   added
    public long keptBytes(Set<Object> counted) {
      return reserved + (counted.add(owner) ? owner.block.segment().byteSize() : 0);
    }

    /// Gives the slab back to its pool. Call it once.
    public void release() {
      if (poisons) {
        segment.fill(POISON);
      }
      unreserve();
      SlabPool.this.release(this);
    }
  }

  private static final class Slabs {
    private final Allocation block;
    private int out;

    private Slabs(Allocation block) {
      this.block = block;
    }
  }

  /// Takes a slab, making a new block when none is idle. May wait, so hold no lock.
  ///
  /// @throws IllegalStateException if the pool is closed
  public Slab acquire() {
    Slab slab = pollIdle();
    return slab != null ? slab : takeOf(new Allocation(meter, blockBytes(), source));
  }

  private synchronized @Nullable Slab pollIdle() {
    requireOpen();
    return idle.isEmpty() ? null : taken(idle.removeLast());
  }

  private synchronized Slab takeOf(Allocation block) {
    if (closed) {
      block.free();
      requireOpen();
    }
    Slabs slabs = new Slabs(block);
    blocks.add(slabs);
    for (int i = 0; i < slabsPerBlock; i++) {
      idle.add(new Slab(slabs, block.segment().asSlice(i * slabBytes, slabBytes)));
    }
    return taken(idle.removeLast());
  }

  private static Slab taken(Slab slab) {
    slab.owner.out++;
    return slab;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("Cannot take memory: the loader is closed.");
    }
  }

  synchronized boolean hasIdle() {
    return !idle.isEmpty();
  }

  /// Returns the bytes that are taken at once when no slab is idle.
  long blockBytes() {
    return source.pinning().blockBytes(slabBytes * slabsPerBlock);
  }

  synchronized long idleBytes() {
    return idle.size() * slabBytes;
  }

  synchronized long takenBytes() {
    return blocks.stream().mapToLong(slabs -> slabs.out).sum() * slabBytes;
  }

  /// Frees all blocks with no slab taken.
  synchronized void trim() {
    idle.removeIf(slab -> slab.owner.out == 0);
    for (Slabs slabs : blocks) {
      if (slabs.out == 0) {
        slabs.block.free();
      }
    }
    blocks.removeIf(slabs -> slabs.out == 0);
  }

  private synchronized void release(Slab slab) {
    slab.owner.out--;
    if (!closed) {
      idle.addLast(slab);
      if (meter.room() < 0) {
        trim();
      }
    } else if (slab.owner.out == 0) {
      slab.owner.block.free();
    }
  }

  /// Frees all blocks whose slabs are all given back, and the others as soon as theirs are.
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    trim();
    idle.clear();
    blocks.clear();
  }
}
