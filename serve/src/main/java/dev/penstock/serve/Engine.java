package dev.penstock.serve;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.LoggerFactory;

/// A server for the processes of one user on this machine, at a Unix socket: the first of them
/// starts it, and it ends with the last.
///
/// A client holds the lock while it connects, and starts an engine if none answers; the engine
/// holds it while it ends. So no client finds an engine that is about to end.
public final class Engine {
  /// How long it waits for its first client, whose process may have died.
  private static final long FIRST_MILLIS = 30_000;

  private static final long ENDLESS = Long.MAX_VALUE / 2_000_000;

  private Engine() {}

  /// Serves until the last client is gone. Prints `ready` when clients can connect.
  ///
  /// @param args the path of the socket, and that of the file to lock
  /// @throws Exception if it cannot serve
  public static void main(String[] args) throws Exception {
    Path lock = Path.of(args[1]);
    Server server = Server.local(Path.of(args[0]));
    Thread.ofPlatform().daemon().start(() -> accept(server));
    System.out.println("ready");
    System.out.close();
    try (FileChannel file =
        FileChannel.open(lock, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      server.await(true, FIRST_MILLIS);
      boolean ended = false;
      while (!ended) {
        server.await(false, ENDLESS);
        try (FileLock _ = file.lock()) {
          ended = !server.hasClients();
          if (ended) {
            server.close();
          }
        }
      }
    }
    System.exit(0); // whatever still runs
  }

  private static void accept(Server server) {
    try {
      server.run();
    } catch (IOException e) {
      LoggerFactory.getLogger(Engine.class).error("Cannot accept more clients", e);
    }
  }
}
