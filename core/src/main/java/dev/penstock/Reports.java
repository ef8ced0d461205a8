package dev.penstock;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Services;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// Finds the module that writes reports.
final class Reports {
  private Reports() {}

  /// Loaded only when one is needed.
  private static final class Found {
    private static final Services<ReportWriter> WRITERS =
        Services.load(ReportWriter.class, _ -> List.of());
  }

  static void write(Loader<?> loader, Path file) throws IOException {
    Objects.requireNonNull(file, "file must not be null.");
    Found.WRITERS.all().stream()
        .findFirst()
        .orElseThrow(() ->
            Advice.stateError(
                "Cannot write a report: its module is not on the class path. %s%s",
                Remedy.module("report"), Found.WRITERS.leftOut()))
        .write(loader, file);
  }
}
