package dev.penstock.score.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.Tensor;
import dev.penstock.schema.DataType;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

public class WithoutHadoopTest {
  @Test
  void noClassOfHadoopIsNeededToWrite() throws Exception {
    URL[] others =
        Pattern.compile(File.pathSeparator)
            .splitAsStream(System.getProperty("java.class.path"))
            .filter(path -> !path.contains("hadoop-client"))
            .map(WithoutHadoopTest::url)
            .toArray(URL[]::new);
    byte[] file = write();
    try (var loader = new URLClassLoader(others, ClassLoader.getPlatformClassLoader())) {
      assertThatThrownBy(() -> loader.loadClass("org.apache.hadoop.conf.Configuration"))
          .isInstanceOf(ClassNotFoundException.class);
      Class<?> there = loader.loadClass(WithoutHadoopTest.class.getName());
      assertThat(there.getDeclaredMethod("write").invoke(null)).isEqualTo(file);
    }
  }

  /// Writes a file. It is not compressed, because the native library of a codec is loaded once.
  public static byte[] write() throws IOException {
    var columns =
        List.of(
            new OutputColumn("key", DataType.int64(), false),
            new OutputColumn("text", DataType.string(), true),
            new OutputColumn("vector", new DataType.List(DataType.float32(), false), true));
    PartFile part = new PartFile(columns, Codec.UNCOMPRESSED);
    part.append(
        2,
        List.of(
            new Values(Tensor.of(new long[] {1, 2})),
            new Values(List.of("a", "b")),
            new Values(Tensor.of(new float[4], 2, 2))));
    return part.finish(Map.of("a", "b"));
  }

  private static URL url(String path) {
    try {
      return Path.of(path).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
