package dev.penstock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.ServiceLoader;

/// Finds the module that writes reports.
final class Reports {
  private Reports() {}

  static void write(Loader<?> loader, Path file) throws IOException {
    Objects.requireNonNull(file, "file must not be null.");
    ServiceLoader.load(ReportWriter.class, Reports.class.getClassLoader())
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "Cannot write a report: its module is not on the class path. Add the dependency"
                    + " 'dev.penstock:penstock-report', in the version of penstock-core."))
        .write(loader, file);
  }
}
