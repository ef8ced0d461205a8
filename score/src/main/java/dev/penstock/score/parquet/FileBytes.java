package dev.penstock.score.parquet;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/// A file in memory, as parquet-java writes to it. It grows without being copied.
final class FileBytes extends PositionOutputStream implements OutputFile {
  private static final int BLOCK_BYTES = 1 << 20;

  private final List<byte[]> blocks = new ArrayList<>();
  private int size;

  @Override
  public long getPos() {
    return size;
  }

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    if (count > Integer.MAX_VALUE - 8 - size) {
      throw new IllegalStateException(
          "Cannot write a part: it has more than 2 GiB. Use parts of fewer rows.");
    }
    int end = from + count;
    for (int i = from; i < end; ) {
      int at = size % BLOCK_BYTES;
      if (at == 0) {
        blocks.add(new byte[BLOCK_BYTES]);
      }
      int some = Math.min(end - i, BLOCK_BYTES - at);
      System.arraycopy(bytes, i, blocks.getLast(), at, some);
      size += some;
      i += some;
    }
  }

  long bytesHeld() {
    return (long) blocks.size() * BLOCK_BYTES;
  }

  byte[] toBytes() {
    byte[] all = new byte[size];
    for (int i = 0; i < blocks.size(); i++) {
      int at = i * BLOCK_BYTES;
      System.arraycopy(blocks.get(i), 0, all, at, Math.min(BLOCK_BYTES, size - at));
    }
    return all;
  }

  @Override
  public PositionOutputStream create(long blockSizeHint) {
    return this;
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSizeHint) {
    return this;
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }
}
