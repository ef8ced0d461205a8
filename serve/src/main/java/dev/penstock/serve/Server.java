package dev.penstock.serve;

import dev.penstock.storage.Printable;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves loaders to the clients that connect to it.
///
/// **Ownership.** Closing it ends all connections, their loaders and threads.
///
/// **Threads.** Safe for any.
public final class Server implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private static final int TOKEN_MIN = 16;

  /// How long it waits where nobody can be accepted.
  private static final long PAUSE_NANOS = 50_000_000;

  private final Listener listener;
  private final Gate gate;
  private final Connections connections;

  /// How long requests wait for the heap that others' requests hold.
  private static final long REQUEST_PATIENCE_MILLIS = 30_000;

  private final Shortage shortage =
      new Shortage(Runtime.getRuntime().maxMemory(), REQUEST_PATIENCE_MILLIS);
  private final OpenDatasets datasets = new OpenDatasets();
  private boolean hasWarned; // of the thread that accepts

  /// Where clients connect.
  interface Listener extends Closeable {
    /// Waits for the next client.
    Connection accept() throws IOException;
  }

  /// One client's connection.
  interface Connection extends Closeable {
    /// Returns the frames of both directions. Called once, on the client's thread.
    Frames open() throws IOException;

    /// Ends the connection at once, whatever the client and other threads do.
    @Override
    void close() throws IOException;
  }

  Server(Listener listener, Gate gate, Connections.Limits limits) {
    this.listener = listener;
    this.gate = gate;
    this.connections = new Connections(limits);
  }

  /// Makes a server for processes of this user on this machine, which share memory with it.
  ///
  /// @param socket the path of the Unix socket to make, in a folder that nobody else can enter
  /// @return the server, bound
  /// @throws IOException if the socket cannot be made
  public static Server local(Path socket) throws IOException {
    return new Server(LocalListener.at(socket), new Gate("", true), Connections.Limits.USUAL);
  }

  /// Makes a server for other machines, to which batches are sent.
  ///
  /// A client with the token reads what this process can read: it names the locations. Keep the
  /// token as you keep the credentials of the stores.
  ///
  /// @param address where to listen; port 0 for any free one
  /// @param tls the server's certificate and key, as PEM files; empty for plain TCP, on the
  ///   loopback interface only
  /// @param token what clients have to say, at least 16 characters; white space around it, such as
  ///   the line break at a file's end, does not count
  /// @return the server, bound
  /// @throws IOException if the port cannot be bound or a file not be read
  /// @throws IllegalArgumentException if the token is too short, TLS is missing where it is needed,
  ///   or the files are not a certificate and its key
  public static Server network(InetSocketAddress address, Optional<TlsFiles> tls, String token)
      throws IOException {
    return network(address, tls, token, Connections.Limits.ofNetwork());
  }

  static Server network(
      InetSocketAddress address, Optional<TlsFiles> tls, String token, Connections.Limits limits)
      throws IOException {
    String stripped = token.strip();
    if (stripped.length() < TOKEN_MIN) {
      throw new IllegalArgumentException(
          ("Cannot serve with a token of %s characters: expected at least %s, such as"
                  + " 'openssl rand -hex 32' prints.")
              .formatted(stripped.length(), TOKEN_MIN));
    }
    if (tls.isEmpty() && !address.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "Cannot serve at "
              + address.getHostString()
              + " without TLS: data and token could be read on the way. Name a certificate and its"
              + " key, or listen on 127.0.0.1.");
    }
    Optional<SSLContext> context =
        tls.isEmpty()
            ? Optional.empty()
            : Optional.of(Certificates.context(tls.get().chain(), tls.get().key()));
    return new Server(Network.at(address, context), new Gate(stripped, false), limits);
  }

  /// A server's certificate and key.
  ///
  /// @param chain a PEM file with the certificate, and those that signed it
  /// @param key a PEM file with its private key, in PKCS #8 without a password
  public record TlsFiles(Path chain, Path key) {}

  /// Returns where it listens.
  ///
  /// @return the address; empty for a local server
  public Optional<InetSocketAddress> address() {
    return listener instanceof Network network ? Optional.of(network.address()) : Optional.empty();
  }

  /// A connection over a socket of this machine.
  record ChannelConnection(SocketChannel channel) implements Connection {
    @Override
    public Frames open() {
      return new Frames(Channels.newInputStream(channel), channel);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /// Accepts clients until it is closed. Where the process has no descriptor, thread or memory left
  /// for one more, those go that have shown no token yet, and it waits a moment and goes on.
  public void run() {
    while (true) {
      try {
        receive(listener.accept());
        hasWarned = false;
      } catch (ClosedChannelException e) {
        LOG.debug("The server is closed", e);
        return;
      } catch (IOException | OutOfMemoryError e) {
        relieve(e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void relieve(Throwable cause) {
    try {
      connections.expelStrangers();
      warn(cause);
    } catch (OutOfMemoryError _) {
      hasWarned = true; // there is no room for words
    }
  }

  private void receive(Connection connection) throws IOException {
    try {
      connections.enter(connection);
      Thread.ofPlatform().daemon().name("penstock-session").start(() -> serve(connection));
    } catch (Throwable e) {
      connections.leave(connection);
      connection.close();
      throw e;
    }
  }

  /// Warns once for as long as no client comes in.
  private void warn(Throwable cause) {
    if (!hasWarned) {
      hasWarned = true;
      LOG.warn(
          "Cannot accept a client, and waits until it can: {}. Raise the limit of open files or"
              + " threads ('ulimit -n', 'ulimit -u') if clients are refused.",
          String.valueOf(cause.getMessage()));
    }
  }

  private void serve(Connection connection) {
    try (OpenDatasets.Lease lease = datasets.lease()) {
      new Session(connection, gate, connections, shortage, lease).run();
    } catch (IOException | OutOfMemoryError e) {
      LOG.warn("Refused a client: {}", Printable.of(String.valueOf(e.getMessage())));
    } finally {
      Connections.disconnect(connection);
      connections.leave(connection);
    }
  }

  boolean hasClients() {
    return !connections.isEmpty();
  }

  /// Waits until there are clients, or none if they are not `wanted`. Returns false if that is not
  /// so after `millis`.
  boolean await(boolean wanted, long millis) throws InterruptedException {
    return connections.await(wanted, millis);
  }

  @Override
  public void close() throws IOException {
    try {
      listener.close();
    } finally {
      connections.close();
      shortage.close();
    }
  }
}
