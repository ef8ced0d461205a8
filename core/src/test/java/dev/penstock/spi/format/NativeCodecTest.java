package dev.penstock.spi.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.OtherJvm;
import dev.penstock.testing.TestTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeCodecTest {
  private static Path parquet(Path folder, CompressionCodecName codec) throws IOException {
    Path file = folder.resolve(codec + ".parquet");
    TestTables.Table table = TestTables.random(new Random(1), 1, 100);
    TestTables.write(
        table, new TestTables.Layout(codec, false, false, 1 << 10, 100, 100, false), file);
    return file;
  }

  @Test
  void whatCannotBeLoadedIsNamedWithTheReasonEachTime(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path zstd = parquet(folder, CompressionCodecName.ZSTD);
    Path snappy = parquet(folder, CompressionCodecName.SNAPPY);
    Path text = Path.of("src/test/resources/compressed/pzstd.csv.zst");

    List<String> read =
        OtherJvm.read(OtherJvm.withoutTemporaryFiles(zstd), zstd, zstd, text, snappy, snappy);

    String advice =
        "). Set -Djava.io.tmpdir to a folder that can be written and is not mounted with noexec.";
    assertThat(read).hasSize(5);
    assertThat(read.subList(0, 3))
        .allSatisfy(message ->
            assertThat(message)
                .startsWith(
                    "Cannot decompress zstd: its native library cannot be loaded (Cannot unpack"
                        + " libzstd-jni-")
                .endsWith(": Not a directory" + advice));
    assertThat(read.subList(3, 5))
        .allSatisfy(message ->
            assertThat(message)
                .startsWith(
                    "Cannot decompress snappy: its native library cannot be loaded (no snappyjava"
                        + " in java.library.path: ")
                .endsWith(advice));
  }

  /// Each library as a module of its own, of which only ours is allowed.
  @Test
  void aModuleWithoutNativeAccessIsNamed() {
    IllegalCallerException denied =
        new IllegalCallerException("Illegal native access from module com.github.luben.zstd_jni");

    assertThat(NativeCodec.ZSTD.failure(new ExceptionInInitializerError(denied)))
        .hasMessage(
            "Cannot decompress zstd: its native library cannot be loaded (Illegal native access"
                + " from module com.github.luben.zstd_jni). Start Java with"
                + " --enable-native-access="
                + NativeCodec.ZSTD.module()
                + ", too.");
  }
}
