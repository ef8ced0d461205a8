package dev.penstock.internal.choice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.OtherJvm;
import dev.penstock.testing.TestTables;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibrariesTest {
  @Test
  void aLibraryOfTheVersionWantedIsNotToBlame() {
    assertThat(Libraries.blamed(new NoSuchMethodError("'int com.github.luben.zstd.Zstd.x()'")))
        .isEmpty();
  }

  @Test
  void aLibraryWhoseVersionIsNotKnownIsNamedWithItsPlaceAndTheVersionWanted() {
    Throwable unnamed = new NoClassDefFoundError("org/brotli/dec/Other");
    assertThat(Libraries.blamed(new ExceptionInInitializerError(unnamed)).orElseThrow())
        .startsWith("Cannot use the dec in ")
        .endsWith(
            ".jar: it is another version but expected 0.1.2 (NoClassDefFoundError:"
                + " org/brotli/dec/Other). Put dec 0.1.2 before it on the class path, or in its"
                + " place.");
  }

  @Test
  void everyLibraryOfCoreIsKnown() throws IOException {
    List<String> used =
        Pattern.compile(
                "<dependency>\\s*<groupId>[^<]*</groupId>\\s*<artifactId>([^<]*)</artifactId>\\s*"
                    + "(<version>[^<]*</version>\\s*)?</dependency>") // no scope
            .matcher(Files.readString(Path.of("pom.xml")))
            .results()
            .map(found -> found.group(1))
            .toList();
    Properties known = new Properties();
    try (InputStream list = Libraries.class.getResourceAsStream("libraries.properties")) {
      known.load(list);
    }
    assertThat(known.values())
        .allSatisfy(library -> assertThat(library.toString()).matches("[a-z0-9-]+ [0-9][0-9.-]*"))
        .extracting(library -> library.toString().replaceFirst(" .*", ""))
        .containsExactlyInAnyOrderElementsOf(used);
  }

  @Test
  void othersAreNotToBlame() {
    assertThat(Libraries.blamed(new NoSuchMethodError("'void org.example.Own.x()'"))).isEmpty();
    assertThat(Libraries.blamed(new ZipException("org.tukaani.xz"))).isEmpty();
  }

  /// With real ones, which the build copies there.
  @Test
  @Tag("outer")
  void anOldJarInFrontIsNamedWithTheVersionWanted(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path parquet = folder.resolve("rows.parquet");
    TestTables.write(
        TestTables.random(new Random(1), 1, 100),
        new TestTables.Layout(CompressionCodecName.ZSTD, false, false, 1 << 10, 100, 100, false),
        parquet);
    Path text = Path.of("src/test/resources/compressed/pzstd.csv.zst");
    Path old = Path.of("target/old").toAbsolutePath();

    Path zstd = old.resolve("zstd-jni-1.5.0-2.jar");
    List<String> messages = OtherJvm.readBehind(zstd, parquet, text, parquet);
    assertThat(messages)
        .hasSize(3)
        .allSatisfy(message -> {
          assertThat(message)
              .startsWith(
                  "Cannot use the zstd-jni in " + zstd + ": it is 1.5.0-2 but expected 1.5.7-")
              .contains(" (NoSuchMethodError: ")
              .endsWith(" before it on the class path, or in its place.");
        });

    // Nothing is missing from this one.
    Path format = old.resolve("parquet-format-structures-1.12.3.jar");
    assertThat(OtherJvm.readBehind(format, parquet, text, parquet))
        .containsExactly("100 rows", "300 rows", "100 rows");
  }
}
