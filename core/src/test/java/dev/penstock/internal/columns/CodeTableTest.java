package dev.penstock.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.columns.TextCoder.CodeTable;
import dev.penstock.testing.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CodeTableTest {
  /// Looks a text up, with other bytes on both sides of it.
  private static int find(CodeTable table, String text, Random random) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[utf8.length + 20];
    random.nextBytes(all);
    int start = random.nextInt(21);
    System.arraycopy(utf8, 0, all, start, utf8.length);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, all);
      return table.code(bytes, start, utf8.length);
    }
  }

  @Seeded(runs = 50)
  void findsThePlaceOfEveryTextAndOfNoOther(Random random) {
    Set<String> distinct = new LinkedHashSet<>();
    int count = random.nextInt(3000);
    int alphabet = 1 + random.nextInt(26);
    int first = random.nextBoolean() ? 'a' : 'ß'; // of one byte each, or of two
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(random.nextInt(50) + 1); length > 0; length--) {
        text.append((char) (first + random.nextInt(alphabet)));
      }
      distinct.add(text.toString());
    }
    List<String> texts = new ArrayList<>(distinct);
    Collections.shuffle(texts, random);
    int known = texts.size() / 2;
    CodeTable table = new CodeTable(texts.subList(0, known));
    for (int i = 0; i < texts.size(); i++) {
      assertThat(find(table, texts.get(i), random)).isEqualTo(i < known ? i : TextCoder.UNKNOWN);
    }
  }

  @Test
  void emptyTableKnowsNothing() {
    assertThat(find(new CodeTable(List.of()), "", new Random(1))).isEqualTo(TextCoder.UNKNOWN);
    assertThat(find(new CodeTable(List.of("")), "", new Random(1))).isZero();
  }
}
