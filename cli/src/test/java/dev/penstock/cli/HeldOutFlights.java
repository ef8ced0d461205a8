package dev.penstock.cli;

import dev.penstock.cli.demo.SampleFlights;
import java.nio.file.Path;

/// The bundled flights that the demo does not train on, extracted once for all tests, which only
/// read them.
final class HeldOutFlights {
  /// Two files of 37,500 rows.
  static final Path FOLDER = extracted();

  static final long ROWS = 75_000;

  private HeldOutFlights() {}

  private static Path extracted() {
    SampleFlights flights = SampleFlights.extract();
    Runtime.getRuntime().addShutdownHook(new Thread(flights::close));
    return flights.heldOutFolder();
  }
}
