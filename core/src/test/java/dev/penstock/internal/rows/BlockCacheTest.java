package dev.penstock.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A cache with room for two blocks.
class BlockCacheTest {
  private static final int BLOCK_BYTES = 64;

  private final MemoryMeter meter = new MemoryMeter();
  private final BlockCache cache = new BlockCache(2 * BLOCK_BYTES, meter);

  @AfterEach
  void closeFreesEverything() {
    cache.close();
    assertThat(meter.used()).isZero();
    assertThat(meter.peak()).isLessThanOrEqualTo(2 * BLOCK_BYTES);
  }

  /// Returns a block of 8 numbers, all of them the key.
  private static List<ColumnSlice> block(long key) {
    long[] values = new long[8];
    Arrays.fill(values, key);
    return List.of(
        ColumnSlice.fixed(new DataType.Int(64, true), 8, 0, null, MemorySegment.ofArray(values)));
  }

  private BlockCache.Entry decoded(long key) {
    BlockCache.Entry entry = Objects.requireNonNull(cache.claimIdle(key));
    assertThat(entry.columns()).isNull();
    cache.keep(entry, block(key));
    return entry;
  }

  private boolean isKept(long key) {
    BlockCache.Entry entry = cache.claimKept(key);
    if (entry != null) {
      assertThat(value(entry)).isEqualTo(key);
      cache.release(entry);
    }
    return entry != null;
  }

  private static long value(BlockCache.Entry entry) {
    return Objects.requireNonNull(entry.columns())
        .getFirst()
        .values()
        .getAtIndex(ValueLayout.JAVA_LONG, 7);
  }

  @Test
  void blockThatIsReadIsNotFreedForAnother() {
    BlockCache.Entry first = decoded(1);
    BlockCache.Entry second = decoded(2);
    BlockCache.Entry third = decoded(3);
    assertThat(third.columns()).as("no room").isNull();
    cache.release(third);
    cache.release(second);
    cache.release(decoded(4));
    assertThat(value(first)).isEqualTo(1);
    assertThat(isKept(2)).isFalse();
    assertThat(isKept(3)).isFalse();
    assertThat(isKept(4)).isTrue();
    cache.release(first);
  }

  @Test
  void blockThatWasUsedLongestAgoIsFreed() {
    cache.release(decoded(1));
    cache.release(decoded(2));
    assertThat(isKept(1)).isTrue();
    cache.release(decoded(3));
    assertThat(isKept(2)).isFalse();
    assertThat(isKept(1)).isTrue();
    assertThat(isKept(3)).isTrue();
    assertThat(cache.bytes()).isEqualTo(2 * BLOCK_BYTES);
  }

  @Test
  void blockOfAnotherThreadIsBusyUntilItIsReleased() {
    BlockCache.Entry mine = Objects.requireNonNull(cache.claimIdle(1));
    assertThat(cache.claimIdle(1)).isNull();
    assertThat(cache.claimKept(1)).isNull();
    cache.release(mine); // It could not be decoded.
    cache.release(decoded(1));
    assertThat(isKept(1)).isTrue();
  }
}
