package dev.penstock.examples;

import dev.penstock.batch.Batch;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Writes what a model says of flights as CSV, a line for each.
final class Predictions {
  static final String HEADER = "origin,destination,late\n";

  private Predictions() {}

  // @start region=predictions
  /// Writes a line for each row of a batch.
  ///
  /// @param late the model's output, of shape `[rows, 1]`
  static void write(BufferedWriter csv, Batch batch, float[][] late) throws IOException {
    List<@Nullable String> origins = batch.strings("origin");
    List<@Nullable String> destinations = batch.strings("destination");
    for (int row = 0; row < late.length; row++) {
      csv.write(
          String.format(
              Locale.ROOT, "%s,%s,%.4f%n", origins.get(row), destinations.get(row), late[row][0]));
    }
  }

  // @end
}
