package dev.penstock.internal.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.internal.parquet.ParquetFormat;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileVersionsTest {
  @TempDir Path folder;
  private final AtomicInteger opens = new AtomicInteger();
  private final AtomicInteger lists = new AtomicInteger();
  private boolean mayList = true;

  /// Local files whose lists tell versions, and whose requests are counted.
  private final class Counting implements Storage {
    private final Storage local = new LocalStorage();

    @Override
    public List<String> schemes() {
      return local.schemes();
    }

    @Override
    public Optional<FileEntry> stat(Location location) {
      throw new IllegalStateException("Nobody asks for it.");
    }

    @Override
    public List<FileEntry> list(Location root) throws IOException {
      lists.incrementAndGet();
      if (!mayList) {
        throw new IOException("denied");
      }
      List<FileEntry> entries = new ArrayList<>();
      for (FileEntry entry : local.list(root)) {
        try (StorageFile opened = local.open(entry.location())) {
          entries.add(new FileEntry(entry.location(), opened.size(), false, opened.version()));
        }
      }
      return entries;
    }

    @Override
    public StorageFile open(Location location) throws IOException {
      opens.incrementAndGet();
      return local.open(location);
    }
  }

  private List<FoundFile> files(String name, int count) throws IOException {
    Path place = Files.createDirectories(folder.resolve(name));
    Files.writeString(place.resolve("other"), "of no table");
    Storage store = new Counting();
    List<FoundFile> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Path file = Files.writeString(place.resolve("f" + i), "x".repeat(i));
      FileEntry stated = new FileEntry(Location.of(file), 7, false);
      files.add(new FoundFile(stated, store, new ParquetFormat(), List.of()));
    }
    return files;
  }

  private static void requireAsOpened(List<FoundFile> files) throws IOException {
    for (FoundFile file : files) {
      try (StorageFile opened = new LocalStorage().open(file.entry().location())) {
        assertThat(file.entry().version()).isEqualTo(opened.version()).isNotEmpty();
        assertThat(file.entry().bytes()).isEqualTo(opened.size());
      }
    }
  }

  @Test
  void foldersWithManyFilesAreListedAndOtherFilesOpened() throws IOException {
    List<FoundFile> files = files("many", 100);
    files.addAll(files("few", 99));
    requireAsOpened(FileVersions.of(files));
    assertThat(lists).hasValue(1);
    assertThat(opens).hasValue(99);
  }

  @Test
  void filesThatMayNotBeListedAreOpened() throws IOException {
    mayList = false;
    requireAsOpened(FileVersions.of(files("many", 100)));
    assertThat(opens).hasValue(100);
  }

  @Test
  void filesThatAreGoneOrKnownStayAsTheyAre() throws IOException {
    List<FoundFile> files = files("many", 2);
    Files.delete(folder.resolve("many/f1"));
    assertThat(FileVersions.of(files).get(1)).isEqualTo(files.get(1));
    FoundFile known =
        files.getFirst().with(new FileEntry(files.getFirst().entry().location(), 7, false, "v"));
    assertThat(FileVersions.of(List.of(known))).containsExactly(known);
    assertThat(FileVersions.of(List.of())).isEmpty();
  }
}
