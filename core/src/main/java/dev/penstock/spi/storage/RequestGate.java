package dev.penstock.spi.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;

/// Limits the number of simultaneous requests to a store, across all callers.
///
/// **Threads.** Safe for any.
final class RequestGate {
  private final Semaphore free;

  /// Makes a gate.
  ///
  /// @param most how many at once, at least 1
  RequestGate(int most) {
    this.free = new Semaphore(most);
  }

  /// Makes a request when its turn comes.
  <T> T call(Retries.Request<T> request) throws IOException {
    enter();
    try {
      return request.make();
    } finally {
      free.release();
    }
  }

  /// Requests bytes when its turn comes; closing the body ends the turn.
  RangeBody open(RangeSource source, long offset, long length) throws IOException {
    enter();
    try {
      return new Body(source.open(offset, length));
    } catch (Throwable e) {
      free.release();
      throw e;
    }
  }

  private void enter() throws IOException {
    try {
      free.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  private final class Body implements RangeBody {
    private final RangeBody body;

    Body(RangeBody body) {
      this.body = body;
    }

    @Override
    public ServedRange served() {
      return body.served();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      return body.read(target);
    }

    @Override
    public void close() throws IOException {
      try {
        body.close();
      } finally {
        free.release();
      }
    }
  }
}
