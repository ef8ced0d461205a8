package dev.penstock.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The files of `examples/launchers`, and their pages.
final class LauncherFiles {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /// The bundled flights: 300,000 rows.
  static final String FLIGHTS =
      ROOT.resolve("cli/src/main/resources/dev/penstock/cli/demo/flights").toString();

  private LauncherFiles() {}

  static Path file(String name) {
    return ROOT.resolve("examples/launchers").resolve(name);
  }

  static String text(String name) throws IOException {
    return Files.readString(file(name));
  }
}
