package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdCompressCtx;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.orc.CompressionKind;
import org.junit.jupiter.api.Test;

/// Chunks of zstd as any writer may make them: the frames of one need not state their length.
class ChunksTest {
  private static final int MOST = 40_000;

  private final byte[] text = new byte[MOST];

  ChunksTest() {
    Random random = new Random(1);
    for (int i = 0; i < MOST; i++) {
      text[i] = (byte) random.nextInt(100);
    }
  }

  private static byte[] frame(byte[] text, boolean isLengthStated) {
    try (ZstdCompressCtx context = new ZstdCompressCtx()) {
      return context.setContentSize(isLengthStated).compress(text);
    }
  }

  private static byte[] chunk(byte[]... frames) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int length = Arrays.stream(frames).mapToInt(frame -> frame.length).sum();
    out.writeBytes(new byte[] {(byte) (length << 1), (byte) (length >> 7), (byte) (length >> 15)});
    for (byte[] frame : frames) {
      out.write(frame);
    }
    return out.toByteArray();
  }

  private byte[] read(byte[] stored, int chunks) throws IOException {
    TestMemory memory = new TestMemory(1 << 24);
    Chunks all = new Chunks(CompressionKind.ZSTD, MOST, memory);
    StoredStream stream = new StoredStream(new BytesFile(stored), 1, all, memory);
    stream.open(new StripeStreams.Place(0, stored.length));
    byte[] bytes = new byte[chunks * MOST];
    try {
      stream.read(bytes, 0, bytes.length);
    } finally {
      all.release();
    }
    return bytes;
  }

  @Test
  void framesNeedNotStateTheirLength() throws IOException {
    assertThat(read(chunk(frame(text, false)), 1)).isEqualTo(text);
  }

  @Test
  void aChunkMayHaveSeveralFrames() throws IOException {
    byte[] first = frame(Arrays.copyOf(text, 100), true);
    byte[] second = frame(Arrays.copyOfRange(text, 100, MOST), true);

    assertThat(read(chunk(first, second), 1)).isEqualTo(text);
  }

  @Test
  void chunksMayLieInSeveralPiecesOfTheFile() throws IOException {
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < 9; i++) {
      stored.write(chunk(frame(text, true)));
      expected.write(text);
    }

    assertThat(read(stored.toByteArray(), 9)).isEqualTo(expected.toByteArray());
  }

  @Test
  void longerChunksThanTheFileAllowsAreRefused() throws IOException {
    byte[] stored = chunk(frame(new byte[MOST + 1], true));

    assertThatThrownBy(() -> read(stored, 1))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("a chunk cannot be decompressed: ");
  }
}
