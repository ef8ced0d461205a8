package dev.penstock.djl;

import dev.penstock.model.Model;
import dev.penstock.spi.model.ModelFiles;
import dev.penstock.spi.model.ModelFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/// TorchScript models: files whose names end with `.pt`, folders with such a file, and zip archives
/// of them.
///
/// Found by `ServiceLoader`; a user opens a [DjlModel].
public final class DjlFormat implements ModelFormat {
  /// Makes the format.
  public DjlFormat() {}

  @Override
  public String name() {
    return "DJL";
  }

  @Override
  public boolean isOf(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return !scripts(file).isEmpty();
    }
    return ModelFiles.isNamed(file, ".pt") || (ModelFiles.isNamed(file, ".zip") && hasScript(file));
  }

  private static boolean hasScript(Path zip) throws IOException {
    try (ZipFile archive = new ZipFile(zip.toFile())) {
      return archive.stream().anyMatch(entry -> entry.getName().endsWith(".pt"));
    }
  }

  /// Returns the files of models in a folder, or in a folder in it, as archives have it.
  static List<Path> scripts(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder, 2)) {
      return files.filter(file -> ModelFiles.isNamed(file, ".pt")).sorted().toList();
    }
  }

  @Override
  public Model open(Path file, int threads) throws IOException {
    return DjlModel.open(file, threads);
  }
}
