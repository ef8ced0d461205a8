package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.testing.MemoryStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SameFilesTest {
  @TempDir Path folder;

  private static boolean isSame(StructuredDataset older, String location) {
    return older.hasSameFiles(new StructuredDataset(location));
  }

  private Path write(String name, String text, Instant time) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setLastModifiedTime(file, FileTime.from(time));
    return file;
  }

  @Test
  void localFilesAreComparedByNameSizeAndTime() throws IOException {
    Instant time = Instant.parse("2026-11-01T12:00:00Z");
    write("a.csv", "id\n1\n", time);
    String location = folder.toString();
    StructuredDataset older = new StructuredDataset(location);
    assertThat(isSame(older, location)).isTrue();
    assertThat(isSame(older.columns("id").where("id > 3"), location)).isTrue();
    write("a.csv", "id\n2\n", time.plusSeconds(1));
    assertThat(isSame(older, location)).isFalse();
    Path second = write("b.csv", "id\n2\n", time);
    write("a.csv", "id\n1\n", time);
    assertThat(isSame(older, location)).isFalse();
    Files.delete(second);
    assertThat(isSame(older, location)).isTrue();
    Files.move(folder.resolve("a.csv"), folder.resolve("c.csv"));
    assertThat(isSame(older, location)).isFalse();
    Files.delete(folder.resolve("c.csv"));
    assertThatThrownBy(() -> isSame(older, location)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void filesOfAStoreAreComparedByVersion() {
    MemoryStorage.Site site = MemoryStorage.site().put("a.csv", bytes("id\n1\n"));
    StructuredDataset older = new StructuredDataset(site.location());
    assertThat(isSame(older, site.location())).isTrue();
    assertThat(site.requests()).isEmpty();
    site.put("a.csv", bytes("id\n1\n"));
    assertThat(isSame(older, site.location())).isFalse();
  }

  @Test
  void withoutVersionAndTimeNothingIsKnownToBeTheSame() throws IOException {
    write("a.csv", "id\n1\n", Instant.EPOCH);
    String location = FaultStorage.over(folder).location();
    assertThat(isSame(new StructuredDataset(location), location)).isFalse();
  }

  @Test
  void mixturesAreNotCompared() throws IOException {
    write("a.csv", "id\n1\n", Instant.EPOCH);
    StructuredDataset files = new StructuredDataset(folder.toString());
    StructuredDataset mixture = new StructuredDataset(Mixture.of(files, 1));
    assertThat(mixture.hasSameFiles(mixture)).isFalse();
    assertThat(mixture.hasSameFiles(files)).isFalse();
    assertThat(files.hasSameFiles(mixture)).isFalse();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
