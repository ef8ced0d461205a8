package dev.penstock.serve;

import dev.penstock.storage.Location;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/// A Unix socket that only processes of this process's user may connect to.
record LocalListener(ServerSocketChannel sockets, Path socket, UserPrincipal user)
    implements Server.Listener {
  /// Binds a socket. Its folder must let nobody else in.
  ///
  /// @throws IOException if there is no folder, or the path is taken
  static LocalListener at(Path socket) throws IOException {
    ServerSocketChannel sockets = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      sockets.bind(UnixDomainSocketAddress.of(socket));
      return new LocalListener(sockets, socket, Files.getOwner(socket));
    } catch (IOException e) {
      sockets.close();
      throw new IOException(
          "Cannot serve at '" + Location.of(socket) + "': " + reason(socket, e), e);
    } catch (Throwable e) {
      sockets.close();
      throw e;
    }
  }

  private static String reason(Path socket, IOException refused) {
    Path folder = socket.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      return "there is no folder '" + Location.of(folder) + "'. Make it, or name another path.";
    }
    return Files.exists(socket, LinkOption.NOFOLLOW_LINKS)
        ? "it exists already. Name another path, or delete it if no server uses it."
        : refused.getMessage() + ". Name another path.";
  }

  @Override
  public Server.Connection accept() throws IOException {
    while (true) {
      SocketChannel client = sockets.accept();
      if (isOfUser(client)) {
        return new Server.ChannelConnection(client);
      }
      client.close();
    }
  }

  /// Returns whether a client is a process of this user, as far as the system still tells.
  private boolean isOfUser(SocketChannel client) {
    try {
      return client.getOption(ExtendedSocketOptions.SO_PEERCRED).user().equals(user);
    } catch (IOException e) {
      return false; // it is gone
    }
  }

  @Override
  public void close() throws IOException {
    sockets.close();
    Files.deleteIfExists(socket);
  }
}
