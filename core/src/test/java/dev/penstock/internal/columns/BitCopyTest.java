package dev.penstock.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class BitCopyTest {
  /// A copy on its way: which bits of which source go where.
  private record Copy(boolean all, int from, int count, int to) {}

  private static MemorySegment segment(Arena arena, BitSet bits, int bytes) {
    MemorySegment segment = arena.allocate(Math.max(1, bytes), 8);
    byte[] set = bits.toByteArray();
    MemorySegment.copy(set, 0, segment, ValueLayout.JAVA_BYTE, 0, Math.min(set.length, bytes));
    return segment.asSlice(0, bytes);
  }

  private static BitSet random(Random random, int count) {
    BitSet bits = new BitSet();
    for (int i = 0; i < count; i++) {
      bits.set(i, random.nextBoolean());
    }
    return bits;
  }

  /// Cuts a row of bits anywhere; each piece comes from anywhere in the source.
  private static List<Copy> copies(Random random, int total, int sourceBits) {
    List<Copy> copies = new ArrayList<>();
    for (int to = 0; to < total; ) {
      int count = Math.min(1 + random.nextInt(random.nextBoolean() ? 5 : 200), total - to);
      copies.add(
          new Copy(random.nextInt(4) == 0, random.nextInt(sourceBits - count + 1), count, to));
      to += count;
    }
    return copies;
  }

  @Seeded(runs = 300)
  void piecesInAnyOrderAndTwiceGiveTheBitsOfTheirSources(Random random) {
    int sourceBits = 300 + random.nextInt(700);
    int total = random.nextInt(600);
    BitSet source = random(random, sourceBits);
    List<Copy> copies = copies(random, total, sourceBits);
    copies.addAll(copies.subList(0, copies.size() / 3));
    Collections.shuffle(copies, random);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = segment(arena, source, (sourceBits + 7) / 8);
      MemorySegment target = arena.allocate(Math.max(8, BitCopy.bytes(total)), 8);
      BitSet expected = new BitSet();
      for (Copy copy : copies) {
        BitCopy.or(copy.all() ? null : from, copy.from(), copy.count(), target, copy.to());
        for (int i = 0; i < copy.count(); i++) {
          expected.set(copy.to() + i, copy.all() || source.get(copy.from() + i));
        }
      }
      byte[] bytes = target.toArray(ValueLayout.JAVA_BYTE);
      assertThat(BitSet.valueOf(bytes)).isEqualTo(expected);
      int count = random.nextInt(total + 1);
      assertThat(BitCopy.count(target, count)).isEqualTo(expected.get(0, count).cardinality());
    }
  }

  /// One thread writes the even bits upwards, the other the odd ones downwards: somewhere they meet
  /// in a word.
  @Test
  void threadsThatShareWordsLoseNoBits() throws Exception {
    int rounds = 500;
    int bits = 64 * 100;
    CyclicBarrier start = new CyclicBarrier(2);
    MemorySegment target = Arena.ofAuto().allocate(rounds * (bits / 8L), 8);
    FutureTask<Void> down =
        new FutureTask<>(() -> {
          for (long round = 0; round < rounds; round++) {
            start.await();
            for (int i = bits - 1; i > 0; i -= 2) {
              BitCopy.or(null, 0, 1, target, round * bits + i);
            }
          }
          return null;
        });
    Thread.ofPlatform().daemon().start(down);
    for (long round = 0; round < rounds; round++) {
      start.await();
      for (int i = 0; i < bits; i += 2) {
        BitCopy.or(null, 0, 1, target, round * bits + i);
      }
    }
    down.get();
    assertThat(BitCopy.count(target, rounds * bits)).isEqualTo(rounds * bits);
  }
}
