package dev.penstock;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.ServiceLookup;
import dev.penstock.internal.choice.Services;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// Finds the module that writes reports.
final class Reports {
  private static final ServiceLookup<ReportWriter> WRITERS =
      new ServiceLookup<>(ReportWriter.class, _ -> List.of("report"));

  private Reports() {}

  static void write(Loader<?> loader, Path file) throws IOException {
    Objects.requireNonNull(file, "file must not be null.");
    Services<ReportWriter> writers = WRITERS.here();
    writers
        .named("report")
        .orElseThrow(() ->
            Advice.stateError(
                "Cannot write a report: its module is not on the class path. %s%s",
                Remedy.module("report"), writers.leftOut()))
        .write(loader, file);
  }
}
