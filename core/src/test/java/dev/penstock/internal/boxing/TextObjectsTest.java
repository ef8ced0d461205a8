package dev.penstock.internal.boxing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.boxing.ObjectMaker.BadValueException;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import dev.penstock.testing.Seeded;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
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
    ObjectMaker late = ObjectMaker.ofLateTexts();
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

        late.bind(slice(arena, bytes));
        @Nullable Object[] later = new Object[texts.size() + 3];
        late.make(0, cut, later, 3);
        late.make(cut, found.length - cut, later, cut + 3);
        assertLate(later, texts);
      }
    }
  }

  private static void assertLate(@Nullable Object[] later, List<@Nullable String> texts) {
    List<@Nullable String> strings = new LateStrings(later).subList(3, later.length);
    assertThat(strings).isEqualTo(texts);
    assertThat(new ArrayList<>(strings)).isEqualTo(texts); // as it keeps them
  }

  @Seeded(runs = 50)
  void stringsOfDictionariesAreTheTexts(Random random) throws BadValueException {
    ObjectMaker late = ObjectMaker.ofLateTexts();
    for (int slices = 0; slices < 3; slices++) {
      List<byte @Nullable []> distinct = new ArrayList<>();
      for (int i = random.nextInt(500); i >= 0; i--) {
        String letters = random.nextInt(400) == 0 ? "ä" : "a";
        distinct.add(bytes(letters.repeat(random.nextInt(9)) + i));
      }
      if (random.nextInt(4) == 0) {
        distinct.set(0, bytes("long".repeat(1 << 19)));
      }
      try (Arena arena = Arena.ofConfined()) {
        int rows = 1 + random.nextInt(3000);
        List<@Nullable String> texts = new ArrayList<>();
        MemorySegment codes = arena.allocate(4L * rows);
        MemorySegment validity = arena.allocate(rows / 8 + 8L).fill((byte) 0xff);
        int nulls = random.nextInt(2) * random.nextInt(rows);
        for (int i = 0; i < rows; i++) {
          int code = random.nextInt(distinct.size());
          codes.setAtIndex(ValueLayout.JAVA_INT, i, i < nulls ? -1 : code);
          texts.add(i < nulls ? null : new String(distinct.get(code), StandardCharsets.UTF_8));
        }
        for (int i = 0; i < nulls; i++) {
          byte some = validity.get(ValueLayout.JAVA_BYTE, i >> 3);
          validity.set(ValueLayout.JAVA_BYTE, i >> 3, (byte) (some & ~(1 << (i & 7))));
        }
        ColumnSlice values = slice(arena, distinct);
        late.bind(
            ColumnSlice.coded(
                new DataType.Utf8(),
                rows,
                nulls,
                nulls == 0 ? null : validity,
                codes,
                new TextDictionary(
                    distinct.size(), values.values(), requireNonNull(values.offsets()))));
        @Nullable Object[] later = new Object[rows + 3];
        int cut = random.nextInt(rows);
        late.make(0, cut, later, 3);
        late.make(cut, rows - cut, later, cut + 3);
        assertLate(later, texts);
      }
    }
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void bytesThatAreNotUtf8AreAnErrorAlsoBetweenOthers() {
    byte[] good = "�ä".getBytes(StandardCharsets.UTF_8);
    List<byte @Nullable []> texts = new ArrayList<>(Collections.nCopies(20, good));
    texts.set(1, new byte[] {'a', (byte) 0xc3});
    for (ObjectMaker maker :
        List.of(ObjectMaker.of(new DataType.Utf8()), ObjectMaker.ofLateTexts())) {
      try (Arena arena = Arena.ofConfined()) {
        maker.bind(slice(arena, texts));
        assertThatThrownBy(() -> maker.make(0, 20, new Object[20], 0))
            .isInstanceOf(BadValueException.class)
            .hasMessageContaining("is not UTF-8");
      }
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
