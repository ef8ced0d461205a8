package dev.penstock.tck.internal;

import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/// Scratch memory that is filled with rubbish, and knows what was written behind its segments and
/// what was not given back.
public final class StrictMemory implements ScratchMemory {
  private static final byte RUBBISH = (byte) 0xa5;
  private static final int GUARD_BYTES = 64;

  private record Taken(Arena arena, MemorySegment all) {}

  private final Map<Long, Taken> taken = new HashMap<>();
  private long counted;

  /// Makes memory of which nothing is taken.
  public StrictMemory() {}

  @Override
  public MemorySegment take(long bytes) {
    Arena arena = Arena.ofConfined();
    MemorySegment all = arena.allocate(bytes + GUARD_BYTES, 64).fill(RUBBISH);
    taken.put(all.address(), new Taken(arena, all));
    return all.asSlice(0, bytes);
  }

  @Override
  public void give(MemorySegment memory) {
    Taken found = taken.remove(memory.address());
    if (found == null) {
      throw new AssertionError("The reader gives back memory that it does not have: " + memory);
    }
    for (long i = found.all.byteSize() - GUARD_BYTES; i < found.all.byteSize(); i++) {
      if (found.all.get(ValueLayout.JAVA_BYTE, i) != RUBBISH) {
        throw new AssertionError("The reader wrote behind the end of " + memory);
      }
    }
    found.arena.close();
  }

  @Override
  public void count(long bytes) {
    counted += bytes;
  }

  /// Asserts that everything was given back.
  public void assertNothingIsTaken() {
    if (!taken.isEmpty() || counted != 0) {
      throw new AssertionError(
          "The closed reader still has %d segments of scratch memory, and counts %d bytes."
              .formatted(taken.size(), counted));
    }
  }
}
