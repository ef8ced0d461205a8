package dev.penstock.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.demo.SampleFlights;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ReadFlightsTest {
  @Test
  void readsTheBundledFlightsInEachEpoch() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    Locale locale = Locale.getDefault();
    Locale.setDefault(Locale.US); // numbers are printed as the reader's says
    System.setOut(new PrintStream(out, true, UTF_8));
    try (SampleFlights flights = SampleFlights.extract()) {
      ReadFlights.main(new String[] {flights.heldOutFolder().toString()});
    } finally {
      System.setOut(before);
      Locale.setDefault(locale);
    }
    assertThat(out.toString(UTF_8))
        .startsWith("epoch 0: 75,000 flights, ")
        .contains("epoch 2: 75,000 flights, ");
  }
}
