package dev.penstock.iceberg;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/// Local files, for Iceberg's own writers.
public final class LocalIO implements FileIO {
  private static final long serialVersionUID = 1;

  /// Makes it as catalogs want it.
  public LocalIO() {}

  @Override
  public void initialize(Map<String, String> properties) {}

  @Override
  public InputFile newInputFile(String path) {
    return org.apache.iceberg.Files.localInput(path);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    try {
      Files.createDirectories(Path.of(path).getParent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return org.apache.iceberg.Files.localOutput(new File(path));
  }

  @Override
  public void deleteFile(String path) {
    new File(path).delete();
  }
}
