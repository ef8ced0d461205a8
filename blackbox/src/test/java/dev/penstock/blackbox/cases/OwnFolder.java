package dev.penstock.blackbox.cases;

import dev.penstock.StructuredDataset;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.files.Folder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A test's folder. When a test ends, none of its files is open, and no thread of a loader is left.
abstract class OwnFolder {
  @TempDir Path path;
  Folder folder;

  @BeforeEach
  final void makeFolder() {
    folder = new Folder(path);
  }

  @AfterEach
  final void nothingIsLeft() {
    Leaks.assertNoThreads();
    Leaks.assertNoOpenFiles(path);
  }

  /// Writes a file.
  final StructuredDataset file(String name, String text) throws IOException {
    return file(name, text.getBytes(StandardCharsets.UTF_8));
  }

  /// Writes a file.
  final StructuredDataset file(String name, byte[] bytes) throws IOException {
    return new StructuredDataset(Files.write(path.resolve(name), bytes).toString());
  }
}
