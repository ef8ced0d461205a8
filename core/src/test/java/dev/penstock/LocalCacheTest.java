package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.LocalCache.KeptFile;
import dev.penstock.batch.Batch;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.FolderAccess;
import dev.penstock.split.ByteSize;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cache of two files, `a.csv` of 3 rows and `b.csv` of 2.
class LocalCacheTest {
  private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06Z");

  @TempDir Path data;
  @TempDir Path folder;

  private LocalCache cache() {
    return LocalCache.at(folder.toString());
  }

  private void fill() throws IOException {
    Files.writeString(data.resolve("a.csv"), "id,name\n1,x\n2,y\n3,z\n");
    Files.writeString(data.resolve("b.csv"), "id,name\n4,x\n5,y\n");
    read("id", "name");
  }

  private long read(String... columns) {
    StructuredDataset dataset =
        new StructuredDataset(data.toString()).cache(folder.toString(), "64MiB").columns(columns);
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(1))) {
      for (Batch batch : loader) {
        batch.close();
      }
      return loader.stats().read().cached();
    }
  }

  private List<Path> named(String end) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> path.toString().endsWith(end)).sorted().toList();
    }
  }

  private static void flip(Path file, long offset) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(offset);
      int value = open.read();
      open.seek(offset);
      open.write(value ^ 1);
    }
  }

  @Test
  void cacheThatIsNotThereIsEmpty() throws IOException {
    for (String place : List.of(folder.toString(), folder.resolve("none").toString())) {
      LocalCache none = LocalCache.at(place);
      assertThat(none.segments()).isZero();
      assertThat(none.bytes()).isZero();
      assertThat(none.files()).isEmpty();
      assertThat(none.check()).isEmpty();
      assertThat(none.clear()).isZero();
      assertThat(none).hasToString("LocalCache " + place);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void filesAreListedWithTheirRowsAndLastUse() throws IOException {
    fill();
    LocalCache cache = cache();
    assertThat(cache.segments()).isEqualTo(named(".segment").size()).isPositive();
    assertThat(cache.bytes()).isPositive();
    for (Path segment : named(".segment")) {
      Files.setLastModifiedTime(segment, FileTime.from(LONG_AGO));
    }
    List<KeptFile> files = cache.files();
    assertThat(files)
        .extracting(KeptFile::location)
        .containsExactly(data.resolve("a.csv").toString(), data.resolve("b.csv").toString());
    assertThat(files).extracting(KeptFile::endRow).containsExactly(3L, 2L);
    assertThat(files).extracting(KeptFile::lastUsed).containsOnly(LONG_AGO);
    assertThat(files).allMatch(file -> file.bytes() > 0);
    assertThat(files.stream().mapToLong(KeptFile::bytes).sum()).isLessThan(cache.bytes());
  }

  @Test
  void readingFromTheCacheIsUse() throws IOException {
    fill();
    for (Path segment : named(".segment")) {
      Files.setLastModifiedTime(segment, FileTime.from(LONG_AGO));
    }
    assertThat(read("name")).isPositive();
    assertThat(cache().files()).allMatch(file -> file.lastUsed().isAfter(LONG_AGO));
  }

  @Test
  void footersAloneHaveNoRows() throws IOException {
    CacheFolder written = CacheFolder.open(folder, new ByteSize(1 << 20), FolderAccess.PRIVATE);
    written.begin();
    written
        .file(new Location("s3://lake/a.csv"), 4, "version", List.of("footer"))
        .keep(new byte[100]);
    written.end();
    KeptFile file = cache().files().getFirst();
    assertThat(file.location()).isEqualTo("s3://lake/a.csv");
    assertThat(file.bytes()).isZero();
    assertThat(file.endRow()).isZero();
  }

  @Test
  void checkNamesEachDamagedSegmentAndDeletesNothing() throws IOException {
    fill();
    read("id");
    assertThat(cache().check()).isEmpty();
    Path record = named(".segment").getFirst();
    Path cut = folder.resolve("1-0123456789abcdef.segment");
    Files.write(cut, new byte[3]);
    flip(record, 0);
    assertThat(cache().check())
        .containsExactlyInAnyOrder(
            "The segment " + cut + " of the cache is damaged: it has 3 bytes.",
            "The segment "
                + record
                + " of the cache is damaged: the checksum of record 0 is wrong.");
    flip(record, Files.size(record) - 30); // in the index
    assertThat(cache().check())
        .contains(
            "The segment "
                + record
                + " of the cache is damaged: the checksum of its index is wrong.");
    assertThat(cache().files()).allMatch(file -> !file.location().isEmpty());
    assertThat(named(".segment")).contains(record, cut);
  }

  @Test
  void everyByteOfARecordIsChecked() throws IOException {
    fill();
    for (Path segment : named(".segment")) {
      long checked = 0;
      for (long at = 0; at < Files.size(segment); at++) {
        flip(segment, at);
        checked += cache().check().isEmpty() ? 0 : 1;
        flip(segment, at);
      }
      assertThat(checked).isGreaterThan(Files.size(segment) / 2); // the rest is padding
    }
    assertThat(cache().check()).isEmpty();
  }

  @Test
  void clearDeletesSegmentsAndWhatIsLeftOfThem() throws IOException {
    fill();
    Path left = folder.resolve("19aa-0123456789abcdef.part");
    Files.write(left, new byte[100]);
    long bytes = cache().bytes();
    assertThat(bytes).isGreaterThan(100);
    assertThat(cache().clear()).isEqualTo(bytes);
    assertThat(folder).isEmptyDirectory();
    assertThat(read("id", "name")).isZero();
    assertThat(read("id", "name")).isPositive();
  }

  @Test
  void filesOfOthersStay() throws IOException {
    List<Path> others = new ArrayList<>();
    for (String name :
        List.of(
            "film.part",
            "lake.segment",
            "a-0123456789abcdef.segment.txt",
            "0123456789abcdef.part",
            "a-0123456789ABCDEF.segment",
            ".part",
            "notes.txt",
            "my-penstock.lock")) {
      others.add(Files.writeString(folder.resolve(name), "mine"));
    }
    Path below = Files.createDirectory(folder.resolve("below"));
    others.add(Files.writeString(below.resolve("a-0123456789abcdef.segment"), "mine"));
    assertThat(cache().clear()).isZero();
    fill();
    assertThat(read("id", "name")).isPositive();
    assertThat(cache().files()).hasSize(2);
    assertThat(cache().check()).isEmpty();
    assertThat(cache().clear()).isPositive();
    assertThat(others).allSatisfy(path -> assertThat(path).hasContent("mine"));
    assertThat(named("")).hasSize(others.size()); // the last one is below
  }

  @Test
  void loaderGoesOnWhenItsCacheIsCleared() throws IOException {
    fill();
    StructuredDataset dataset =
        new StructuredDataset(data.toString()).cache(folder.toString(), "64MiB");
    long rows = 0;
    try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(1).workers(1))) {
      for (int epoch = 0; epoch < 3; epoch++) {
        for (Batch batch : loader) {
          rows += batch.rowCount();
          batch.close();
          cache().clear();
        }
      }
    }
    assertThat(rows).isEqualTo(15);
  }

  @Test
  void fileIsNotACache() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "mine");
    LocalCache cache = LocalCache.at(file.toString());
    String sentence =
        "Cannot look at the cache '"
            + file
            + "': it is a file. Name the folder that was given as the cache.";
    assertThatThrownBy(cache::segments)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(sentence);
    assertThatThrownBy(cache::bytes).hasMessage(sentence);
    assertThatThrownBy(cache::files).hasMessage(sentence);
    assertThatThrownBy(cache::check).hasMessage(sentence);
    assertThatThrownBy(cache::clear).hasMessage(sentence);
    assertThat(file).hasContent("mine");
  }
}
