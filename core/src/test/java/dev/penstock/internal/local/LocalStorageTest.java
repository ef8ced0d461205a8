package dev.penstock.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStorageTest {
  private static final Instant EARLY = Instant.parse("2026-11-01T12:00:00.123Z");
  private static final Instant LATE = EARLY.plusSeconds(1);

  @TempDir Path folder;

  private FileEntry writtenAt(Instant time) throws IOException {
    Path file = Files.createDirectories(folder.resolve("a")).resolve("x.csv");
    Files.write(file, new byte[7]);
    Files.setLastModifiedTime(file, FileTime.from(time));
    return new LocalStorage().list(Location.of(folder)).getFirst();
  }

  @Test
  void listTellsWhenAFileWasWritten() throws IOException {
    assertThat(writtenAt(EARLY).modified()).hasValue(EARLY);
    assertThat(writtenAt(LATE).modified()).hasValue(LATE);
  }

  @Test
  void entryOfAFileThatWasOnlyTouchedIsTheSame() throws IOException {
    FileEntry early = writtenAt(EARLY);
    assertThat(writtenAt(LATE)).isEqualTo(early).hasSameHashCodeAs(early);
  }
}
