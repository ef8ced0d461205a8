package dev.penstock.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// A server that tests run in a process of its own, so that they can kill it.
public final class ServerProcess implements AutoCloseable {
  private final Process process;

  private ServerProcess(Process process) {
    this.process = process;
  }

  /// Returns a port on the loopback interface that nobody listens at.
  public static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /// Starts a server and waits until it says that it has started.
  ///
  /// @param command the program and its arguments
  /// @param environment what is added to the environment
  /// @param started tells the line that it prints then
  public static ServerProcess start(
      List<String> command, Map<String, String> environment, Predicate<String> started)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    // A build that is stopped stops its servers, too.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    StringBuilder said = new StringBuilder();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      said.append(line).append('\n');
      if (started.test(line)) {
        // What it says from now on is not wanted, but a full pipe would stop it.
        Thread.ofVirtual().start(() -> drain(out));
        return new ServerProcess(process);
      }
    }
    throw new IOException("The server did not start (" + command.get(0) + "):\n" + said);
  }

  private static void drain(BufferedReader out) {
    try {
      while (out.readLine() != null) {
        // dropped
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  /// Kills the server.
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
