package dev.penstock.testing;

import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/// Scratch memory that is strict: it is filled with rubbish, has a limit, a guard behind every
/// segment, and knows what was not given back. It can refuse what comes after some takes, as the
/// loader's memory does when a worker has to give back what it has.
public final class TestMemory implements ScratchMemory {
  private static final byte RUBBISH = (byte) 0xa5;
  private static final int GUARD_BYTES = 64;

  private final long limit;
  private final int mostTakes;
  private final Map<Long, Arena> taken = new HashMap<>();
  private long bytes;
  private long peak;
  private int takes;

  public TestMemory(long limit) {
    this(limit, Integer.MAX_VALUE);
  }

  private TestMemory(long limit, int mostTakes) {
    this.limit = limit;
    this.mostTakes = mostTakes;
  }

  /// Makes memory that is refused after some takes.
  public TestMemory refusingAfter(int takes) {
    return new TestMemory(limit, takes);
  }

  /// What is thrown where memory is refused. Whoever takes memory lets it through.
  public static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private RefusedException() {
      super("refused");
    }
  }

  @Override
  public MemorySegment take(long size) {
    if (takes++ >= mostTakes) {
      throw new RefusedException();
    }
    bytes += size;
    peak = Math.max(peak, bytes);
    if (bytes > limit) {
      throw new AssertionError("More than " + limit + " bytes are taken: " + bytes);
    }
    Arena arena = Arena.ofConfined();
    MemorySegment all = arena.allocate(size + GUARD_BYTES, 64).fill(RUBBISH);
    taken.put(all.address(), arena);
    return all.asSlice(0, size);
  }

  @Override
  public void give(MemorySegment memory) {
    bytes -= memory.byteSize();
    Arena arena = taken.remove(memory.address());
    if (arena == null) {
      throw new AssertionError("Given back but not taken: " + memory);
    }
    MemorySegment guard =
        MemorySegment.ofAddress(memory.address() + memory.byteSize()).reinterpret(GUARD_BYTES);
    for (int i = 0; i < GUARD_BYTES; i++) {
      if (guard.get(ValueLayout.JAVA_BYTE, i) != RUBBISH) {
        throw new AssertionError("Written " + i + " bytes behind " + memory);
      }
    }
    arena.close();
  }

  @Override
  public void count(long size) {
    if (size > 0 && takes++ >= mostTakes) {
      throw new RefusedException();
    }
    bytes += size;
    peak = Math.max(peak, bytes);
    if (bytes > limit) {
      throw new AssertionError("More than " + limit + " bytes are taken: " + bytes);
    }
  }

  /// Returns the bytes that are taken now.
  public long takenBytes() {
    return bytes;
  }

  /// Returns the most bytes that were taken at once.
  public long peakBytes() {
    return peak;
  }
}
