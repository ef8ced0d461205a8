package dev.penstock.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/// A TCP proxy on the loopback interface that breaks connections: the n-th one as a test says.
public final class FaultProxy implements AutoCloseable {
  /// What happens to a connection.
  public enum Kind {
    /// Nothing.
    NONE,

    /// It is closed.
    CUT,

    /// It is reset.
    RESET,

    /// Nothing more comes.
    STALL,

    /// The answer is 503 and the server is not asked.
    BUSY
  }

  /// What happens to a connection, and behind how many bytes of answers.
  public record Fault(Kind kind, long behind) {
    /// Lets the connection be.
    public static final Fault NONE = new Fault(Kind.NONE, 0);
  }

  private final ServerSocket listener;
  private final int target;
  private final IntFunction<Fault> faults;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);

  /// Starts a proxy.
  ///
  /// @param target the port of the server
  /// @param faults what happens to the n-th connection, counted from 0
  public FaultProxy(int target, IntFunction<Fault> faults) throws IOException {
    this.target = target;
    this.faults = faults;
    this.listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    executor.execute(this::accept);
  }

  /// Returns the port.
  public int port() {
    return listener.getLocalPort();
  }

  /// Returns how many connections there were.
  public int connections() {
    return connections.get();
  }

  private void accept() {
    while (true) {
      try {
        Socket client = listener.accept();
        open.add(client);
        Fault fault = faults.apply(connections.getAndIncrement());
        executor.execute(() -> serve(client, fault));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket client, Fault fault) {
    try (client) {
      if (fault.kind() == Kind.BUSY) {
        int ignored = client.getInputStream().read(new byte[65_536]);
        client
            .getOutputStream()
            .write(
                "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        return;
      }
      try (Socket server = new Socket()) {
        open.add(server);
        server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        executor.execute(() -> pass(client, server));
        answer(client, server, fault);
      }
    } catch (IOException | InterruptedException e) {
      // One of the two went away.
    }
  }

  private static void pass(Socket client, Socket server) {
    try (client;
        server) {
      client.getInputStream().transferTo(server.getOutputStream());
    } catch (IOException e) {
      // One of the two went away.
    }
  }

  private void answer(Socket client, Socket server, Fault fault)
      throws IOException, InterruptedException {
    InputStream from = server.getInputStream();
    OutputStream to = client.getOutputStream();
    byte[] step = new byte[16 << 10];
    long sent = 0;
    while (true) {
      long most = fault.kind() == Kind.NONE ? step.length : fault.behind() - sent;
      int count = most <= 0 ? 0 : from.read(step, 0, (int) Math.min(step.length, most));
      if (count < 0) {
        return;
      }
      to.write(step, 0, count);
      sent += count;
      if (fault.kind() != Kind.NONE && sent >= fault.behind()) {
        if (fault.kind() == Kind.STALL) {
          closed.await();
        } else if (fault.kind() == Kind.RESET) {
          client.setSoLinger(true, 0);
        }
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
    executor.close();
  }
}
