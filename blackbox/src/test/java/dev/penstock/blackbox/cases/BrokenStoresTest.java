package dev.penstock.blackbox.cases;

import dev.penstock.StructuredDataset;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.example.Mistake;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A store of somebody else that breaks one rule of its interfaces, or throws: the error names the
/// class, the file or folder, and the method.
class BrokenStoresTest {
  private static final LoaderOptions OPTIONS =
      LoaderOptions.defaults().batchSize(10).output(OutputFormat.MAP);

  static List<Arguments> stores() {
    Location elsewhere = new Location("odd://7/elsewhere");
    return List.of(
        Arguments.of(
            new Mistake() {
              @Override
              public Optional<FileEntry> stat(Optional<FileEntry> right) {
                return null;
              }
            },
            "OddStorage returned null from stat()",
            "/t]"),
        Arguments.of(
            new Mistake() {
              @Override
              public Optional<FileEntry> stat(Optional<FileEntry> right) {
                return Optional.of(new FileEntry(null, 0, true));
              }
            },
            "OddStorage returned null from stat(), as a location",
            "/t]"),
        Arguments.of(
            new Mistake() {
              @Override
              public Optional<FileEntry> stat(Optional<FileEntry> right) throws IOException {
                throw new IOException("no route to host");
              }
            },
            "OddStorage threw java.io.IOException: no route to host from stat()",
            "/t]"),
        list(null, "OddStorage returned null from list()"),
        list(Collections.singletonList(null), "a list with null from list()"),
        list(List.of(new FileEntry(elsewhere, 1, false)), "'odd://7/elsewhere' from list(), which"),
        Arguments.of(
            new Mistake() {
              @Override
              public List<FileEntry> list(List<FileEntry> right) {
                FileEntry file = right.getFirst();
                return List.of(new FileEntry(file.location(), -1, false));
              }
            },
            "OddStorage returned a size of -1 bytes from list()",
            "a.odd]"),
        Arguments.of(
            new Mistake() {
              @Override
              public List<FileEntry> list(List<FileEntry> right) {
                throw new UnsupportedOperationException();
              }
            },
            "OddStorage threw java.lang.UnsupportedOperationException from list()",
            "/t]"),
        Arguments.of(
            new Mistake() {
              @Override
              public StorageFile open(StorageFile right) {
                return null;
              }
            },
            "OddStorage returned null from open()",
            "a.odd]"),
        Arguments.of(
            new Mistake() {
              @Override
              public long size(long right) {
                return -right;
              }
            },
            "$OpenFile returned -11 from size()",
            "a.odd]"),
        version("", null, "$OpenFile returned null from version()"),
        version("v", "", "gave the version 'v0' and then 'v1', without a change of the file;"),
        read(10, "$OpenFile filled 10 of 11 bytes. Either the file was cut or replaced"),
        read(-1, "$OpenFile returned -1 from read() but expected a number in [0, 11]"),
        read(12, "$OpenFile returned 12 from read() but expected a number in [0, 11]"),
        Arguments.of(
            new Mistake() {
              @Override
              public void closeFile() throws IOException {
                throw new IOException("stale handle");
              }
            },
            "$OpenFile threw java.io.IOException: stale handle from close()",
            "a.odd]"));
  }

  private static Arguments list(List<FileEntry> wrong, String sentence) {
    Mistake mistake =
        new Mistake() {
          @Override
          public List<FileEntry> list(List<FileEntry> right) {
            return wrong;
          }
        };
    return Arguments.of(mistake, sentence, "/t]");
  }

  private static Arguments version(String before, String after, String sentence) {
    Mistake mistake =
        new Mistake() {
          @Override
          public String version(int opened, String right) {
            return after == null ? null : before + opened % 2 + after;
          }
        };
    return Arguments.of(mistake, sentence, "a.odd]");
  }

  private static Arguments read(long wrong, String sentence) {
    Mistake mistake =
        new Mistake() {
          @Override
          public long read(long right) {
            return wrong;
          }
        };
    return Arguments.of(mistake, sentence, "a.odd");
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("stores")
  void brokenRuleIsNamed(Mistake mistake, String rule, String place) {
    StructuredDataset dataset = new StructuredDataset(mistake.location().replace("/a.odd", ""));
    Failure.of(dataset, OPTIONS)
        .hasMessageContaining(rule)
        .hasMessageContaining(place)
        .hasMessageContaining("org.example.OddStorage");
  }
}
