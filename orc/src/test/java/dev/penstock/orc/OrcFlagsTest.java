package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.OtherJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.orc.CompressionKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files in a JVM that lacks what ORC's libraries need.
class OrcFlagsTest {
  private static final Path CPP = Path.of("src/test/resources/dev/penstock/orc/cpp.orc");

  @Test
  void aJvmThatDeniesUnsafeIsToldTheFlagEachTime() throws IOException, InterruptedException {
    List<String> flags =
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=deny");

    assertThat(OtherJvm.read(flags, CPP, CPP))
        .hasSize(2)
        .containsOnly(
            "Cannot read ORC files: ORC's library uses sun.misc.Unsafe, and this JVM denies that."
                + " Start Java with --sun-misc-unsafe-memory-access=allow.");
  }

  @Test
  void aCodecWhoseLibraryCannotBeLoadedIsNamed(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path snappy = folder.resolve("snappy.orc");
    Files.write(
        snappy,
        RandomOrc.write(folder, new Random(1), 100, "struct<c:int>", CompressionKind.SNAPPY)
            .bytes());

    assertThat(OtherJvm.read(OtherJvm.withoutTemporaryFiles(snappy), snappy, CPP))
        .satisfiesExactly(
            message ->
                assertThat(message)
                    .startsWith("Cannot decompress snappy: its native library cannot be loaded ("),
            message -> assertThat(message).endsWith(" rows")); // of zstd ORC has its own
  }
}
