package dev.penstock.internal.boxing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.boxing.ObjectMaker.BadValueException;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.testing.Seeded;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TextObjectsTest {
  private static ColumnSlice slice(Arena arena, List<byte @Nullable []> texts) {
    ByteArrayOutputStream values = new ByteArrayOutputStream();
    MemorySegment offsets = arena.allocate(4L * (texts.size() + 1));
    MemorySegment validity = arena.allocate(texts.size() / 8 + 8L);
    int nulls = 0;
    for (int i = 0; i < texts.size(); i++) {
      byte[] text = texts.get(i);
      if (text == null) {
        nulls++;
      } else {
        values.writeBytes(text);
        byte some = validity.get(ValueLayout.JAVA_BYTE, i >> 3);
        validity.set(ValueLayout.JAVA_BYTE, i >> 3, (byte) (some | 1 << (i & 7)));
      }
      offsets.setAtIndex(ValueLayout.JAVA_INT, i + 1, values.size());
    }
    MemorySegment bytes = arena.allocate(values.size() + 1L);
    MemorySegment.copy(values.toByteArray(), 0, bytes, ValueLayout.JAVA_BYTE, 0, values.size());
    return ColumnSlice.variable(
        new DataType.Utf8(), texts.size(), nulls, nulls == 0 ? null : validity, bytes, offsets);
  }

  /// A category, a text of any letters that may be long, or null.
  private static @Nullable String text(Random random, int categories) {
    if (random.nextInt(20) == 0) {
      return null;
    }
    if (random.nextInt(4) > 0) {
      int category = random.nextInt(categories);
      return "x".repeat(category % 17) + category;
    }
    int letters = random.nextInt(3) == 0 ? 0x3000 : 0x80;
    return random
        .ints(random.nextInt(random.nextInt(50) == 0 ? 20_000 : 20), 0, letters)
        .mapToObj(Character::toString)
        .reduce("", String::concat);
  }

  @Seeded(runs = 50)
  void stringsAreTheTexts(Random random) throws BadValueException {
    ObjectMaker maker = ObjectMaker.of(new DataType.Utf8());
    int categories = 1 + random.nextInt(2000);
    for (int slices = 0; slices < 3; slices++) {
      List<@Nullable String> texts = new ArrayList<>();
      for (int i = random.nextInt(3000); i >= 0; i--) {
        texts.add(text(random, categories));
      }
      try (Arena arena = Arena.ofConfined()) {
        List<byte @Nullable []> bytes = new ArrayList<>();
        texts.forEach(text -> bytes.add(bytes(text)));
        maker.bind(slice(arena, bytes));
        @Nullable Object[] found = new Object[texts.size()];
        int cut = random.nextInt(found.length);
        maker.make(0, cut, found, 0);
        maker.make(cut, found.length - cut, found, cut);
        assertThat(found).isEqualTo(texts.toArray());
      }
    }
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void bytesThatAreNotUtf8AreAnErrorAlsoBetweenOthers() {
    try (Arena arena = Arena.ofConfined()) {
      ObjectMaker maker = ObjectMaker.of(new DataType.Utf8());
      byte[] good = "�ä".getBytes(StandardCharsets.UTF_8);
      maker.bind(slice(arena, List.of(good, new byte[] {'a', (byte) 0xc3}, good)));
      assertThatThrownBy(() -> maker.make(0, 3, new Object[3], 0))
          .isInstanceOf(BadValueException.class)
          .hasMessageContaining("is not UTF-8");
    }
  }

  @Test
  void shortTextsThatComeAgainAreShared() throws BadValueException {
    try (Arena arena = Arena.ofConfined()) {
      ObjectMaker maker = ObjectMaker.of(new DataType.Utf8());
      byte[] text = "category-12".getBytes(StandardCharsets.UTF_8);
      maker.bind(slice(arena, List.of(text, text)));
      @Nullable Object[] found = new Object[2];
      maker.make(0, 2, found, 0);
      assertThat(found[1]).isSameAs(found[0]).isEqualTo("category-12");
    }
  }
}
