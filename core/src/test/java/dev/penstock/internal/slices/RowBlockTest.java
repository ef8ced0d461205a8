package dev.penstock.internal.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.plan.RowOrder;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowBlockTest {
  private static final DataType TEXT = new DataType.Utf8();
  private static final Location FILE = Location.of(Path.of("file").toAbsolutePath());

  /// Some texts as a slice has them.
  private record Slice(ColumnSlice column, List<@Nullable Object> rows) {}

  private static RowCopies block(TestMemory memory) {
    return new RowCopies(
        Schema.of(List.of(new Field("text", TEXT, true))), Texts.JOINED, memory, FILE);
  }

  private static String text(Random random) {
    return "é" + Integer.toString(random.nextInt(1000), 36).repeat(random.nextInt(3));
  }

  private static TextDictionary dictionary(Random random, int size) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      texts.add(text(random));
    }
    MemorySegment[] parts = variable(texts, random.nextInt(5));
    return new TextDictionary(size, parts[0], parts[1]);
  }

  /// Returns bytes and offsets, the first of which need not be 0.
  private static MemorySegment[] variable(List<? extends @Nullable Object> texts, int unused) {
    StringBuilder all = new StringBuilder("x".repeat(unused));
    int[] offsets = new int[texts.size() + 1];
    offsets[0] = unused;
    for (int i = 0; i < texts.size(); i++) {
      all.append(Objects.requireNonNullElse(texts.get(i), ""));
      offsets[i + 1] = all.toString().getBytes(StandardCharsets.UTF_8).length;
    }
    MemorySegment bytes =
        MemorySegment.ofArray(all.toString().getBytes(StandardCharsets.UTF_8)).asReadOnly();
    return new MemorySegment[] {bytes, MemorySegment.ofArray(offsets)};
  }

  private static String entry(TextDictionary dictionary, int code) {
    int start = dictionary.offsets().getAtIndex(ValueLayout.JAVA_INT, code);
    int end = dictionary.offsets().getAtIndex(ValueLayout.JAVA_INT, code + 1L);
    byte[] bytes = dictionary.values().asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static Slice coded(Random random, TextDictionary dictionary, int count) {
    List<@Nullable Object> rows = new ArrayList<>();
    int[] codes = new int[count];
    boolean hasNulls = dictionary.size() == 0 || random.nextBoolean();
    for (int i = 0; i < count; i++) {
      boolean isNull = dictionary.size() == 0 || (hasNulls && random.nextInt(4) == 0);
      codes[i] = isNull ? 0 : random.nextInt(dictionary.size());
      rows.add(isNull ? null : entry(dictionary, codes[i]));
    }
    MemorySegment places = MemorySegment.ofArray(codes);
    int nulls = (int) rows.stream().filter(Objects::isNull).count();
    return new Slice(
        ColumnSlice.coded(TEXT, count, nulls, validity(rows, nulls), places, dictionary), rows);
  }

  private static Slice plain(Random random, int count) {
    List<@Nullable Object> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(random.nextInt(4) == 0 ? null : text(random));
    }
    MemorySegment[] parts = variable(rows, random.nextInt(5));
    int nulls = (int) rows.stream().filter(Objects::isNull).count();
    return new Slice(
        ColumnSlice.variable(TEXT, count, nulls, validity(rows, nulls), parts[0], parts[1]), rows);
  }

  private static @Nullable MemorySegment validity(List<@Nullable Object> rows, int nulls) {
    if (nulls == 0) {
      return null;
    }
    byte[] bits = new byte[(rows.size() + 7) / 8 + 8];
    for (int i = 0; i < rows.size(); i++) {
      bits[i / 8] |= (byte) ((rows.get(i) == null ? 0 : 1) << (i % 8));
    }
    return MemorySegment.ofArray(bits);
  }

  private static List<@Nullable Object> found(ColumnSlice slice, int count) {
    List<@Nullable Object> found = new ArrayList<>();
    TestRows.append(slice, count, found);
    MemorySegment codes = slice.codes();
    if (codes != null) {
      int size = Objects.requireNonNull(slice.dictionary()).size();
      for (int row = 0; row < count; row++) { // of nulls too: some consumers look before they ask
        assertThat(codes.getAtIndex(ValueLayout.JAVA_INT, row)).isBetween(0, Math.max(0, size - 1));
      }
    }
    return found;
  }

  @Seeded(runs = 300)
  void textsAreTheSameHoweverSlicesGiveThem(Random random) {
    TestMemory memory = new TestMemory(1L << 30);
    RowCopies block = block(memory);
    TextDictionary dictionary = dictionary(random, Math.max(0, random.nextInt(25) - 5));
    for (int round = 0; round < 3; round++) {
      block.clear(FILE);
      List<@Nullable Object> expected = new ArrayList<>();
      for (int piece = random.nextInt(6); piece >= 0; piece--) {
        if (random.nextInt(3) == 0) {
          dictionary = dictionary(random, Math.max(0, random.nextInt(25) - 5));
        }
        int count = 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
        Slice slice =
            random.nextInt(5) == 0 ? plain(random, count) : coded(random, dictionary, count);
        append(random, block, slice, expected);
      }
      int rows = expected.size();
      assertThat(found(block.column(0), rows)).isEqualTo(expected);

      if (random.nextBoolean()) {
        RowOrder order = new RowOrder();
        order.draw(rows, random.nextLong(), 0, 0);
        List<@Nullable Object> before = new ArrayList<>(expected);
        for (int row = 0; row < rows; row++) {
          expected.set(order.places()[row], before.get(row));
        }
        block.reorder(0, order);
        assertThat(found(block.column(0), rows)).isEqualTo(expected);
      }
      int first = random.nextInt(rows + 1);
      int count = random.nextInt(rows - first + 1);
      ColumnSlice part = block.part(0, first, count);
      if (part != null) {
        assertThat(found(part, count)).isEqualTo(expected.subList(first, first + count));
      }
    }
    block.release();
    assertThat(memory.takenBytes()).isZero();
  }

  private static void append(
      Random random, RowCopies block, Slice slice, List<@Nullable Object> expected) {
    int count = slice.rows().size();
    switch (random.nextInt(3)) {
      case 0 -> {
        block.append(0, slice.column(), Selection.range(0, count));
        expected.addAll(slice.rows());
      }
      case 1 -> {
        int first = random.nextInt(count);
        int some = random.nextInt(count - first + 1);
        block.append(0, slice.column(), Selection.range(first, some));
        expected.addAll(slice.rows().subList(first, first + some));
      }
      default -> {
        int base = random.nextInt(10);
        int[] chosen = random.ints(count, base, base + count).sorted().distinct().toArray();
        block.append(0, slice.column(), Selection.of(chosen, 0, chosen.length, base));
        Arrays.stream(chosen).forEach(row -> expected.add(slice.rows().get(row - base)));
      }
    }
  }

  @Test
  void oneDictionaryStaysOne() {
    Random random = new Random(7);
    TextDictionary dictionary = dictionary(random, 10);
    RowCopies block = block(new TestMemory(1L << 20));
    block.append(0, coded(random, dictionary, 100).column(), Selection.range(0, 100));
    TextDictionary joined = block.column(0).dictionary();
    assertThat(joined).isNotNull();
    assertThat(Objects.requireNonNull(joined).size()).isEqualTo(10);
    block.append(0, coded(random, dictionary, 3).column(), Selection.range(0, 3));
    assertThat(block.column(0).dictionary()).isSameAs(joined);
    block.clear(FILE);
    block.append(0, coded(random, dictionary, 3).column(), Selection.range(0, 3));
    assertThat(block.column(0).dictionary()).isSameAs(joined);
    block.append(0, coded(random, dictionary(random, 5), 5).column(), Selection.range(0, 5));
    assertThat(Objects.requireNonNull(block.column(0).dictionary()).size()).isEqualTo(15);
    block.append(0, coded(random, dictionary(random, 6), 5).column(), Selection.range(0, 5));
    assertThat(block.column(0).dictionary()).isNull(); // It has more entries than rows came.
  }
}
