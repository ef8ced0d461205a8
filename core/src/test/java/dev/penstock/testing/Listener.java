package dev.penstock.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A port on the loopback interface, and a thread for each connection to it.
final class Listener implements AutoCloseable {
  private final ServerSocket socket;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  /// What is done with bytes; a peer that goes away ends it.
  interface Work {
    void run() throws IOException;
  }

  /// What is done with a connection, which is closed then.
  interface Server {
    void serve(Socket client) throws IOException;
  }

  Listener() throws IOException {
    socket = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
  }

  /// Returns the URL, without a slash at its end.
  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  /// Serves connections until this is closed.
  void start(Server server) {
    execute(() -> {
      while (true) {
        Socket client = socket.accept();
        execute(() -> {
          try (client) {
            server.serve(client);
          }
        });
      }
    });
  }

  void execute(Work work) {
    executor.execute(() -> {
      try {
        work.run();
      } catch (IOException e) {
        // The peer went away, or this was closed.
      }
    });
  }

  @Override
  public void close() throws IOException {
    socket.close();
    executor.shutdownNow();
    executor.close();
  }
}
