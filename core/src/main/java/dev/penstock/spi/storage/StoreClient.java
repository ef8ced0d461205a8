package dev.penstock.spi.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The client of a store with some options: its connections and threads, see [RemoteRequests].
///
/// A process may use a store with other credentials every hour, or with another address for each
/// file. So of all clients that make no request only those that were used last stay open, and those
/// only for a minute; one that was closed is made again when it is wanted.
///
/// **Threads.** Safe for any. No lock is held while a client is made or closed, which is a store's
/// own code, and nobody waits for it to be closed.
final class StoreClient {
  private static final Logger LOG = LoggerFactory.getLogger(StoreClient.class);

  /// How many clients stay open without a request.
  static final int IDLE_MAX = 16;

  private static final Duration IDLE_TIME = Duration.ofMinutes(1);

  /// Runs on threads of the JDK.
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(IDLE_TIME.toSeconds(), TimeUnit.SECONDS);

  /// Clients that are open, the one that was used longest ago first; some may have been taken
  /// again. Guarded by itself.
  private static final SequencedSet<StoreClient> IDLE = new LinkedHashSet<>();

  @GuardedBy("IDLE")
  private static boolean isWatched;

  private final Supplier<RemoteRequests> maker;

  @GuardedBy("this")
  private @Nullable RemoteRequests open;

  @GuardedBy("this")
  private int users;

  @GuardedBy("IDLE")
  private long idleSince;

  /// Describes a client, which is made when it is first taken.
  ///
  /// @param maker makes it, each time anew
  StoreClient(Supplier<RemoteRequests> maker) {
    this.maker = maker;
  }

  /// Takes the client, to be given back after the request.
  ///
  /// @throws IllegalArgumentException if an option is invalid
  @SuppressWarnings("ReferenceEquality") // which of two clients was kept
  RemoteRequests take() {
    RemoteRequests taken = takeOpen(null);
    if (taken != null) {
      return taken;
    }
    RemoteRequests made = maker.get();
    RemoteRequests first = takeOpen(made);
    if (first == null || first == made) {
      return made;
    }
    close(made); // another thread made one at the same time
    return first;
  }

  /// Takes the client that is open, or else the one that was made.
  private synchronized @Nullable RemoteRequests takeOpen(@Nullable RemoteRequests made) {
    RemoteRequests taken = open == null ? made : open;
    open = taken;
    users += taken == null ? 0 : 1;
    return taken;
  }

  /// Ends a request.
  void giveBack() {
    synchronized (this) {
      users--;
      if (users > 0) {
        return;
      }
    }
    StoreClient oldest = stayingIdle(this);
    if (oldest != null) {
      oldest.closeUnlessUsed();
    }
  }

  /// {@return another client to close, if too many are idle with this one}
  private static @Nullable StoreClient stayingIdle(StoreClient client) {
    synchronized (IDLE) {
      client.idleSince = System.nanoTime();
      IDLE.addLast(client); // also if it is there already
      if (!isWatched) {
        isWatched = true;
        LATER.execute(StoreClient::watch);
      }
      return IDLE.size() > IDLE_MAX ? IDLE.removeFirst() : null;
    }
  }

  private static void watch() {
    closeIdleFor(IDLE_TIME);
    synchronized (IDLE) {
      isWatched = !IDLE.isEmpty();
      if (isWatched) {
        LATER.execute(StoreClient::watch);
      }
    }
  }

  /// Closes the clients that were not used for some time.
  static void closeIdleFor(Duration time) {
    List<StoreClient> old = new ArrayList<>();
    synchronized (IDLE) {
      long now = System.nanoTime();
      while (!IDLE.isEmpty() && now - IDLE.getFirst().idleSince >= time.toNanos()) {
        old.add(IDLE.removeFirst());
      }
    }
    old.forEach(StoreClient::closeUnlessUsed);
  }

  private void closeUnlessUsed() {
    RemoteRequests unused;
    synchronized (this) {
      if (users > 0 || open == null) {
        return; // It is idle again when it is given back.
      }
      unused = open;
      open = null;
    }
    close(unused);
  }

  private static void close(RemoteRequests unused) {
    ForkJoinPool.commonPool()
        .execute(() -> {
          try {
            unused.close();
          } catch (RuntimeException e) {
            LOG.warn("A client of {} could not be closed.", unused, e);
          }
        });
  }
}
