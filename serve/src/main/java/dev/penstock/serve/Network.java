package dev.penstock.serve;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// A TCP port, with TLS where a context is given.
record Network(ServerSocket sockets, Optional<SSLContext> tls) implements Server.Listener {
  private static final int WAITING_MAX = 64;

  /// Binds a port, 0 for any free one; `tls` is empty for plain TCP.
  static Network at(InetSocketAddress address, Optional<SSLContext> tls) throws IOException {
    ServerSocket sockets = new ServerSocket();
    try {
      sockets.bind(address, WAITING_MAX);
    } catch (IOException e) {
      sockets.close();
      throw new IOException(
          "Cannot listen at '%s:%s': %s. Name another address or port, or 0 for any free one."
              .formatted(address.getHostString(), address.getPort(), e.getMessage()),
          e);
    } catch (Throwable e) {
      sockets.close();
      throw e;
    }
    return new Network(sockets, tls);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) sockets.getLocalSocketAddress();
  }

  @Override
  public Server.Connection accept() throws IOException {
    try {
      return new SocketConnection(sockets.accept(), tls);
    } catch (SocketException e) {
      if (sockets.isClosed()) {
        throw (ClosedChannelException) new ClosedChannelException().initCause(e);
      }
      throw e;
    }
  }

  /// A connection over TCP. The TLS is a layer above the socket, because closing a TLS socket
  /// writes to the client and may wait for it.
  private record SocketConnection(Socket socket, Optional<SSLContext> tls)
      implements Server.Connection {
    @Override
    public Frames open() throws IOException {
      socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      socket.setTcpNoDelay(true);
      Socket used =
          tls.isPresent() ? tls.get().getSocketFactory().createSocket(socket, null, true) : socket;
      return new Frames(used.getInputStream(), Channels.newChannel(used.getOutputStream()));
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    sockets.close();
  }
}
