package dev.penstock.spi.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;

/// Limits the number of simultaneous requests to a store, across all callers, and holds the store's
/// client while there are any.
///
/// **Threads.** Safe for any.
final class RequestGate {
  private final Semaphore free;
  private final StoreClient client;

  /// A request.
  ///
  /// @param <T> the type of the result
  @FunctionalInterface
  interface Request<T> {
    /// Makes it once.
    T make(RemoteRequests requests) throws IOException;
  }

  /// Makes a gate.
  ///
  /// @param most how many at once, at least 1
  /// @param client makes the requests
  RequestGate(int most, StoreClient client) {
    this.free = new Semaphore(most);
    this.client = client;
  }

  /// Makes a request when its turn comes.
  <T> T call(Request<T> request) throws IOException {
    RemoteRequests requests = enter();
    try {
      return request.make(requests);
    } finally {
      leave();
    }
  }

  /// Requests bytes when its turn comes; closing the body ends the turn.
  RangeBody open(FileEntry file, long offset, long length) throws IOException {
    RemoteRequests requests = enter();
    try {
      return new Body(requests.open(file, offset, length));
    } catch (Throwable e) {
      leave();
      throw e;
    }
  }

  private RemoteRequests enter() throws IOException {
    try {
      free.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
    try {
      return client.take();
    } catch (Throwable e) {
      free.release();
      throw e;
    }
  }

  private void leave() {
    try {
      client.giveBack();
    } finally {
      free.release();
    }
  }

  private final class Body implements RangeBody {
    private final RangeBody body;
    private boolean isClosed;

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
      if (isClosed) {
        return;
      }
      isClosed = true;
      try {
        body.close();
      } finally {
        leave();
      }
    }
  }
}
