package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.demo.SampleFlights;
import org.junit.jupiter.api.Test;

class ReadFlightsTest {
  @Test
  void readsTheBundledFlights() {
    try (SampleFlights flights = SampleFlights.extract()) {
      assertThat(ReadFlights.read(flights.heldOutFolder().toString()))
          .startsWith("75,000 flights, ");
    }
  }
}
