package dev.penstock.cli;

import dev.penstock.steps.ExcludedRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A file of `--exclude`.
final class ExcludedFile {
  private ExcludedFile() {}

  /// Reads the rows that it names.
  ///
  /// @throws IllegalArgumentException if a line is another
  /// @throws UncheckedIOException if it cannot be read
  static ExcludedRows read(Path file) {
    try {
      return ExcludedRows.parse(Files.readString(file));
    } catch (IllegalArgumentException fault) {
      throw new IllegalArgumentException(fault.getMessage() + " [" + file + "]", fault);
    } catch (NoSuchFileException e) {
      throw failure(file, "no such file.", e);
    } catch (MalformedInputException e) {
      throw failure(file, "it is not text in UTF-8.", e);
    } catch (IOException e) {
      throw failure(file, e.getMessage() + ".", e);
    }
  }

  private static UncheckedIOException failure(Path file, String why, IOException e) {
    return new UncheckedIOException("Cannot read '" + file + "' of --exclude: " + why, e);
  }
}
