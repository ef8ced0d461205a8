package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A cache and several processes: they share it, are killed, or meet a disk that is full.
///
/// `-Dpenstock.kills=1000` kills a process as often.
@Tag("outer")
class CacheProcessesTest extends CacheFolders {
  private static final int KILLS = Integer.getInteger("penstock.kills", 8);
  private static final long LIMIT = 1 << 20;

  private Path written(String name, int bytes) throws IOException {
    Random random = new Random(name.hashCode());
    StringBuilder text = new StringBuilder("id,text\n");
    for (int id = 0; text.length() < bytes; id++) {
      text.append(id).append(',').append(Long.toString(random.nextLong(), 36).repeat(9));
      text.append('\n');
    }
    return Files.writeString(folder.resolve(name + ".csv"), text);
  }

  private static String expected(Path file) {
    return CacheChild.line(ReadText.rows(new StructuredDataset(file.toString())));
  }

  private CacheChild child(String size, int times, Path... files) throws IOException {
    return CacheChild.start("", cache, size, times, files);
  }

  private static void requireReady(CacheChild child) {
    assertThat(child.next()).isEqualTo("ready");
  }

  @ParameterizedTest
  @ValueSource(strings = {"64MiB", "1MiB"})
  void processesThatFillItAtTheSameTimeReadTheirRows(String size) throws Exception {
    Path file = written("rows", 2_000_000);
    String expected = expected(file);
    try (CacheChild first = child(size, 3, file);
        CacheChild second = child(size, 3, file)) {
      requireReady(first);
      requireReady(second);
      first.begin();
      second.begin();
      for (int time = 0; time < 3; time++) { // and nothing is logged
        assertThat(first.next()).isEqualTo(expected);
        assertThat(second.next()).isEqualTo(expected);
      }
      assertThat(first.end()).isZero();
      assertThat(second.end()).isZero();
    }
    assertThat(disk.parts()).isEmpty();
    assertThat(CacheChild.read(file, cache, size)).isEqualTo(expected);
    if (size.equals("1MiB")) {
      assertThat(disk.bytes()).isLessThanOrEqualTo(LIMIT);
    } else {
      try (DataLoader loader =
          DataLoader.of(CacheChild.dataset(file, cache, size), o -> o.output(OutputFormat.MAP))) {
        assertThat(CacheChild.line(Delivery.ofEpoch(loader).rows())).isEqualTo(expected);
        assertThat(loader.stats().read().bytes()).isZero();
      }
    }
  }

  @Test
  void segmentThatIsBeingWrittenIsLeftAloneByAll() throws Exception {
    Path file = written("rows", 400_000);
    Path other = written("other", 50_000);
    String expected = expected(file);
    try (DataLoader writing =
            DataLoader.of(
                CacheChild.dataset(file, cache, "64MiB"),
                o -> o.workers(0).batchSize(9).output(OutputFormat.MAP));
        EpochIterator<Batch> epoch = writing.iterator()) {
      List<List<Object>> rows = new ArrayList<>(next(epoch, writing));
      List<Path> parts = disk.parts();
      assertThat(parts).isNotEmpty();
      CacheChild.read(other, cache, "64MiB"); // in this process, then in another one
      try (CacheChild reading = child("64MiB", 1, other)) {
        requireReady(reading);
        reading.begin();
        assertThat(reading.next()).isEqualTo(expected(other));
        assertThat(reading.end()).isZero();
      }
      assertThat(disk.parts()).containsAll(parts);
      while (epoch.hasNext()) {
        rows.addAll(next(epoch, writing));
      }
      assertThat(CacheChild.line(rows)).isEqualTo(expected);
    }
    try (DataLoader later =
        DataLoader.of(CacheChild.dataset(file, cache, "64MiB"), o -> o.output(OutputFormat.MAP))) {
      assertThat(CacheChild.line(Delivery.ofEpoch(later).rows())).isEqualTo(expected);
      assertThat(later.stats().read().bytes()).isZero();
    }
  }

  private static List<List<Object>> next(EpochIterator<Batch> epoch, DataLoader loader) {
    try (Batch batch = epoch.next()) {
      return Delivery.rows(batch, loader.dataset().schema(), OutputFormat.MAP);
    }
  }

  /// The size of files is limited, which fails as a full disk does: none has room, or the first
  /// records have.
  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void diskThatIsFullIsAWarning(int kibibytes) throws Exception {
    assumeTrue(hasBash(), "There is no bash, whose ulimit makes disks full");
    Path file = written("rows", 2_000_000);
    String expected = expected(file);
    try (CacheChild child = CacheChild.start("ulimit -f " + kibibytes, cache, "64MiB", 3, file)) {
      requireReady(child);
      child.begin();
      List<String> lines = new ArrayList<>();
      for (String line = child.next(); line != null; line = child.next()) {
        lines.add(line);
      }
      assertThat(child.end()).as("%s", lines).isZero();
      assertThat(lines.stream().filter(line -> !line.contains("WARN")))
          .containsExactly(expected, expected, expected);
      assertThat(lines.stream().filter(line -> line.contains("WARN")))
          .hasSize(3) // one for each dataset
          .allMatch(line -> line.contains("Cannot use the cache '" + cache + "': "))
          .allMatch(line -> line.contains("Rows are delivered all the same"));
    }
    assertThat(disk.parts()).isEmpty();
    assertThat(CacheChild.read(file, cache, "64MiB")).isEqualTo(expected);
  }

  private static boolean hasBash() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(path -> Files.isExecutable(Path.of(path, "bash")));
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SAME_THREAD)
  void processThatIsKilledWhileItWritesCostsAReload() throws Exception {
    Path[] files = new Path[4];
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < files.length; i++) {
      files[i] = written("rows-" + i, 350_000);
      expected.add(expected(files[i]));
    }
    int left = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      Random random = new Random(kill);
      try (CacheChild child = child("1MiB", Integer.MAX_VALUE, files)) {
        requireReady(child);
        child.begin();
        for (int lines = random.nextInt(4); lines > 0; lines--) {
          assertThat(child.next()).as("kill %s", kill).isIn(expected);
        }
        awaitPart(child, random.nextInt(80_000));
      }
      left += disk.parts().size();
      for (int i = 0; i < files.length; i++) {
        assertThat(CacheChild.read(files[i], cache, "1MiB"))
            .as("file %s after kill %s", i, kill)
            .isEqualTo(expected.get(i));
        assertThat(disk.parts()).as("after kill %s", kill).isEmpty();
        assertThat(disk.bytes()).as("after kill %s", kill).isLessThanOrEqualTo(LIMIT);
      }
    }
    assertThat(left).as("segments that were being written").isPositive();
  }

  /// Waits until a segment that is being written has some bytes, or another file was read.
  private void awaitPart(CacheChild child, int bytes) {
    while (!child.hasPrinted() && disk.partBytes() < bytes) {
      assertThat(child.isAlive()).isTrue();
    }
  }
}
