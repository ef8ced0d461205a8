package dev.penstock.cli;

import dev.penstock.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Whether metrics are served.
final class MetricsOption {
  private static final int PORT_MAX = 65_535;

  @Option(
      names = "--metrics",
      paramLabel = "PORT",
      description =
          "Serve Prometheus' text at http://127.0.0.1:PORT/metrics while the command runs. 0 takes a"
              + " free port and says which.")
  private @Nullable Integer port;

  /// Starts to serve metrics, if that is wanted, and says where.
  ///
  /// @return null if they are not wanted
  @Nullable MetricsServer start(Terminal terminal) {
    if (port == null) {
      return null;
    }
    if (port < 0 || port > PORT_MAX) {
      throw new UsageException("--metrics must be in [0, " + PORT_MAX + "], got " + port + ".");
    }
    MetricsServer server = new MetricsServer(port);
    terminal.say("Metrics at " + server.address());
    return server;
  }
}
