package dev.penstock.report;

import dev.penstock.Loader;
import dev.penstock.ReportWriter;
import java.io.IOException;
import java.nio.file.Path;

/// Writes [Loader#report].
public final class LoaderReport implements ReportWriter {
  /// Made by `ServiceLoader`.
  public LoaderReport() {}

  @Override
  public void write(Loader<?> loader, Path file) throws IOException {
    Report.of(loader).write(file);
  }
}
