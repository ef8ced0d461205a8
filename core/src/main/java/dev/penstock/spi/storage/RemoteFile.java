package dev.penstock.spi.storage;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/// A file in a network store. Reads that break resume where they broke.
///
/// A read fails when its time is over, when too many attempts in a row bring no bytes, or at once
/// if a retry cannot help. A connection that gets too slow is replaced. The store's answers are
/// checked against the requests.
///
/// Nothing is open between reads, so there is nothing to close.
public final class RemoteFile implements StorageFile {
  /// The most bytes in one step; the time is checked between steps.
  private static final int STEP_BYTES = 1 << 20;

  private static final int SKIP_BYTES = 64 << 10;

  private final FileEntry file;
  private final RangeSource source;
  private final Retries retries;
  private final FetchAdvice advice;
  private final LongAdder repeated = new LongAdder();

  /// Makes an open file.
  ///
  /// @param file what is known about it, with its version
  /// @param source the source of its bytes, of that version
  /// @param retries how often and how long to try
  /// @param advice how best to read it
  public RemoteFile(FileEntry file, RangeSource source, Retries retries, FetchAdvice advice) {
    this.file = file;
    this.source = source;
    this.retries = retries;
    this.advice = advice;
  }

  @Override
  public Location location() {
    return file.location();
  }

  @Override
  public long size() {
    return file.bytes();
  }

  @Override
  public String version() {
    return file.version();
  }

  @Override
  public Optional<FetchAdvice> advice() {
    return Optional.of(advice);
  }

  @Override
  public long retries() {
    return repeated.sum();
  }

  @Override
  public long read(long offset, MemorySegment target) throws IOException {
    return read(offset, target, _ -> {});
  }

  @Override
  public long read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
    long length = target.byteSize();
    String what =
        "read bytes [" + offset + ", " + (offset + length) + ") of '" + file.location() + "'";
    if (offset < 0 || offset > file.bytes() - length) {
      throw new StorageException(
          StorageException.Kind.RANGE,
          Sentence.of(
              "Cannot %s: the file has %s bytes. It was cut or replaced while it was read; start"
                  + " the epoch again.",
              what, file.bytes()),
          null);
    }
    if (length == 0) {
      return 0;
    }
    Retries.Attempts attempts = retries.begin(what);
    long done = 0;
    while (done < length) {
      attempts.attempt();
      long before = done;
      try (RangeBody body = source.open(offset + done, length - done)) {
        Flow flow = new Flow(attempts);
        skip(body, body.served().require(offset + done, length - done, file.bytes()), flow);
        while (done < length) {
          long step = Math.min(STEP_BYTES, length - done);
          ByteBuffer into = target.asSlice(done, step).asByteBuffer();
          int count = body.read(into);
          if (count < 0) {
            throw new IOException(
                Sentence.of(
                    "it ends %s bytes too early, behind %s bytes", length - done, done - before));
          }
          done += count;
          arrived.accept(done);
          if (done < length) {
            flow.passed(count);
          }
        }
      } catch (IOException e) {
        if (done < length) { // else only closing the connection failed
          attempts.failed(e, done > before);
          repeated.increment();
        }
      }
    }
    return done;
  }

  /// Skips unwanted bytes from a server that sends them anyway.
  private static void skip(RangeBody body, long count, Flow flow) throws IOException {
    ByteBuffer unwanted = ByteBuffer.allocate((int) Math.min(SKIP_BYTES, count));
    for (long left = count; left > 0; ) {
      int came = body.read(unwanted.clear().limit((int) Math.min(unwanted.capacity(), left)));
      if (came < 0) {
        throw new IOException("it ends " + left + " bytes before those that were asked for");
      }
      left -= came;
      flow.passed(came);
    }
  }

  /// Watches the speed of one connection.
  private final class Flow {
    private final Retries.Attempts attempts;
    private final RetryPolicy policy = retries.policy();
    private long since = retries.pace().nanos();
    private long bytes;

    Flow(Retries.Attempts attempts) {
      this.attempts = attempts;
    }

    void passed(int count) throws IOException {
      bytes += count;
      if (attempts.nanosLeft() <= 0) {
        throw new IOException("it took too long");
      }
      long now = retries.pace().nanos();
      long nanos = now - since;
      if (nanos >= policy.slowAfter().toNanos()) {
        if (bytes < policy.slowBytes() * (nanos / 1e9)) {
          throw new IOException(
              String.format(Locale.ROOT, "only %.0f bytes a second came", bytes / (nanos / 1e9)));
        }
        since = now;
        bytes = 0;
      }
    }
  }

  @Override
  public void close() {
    // Nothing is open between reads.
  }
}
