package dev.penstock.internal.planfile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.planfile.PlanIndex.Block;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The blocks of an open plan file. A request reads as many neighbours as it can.
///
/// **Threads.** Any.
final class PlanBlocks {
  /// The bytes of the first request: they have the index of most plans, and all of small ones.
  static final int TAIL_BYTES = 64 << 10;

  /// The most bytes of other requests, unless a block is larger.
  private static final int REQUEST_BYTES = 64 << 20;

  private final StorageFile file;
  private final byte[] tail;
  private final PlanIndex index;

  /// Blocks as they are stored, by number, that came with a neighbour and are not read yet.
  @GuardedBy("this")
  private final Map<Integer, byte[]> ahead = new HashMap<>();

  PlanBlocks(StorageFile file) throws IOException {
    this.file = file;
    long size = file.size();
    int length = (int) Math.min(size, TAIL_BYTES);
    tail = file.bytes(size - length, length);
    Trailer trailer = read("its end", size, () -> Trailer.read(tail, size));
    byte[] stored = bytes(trailer.offset(), trailer.length());
    index =
        read(
            "its index",
            trailer.offset(),
            () ->
                PlanIndex.read(
                    new BlockReader(Packed.unpack(stored, trailer.raw(), trailer.checksum())),
                    trailer.offset()));
  }

  PlanIndex index() {
    return index;
  }

  /// Reads a block by its number.
  <T> T read(int number, Function<BlockReader, T> code) throws IOException {
    Block block = index.blocks().get(number);
    byte[] stored = stored(number);
    return read(
        "block " + number + ", " + block,
        block.offset(),
        () -> code.apply(new BlockReader(Packed.unpack(stored, block.raw(), block.checksum()))));
  }

  private synchronized byte[] stored(int number) throws IOException {
    byte[] known = ahead.remove(number);
    if (known != null) {
      return known;
    }
    List<Block> blocks = index.blocks();
    Block first = blocks.get(number);
    int end = number;
    long bytes = 0;
    do {
      bytes += blocks.get(end).length();
      end++;
    } while (end < blocks.size()
        && blocks.get(end).kind() == first.kind()
        && bytes + blocks.get(end).length() <= REQUEST_BYTES);
    byte[] all = bytes(first.offset(), (int) bytes);
    int at = 0;
    for (int i = number; i < end; i++) {
      int length = blocks.get(i).length();
      ahead.put(i, Arrays.copyOfRange(all, at, at + length));
      at += length;
    }
    return Objects.requireNonNull(ahead.remove(number));
  }

  /// Returns a part of the file; what the tail has is not read again.
  private byte[] bytes(long offset, int length) throws IOException {
    long tailStart = file.size() - tail.length;
    int before = Math.clamp(tailStart - offset, 0, length);
    byte[] bytes = Arrays.copyOf(before == 0 ? new byte[0] : file.bytes(offset, before), length);
    int start = (int) Math.max(0, offset - tailStart);
    System.arraycopy(tail, start, bytes, before, length - before);
    return bytes;
  }

  private interface Reading<T> {
    T get();
  }

  private <T> T read(String what, long offset, Reading<T> reading) throws MalformedFileException {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw corrupt(what, offset, String.valueOf(e.getMessage()), e);
    } catch (ArithmeticException e) {
      throw corrupt(what, offset, "a number is too large", e);
    }
  }

  MalformedFileException corrupt(
      String what, long offset, String why, @Nullable RuntimeException cause) {
    return new MalformedFileException(
        file.location(),
        offset,
        what,
        Sentence.of("Corrupt plan: %s. Remove it and make it anew.", why),
        cause);
  }
}
