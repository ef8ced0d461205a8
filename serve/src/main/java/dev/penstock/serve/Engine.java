package dev.penstock.serve;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.LoggerFactory;

/// A server for the processes of one user on this machine, at a Unix socket: the first of them
/// starts it, and it ends with the last.
///
/// A client holds the lock while it connects, and starts an engine if none answers; the engine
/// holds it while it ends. So no client finds an engine that is about to end.
public final class Engine implements Server.Door {
  /// How long it waits for its first client, whose process may have died.
  private static final long FIRST_MILLIS = 30_000;

  private static final long ENDLESS = Long.MAX_VALUE / 2_000_000;

  private final ServerSocketChannel sockets;
  private final Path socket;
  private final UserPrincipal user;

  private Engine(ServerSocketChannel sockets, Path socket, UserPrincipal user) {
    this.sockets = sockets;
    this.socket = socket;
    this.user = user;
  }

  /// Binds a socket. Its folder must let nobody else in.
  ///
  /// @param socket the path of the socket
  /// @return the door
  /// @throws IOException if it cannot be made
  static Engine at(Path socket) throws IOException {
    ServerSocketChannel sockets = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      sockets.bind(UnixDomainSocketAddress.of(socket));
      return new Engine(sockets, socket, Files.getOwner(socket));
    } catch (Throwable e) {
      sockets.close();
      throw e;
    }
  }

  @Override
  public Server.Visit accept() throws IOException {
    while (true) {
      SocketChannel client = sockets.accept();
      if (client.getOption(ExtendedSocketOptions.SO_PEERCRED).user().equals(user)) {
        return new Server.ChannelVisit(client);
      }
      client.close(); // somebody else's process
    }
  }

  @Override
  public void close() throws IOException {
    sockets.close();
    Files.deleteIfExists(socket);
  }

  /// Serves until the last client is gone. Prints `ready` when clients can connect.
  ///
  /// @param args the path of the socket, and that of the file to lock
  /// @throws Exception if it cannot serve
  public static void main(String[] args) throws Exception {
    Path lock = Path.of(args[1]);
    Server server = new Server(at(Path.of(args[0])), new Session.Gate("", true));
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
