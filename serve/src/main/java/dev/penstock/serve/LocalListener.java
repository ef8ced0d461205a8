package dev.penstock.serve;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/// A Unix socket that only processes of this process's user may connect to.
record LocalListener(ServerSocketChannel sockets, Path socket, UserPrincipal user)
    implements Server.Listener {
  /// Binds a socket. Its folder must let nobody else in.
  static LocalListener at(Path socket) throws IOException {
    ServerSocketChannel sockets = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      sockets.bind(UnixDomainSocketAddress.of(socket));
      return new LocalListener(sockets, socket, Files.getOwner(socket));
    } catch (Throwable e) {
      sockets.close();
      throw e;
    }
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
