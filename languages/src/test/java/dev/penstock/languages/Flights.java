package dev.penstock.languages;

import java.nio.file.Path;
import java.util.Objects;

/// The sample that a clone has: 300,000 flights in 8 files. Their mean was taken with pyarrow 26.
final class Flights {
  static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));
  static final String FOLDER =
      ROOT.resolve("cli/src/main/resources/dev/penstock/cli/demo/flights").toString();
  static final double MEAN_DELAY = 2_023_783 / 300_000.0;

  private Flights() {}
}
