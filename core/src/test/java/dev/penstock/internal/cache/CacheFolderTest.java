package dev.penstock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.split.ByteSize;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a folder does at the begin and the end of epochs, and how it names columns.
class CacheFolderTest {
  private static final Field ID = new Field("id", new DataType.Int(64, true), false);

  @TempDir Path path;
  private final Arena arena = Arena.ofAuto();
  private CacheFolder folder;
  private CachedFile file;

  @BeforeEach
  void open() throws IOException {
    folder = CacheFolder.open(path, new ByteSize(1 << 20), FolderAccess.PRIVATE);
    file = file(folder);
  }

  private static CachedFile file(CacheFolder folder) {
    return folder.file(
        new Location("s3://a/file"), 10, "1", CachedFile.decoding("csv", Map.of(), ""));
  }

  private ColumnSlice ids(int rows) {
    MemorySegment values = arena.allocate(8L * rows, 8);
    for (int row = 0; row < rows; row++) {
      values.setAtIndex(ValueLayout.JAVA_LONG, row, row);
    }
    return ColumnSlice.fixed(ID.type(), rows, 0, null, values);
  }

  private CachedFile.Recorder recorder() {
    return file.new Recorder(new long[] {CachedFile.key(ID)});
  }

  private void write(long firstRow, int rows) {
    try (CachedFile.Recorder recorder = recorder()) {
      recorder.add(firstRow, List.of(ids(rows)));
    }
  }

  private List<Path> files(String end) throws IOException {
    try (Stream<Path> all = Files.list(path)) {
      return all.filter(each -> each.toString().endsWith(end)).toList();
    }
  }

  @Test
  void relativePathIsTheFileThatItIsInThisWorkingFolder() {
    List<String> csv = CachedFile.decoding("csv", Map.of(), "");
    folder.begin();
    folder.file(new Location("data/a.csv"), 10, "1", csv).keep(new byte[] {7});
    folder.end();
    String whole = Path.of("data/a.csv").toAbsolutePath().toString();
    assertThat(folder.file(new Location(whole), 10, "1", csv).metadata()).isPresent();
    assertThat(folder.file(new Location("b/data/a.csv"), 10, "1", csv).metadata()).isEmpty();
  }

  @Test
  void rowsCanBeReadOnceTheEpochIsOver() {
    folder.begin();
    write(0, 100);
    assertThat(file.covered(CachedFile.key(ID), 0, 100)).isZero();
    folder.end();
    assertThat(file.covered(CachedFile.key(ID), 0, 100)).isEqualTo(100);
  }

  @Test
  void rowsAreNotWrittenWherePilesWillBe() {
    folder.begin();
    folder.keeper().expectPiles(1 << 20);
    write(0, 100);
    folder.end();
    assertThat(file.covered(CachedFile.key(ID), 0, 100)).isZero();
    folder.begin();
    folder.keeper().expectPiles(0);
    write(0, 100);
    folder.end();
    assertThat(file.covered(CachedFile.key(ID), 0, 100)).isEqualTo(100);
  }

  /// As a worker does that was in a user's code when the epoch ended.
  @Test
  void readerThatEndsAfterItsEpochLeavesNothingOpen() throws IOException {
    folder.begin();
    folder.hold();
    CachedFile.Recorder late = recorder();
    late.add(0, List.of(ids(100)));
    folder.end();
    assertThat(files(".part")).hasSize(1);
    late.close();
    folder.release();
    assertThat(files(".part")).isEmpty();
    assertThat(file.covered(CachedFile.key(ID), 0, 100)).isEqualTo(100);
  }

  @Test
  void readerKeepsItsRowsUntilItEnds() {
    folder.begin();
    write(0, 100);
    folder.end();
    folder.begin();
    folder.hold();
    CachedChunk held = file.find(CachedFile.key(ID), 7);
    assertThat(held).isNotNull();
    ColumnSlice slice = held.slice(ID.type());
    assertThat(slice).isNotNull();
    folder.end();
    assertThat(slice.values().getAtIndex(ValueLayout.JAVA_LONG, 99)).isEqualTo(99);
    folder.release();
    assertThat(slice.values().scope().isAlive()).isFalse();
  }

  @Test
  void segmentIsMarkedAsUsedInEachEpoch() throws IOException {
    folder.begin();
    write(0, 100);
    folder.end();
    Path segment = files(".segment").getFirst();
    for (int epoch = 0; epoch < 3; epoch++) {
      Instant old = Instant.now().minus(Duration.ofDays(1));
      Files.setLastModifiedTime(segment, FileTime.from(old));
      folder.begin();
      CachedChunk held = file.find(CachedFile.key(ID), 0);
      assertThat(held).isNotNull();
      assertThat(held.slice(ID.type())).isNotNull();
      folder.end();
      assertThat(Files.getLastModifiedTime(segment).toInstant())
          .isAfter(old.plus(Duration.ofHours(1)));
    }
  }

  @Test
  void segmentsOfOthersAreSeenInTheNextEpoch() throws IOException {
    CacheFolder other = CacheFolder.open(path, new ByteSize(1 << 20), FolderAccess.PRIVATE);
    other.begin();
    folder.begin();
    write(0, 100);
    folder.end();
    CachedFile same = file(other);
    assertThat(same.find(CachedFile.key(ID), 0)).isNull();
    other.end();
    other.begin();
    assertThat(same.find(CachedFile.key(ID), 99)).isNotNull();
    assertThat(same.find(CachedFile.key(ID), 100)).isNull();
    other.end();
  }

  @Test
  void roomThatOthersHaveBegunCounts() throws IOException {
    CacheFolder other = CacheFolder.open(path, new ByteSize(1 << 20), FolderAccess.PRIVATE);
    other.begin();
    try (CachedFile.Recorder holding = file(other).new Recorder(new long[] {CachedFile.key(ID)})) {
      holding.add(0, List.of(ids(1))); // has room for 64 KiB
      folder.begin();
      for (int i = 0; i < 40; i++) {
        write(8_000L * i, 8_000);
      }
      folder.end();
      long taken = 0;
      for (Path segment : files(".segment")) {
        taken += Files.size(segment);
      }
      assertThat(taken).isBetween(14L * 64_000, 15L << 16);
    }
    other.end();
  }

  @Test
  void columnsOfOtherTypesHaveOtherKeys() {
    DataType text = new DataType.Utf8();
    List<DataType> types =
        List.of(
            text,
            new DataType.List(text, true),
            new DataType.List(text, false),
            new DataType.Struct(List.of(new Field("a", text, true), new Field("b", text, true))),
            new DataType.Struct(List.of(new Field("a", text, true), new Field("b", text, false))),
            new DataType.Struct(List.of(new Field("a: string, b", text, true))),
            new DataType.Map(text, text, true),
            new DataType.Map(text, text, false));
    assertThat(types.stream().map(type -> CachedFile.key(new Field("c", type, true))))
        .doesNotHaveDuplicates();
    assertThat(CachedFile.key(new Field("c", text, true)))
        .isEqualTo(CachedFile.key(new Field("c", text, false)))
        .isNotEqualTo(CachedFile.key(new Field("d", text, true)));
  }

  @Test
  void filesReadWithOtherOptionsHaveOtherKeys() {
    List<List<String>> decodings =
        List.of(
            CachedFile.decoding("csv", Map.of(), ""),
            CachedFile.decoding("csv", Map.of("null", "a"), ""),
            CachedFile.decoding("csv", Map.of("null", "a", "quote", "'"), ""),
            CachedFile.decoding("csv", Map.of("null", "a, quote='"), ""),
            CachedFile.decoding("csv", Map.of(), "[id]"),
            CachedFile.decoding("json", Map.of(), ""));
    assertThat(decodings.stream().map(FileKey::of)).doesNotHaveDuplicates();
  }
}
