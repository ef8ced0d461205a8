package dev.penstock.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.json.JsonText.MalformedJsonException;
import dev.penstock.testing.TestMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonRawTest {
  private static final long FACTOR = 0x9e3779b97f4a7c15L; // that of JsonRaw

  @Test
  void namesWithOneHashAreNotTakenForOneName() throws MalformedJsonException {
    String name = "0123456789abcdef";
    String other = sameHash(name);
    assertThat(other).isNotEqualTo(name);
    String both = "{\"" + name + "\":[{\"x\":1}],\"" + other + "\":{\"y\":[]}}";
    assertRead(both);
    assertRead("[{\"a\":{\"k\":" + both + "}},{\"a\":" + both + "}]");
    String twice = both.replace("}}", "},\"" + other + "\":1}");
    assertThatThrownBy(() -> read(twice)).hasMessage("field '" + other + "' is there twice");
  }

  private static void assertRead(String text) throws MalformedJsonException {
    assertThat(read(text)).isEqualTo(text.length());
  }

  /// Returns how many bytes the value has.
  private static long read(String text) throws MalformedJsonException {
    JsonStrings strings = new JsonStrings(new TestMemory(1 << 20));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(text.length() + 64L);
      MemorySegment.copy(
          MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII)),
          0,
          memory,
          0,
          text.length());
      JsonText at = new JsonText(true);
      at.at = memory.address();
      new JsonRaw(strings).read(at, 0);
      assertThat(at.from).isEqualTo(memory.address());
      assertThat(at.to).isEqualTo(at.at);
      return at.at - memory.address();
    }
  }

  /// Returns another name of 16 letters, digits and marks that has the hash of a name.
  private static String sameHash(String name) {
    ByteBuffer bytes =
        ByteBuffer.wrap(name.getBytes(StandardCharsets.US_ASCII)).order(ByteOrder.LITTLE_ENDIAN);
    long first = bytes.getLong(0);
    long second = bytes.getLong(8);
    Random random = new Random(1);
    while (true) {
      long changed = 0;
      for (int i = 0; i < 8; i++) {
        changed = changed << 8 | ('a' + random.nextInt(26));
      }
      long last = second ^ (16 ^ first) * FACTOR ^ (16 ^ changed) * FACTOR;
      String found =
          new String(
              bytes.putLong(0, changed).putLong(8, last).array(), StandardCharsets.ISO_8859_1);
      if (found.matches("[!#-\\[\\]-~]{16}")) {
        return found;
      }
    }
  }
}
