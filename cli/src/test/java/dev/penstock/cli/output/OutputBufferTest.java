package dev.penstock.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OutputBufferTest {
  @Test
  void integersReadBack() {
    long[] edges = {0, 1, 9, 10, 99, 100, -1, -10, Long.MAX_VALUE, Long.MIN_VALUE};
    for (long edge : edges) {
      assertThat(written(out -> out.integer(edge))).isEqualTo(String.valueOf(edge));
    }
    Random random = new Random(1);
    for (int run = 0; run < 2000; run++) {
      long value = random.nextLong() >> random.nextInt(64);
      assertThat(written(out -> out.integer(value))).isEqualTo(String.valueOf(value));
    }
  }

  @Test
  void textLongerThanTheBufferIsWhole() {
    // Pairs of surrogates at odd places, so that some lie across the places where text is cut.
    String text = "x" + "😀é\n".repeat(300_000);
    assertThat(written(out -> out.string(text))).isEqualTo("\"x" + "😀é\\n".repeat(300_000) + "\"");
  }

  @Test
  void bytesLongerThanTheBufferAreWhole() {
    byte[] bytes = "0123456789".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
    assertThat(written(out -> out.write(bytes)))
        .isEqualTo(new String(bytes, StandardCharsets.US_ASCII));
  }

  @Test
  void aStreamThatTakesNoMoreIsTriedOnce() {
    OutputBuffer out =
        new OutputBuffer(
            new OutputStream() {
              private boolean tried;

              @Override
              public void write(int b) throws IOException {
                assertThat(tried).isFalse();
                tried = true;
                throw new IOException("Broken pipe");
              }
            });
    out.write('x');
    assertThatThrownBy(out::flush)
        .isInstanceOfSatisfying(
            OutputException.class, fault -> assertThat(fault.isReaderGone()).isTrue());
    out.close();
  }

  private static String written(Consumer<OutputBuffer> action) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputBuffer out = new OutputBuffer(bytes)) {
      action.accept(out);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
