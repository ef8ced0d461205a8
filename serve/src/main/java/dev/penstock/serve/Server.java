package dev.penstock.serve;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves loaders to the clients that connect to it.
///
/// **Ownership.** Closing it ends all connections, their loaders and threads.
///
/// **Threads.** Safe for any.
public final class Server implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private final Door door;
  private final Session.Gate gate;
  private final Set<Visit> visits = ConcurrentHashMap.newKeySet();
  private final Object change = new Object();
  private volatile boolean closed;

  /// Where clients connect.
  interface Door extends Closeable {
    /// Waits for the next client.
    Visit accept() throws IOException;
  }

  /// A client that connected.
  interface Visit extends Closeable {
    /// Checks who it is, for as long as a client can keep it waiting; then gives what it sends.
    InputStream in() throws IOException;

    OutputStream out() throws IOException;
  }

  Server(Door door, Session.Gate gate) {
    this.door = door;
    this.gate = gate;
  }

  /// A visit over a socket of this machine, or a plain one.
  record ChannelVisit(SocketChannel channel) implements Visit {
    @Override
    public InputStream in() {
      return Channels.newInputStream(channel);
    }

    @Override
    public OutputStream out() {
      return Channels.newOutputStream(channel);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /// Accepts clients until it is closed.
  ///
  /// @throws IOException if the socket fails
  void run() throws IOException {
    while (!closed) {
      Visit visit;
      try {
        visit = door.accept();
      } catch (ClosedChannelException e) {
        LOG.debug("The server is closed", e);
        return;
      }
      visits.add(visit);
      if (closed) {
        visit.close();
      }
      Thread.ofPlatform().daemon().name("penstock-session").start(() -> serve(visit));
    }
  }

  private void serve(Visit visit) {
    try (visit) {
      new Session(new Frames(visit.in(), visit.out()), visit, gate).run();
    } catch (IOException e) {
      LOG.warn("Refused a client: {}", e.getMessage());
    } finally {
      visits.remove(visit);
      synchronized (change) {
        change.notifyAll();
      }
    }
  }

  /// Returns whether clients are connected.
  boolean hasClients() {
    return !visits.isEmpty();
  }

  /// Waits until there are clients, or none any more.
  ///
  /// @param wanted which
  /// @param millis how long at most
  /// @return whether it came so
  boolean await(boolean wanted, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    synchronized (change) {
      while (hasClients() != wanted) {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          return false;
        }
        change.wait(Math.min(left, 50)); // arrivals do not notify
      }
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    door.close();
    for (Visit visit : visits) {
      visit.close();
    }
  }
}
