package dev.penstock.avro;

import dev.penstock.testing.Fuzzed;
import dev.penstock.testing.Fuzzing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/// Avro files: header, schema, blocks.
enum FuzzTarget implements Fuzzed {
  /// A whole file.
  FILE;

  @Override
  public void run(byte[] data) throws IOException {
    Fuzzing.file(new AvroFormat(), data);
  }

  @Override
  public byte[] seed(Random random, Path folder) throws IOException {
    return RandomAvro.write(random, 1 + random.nextInt(60)).bytes();
  }
}
