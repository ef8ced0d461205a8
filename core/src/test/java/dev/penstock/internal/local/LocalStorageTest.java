package dev.penstock.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
  void fileIsNotCreatedBelowAnotherFile() throws IOException {
    Path file = Files.write(folder.resolve("x.csv"), new byte[7]);
    Location below = Location.of(file.resolve("y"));
    assertThatThrownBy(() -> new LocalStorage().create(below, new byte[1]))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Cannot create '" + below + "': '" + file + "' is not a folder. Name another one.");
    Location deeper = Location.of(file.resolve("y/z"));
    assertThatThrownBy(() -> new LocalStorage().create(deeper, new byte[1]))
        .hasMessageStartingWith("Cannot create '" + deeper + "': ")
        .hasMessageEndingWith(". Name another folder.");
    assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void createdFileIsMadeAsTheUmaskSays() throws IOException {
    Path plain = Files.write(folder.resolve("plain"), new byte[1]);
    Path created = folder.resolve("created");
    assertThat(new LocalStorage().create(Location.of(created), new byte[1])).isTrue();
    assertThat(Files.getPosixFilePermissions(created))
        .isEqualTo(Files.getPosixFilePermissions(plain));
  }

  @Test
  void entryOfAFileThatWasOnlyTouchedIsTheSame() throws IOException {
    FileEntry early = writtenAt(EARLY);
    assertThat(writtenAt(LATE)).isEqualTo(early).hasSameHashCodeAs(early);
  }
}
