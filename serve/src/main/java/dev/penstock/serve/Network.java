package dev.penstock.serve;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// A TCP port, with TLS where a context is given.
///
/// A client has 30 seconds for its handshake and hello.
final class Network implements Server.Door {
  private static final int HELLO_MILLIS = 30_000;
  private static final int WAITING_MAX = 64;

  private final ServerSocket sockets;

  private Network(ServerSocket sockets) {
    this.sockets = sockets;
  }

  /// Binds a port.
  ///
  /// @param address where to listen; port 0 for any free one
  /// @param tls empty for plain TCP
  static Network at(InetSocketAddress address, Optional<SSLContext> tls) throws IOException {
    ServerSocket sockets =
        tls.isPresent()
            ? tls.get().getServerSocketFactory().createServerSocket()
            : new ServerSocket();
    try {
      sockets.bind(address, WAITING_MAX);
    } catch (Throwable e) {
      sockets.close();
      throw e;
    }
    return new Network(sockets);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) sockets.getLocalSocketAddress();
  }

  @Override
  public Server.Visit accept() throws IOException {
    Socket client;
    try {
      client = sockets.accept();
    } catch (SocketException e) {
      if (sockets.isClosed()) {
        throw (ClosedChannelException) new ClosedChannelException().initCause(e);
      }
      throw e;
    }
    try {
      client.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      client.setTcpNoDelay(true);
      client.setSoTimeout(HELLO_MILLIS);
    } catch (Throwable e) {
      client.close();
      throw e;
    }
    return new SocketVisit(client);
  }

  /// A client over TCP.
  private record SocketVisit(Socket socket) implements Server.Visit {
    @Override
    public InputStream in() throws IOException {
      return socket.getInputStream();
    }

    @Override
    public WritableByteChannel out() throws IOException {
      return Channels.newChannel(socket.getOutputStream());
    }

    @Override
    public void welcomed() throws IOException {
      socket.setSoTimeout(0);
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
