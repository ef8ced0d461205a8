package dev.penstock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.split.ByteSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderFileTest {
  @TempDir Path path;

  private List<FolderFile> listed() throws IOException {
    return FolderFile.list(path);
  }

  @Test
  void segmentThatIsWrittenStays() throws IOException, InterruptedException {
    CacheFolder folder = CacheFolder.open(path, new ByteSize(1 << 20), FolderAccess.PRIVATE);
    SegmentWriter writer = Objects.requireNonNull(folder.writers().take(1_000, _ -> true));
    writer.add(FileKey.of(List.of("a")), "a", new byte[10]);
    assertThat(listed()).hasSize(1).allMatch(FolderFile::isPart);

    CacheFolder other = CacheFolder.open(path, new ByteSize(1 << 20), FolderAccess.PRIVATE);
    other.begin(); // looks for what is left of segments
    assertThat(new CacheContents(path).clear()).isZero();
    assertThat(clearedByOtherProcess()).isEqualTo("0");
    assertThat(listed()).hasSize(1);

    folder.writers().give(writer);
    folder.hold();
    folder.end();
    assertThat(listed()).hasSize(1).noneMatch(FolderFile::isPart);
    other.end();
    assertThat(clearedByOtherProcess()).isNotEqualTo("0");
    assertThat(listed()).isEmpty();
  }

  @Test
  void segmentThatIsLeftIsDeletedWhenAnEpochBegins() throws IOException {
    Path left = path.resolve(FolderFile.newName() + Segment.PART);
    Files.write(left, new byte[10]);
    CacheFolder folder = CacheFolder.open(path, new ByteSize(1 << 20), FolderAccess.PRIVATE);
    folder.begin();
    folder.end();
    assertThat(left).doesNotExist();
  }

  private String clearedByOtherProcess() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                FolderFileTest.class.getName(),
                path.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return printed.strip();
  }

  /// Clears a cache.
  @SuppressWarnings("SystemOut")
  public static void main(String[] folder) throws IOException {
    System.out.println(new CacheContents(Path.of(folder[0])).clear());
  }
}
