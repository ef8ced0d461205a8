package dev.penstock.internal.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.cache.Segment.DamagedException;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A segment finds whatever is changed in its file, before it is read.
class SegmentTest {
  private static final DataType NUMBERS = new DataType.Int(64, true);
  private static final DataType TEXTS = new DataType.Utf8();
  private static final DataType LISTS = new DataType.List(TEXTS, true);
  private static final FileKey KEY = new FileKey(1, 2);
  private static final long[] SET = {10, 20, 30};

  @TempDir Path folder;
  private final Arena arena = Arena.ofAuto();
  private Path file;
  private byte[] whole;

  @BeforeEach
  void write() throws IOException {
    SegmentWriter writer =
        SegmentWriter.create(folder, "1-0000000000000001", 1 << 20, FolderAccess.PRIVATE);
    writer.add(KEY, "a file", "a footer".getBytes(StandardCharsets.UTF_8));
    writer.add(KEY, "a file", SET, 0, List.of(numbers(), texts(), lists()));
    Segment written = writer.finish();
    assertThat(written).isNotNull();
    file = written.path();
    whole = Files.readAllBytes(file);
  }

  private MemorySegment ints(int... values) {
    return arena.allocateFrom(ValueLayout.JAVA_INT, values);
  }

  private MemorySegment text(String text) {
    return arena.allocateFrom(text, StandardCharsets.US_ASCII);
  }

  private ColumnSlice numbers() {
    MemorySegment values = arena.allocateFrom(ValueLayout.JAVA_LONG, 5, 6, 7);
    MemorySegment present = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 0b101);
    return ColumnSlice.fixed(NUMBERS, 3, 1, present, values);
  }

  private ColumnSlice texts() {
    TextDictionary dictionary = new TextDictionary(2, text("abc"), ints(0, 1, 3));
    return ColumnSlice.coded(TEXTS, 3, 0, null, ints(1, 0, 1), dictionary);
  }

  private ColumnSlice lists() {
    ColumnSlice elements = ColumnSlice.variable(TEXTS, 2, 0, null, text("xyz"), ints(0, 2, 3));
    return ColumnSlice.list(LISTS, 3, 0, null, ints(0, 2, 2, 2), elements);
  }

  /// Returns all values of the segment.
  private String values() throws IOException {
    Segment segment = Segment.open(file, FolderAccess.PRIVATE);
    try {
      StringBuilder values = new StringBuilder();
      for (int record = 0; record < segment.index().records(); record++) {
        int set = segment.index().setOf(record);
        if (set == SegmentIndex.METADATA) {
          values.append(new String(segment.metadata(record), StandardCharsets.UTF_8));
        } else if (set >= 0) {
          values.append(Arrays.toString(segment.index().columns(set)));
          values.append(longs(segment.column(record, 0, NUMBERS)));
          values.append(strings(segment.column(record, 1, TEXTS)));
          ColumnSlice lists = segment.column(record, 2, LISTS);
          values.append(Arrays.toString(ints(lists.offsets(), 4)));
          values.append(strings(lists.children().getFirst()));
        }
      }
      return values.toString();
    } finally {
      segment.unmap();
    }
  }

  private static String longs(ColumnSlice slice) {
    byte present = requireNonNull(slice.validity()).get(ValueLayout.JAVA_BYTE, 0);
    long[] values = slice.values().asSlice(0, 24).toArray(ValueLayout.JAVA_LONG);
    return present + Arrays.toString(values);
  }

  private static String strings(ColumnSlice slice) {
    StringBuilder all = new StringBuilder("[");
    for (int row = 0; row < slice.rowCount(); row++) {
      TextDictionary entries = slice.dictionary();
      all.append(
          entries == null
              ? text(slice.values(), requireNonNull(slice.offsets()), row)
              : text(entries.values(), entries.offsets(), ints(slice.codes(), 3)[row]));
      all.append(' ');
    }
    return all + "]";
  }

  private static String text(MemorySegment values, MemorySegment offsets, int place) {
    int start = offsets.getAtIndex(ValueLayout.JAVA_INT, place);
    int end = offsets.getAtIndex(ValueLayout.JAVA_INT, place + 1L);
    byte[] bytes = values.asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE);
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  private static int[] ints(@Nullable MemorySegment memory, int count) {
    return requireNonNull(memory).asSlice(0, 4L * count).toArray(ValueLayout.JAVA_INT);
  }

  @Test
  void valuesAreThoseThatWereWritten() throws IOException {
    assertThat(values()).isEqualTo("a footer[10, 20, 30]5[5, 6, 7][bc a bc ][0, 2, 2, 2][xy z ]");
  }

  @Test
  void eachChangedByteIsFound() throws IOException {
    String expected = values();
    int unused = 0;
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= (byte) (1 << at % 8);
      Files.write(file, changed);
      try {
        assertThat(values()).as("byte %s", at).isEqualTo(expected);
        assertThat(whole[at]).as("byte %s", at).isZero();
        unused++;
      } catch (DamagedException e) {
        assertThat(e).hasMessageContaining("The segment " + file + " of the cache is damaged: ");
      }
    }
    assertThat(unused).as("bytes behind the footer").isLessThan(SliceRecord.ALIGNMENT);
  }

  @Test
  void eachCutIsFound() throws IOException {
    for (int length = 0; length < whole.length; length += 1 + length % 5) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(this::values).as("%s bytes", length).isInstanceOf(DamagedException.class);
    }
  }

  @Test
  void bytesThatWereAddedAreFound() throws IOException {
    for (int more : new int[] {1, 24, 64, 4096}) {
      Files.write(file, Arrays.copyOf(whole, whole.length + more));
      assertThatThrownBy(this::values).as("%s more", more).isInstanceOf(DamagedException.class);
    }
  }

  @Test
  void cutOfASegmentThatIsMappedIsFound() throws IOException {
    Segment segment = Segment.open(file, FolderAccess.PRIVATE);
    assertThat(segment.metadata(0)).hasSize(8);
    int record = segment.index().records() - 1;
    assertThat(segment.column(record, 0, NUMBERS).rowCount()).isEqualTo(3);
    Files.write(file, new byte[10]);
    assertThatThrownBy(() -> segment.column(record - 1, 0, NUMBERS)) // the next record
        .isInstanceOf(DamagedException.class)
        .hasMessageEndingWith("it has 10 bytes but had " + whole.length);
    assertThatThrownBy(() -> segment.metadata(0)).isInstanceOf(DamagedException.class);
    segment.unmap();
  }

  @Test
  void changeBetweenTwoMappingsIsFound() throws IOException {
    Segment segment = Segment.open(file, FolderAccess.PRIVATE);
    segment.touch();
    int record = segment.index().records() - 1;
    assertThat(segment.column(record, 0, NUMBERS).rowCount()).isEqualTo(3);
    segment.unmap();
    byte[] changed = whole.clone();
    changed[(int) segment.index().offset(record) + 4] ^= 1;
    Files.write(file, changed);
    segment.touch();
    assertThatThrownBy(() -> segment.column(record, 0, NUMBERS))
        .isInstanceOf(DamagedException.class)
        .hasMessageEndingWith("the checksum of record " + record + " is wrong");
    segment.unmap();
  }

  @Test
  void mappedSegmentThatIsDeletedCanStillBeRead() throws IOException {
    Segment segment = Segment.open(file, FolderAccess.PRIVATE);
    int record = segment.index().records() - 1;
    assertThat(longs(segment.column(record, 0, NUMBERS))).isEqualTo("5[5, 6, 7]");
    Files.delete(file);
    assertThat(strings(segment.column(record, 1, TEXTS))).isEqualTo("[bc a bc ]");
    segment.unmap();
    assertThatThrownBy(() -> segment.column(record, 0, NUMBERS)).isInstanceOf(IOException.class);
  }

  /// An interrupt closes a channel that the thread uses, also for all others.
  @Test
  void interruptedThreadReadsWhatIsMapped() throws IOException {
    Segment segment = Segment.open(file, FolderAccess.PRIVATE);
    int record = segment.index().records() - 1;
    assertThat(segment.column(record, 0, NUMBERS).rowCount()).isEqualTo(3);
    Thread.currentThread().interrupt();
    try {
      assertThat(strings(segment.column(record, 1, TEXTS))).isEqualTo("[bc a bc ]");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(longs(segment.column(record, 0, NUMBERS))).isEqualTo("5[5, 6, 7]");
    segment.unmap();
  }

  @Test
  void segmentStaysWithinItsRoom() throws IOException {
    List<ColumnSlice> columns = List.of(numbers(), texts(), lists());
    long alone = SegmentWriter.bytes("a file", SET, columns);
    for (long room : new long[] {alone - 1, alone, 2 * alone, 10 * alone}) {
      SegmentWriter writer =
          SegmentWriter.create(folder, "1-0000000000000002", room, FolderAccess.PRIVATE);
      int written = 0;
      while (writer.hasRoom(KEY, "a file", SET, columns)) {
        writer.add(KEY, "a file", SET, 3L * written, columns);
        written++;
      }
      assertThat(written).isEqualTo(room < alone ? 0 : Math.max(1, written));
      Segment segment = writer.finish();
      assertThat(segment == null ? 0 : Files.size(segment.path()))
          .as("%s records", written)
          .isLessThanOrEqualTo(room)
          .isGreaterThan(room < 2 * alone ? -1 : room / 2);
    }
  }

  @Test
  void footersStayWithinTheRoomToo() throws IOException {
    byte[] footer = new byte[100];
    long alone = SegmentWriter.bytes("\u4f60", footer);
    SegmentWriter writer =
        SegmentWriter.create(folder, "1-0000000000000002", alone, FolderAccess.PRIVATE);
    assertThat(writer.hasRoom(KEY, "\u4f60", footer)).isTrue();
    writer.add(KEY, "\u4f60", footer);
    assertThat(writer.hasRoom(KEY, "\u4f60", new byte[0])).isFalse();
    Segment segment = writer.finish();
    assertThat(segment).isNotNull();
    assertThat(Files.size(segment.path())).isLessThanOrEqualTo(alone);
  }

  @Test
  void nameOfAFileMayBeLong() throws IOException {
    String name = "\u4f60".repeat(100_000);
    SegmentWriter writer =
        SegmentWriter.create(folder, "1-0000000000000002", 1 << 20, FolderAccess.PRIVATE);
    writer.add(KEY, name, new byte[10]);
    Segment segment = writer.finish();
    assertThat(segment).isNotNull();
    assertThat(Segment.open(segment.path(), FolderAccess.PRIVATE).index().files()).isEqualTo(1);
  }

  @Test
  void otherBytesBehindASegmentAreNoPartOfIt() throws IOException {
    Files.write(file, whole, StandardOpenOption.APPEND); // two, one behind the other
    assertThatThrownBy(this::values).isInstanceOf(DamagedException.class);
  }
}
