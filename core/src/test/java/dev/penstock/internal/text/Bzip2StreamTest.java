package dev.penstock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.io.compress.bzip2.CBZip2OutputStream;
import org.junit.jupiter.api.Test;

class Bzip2StreamTest {
  private static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    packed.write('B');
    packed.write('Z');
    try (OutputStream out = new CBZip2OutputStream(packed, 1)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] unpacked(byte[] packed) throws IOException {
    try (Bzip2Stream in = new Bzip2Stream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  @Seeded(runs = 20)
  void whatHadoopPacksIsUnpacked(Random random) throws IOException {
    byte[] bytes = new byte[1 + random.nextInt(400_000)];
    int kinds = 1 + random.nextInt(256);
    for (int at = 0; at < bytes.length; ) {
      int run = random.nextInt(10) == 0 ? random.nextInt(600) : 1;
      byte value = (byte) random.nextInt(kinds);
      int end = Math.min(bytes.length, at + run);
      Arrays.fill(bytes, at, end, value);
      at = end;
    }
    assertThat(unpacked(packed(bytes))).isEqualTo(bytes);
  }

  @Seeded(runs = 50)
  void damagedStreamsAreErrorsOrTheSame(Random random) throws IOException {
    byte[] bytes = new byte[2000];
    random.nextBytes(bytes);
    byte[] packed = packed(bytes);
    byte[] damaged = packed.clone();
    damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
    byte[] cut = Arrays.copyOf(packed, random.nextInt(packed.length));
    for (byte[] each : new byte[][] {damaged, cut}) {
      try {
        byte[] read = unpacked(each);
        assertThat(read.length == 0 || Arrays.equals(read, bytes)).isTrue();
      } catch (IOException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
  }

  @Test
  void nothingIsNothing() throws IOException {
    assertThat(unpacked(new byte[0])).isEmpty();
  }
}
