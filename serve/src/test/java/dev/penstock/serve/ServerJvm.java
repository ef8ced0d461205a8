package dev.penstock.serve;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.penstock.serve.Server.TlsFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A server in a JVM of its own, with little of what strangers and clients may take.
final class ServerJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final PrintStream in;
  private final int port;

  /// What a server has in use.
  ///
  /// @param threads how many, at their most
  /// @param descriptors how many are open
  /// @param heap bytes, before garbage is collected
  record Figures(int threads, long descriptors, long heap) {
    Figures most(Figures other) {
      return new Figures(
          Math.max(threads, other.threads),
          Math.max(descriptors, other.descriptors),
          Math.max(heap, other.heap));
    }
  }

  /// Starts a server, and waits until it serves.
  ///
  /// @param files how many files it may open
  /// @param flags those of the JVM
  ServerJvm(int files, List<String> flags, String token, Optional<TlsFiles> tls)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", "ulimit -n " + files + " && exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            ServerJvm.class.getName(),
            token));
    tls.ifPresent(
        with -> Stream.of(with.chain(), with.key()).map(Path::toString).forEach(command::add));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    port = Integer.parseInt(line());
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    Optional<TlsFiles> tls =
        arguments.length > 1
            ? Optional.of(new TlsFiles(Path.of(arguments[1]), Path.of(arguments[2])))
            : Optional.empty();
    Server server =
        Server.network(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tls, arguments[0]);
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          server.run();
          Runtime.getRuntime().halt(1); // it should not end
        });
    System.out.println(server.address().orElseThrow().getPort());
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (asked.readLine() != null) {
      System.out.println(now());
    }
  }

  private static String now() {
    long descriptors =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
            ? system.getOpenFileDescriptorCount()
            : 0;
    return ManagementFactory.getThreadMXBean().getPeakThreadCount()
        + " "
        + descriptors
        + " "
        + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private String line() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("The server ended.");
    }
    return line;
  }

  int port() {
    return port;
  }

  /// Returns what it has in use now.
  synchronized Figures figures() throws IOException {
    in.println();
    String[] numbers = line().split(" ", -1);
    return new Figures(
        Integer.parseInt(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
  }

  boolean isAlive() {
    return process.isAlive();
  }

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
