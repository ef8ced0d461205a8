package dev.penstock.serve;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The clients of a server: strangers, whose hello was not accepted yet, and guests.
///
/// Each kind has a bound of its own, so strangers take no room from guests. A stranger is
/// disconnected when its time is over, whatever it has sent. If there are too many, the oldest
/// goes.
///
/// **Ownership.** Closing it disconnects all clients, also those that come later.
///
/// **Threads.** Safe for any.
final class Connections implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  private final Limits limits;
  private final ScheduledThreadPoolExecutor deadlines =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("penstock-deadlines").factory());

  // Guarded by this. `all` also has those that were disconnected, until they end; `strangers` has
  // the oldest first.
  private final Set<Server.Connection> all = new HashSet<>();
  private final Map<Server.Connection, Future<?>> strangers = new LinkedHashMap<>();
  private final Set<Server.Connection> guests = new HashSet<>();
  private boolean closed;

  /// How many clients there may be at once, and how long one may be a stranger.
  ///
  /// @param strangers the most strangers
  /// @param guests the most guests
  /// @param patience the time from a client's connection until its hello is accepted
  record Limits(int strangers, int guests, Duration patience) {
    private static final int GUESTS_MAX = 4096;
    private static final int STRANGERS_MAX = 64;
    private static final int STRANGERS_MIN = 8;

    /// The part (1/n) of the descriptors that strangers may hold.
    private static final int OF_DESCRIPTORS = 16;

    /// Each client is a thread and a descriptor, so that strangers get few: the others are for
    /// clients and their files.
    static final Limits USUAL = new Limits(STRANGERS_MAX, GUESTS_MAX, Duration.ofSeconds(30));

    /// Returns those of a server that anybody may reach.
    static Limits ofNetwork() {
      int strangers =
          ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
              ? strangersOf(system.getMaxFileDescriptorCount())
              : STRANGERS_MAX;
      return new Limits(strangers, GUESTS_MAX, USUAL.patience);
    }

    /// Returns the most strangers of a process that may open `descriptors` files at once.
    static int strangersOf(long descriptors) {
      return Math.clamp(descriptors / OF_DESCRIPTORS, STRANGERS_MIN, STRANGERS_MAX);
    }
  }

  Connections(Limits limits) {
    this.limits = limits;
    deadlines.setRemoveOnCancelPolicy(true);
  }

  /// Takes a client that connected, as a stranger.
  void enter(Server.Connection connection) {
    oldestOfTooMany().ifPresent(this::expel);
    if (!add(connection)) {
      disconnect(connection);
    }
  }

  private synchronized Optional<Server.Connection> oldestOfTooMany() {
    return strangers.size() < limits.strangers
        ? Optional.empty()
        : Optional.of(strangers.keySet().iterator().next());
  }

  private synchronized boolean add(Server.Connection connection) {
    all.add(connection);
    notifyAll();
    if (closed) {
      return false;
    }
    long nanos = limits.patience.toNanos();
    strangers.put(
        connection, deadlines.schedule(() -> expel(connection), nanos, TimeUnit.NANOSECONDS));
    return true;
  }

  /// Makes a stranger a guest, because its hello is fine.
  ///
  /// @return whether there is room
  /// @throws IOException if it was disconnected already
  synchronized boolean welcome(Server.Connection connection) throws IOException {
    if (!strangers.containsKey(connection)) {
      throw new IOException("The client was disconnected before its hello was accepted.");
    }
    if (guests.size() >= limits.guests) {
      return false;
    }
    forget(connection);
    guests.add(connection);
    return true;
  }

  /// Disconnects all strangers, so that what they hold is free for guests.
  void expelStrangers() {
    List<Server.Connection> leaving;
    synchronized (this) {
      leaving = List.copyOf(strangers.keySet());
    }
    leaving.forEach(this::expel);
  }

  private void expel(Server.Connection connection) {
    if (forget(connection)) {
      LOG.debug("Disconnects a client whose hello was not accepted yet");
      disconnect(connection);
    }
  }

  /// Strikes a client off the strangers, if it is one.
  private synchronized boolean forget(Server.Connection connection) {
    Future<?> deadline = strangers.remove(connection);
    if (deadline != null) {
      deadline.cancel(false);
    }
    return deadline != null;
  }

  /// Closes a connection; where the heap is short, again and again for some seconds.
  static void disconnect(Server.Connection connection) {
    for (int pauses = 0; pauses < Shortage.PAUSES_MAX; pauses++) {
      try {
        connection.close();
        return;
      } catch (IOException e) {
        LOG.debug("Cannot close a connection", e);
        return;
      } catch (OutOfMemoryError _) {
        LockSupport.parkNanos(Shortage.PAUSE_NANOS);
      }
    }
    LOG.warn("Cannot close a connection: there is no heap");
  }

  /// Strikes a client off that is gone, and whose loader is closed.
  synchronized void leave(Server.Connection connection) {
    forget(connection);
    guests.remove(connection);
    all.remove(connection);
    notifyAll();
  }

  synchronized boolean isEmpty() {
    return all.isEmpty();
  }

  /// Waits until there are clients, or none if they are not `wanted`. Returns false if that is not
  /// so after `millis`.
  synchronized boolean await(boolean wanted, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    while (all.isEmpty() == wanted) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  @Override
  public synchronized void close() {
    closed = true;
    deadlines.shutdownNow();
    all.forEach(Connections::disconnect);
  }
}
