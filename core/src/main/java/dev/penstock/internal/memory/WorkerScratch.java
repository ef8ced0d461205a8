package dev.penstock.internal.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One worker's working memory; memory that a reader gives back is reused by the next.
///
/// A request is served by the smallest idle piece that is large enough and at most
/// [#FIT_FACTOR_MAX] times too large. Idle memory beyond the readers' peak use plus a quarter is
/// freed, so a single giant page does not stay forever.
///
/// If there are already many pieces of a size, several more are made at once and share a block,
/// because freeing a block stops all threads. A block counts as taken while any of its pieces is.
///
/// **Threads.** One at a time; but any thread may free idle memory and query how much is held.
public final class WorkerScratch implements ScratchMemory, AutoCloseable {
  /// A piece more than this many times too large is kept for a larger request.
  private static final int FIT_FACTOR_MAX = 2;

  /// Sizes are rounded up to a multiple of this, so that nearly equal requests share pieces.
  private static final long GRANULE_BYTES = 4096;

  /// A new block has one piece for this many existing pieces of the size.
  private static final int PIECES_PER_PIECE = 4;

  /// The most bytes of a block of several pieces, which also takes at most a fraction of the free
  /// room: it cannot be freed while one piece is taken.
  private static final long SHARED_BYTES_MAX = 4 << 20;

  private static final int SHARED_PART_OF_ROOM = 16;

  private final MemoryMeter meter;
  private final Runnable freeing = this::freeIdle;

  // A table with thousands of columns has tens of thousands of pieces.
  @GuardedBy("this")
  private final Set<CutBlock> idle = new LinkedHashSet<>(); // no piece taken; the oldest first

  @GuardedBy("this")
  private final NavigableMap<Long, SequencedSet<Piece>> idleBySize = new TreeMap<>();

  @GuardedBy("this")
  private final IdentityHashMap<MemorySegment, Piece> taken = new IdentityHashMap<>();

  @GuardedBy("this")
  private final Map<Long, Integer> countBySize = new HashMap<>(); // of all pieces

  @GuardedBy("this")
  private long idleBytes;

  @GuardedBy("this")
  private long takenBytes;

  @GuardedBy("this")
  private long takenBytesPeak;

  @GuardedBy("this")
  private long countedBytes; // of the taken ones, those that lie elsewhere

  /// A block and the pieces of one size that it is cut into.
  private static final class CutBlock {
    private final Allocation block;
    private final List<Piece> pieces;
    private int taken;

    CutBlock(Allocation block, long size) {
      this.block = block;
      MemorySegment all = block.segment();
      this.pieces =
          all.byteSize() == size
              ? List.of(new Piece(this, all))
              : all.elements(MemoryLayout.sequenceLayout(size, ValueLayout.JAVA_BYTE))
                  .map(part -> new Piece(this, part))
                  .toList();
    }

    long bytes() {
      return block.segment().byteSize();
    }
  }

  /// A part of a block; equal only to itself.
  private static final class Piece {
    private final CutBlock of;
    private final MemorySegment segment;

    Piece(CutBlock of, MemorySegment segment) {
      this.of = of;
      this.segment = segment;
    }
  }

  public WorkerScratch(MemoryMeter meter) {
    this.meter = meter;
    meter.onShortage(freeing);
  }

  @Override
  public MemorySegment take(long bytes) {
    long size = Math.max(GRANULE_BYTES, Math.ceilDiv(bytes, GRANULE_BYTES) * GRANULE_BYTES);
    Piece piece = pollIdle(size);
    return piece != null
        ? piece.segment
        : takeOf(new Allocation(meter, size * newPieces(size)), size);
  }

  private synchronized long newPieces(long size) {
    long most = Math.min(SHARED_BYTES_MAX, meter.room() / SHARED_PART_OF_ROOM) / size;
    return Math.max(1, Math.min(countBySize.getOrDefault(size, 0) / PIECES_PER_PIECE, most));
  }

  private synchronized MemorySegment takeOf(Allocation block, long size) {
    CutBlock made = new CutBlock(block, size);
    countBySize.merge(size, made.pieces.size(), Integer::sum);
    Piece first = made.pieces.getFirst();
    for (Piece piece : made.pieces.subList(1, made.pieces.size())) {
      idleOf(size).add(piece);
    }
    taken(first);
    return first.segment;
  }

  private synchronized @Nullable Piece pollIdle(long size) {
    Map.Entry<Long, SequencedSet<Piece>> best = idleBySize.ceilingEntry(size);
    if (best == null || best.getKey() / FIT_FACTOR_MAX > size) {
      return null;
    }
    Piece piece = best.getValue().removeLast(); // the newest is most likely to be in the cache
    if (best.getValue().isEmpty()) {
      idleBySize.remove(best.getKey());
    }
    if (piece.of.taken == 0) {
      idle.remove(piece.of);
      idleBytes -= piece.of.bytes();
    }
    taken(piece);
    return piece;
  }

  @GuardedBy("this")
  private void taken(Piece piece) {
    taken.put(piece.segment, piece);
    if (piece.of.taken++ == 0) {
      takenBytes += piece.of.bytes();
      takenBytesPeak = Math.max(takenBytesPeak, takenBytes);
    }
  }

  @GuardedBy("this")
  private SequencedSet<Piece> idleOf(long size) {
    return idleBySize.computeIfAbsent(size, _ -> new LinkedHashSet<>());
  }

  @Override
  public synchronized void give(MemorySegment memory) {
    Piece piece = taken.remove(memory);
    if (piece == null) {
      throw new IllegalArgumentException("Cannot give back memory that was not taken here.");
    }
    idleOf(memory.byteSize()).add(piece);
    if (--piece.of.taken > 0) {
      return;
    }
    takenBytes -= piece.of.bytes();
    idle.add(piece.of);
    idleBytes += piece.of.bytes();
    // A quarter more, because pieces of one size do not fit requests of another: without it, some
    // would be freed and taken again in every run, each time stopping all threads.
    while (idleBytes > takenBytesPeak + takenBytesPeak / 4) {
      free(idle.iterator().next());
    }
  }

  @Override
  public void count(long bytes) {
    if (bytes > 0) {
      meter.add(bytes);
    } else {
      meter.subtract(-bytes);
    }
    counted(bytes);
  }

  private synchronized void counted(long bytes) {
    countedBytes += bytes;
    takenBytes += bytes;
    takenBytesPeak = Math.max(takenBytesPeak, takenBytes);
  }

  /// Frees a block with no piece taken.
  @GuardedBy("this")
  private void free(CutBlock unused) {
    long size = unused.pieces.getFirst().segment.byteSize();
    SequencedSet<Piece> same = Objects.requireNonNull(idleBySize.get(size));
    unused.pieces.forEach(same::remove);
    if (same.isEmpty()) {
      idleBySize.remove(size);
    }
    countBySize.merge(size, -unused.pieces.size(), Integer::sum);
    idle.remove(unused);
    idleBytes -= unused.bytes();
    unused.block.free();
  }

  private synchronized void freeIdle() {
    List.copyOf(idle).forEach(this::free);
  }

  synchronized long takenBytes() {
    return takenBytes;
  }

  synchronized long takenBytesPeak() {
    return takenBytesPeak;
  }

  /// Frees everything, also pieces that were never given back.
  @Override
  public synchronized void close() {
    meter.forget(freeing);
    for (MemorySegment memory : List.copyOf(taken.keySet())) {
      give(memory);
    }
    count(-countedBytes);
    freeIdle();
  }
}
