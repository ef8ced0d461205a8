package dev.penstock.internal.http;

import dev.penstock.spi.storage.RangeBody;
import dev.penstock.spi.storage.ServedRange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The body of a response, whose reads fail if nothing arrives for too long. The JDK's own streams
/// wait forever.
///
/// The client's thread adds buffers; the reader takes them out and only then requests more, so at
/// most one delivery is held.
public final class TimedBody implements BodySubscriber<TimedBody> {
  private final Duration timeout;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Queue<ByteBuffer> buffers = new ArrayDeque<>();
  private @Nullable Subscription subscription;
  private @Nullable Throwable failure;
  private boolean isComplete;
  private boolean isClosed;

  TimedBody(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public CompletionStage<TimedBody> getBody() {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public void onSubscribe(Subscription given) {
    boolean cancel;
    lock.lock();
    try {
      subscription = given;
      cancel = isClosed;
    } finally {
      lock.unlock();
    }
    if (cancel) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> items) {
    Subscription more;
    lock.lock();
    try {
      buffers.addAll(items);
      more = first() == null ? subscription : null;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    if (more != null) {
      more.request(1); // It was empty, so no reader would request more.
    }
  }

  @Override
  public void onError(Throwable cause) {
    end(cause);
  }

  @Override
  public void onComplete() {
    end(null);
  }

  private void end(@Nullable Throwable cause) {
    lock.lock();
    try {
      failure = cause;
      isComplete = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private int read(ByteBuffer target) throws IOException {
    Subscription more = null;
    int count;
    lock.lock();
    try {
      long left = timeout.toNanos();
      while (first() == null) {
        if (failure != null) {
          throw new IOException(failure.getMessage(), failure);
        }
        if (isComplete) {
          return -1;
        }
        if (left <= 0) {
          throw new IOException("nothing came for " + timeout.toMillis() + " ms");
        }
        left = arrived.awaitNanos(left);
      }
      ByteBuffer buffer = buffers.element();
      count = Math.min(buffer.remaining(), target.remaining());
      target.put(buffer.slice(buffer.position(), count));
      buffer.position(buffer.position() + count);
      if (first() == null && !isComplete) {
        more = subscription;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } finally {
      lock.unlock();
    }
    if (more != null) {
      more.request(1);
    }
    return count;
  }

  private @Nullable ByteBuffer first() {
    ByteBuffer buffer = buffers.peek();
    while (buffer != null && !buffer.hasRemaining()) {
      buffers.remove();
      buffer = buffers.peek();
    }
    return buffer;
  }

  /// Waits for the end of a completely read response, so that its connection can be reused.
  private void awaitEnd() {
    lock.lock();
    try {
      long left = timeout.toNanos();
      while (!isComplete && left > 0) {
        left = arrived.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /// Drops the connection, unless everything has arrived.
  public void close() {
    Subscription cancelled;
    lock.lock();
    try {
      isClosed = true;
      cancelled = isComplete ? null : subscription;
      buffers.clear();
    } finally {
      lock.unlock();
    }
    if (cancelled != null) {
      cancelled.cancel();
    }
  }

  public RangeBody of(ServedRange served) {
    return new RangeBody() {
      private long left = served.length();

      @Override
      public ServedRange served() {
        return served;
      }

      @Override
      public int read(ByteBuffer target) throws IOException {
        int count = TimedBody.this.read(target);
        left -= Math.max(0, count);
        return count;
      }

      @Override
      public void close() {
        if (left == 0) {
          awaitEnd();
        }
        TimedBody.this.close();
      }
    };
  }
}
