package dev.penstock.internal.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.batch.BatchAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PageLockTest {
  private final Arena arena = Arena.ofAuto(); // of the stubs

  /// What is locked, by address.
  private final Map<Long, Long> locked = new TreeMap<>();

  private final List<String> faults = new ArrayList<>();
  private final MemoryMeter meter = new MemoryMeter();
  private long limit = Long.MAX_VALUE;

  int mlock(MemorySegment memory, long bytes) {
    if (memory.address() % Pinning.PAGE_BYTES != 0 || bytes % Pinning.PAGE_BYTES != 0) {
      faults.add("no whole pages: " + memory.address() + ", " + bytes);
    }
    if (bytes + locked.values().stream().mapToLong(Long::longValue).sum() > limit) {
      return -1;
    }
    locked.put(memory.address(), bytes);
    return 0;
  }

  int munlock(MemorySegment memory, long bytes) {
    if (!locked.remove(memory.address(), bytes)) {
      faults.add("not locked: " + memory.address());
    }
    return 0;
  }

  /// A C library in which these two are functions.
  private Optional<MemorySegment> find(String name) {
    if (!name.equals("mlock") && !name.equals("munlock")) {
      return Optional.empty();
    }
    try {
      var function =
          MethodHandles.lookup()
              .bind(this, name, MethodType.methodType(int.class, MemorySegment.class, long.class));
      return Optional.of(
          Linker.nativeLinker()
              .upcallStub(function, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG), arena));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Cannot make a stub of " + name, e);
    }
  }

  @Test
  void blocksOfBatchesAreLockedAsLongAsTheyAreHeld() {
    try (BatchMemory memory =
        new BatchMemory(
            meter,
            100_000,
            1,
            new SlabSource(BatchAllocator.ofProcess(), PageLock.of(this::find)))) {
      SlabPool.Slab first = memory.take();
      SlabPool.Slab other = memory.take(1000);
      assertThat(locked).hasSize(2);
      assertThat(locked.values().stream().mapToLong(bytes -> bytes).sum()).isEqualTo(meter.used());
      first.release();
      other.release();
      assertThat(locked).hasSize(2);
    }
    assertThat(locked).isEmpty();
    assertThat(meter.used()).isZero();
    assertThat(faults).isEmpty();
  }

  @Test
  void whatMayNotBeLockedIsUsedAsItIs() {
    limit = 1 << 20;
    try (BatchMemory memory =
        new BatchMemory(
            meter,
            1 << 20,
            0,
            new SlabSource(BatchAllocator.ofProcess(), PageLock.of(this::find)))) {
      memory.take().segment().fill((byte) 1);
      SlabPool.Slab second = memory.take();
      second.segment().fill((byte) 1);
      assertThat(locked).hasSize(1);
      second.release();
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void systemWithoutTheFunctionLocksNothing() {
    SymbolLookup nothing = _ -> Optional.empty();
    assertThat(PageLock.of(nothing).pins()).isFalse();
  }

  @Test
  void locksOfTheSystemCanBeTakenAndGiven() {
    try (BatchMemory memory =
        new BatchMemory(
            meter, 100, 0, new SlabSource(BatchAllocator.ofProcess(), PageLock.ofSystem()))) {
      SlabPool.Slab slab = memory.take();
      slab.segment().fill((byte) 1);
      slab.release();
    }
    assertThat(meter.used()).isZero();
  }
}
