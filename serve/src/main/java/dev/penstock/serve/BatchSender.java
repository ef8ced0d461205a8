package dev.penstock.serve;

import dev.penstock.serve.BatchColumns.Pair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes the frames of batches.
///
/// After the frame's head, all little-endian: the batch's number in the connection, 8 bytes; the
/// number of the epoch, 4; the rows, 4; the bytes of the state, 4; the number of pairs, 4; where
/// the batch is in the shared memory, 8, or -1 if it follows the frame; how many bytes it spans, 8;
/// the pairs of [BatchColumns], two numbers of 8 bytes each, places counted from where the batch
/// is; and the state.
///
/// @param shared where the memory of batches lies; empty if it is sent behind the frame
record BatchSender(Optional<SharedMemory> shared) {
  private static final int HEAD = 40;
  private static final long ALIGNMENT = 64;

  /// Returns a batch's frame, and what follows it.
  ByteBuffer[] frame(long id, int epoch, int rows, byte[] state, List<Pair> pairs) {
    ByteBuffer frame =
        Frames.begin(FrameKind.BATCH, HEAD + 16 * pairs.size() + state.length)
            .putLong(id)
            .putInt(epoch)
            .putInt(rows)
            .putInt(state.length)
            .putInt(pairs.size());
    if (shared.isPresent()) {
      place(frame, pairs, shared.get());
      return new ByteBuffer[] {Frames.finish(frame.put(state))};
    }
    long[] span = new long[1];
    frame.putLong(-1).putLong(0);
    int spanAt = frame.position() - 8;
    for (Pair pair : pairs) {
      MemorySegment memory = pair.memory();
      frame.putLong(memory == null ? pair.first() : span[0]).putLong(pair.second());
      span[0] += memory == null ? 0 : aligned(memory.byteSize());
    }
    frame.putLong(spanAt, span[0]);
    return withMemory(Frames.finish(frame.put(state)), pairs);
  }

  private static void place(ByteBuffer frame, List<Pair> pairs, SharedMemory shared) {
    long start = Long.MAX_VALUE;
    long end = 0;
    for (Pair pair : pairs) {
      MemorySegment memory = pair.memory();
      if (memory != null && memory.byteSize() > 0) {
        long offset = shared.offset(memory);
        start = Math.min(start, offset);
        end = Math.max(end, offset + memory.byteSize());
      }
    }
    start = Math.min(start, end);
    frame.putLong(start).putLong(end - start);
    for (Pair pair : pairs) {
      frame.putLong(place(pair, start, shared)).putLong(pair.second());
    }
  }

  private static long place(Pair pair, long start, SharedMemory shared) {
    MemorySegment memory = pair.memory();
    return memory == null
        ? pair.first()
        : memory.byteSize() == 0 ? 0 : shared.offset(memory) - start;
  }

  private static ByteBuffer[] withMemory(ByteBuffer frame, List<Pair> pairs) {
    ByteBuffer[] parts = new ByteBuffer[1 + 2 * pairs.size()];
    int count = 0;
    parts[count++] = frame;
    for (Pair pair : pairs) {
      @Nullable MemorySegment memory = pair.memory();
      parts[count++] = memory == null ? ByteBuffer.allocate(0) : bytes(memory);
      parts[count++] =
          ByteBuffer.allocate(
              memory == null ? 0 : (int) (aligned(memory.byteSize()) - memory.byteSize()));
    }
    return parts;
  }

  /// Returns the bytes of memory, those of an array as a copy.
  private static ByteBuffer bytes(MemorySegment memory) {
    return memory.isNative()
        ? memory.asByteBuffer()
        : ByteBuffer.wrap(memory.toArray(ValueLayout.JAVA_BYTE));
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }
}
