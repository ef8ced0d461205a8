package dev.penstock.internal.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.slices.TextCopy.JoinedDictionary;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.TextDictionary;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class JoinedDictionaryTest {
  /// A dictionary and what it has.
  private record Known(TextDictionary dictionary, List<String> texts) {
    static Known of(Random random) {
      List<String> texts = new ArrayList<>();
      StringBuilder all = new StringBuilder("?".repeat(random.nextInt(3)));
      int[] offsets = new int[random.nextInt(6) + 1];
      offsets[0] = all.length();
      for (int i = 1; i < offsets.length; i++) {
        texts.add(Integer.toString(random.nextInt(1000), 36).repeat(random.nextInt(30)));
        all.append(texts.getLast());
        offsets[i] = all.length();
      }
      MemorySegment values =
          MemorySegment.ofArray(all.toString().getBytes(StandardCharsets.US_ASCII));
      return new Known(
          new TextDictionary(texts.size(), values, MemorySegment.ofArray(offsets)), texts);
    }
  }

  /// Where the entries of a dictionary start.
  private record Joined(Known known, int first) {
    void check(TextDictionary all) {
      for (int i = 0; i < known.texts().size(); i++) {
        int start = all.offsets().getAtIndex(ValueLayout.JAVA_INT, (long) first + i);
        int end = all.offsets().getAtIndex(ValueLayout.JAVA_INT, first + i + 1L);
        byte[] bytes = all.values().asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE);
        assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo(known.texts().get(i));
      }
    }
  }

  /// Memory of which nothing is left after some pieces.
  private static final class Scarce implements ScratchMemory {
    private final TestMemory memory = new TestMemory(1 << 20);
    private int pieces;

    @Override
    public MemorySegment take(long bytes) {
      if (pieces-- == 0) {
        throw new NothingLeft();
      }
      return memory.take(bytes);
    }

    @Override
    public void give(MemorySegment segment) {
      memory.give(segment);
    }
  }

  private static final class NothingLeft extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Seeded(runs = 500)
  void entriesAreThereAlsoBehindAJoinThatFoundNoMemory(Random random) {
    Scarce memory = new Scarce();
    JoinedDictionary dictionaries = new JoinedDictionary(memory);
    List<Known> known = List.of(Known.of(random), Known.of(random), Known.of(random));
    List<Joined> joined = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      if (random.nextInt(6) == 0) {
        dictionaries.clear();
        joined.clear();
      }
      Known next = known.get(random.nextInt(known.size()));
      memory.pieces = random.nextInt(4);
      try {
        joined.add(new Joined(next, dictionaries.join(next.dictionary())));
      } catch (NothingLeft _) {
        // What was joined before has to be there.
      }
      for (Joined each : joined) {
        each.check(dictionaries.dictionary());
      }
    }
    dictionaries.release();
    assertThat(memory.memory.takenBytes()).isZero();
  }
}
