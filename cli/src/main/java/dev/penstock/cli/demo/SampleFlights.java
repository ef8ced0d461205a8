package dev.penstock.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// The bundled flights as files in a temporary folder: six to train on, two held out.
///
/// The files were dealt row by row from one sample, so each spans the same half year; see the
/// README in the folder above. Files, not resources, because files are what a loader reads.
///
/// **Ownership.** Closing deletes the folder.
public final class SampleFlights implements AutoCloseable {
  /// The rows of a row group in these files: a shuffle of splits moves them as one.
  public static final int ROW_GROUP_ROWS = 5_000;

  private static final int FILES = 8;
  private static final int TRAINING_FILES = 6;

  private final Path folder;

  private SampleFlights(Path folder) {
    this.folder = folder;
  }

  /// Writes the files to a new temporary folder.
  ///
  /// @throws UncheckedIOException if the folder cannot be written
  public static SampleFlights extract() {
    try {
      SampleFlights flights = new SampleFlights(Files.createTempDirectory("penstock-demo-"));
      try {
        flights.write();
      } catch (IOException | RuntimeException e) {
        flights.close();
        throw e;
      }
      return flights;
    } catch (IOException e) {
      throw new UncheckedIOException(
          ("Cannot write the demo's files to the temporary folder '%s': %s. Choose another with"
                  + " -Djava.io.tmpdir.")
              .formatted(System.getProperty("java.io.tmpdir"), e.getMessage()),
          e);
    }
  }

  private void write() throws IOException {
    for (int file = 0; file < FILES; file++) {
      Path target =
          (file < TRAINING_FILES ? trainingFolder() : heldOutFolder())
              .resolve("part-" + file + ".parquet");
      Files.createDirectories(target.getParent());
      String resource = "flights/part-" + file + ".parquet";
      try (InputStream in = SampleFlights.class.getResourceAsStream(resource)) {
        if (in == null) {
          throw new NoSuchFileException(resource);
        }
        Files.copy(in, target);
      }
    }
  }

  /// Returns the folder of files to train on, about three quarters of the flights.
  public Path trainingFolder() {
    return folder.resolve("train");
  }

  /// Returns the folder of files that training must not see, about one quarter of the flights.
  public Path heldOutFolder() {
    return folder.resolve("held-out");
  }

  @Override
  public void close() {
    for (Path inner : List.of(trainingFolder(), heldOutFolder())) {
      for (int file = 0; file < FILES; file++) {
        delete(inner.resolve("part-" + file + ".parquet"));
      }
      delete(inner);
    }
    delete(folder);
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException _) {
      // Left to the system's clean-up of temporary files.
      path.toFile().deleteOnExit();
    }
  }
}
