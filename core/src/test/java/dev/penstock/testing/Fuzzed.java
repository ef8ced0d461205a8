package dev.penstock.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/// What a fuzzer feeds with bytes: a typed error or a right answer, never anything else.
///
/// The targets of a module are the constants of its enum `FuzzTarget`. `dev/fuzz MODULE TARGET
/// SECONDS` runs Jazzer on one of them. Inputs that were kept are in the folder `fuzz/TARGET`
/// beside the enum, and [Fuzzing#kept] runs them in every build.
public interface Fuzzed {
  /// Runs on one input; returns where it was read or refused as it should be.
  void run(byte[] data) throws IOException;

  /// Makes a good input, for a fuzzer to start from.
  ///
  /// @param random what it is made of
  /// @param folder where files may be written on the way
  byte[] seed(Random random, Path folder) throws IOException;
}
