package dev.penstock.spi.format;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.Set;

/// The working memory of one reader of a file format. It keeps track of what is taken, so that the
/// parts of the reader need not give it back.
///
/// **Ownership.** [#close] returns to the source all that is still taken, which must then no longer
/// be used.
///
/// **Threads.** One at a time.
///
/// **Errors.** Those of the source.
public final class ReaderMemory implements ScratchMemory, AutoCloseable {
  private final ScratchMemory source;
  private final Set<MemorySegment> taken = new LinkedHashSet<>();
  private long counted;

  /// Makes a reader's memory; nothing is taken yet.
  ///
  /// @param source where it comes from
  public ReaderMemory(ScratchMemory source) {
    this.source = source;
  }

  @Override
  public MemorySegment take(long bytes) {
    MemorySegment memory = source.take(bytes);
    taken.add(memory);
    return memory;
  }

  @Override
  public void give(MemorySegment memory) {
    taken.remove(memory);
    source.give(memory);
  }

  @Override
  public void count(long bytes) {
    source.count(bytes);
    counted += bytes;
  }

  /// Returns everything. May be called twice.
  @Override
  public void close() {
    taken.forEach(source::give);
    taken.clear();
    source.count(-counted);
    counted = 0;
  }
}
